/** Pairs of neighbouring words of a query: a record in which they are neighbours too scores more. */
import { IMPACT_STEPS, normOf, PAIR_WEIGHT, scaledWeight, termWeight } from '../scoring.js';
import type { IndexTables } from '../tables.js';
import type { QueryTerm } from './expansion.js';
import { cursorsOf, type PositionCursor } from './positions.js';
import type { Kernels } from './ranking-kernel.js';

/** Words further apart in the query do not count as standing together. */
const MAX_PAIR_DISTANCE = 4;

/** A query keeps this many pairs of words: those that weigh most. */
const MAX_PAIRS = 64;

/** Two words of a query that stand `distance` apart. */
export interface Pair {
  readonly first: number;
  readonly second: number;
  readonly distance: number;
  /** The pair adds weight · f / (f + norm); f: its occurrences, weighted by field. */
  readonly weight: number;
}

/** Pairs of neighbouring words that are both scored, without stop words, the heaviest first. A word and itself are no pair. */
export function pairsOf(tables: IndexTables, words: readonly QueryTerm[], scored: ReadonlySet<number>): Pair[] {
  const pairs = new Map<string, Pair>();
  for (let i = 1; i < words.length; i++) {
    const first = words[i - 1]!;
    const second = words[i]!;
    const distance = second.word.position - first.word.position;
    if (first.word.run < 0 || first.word.run !== second.word.run || distance > MAX_PAIR_DISTANCE) continue;
    if (!scored.has(first.term) || !scored.has(second.term) || first.term === second.term) continue;
    const frequency = Math.max(tables.documentFrequencies[first.term]!, tables.documentFrequencies[second.term]!);
    const weight = PAIR_WEIGHT * termWeight(tables, frequency);
    pairs.set(`${first.term} ${second.term} ${distance}`, { first: first.term, second: second.term, distance, weight });
  }
  return [...pairs.values()].sort((a, b) => b.weight - a.weight).slice(0, MAX_PAIRS);
}

/** Scores the pairs of single rows: some microseconds for each row. */
export class PairReader {
  private readonly tables: IndexTables;
  private readonly kernels: Kernels;
  private readonly pairs: readonly Pair[];
  private readonly weights: readonly number[];
  /** Upper bound of the pairs' sum in any row. */
  readonly maxSum: number;
  private readonly cursors: ReadonlyMap<number, PositionCursor>;

  constructor(tables: IndexTables, kernels: Kernels, pairs: readonly Pair[], scale: number) {
    this.tables = tables;
    this.kernels = kernels;
    this.pairs = pairs;
    this.weights = pairs.map(({ weight }) => scaledWeight(weight, scale));
    this.maxSum = IMPACT_STEPS * this.weights.reduce((sum, weight) => sum + weight, 0);
    this.cursors = cursorsOf(
      tables,
      pairs.flatMap(({ first, second }) => [first, second]),
    );
  }

  /** The sum of the pairs in a row. */
  sumAt(row: number): number {
    const { pairs, cursors, tables, weights } = this;
    const norm = normOf(tables, tables.lengths[row]!);
    let sum = 0;
    for (let i = 0; i < pairs.length; i++) {
      const pair = pairs[i]!;
      const first = cursors.get(pair.first)!;
      const second = cursors.get(pair.second)!;
      if (!first.read(row) || !second.read(row)) continue;
      const frequency = this.frequencyOf(row, first, second, pair.distance);
      if (frequency > 0) sum += weights[i]! * this.kernels.impactOf(frequency, norm);
    }
    return sum;
  }

  /** The occurrences of the pair, each weighted by its field. */
  private frequencyOf(row: number, first: PositionCursor, second: PositionCursor, distance: number): number {
    const { positions, count } = second;
    let frequency = 0;
    let at = 0;
    for (let i = 0; i < count; i++) {
      at = first.positionFrom(at, positions[i]! - distance);
      if (first.isAt(at, positions[i]! - distance)) frequency += this.weightAt(row, positions[i]!);
    }
    return frequency;
  }

  /** The weight of the field that a position lies in. */
  private weightAt(row: number, position: number): number {
    const { fieldStarts, fieldWeights } = this.tables;
    const first = row * fieldWeights.length;
    let weight = 0;
    for (let field = 0; field < fieldWeights.length; field++) {
      if (fieldStarts[first + field]! <= position) weight = fieldWeights[field]!;
    }
    return weight;
  }
}
