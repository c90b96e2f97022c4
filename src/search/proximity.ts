/**
 * What only the order of a record's words can tell: whether a phrase occurs in it, and how often two words stand as
 * they stand in the query. Both read the positions of a few postings, some 100 ns each.
 */
import { rounded, rowAt, seek } from './lists.js';
import { readPositions } from './positions.js';
import type { IndexTables } from './tables.js';

/** Two words of a query that stand `distance` apart. */
export interface Pair {
  readonly first: number;
  readonly second: number;
  readonly distance: number;
  /** Times f / (f + norm) gives what the pair adds, f its occurrences weighted by field. */
  readonly weight: number;
}

export class ProximityReader {
  private readonly tables: IndexTables;
  private readonly found: Uint32Array;
  private readonly other: Uint32Array;

  constructor(tables: IndexTables) {
    this.tables = tables;
    this.found = new Uint32Array(tables.mostPositions);
    this.other = new Uint32Array(tables.mostPositions);
  }

  /** What the pairs add to the row's score. */
  pairScore(row: number, pairs: readonly Pair[]): number {
    const norm = this.tables.norms[row]!;
    let score = 0;
    for (const pair of pairs) {
      const frequency = this.pairFrequency(row, pair);
      if (frequency > 0) score += rounded((pair.weight * frequency) / (frequency + norm));
    }
    return score;
  }

  private pairFrequency(row: number, { first, second, distance }: Pair): number {
    const firstAt = this.postingOf(first, row);
    const secondAt = firstAt < 0 ? -1 : this.postingOf(second, row);
    if (secondAt < 0) return 0;
    const starts = readPositions(this.tables, firstAt, this.found);
    const count = this.keepFollowed(starts, secondAt, distance);
    let frequency = 0;
    for (let i = 0; i < count; i++) frequency += this.weightAt(row, this.found[i]!);
    return frequency;
  }

  /** Whether words stand one after the other: the i-th has the posting `postings[order[i]]`, all of one row. */
  holdsPhrase(postings: Uint32Array, order: Uint32Array): boolean {
    let count = readPositions(this.tables, postings[order[0]!]!, this.found);
    for (let i = 1; i < order.length && count > 0; i++) count = this.keepFollowed(count, postings[order[i]!]!, i);
    return count > 0;
  }

  /** Of the `count` positions found, keeps those that the posting has `distance` further on; returns how many. */
  private keepFollowed(count: number, posting: number, distance: number): number {
    const { found, other } = this;
    const others = readPositions(this.tables, posting, other);
    let kept = 0;
    let j = 0;
    for (let i = 0; i < count; i++) {
      const wanted = found[i]! + distance;
      while (j < others && other[j]! < wanted) j++;
      if (j === others) break;
      if (other[j] === wanted) found[kept++] = found[i]!;
    }
    return kept;
  }

  private postingOf(term: number, row: number): number {
    const { offsets, postings } = this.tables;
    const at = seek(postings, offsets[term]!, offsets[term + 1]!, row);
    return at < offsets[term + 1]! && rowAt(postings, at) === row ? at : -1;
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
