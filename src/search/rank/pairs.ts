/** Pairs of neighbouring words of a query: a record in which they are neighbours too scores more. */
import { impactOf } from '../../kernels/posting-layout.js';
import { normOf, PAIR_WEIGHT, termWeight } from '../scoring.js';
import type { IndexTables } from '../tables.js';
import type { QueryTerm } from './expansion.js';
import type { Kernels } from './ranking-kernel.js';

/** Words further apart in the query do not count as standing together. */
const MAX_PAIR_DISTANCE = 4;

/** A query keeps this many pairs of words: those that weigh most. */
const MAX_PAIRS = 64;

/** Two words of a query that stand `distance` apart. */
export interface WordPair {
  readonly first: number;
  readonly second: number;
  readonly distance: number;
  /** The pair adds weight · f / (f + norm); f: its occurrences, weighted by field. */
  readonly weight: number;
}

/** Pairs of neighbouring words that are both scored, without stop words, the heaviest first. A word and itself are no pair. */
export function wordPairs(tables: IndexTables, words: readonly QueryTerm[], scored: ReadonlySet<number>): WordPair[] {
  const pairs = new Map<string, WordPair>();
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

/** The sums of pairs in each of some ascending rows; `weights` are those of the pairs, as whole numbers. */
export function pairSums(
  tables: IndexTables,
  kernels: Kernels,
  pairs: readonly WordPair[],
  weights: readonly number[],
  rows: Uint32Array,
): Float64Array {
  const sums = new Float64Array(rows.length);
  pairs.forEach(({ first, second, distance }, pair) => {
    kernels.setPhrase([
      { term: first, position: 0 },
      { term: second, position: distance },
    ]);
    rows.forEach((row, i) => {
      const frequency = kernels.frequencyIn(row);
      if (frequency > 0) sums[i]! += weights[pair]! * impactOf(frequency, normOf(tables, tables.lengths[row]!));
    });
  });
  return sums;
}
