/**
 * What only the order of a record's words can tell: whether a phrase occurs in it, and how often two words stand as
 * they stand in the query. Both read the positions of a few postings, each in less than half a microsecond.
 */
import { rounded } from './lists.js';
import type { PostingBuffer } from './posting-code.js';
import { createPostingBuffer, positionsIn } from './postings.js';
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
  private readonly range: PostingBuffer;

  constructor(tables: IndexTables) {
    this.tables = tables;
    this.found = new Uint32Array(tables.mostPositions);
    this.other = new Uint32Array(tables.mostPositions);
    this.range = createPostingBuffer(tables.mostInRange);
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
    const starts = this.read(first, row, this.found);
    const count = this.keepFollowed(starts, second, row, distance);
    let frequency = 0;
    for (let i = 0; i < count; i++) frequency += this.weightAt(row, this.found[i]!);
    return frequency;
  }

  /** Whether the terms stand one after the other in a row. */
  holdsPhrase(row: number, phrase: readonly number[]): boolean {
    let count = this.read(phrase[0]!, row, this.found);
    for (let i = 1; i < phrase.length && count > 0; i++) count = this.keepFollowed(count, phrase[i]!, row, i);
    return count > 0;
  }

  /** Of the `count` positions found, keeps those that the term has `distance` further on; returns how many. */
  private keepFollowed(count: number, term: number, row: number, distance: number): number {
    const { found, other } = this;
    const others = count === 0 ? 0 : this.read(term, row, other);
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

  private read(term: number, row: number, out: Uint32Array): number {
    return positionsIn(this.tables, term, row, this.range, out);
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
