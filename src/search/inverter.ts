/**
 * Records' terms to words by bucket. A word is one number until its bucket is laid out: postings are not put together
 * record by record.
 *
 * A word is one position after the word before it; fields and separate texts are `BREAK` positions apart, so nothing
 * is adjacent across them. A record's length is the number of its words times the weights of their fields, added up
 * (Robertson & Zaragoza 2009, section 3.6).
 */
import { sharedUint32, withRoom } from '../growable.js';
import { Buckets, type BucketWords } from './buckets.js';
import type { RankingParameters } from './tables.js';
import { BESIDE, FIELD, RECORD } from './term-stream.js';

/** More than any distance at which words count as standing together. */
export const BREAK = 8;

/** Where an empty field begins, until its record ends. */
const NOWHERE = 0xffffffff;

/** Records one after the other, as their words by bucket, in memory that threads can share. Records are counted from 0. */
export interface Inverted {
  readonly records: number;
  /** Per record. */
  readonly lengths: Uint32Array;
  /** Per record and field, the position at which the field begins; an empty one where the next one does, or behind all words. */
  readonly fieldStarts: Uint32Array;
  readonly buckets: BucketWords;
}

/** All records, inverted in parts that follow one another: what the tables are made of, on whichever thread. */
export interface Inversion {
  readonly parts: readonly Inverted[];
  /** How many terms there are. */
  readonly terms: number;
  /** `rowOf[record]` is the record's row, -1 if a later record replaced it. */
  readonly rowOf: Int32Array;
  /** Of the fields. */
  readonly weights: readonly number[];
  readonly ranking: RankingParameters;
}

export class Inverter {
  private readonly buckets = new Buckets();
  private readonly weights: readonly number[];
  private lengths: Uint32Array = sharedUint32(1 << 10);
  private fieldStarts: Uint32Array = sharedUint32(1 << 12);
  private records = 0;
  /** Of the record being read. */
  private position = 0;
  private length = 0;
  private field = 0;
  private countedWeight = 0;

  constructor(weights: readonly number[]) {
    this.weights = weights;
  }

  /** Reads whole records. */
  read(entries: Int32Array, length: number): void {
    for (let i = 0; i < length; i++) {
      const entry = entries[i]!;
      if (entry >= 0) {
        this.buckets.add(entry, this.records - 1, this.field, this.position++);
        this.length += this.countedWeight;
      } else this.readMark(entry);
    }
    this.endRecord();
  }

  private readMark(mark: number): void {
    if (mark === RECORD) this.beginRecord();
    else this.position += BREAK;
    if (mark === BESIDE) this.countedWeight = 0;
    else if (mark <= FIELD) this.beginField(FIELD - mark);
  }

  private beginRecord(): void {
    this.endRecord();
    const fields = this.weights.length;
    const record = this.records++;
    this.lengths = withRoom(this.lengths, record + 1, sharedUint32);
    this.fieldStarts = withRoom(this.fieldStarts, (record + 1) * fields, sharedUint32);
    this.fieldStarts.fill(NOWHERE, record * fields, (record + 1) * fields);
    this.position = 0;
    this.length = 0;
  }

  private beginField(field: number): void {
    this.field = field;
    this.countedWeight = this.weights[field]!;
    this.fieldStarts[(this.records - 1) * this.weights.length + field] = this.position;
  }

  private endRecord(): void {
    if (this.records === 0) return;
    this.lengths[this.records - 1] = this.length;
    const fields = this.weights.length;
    let next = this.position;
    for (let at = this.records * fields - 1; at >= (this.records - 1) * fields; at--) {
      if (this.fieldStarts[at] === NOWHERE) this.fieldStarts[at] = next;
      else next = this.fieldStarts[at]!;
    }
  }

  /** All that was read; nothing can be read after it. */
  finish(): Inverted {
    const { records } = this;
    return {
      records,
      lengths: this.lengths.subarray(0, records),
      fieldStarts: this.fieldStarts.subarray(0, records * this.weights.length),
      buckets: this.buckets.finish(),
    };
  }
}
