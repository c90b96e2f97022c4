/**
 * What only the order of a record's words can tell: whether a phrase occurs in it, and how often two words stand as
 * they stand in the query. Both read the positions of a few postings: about 0.1 µs for each word and row.
 */
import { rounded, SCORE_STEP } from './lists.js';
import { PositionCursor } from './positions.js';
import type { PositionBuffers } from './scratch.js';
import type { IndexTables } from './tables.js';

/** Two words of a query that stand `distance` apart. */
export interface Pair {
  readonly first: number;
  readonly second: number;
  readonly distance: number;
  /** Times f / (f + norm) gives what the pair adds, f its occurrences weighted by field. */
  readonly weight: number;
}

/** What a pair adds to a row at most, whose words occur so often there: it occurs no more often than the rarer one. */
export const mostOfPair = (weight: number, frequency: number, norm: number): number =>
  frequency === 0 ? 0 : (weight * frequency) / (frequency + norm) + SCORE_STEP;

/** Cursors of terms, one each. */
function cursorsOf(tables: IndexTables, terms: readonly number[]): PositionCursor[] {
  const cursors = new Map(terms.map((term) => [term, new PositionCursor(tables, term)]));
  return terms.map((term) => cursors.get(term)!);
}

/** Counts pairs in single rows. */
export class PairReader {
  private readonly tables: IndexTables;
  private readonly buffers: PositionBuffers;
  private readonly pairs: readonly Pair[];
  /** Of each pair's first and second word. */
  private readonly cursors: readonly PositionCursor[];

  constructor(tables: IndexTables, buffers: PositionBuffers, pairs: readonly Pair[]) {
    this.tables = tables;
    this.buffers = buffers;
    this.pairs = pairs;
    this.cursors = cursorsOf(
      tables,
      pairs.flatMap(({ first, second }) => [first, second]),
    );
  }

  /**
   * What the pairs add to the row's score, which is `most` at most: the sum of `mostOfPair`. Some number below `needed`
   * where that is less: no pair is counted any more once the others cannot make it up.
   */
  scoreAt(row: number, most: number, needed: number): number {
    const { pairs, cursors, buffers } = this;
    const norm = this.tables.norms[row]!;
    let score = 0;
    let open = most;
    for (let i = 0; i < pairs.length && score + open >= needed; i++) {
      const { weight, distance } = pairs[i]!;
      const first = cursors[2 * i]!;
      const second = cursors[2 * i + 1]!;
      const starts = first.read(row, buffers.found);
      const others = starts === 0 ? 0 : second.read(row, buffers.other);
      if (others === 0) continue;
      open -= mostOfPair(weight, Math.min(first.frequency, second.frequency), norm);
      const frequency = this.weightOf(row, keepFollowed(buffers, starts, others, distance));
      if (frequency > 0) score += rounded((weight * frequency) / (frequency + norm));
    }
    return score;
  }

  /** How much the first `count` positions found count, each by its field. */
  private weightOf(row: number, count: number): number {
    let weight = 0;
    for (let i = 0; i < count; i++) weight += this.weightAt(row, this.buffers.found[i]!);
    return weight;
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

/** Looks for a phrase in single rows, fastest in ascending order: for the word that fewest records hold, then the others. */
export class PhraseReader {
  private readonly buffers: PositionBuffers;
  private readonly cursors: readonly PositionCursor[];
  /** How far from the first of `cursors` each of their words stands. */
  private readonly distances: readonly number[];

  constructor(tables: IndexTables, buffers: PositionBuffers, phrase: readonly number[]) {
    const rarest = [...phrase.keys()].sort(
      (a, b) => tables.documentFrequencies[phrase[a]!]! - tables.documentFrequencies[phrase[b]!]!,
    );
    this.buffers = buffers;
    this.cursors = cursorsOf(
      tables,
      rarest.map((at) => phrase[at]!),
    );
    this.distances = rarest.map((at) => at - rarest[0]!);
  }

  isIn(row: number): boolean {
    const { buffers, cursors, distances } = this;
    let count = cursors[0]!.read(row, buffers.found);
    for (let i = 1; i < cursors.length && count > 0; i++) {
      count = keepFollowed(buffers, count, cursors[i]!.read(row, buffers.other), distances[i]!);
    }
    return count > 0;
  }
}

/** Of the `count` positions found, keeps those that have one of the `others` `distance` further on; returns how many. */
function keepFollowed({ found, other }: PositionBuffers, count: number, others: number, distance: number): number {
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
