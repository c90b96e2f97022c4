/**
 * What only the order of a record's words can tell: whether a phrase occurs in it, and how often two words stand as
 * they stand in the query. Both read the positions of a few postings: some 0.05 µs for each word and row.
 */

import { score, scoreBound } from '../scoring.js';
import type { IndexTables } from '../tables.js';
import { ANY_FIELD } from './parser.js';
import { cursorsOf, isInField, type PositionCursor } from './positions.js';

/** Two words of a query that stand `distance` apart. */
export interface Pair {
  readonly first: number;
  readonly second: number;
  readonly distance: number;
  /** Times f / (f + norm) gives what the pair adds, f its occurrences weighted by field. */
  readonly weight: number;
}

/** Counts pairs in single rows. */
export class PairReader {
  private readonly tables: IndexTables;
  private readonly norms: Float64Array;
  private readonly pairs: readonly Pair[];
  /** Of each pair's first and second word. */
  private readonly cursors: readonly PositionCursor[];

  constructor(tables: IndexTables, norms: Float64Array, pairs: readonly Pair[]) {
    const terms = pairs.flatMap(({ first, second }) => [first, second]);
    const cursors = cursorsOf(tables, terms);
    this.tables = tables;
    this.norms = norms;
    this.pairs = pairs;
    this.cursors = terms.map((term) => cursors.get(term)!);
  }

  /**
   * What the pairs add to the row's score, which is `most` at most: the sum of `scoreBound`. Some number below `needed`
   * where that is less: no pair is counted any more once the others cannot make it up.
   */
  scoreAt(row: number, most: number, needed: number): number {
    const { pairs, cursors } = this;
    const norm = this.norms[row]!;
    let sum = 0;
    let open = most;
    for (let i = 0; i < pairs.length && sum + open >= needed; i++) {
      const { weight, distance } = pairs[i]!;
      const first = cursors[2 * i]!;
      const second = cursors[2 * i + 1]!;
      if (!first.read(row) || !second.read(row)) continue;
      open -= scoreBound(weight, Math.min(first.frequency, second.frequency), norm);
      const frequency = this.frequencyOf(row, first, second, distance);
      if (frequency > 0) sum += score(weight, frequency, norm);
    }
    return sum;
  }

  /** How much the places count, each by its field, where the second word follows the first. */
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

/** Looks for a phrase of two words or more in single rows, from the places of its rarest word. */
export class PhraseReader {
  private readonly tables: IndexTables;
  /** The rarest word's first. */
  private readonly cursors: readonly PositionCursor[];
  /** How far from the rarest word each of them stands. */
  private readonly distances: readonly number[];

  constructor(tables: IndexTables, phrase: readonly number[], cursors: ReadonlyMap<number, PositionCursor>) {
    const frequency = (at: number): number => tables.documentFrequencies[phrase[at]!]!;
    const places = [...phrase.keys()].sort((a, b) => frequency(a) - frequency(b));
    this.tables = tables;
    this.cursors = places.map((at) => cursors.get(phrase[at]!)!);
    this.distances = places.map((at) => at - places[0]!);
  }

  /** `field` may be `ANY_FIELD`. */
  isIn(row: number, field: number): boolean {
    const { cursors, distances } = this;
    if (!cursors.every((cursor) => cursor.read(row))) return false;
    const { positions, count } = cursors[0]!;
    /** Where each word was sought last: positions only go up. */
    const reached = new Uint32Array(cursors.length);
    for (let i = 0; i < count; i++) {
      const position = positions[i]!;
      if (field !== ANY_FIELD && !isInField(this.tables, row, field, position)) continue;
      let word = 1;
      for (; word < cursors.length; word++) {
        const wanted = position + distances[word]!;
        reached[word] = cursors[word]!.positionFrom(reached[word]!, wanted);
        if (!cursors[word]!.isAt(reached[word]!, wanted)) break;
      }
      if (word === cursors.length) return true;
    }
    return false;
  }
}
