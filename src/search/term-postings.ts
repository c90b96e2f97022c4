/** The postings of one term, put together from its words. */
import { uint8, uint32, withRoom } from '../growable.js';
import { fieldOf, positionOf, type SortedWords } from './buckets.js';
import { MOST_POSITION_BYTES, writePosition } from './posting-code.js';

/** More postings than there can be records. */
const MOST_POSTINGS = 2 ** 28;

/** Side by side, by ascending row: entries from `count` on have no meaning. */
export class TermPostings {
  count = 0;
  rows = new Uint32Array(1 << 10);
  /** BM25F's: the occurrences in every field times the field's weight, added up. */
  frequencies = new Uint32Array(1 << 10);
  /** Posting i's positions stand in `positions[ends[i - 1] .. ends[i]]`, the first from 0 on. */
  ends = new Uint32Array(1 << 10);
  positions = new Uint8Array(1 << 12);
  /** The greatest frequency, and the most positions of a posting. */
  mostFrequency = 0;
  mostPositions = 0;

  private readonly weights: readonly number[];
  private readonly rowOf: Int32Array;
  /** Every record has the row of its number. */
  private readonly inOrder: boolean;

  /** `rowOf[record]` is the record's row, -1 if it was replaced; `weights` are those of the fields. */
  constructor(weights: readonly number[], rowOf: Int32Array) {
    this.weights = weights;
    this.rowOf = rowOf;
    this.inOrder = rowOf.every((row, record) => row === record);
  }

  /** Reads the i-th term of a bucket. */
  read(words: SortedWords, i: number): void {
    const from = words.starts[i]!;
    const to = words.starts[i + 1]!;
    this.reserve(to - from);
    this.readWords(words, from, to);
    if (!this.inOrder) this.orderByRow();
  }

  private reserve(words: number): void {
    this.rows = withRoom(this.rows, words, uint32);
    this.frequencies = withRoom(this.frequencies, words, uint32);
    this.ends = withRoom(this.ends, words, uint32);
    this.positions = withRoom(this.positions, words * MOST_POSITION_BYTES, uint8);
  }

  /** One posting a record, its number standing for the row. */
  private readWords({ records, places }: SortedWords, from: number, to: number): void {
    const { rows, frequencies, ends, positions, weights } = this;
    let count = 0;
    let end = 0;
    let mostFrequency = 0;
    let mostPositions = 0;
    for (let at = from; at < to; ) {
      const first = at;
      const record = records[at]!;
      let before = 0;
      let frequency = 0;
      do {
        const place = places[at++]!;
        const position = positionOf(place);
        frequency += weights[fieldOf(place)]!;
        end = writePosition(positions, end, position - before, at === to || records[at] !== record);
        before = position;
      } while (at < to && records[at] === record);
      rows[count] = record;
      frequencies[count] = frequency;
      ends[count++] = end;
      if (frequency > mostFrequency) mostFrequency = frequency;
      if (at - first > mostPositions) mostPositions = at - first;
    }
    this.count = count;
    this.mostFrequency = mostFrequency;
    this.mostPositions = mostPositions;
  }

  /** Gives the postings their rows and puts them in the order of these; those of replaced records are left out. */
  private orderByRow(): void {
    const rows = this.rows.slice(0, this.count);
    const frequencies = this.frequencies.slice(0, this.count);
    const ends = this.ends.slice(0, this.count);
    const positions = this.positions.slice(0, ends[this.count - 1] ?? 0);
    this.count = 0;
    let end = 0;
    for (const i of this.orderOf(rows)) {
      const from = i === 0 ? 0 : ends[i - 1]!;
      for (let at = from; at < ends[i]!; at++) this.positions[end++] = positions[at]!;
      this.rows[this.count] = this.rowOf[rows[i]!]!;
      this.frequencies[this.count] = frequencies[i]!;
      this.ends[this.count++] = end;
    }
  }

  /** The postings of records that have a row, by ascending row: a row and its posting are sorted as one number. */
  private orderOf(records: Uint32Array): Float64Array {
    const keys = new Float64Array(records.length);
    let count = 0;
    for (let i = 0; i < records.length; i++) {
      const row = this.rowOf[records[i]!]!;
      if (row >= 0) keys[count++] = row * MOST_POSTINGS + i;
    }
    return keys
      .subarray(0, count)
      .sort()
      .map((key) => key % MOST_POSTINGS);
  }
}
