/**
 * Records' terms to postings. The words of a record are put together by term first, so that each posting is written
 * once, with its frequency and positions. A posting's frequency is BM25F's: the occurrences in every field times the
 * field's weight, added up; a record's length is the same sum over all its words (Robertson & Zaragoza 2009, section
 * 3.6).
 *
 * A word is one position after the word before it; fields and separate texts are `BREAK` positions apart, so nothing
 * is adjacent across them.
 */
import { uint32, withRoom } from '../growable.js';
import { type BucketBytes, Buckets } from './buckets.js';
import { writePosition } from './posting-code.js';
import type { RankingParameters } from './tables.js';
import { BESIDE, FIELD, GAP, RECORD as RECORD_BEGINS } from './term-stream.js';

/** More than any distance at which words count as standing together. */
export const BREAK = 8;

/** The place of an empty field's beginning: beyond all positions. */
export const NOWHERE = 0xffffffff;

/** Records one after the other, as their postings by bucket. Records are counted from 0. */
export interface Inverted {
  readonly records: number;
  /** Per record. */
  readonly lengths: Uint32Array;
  /** Per record and field, where the field begins. */
  readonly fieldStarts: Uint32Array;
  /** Per term, and how many bytes its positions take. */
  readonly postings: Uint32Array;
  readonly bytes: Uint32Array;
  /** No posting has more positions. */
  readonly mostPositions: number;
  readonly buckets: BucketBytes;
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

/** What is known of a term, side by side for the cache: the last record that has it, counted from 1, its posting there, */
const RECORD = 0;
const POSTING = 1;
/** how many postings it has in all, and how many bytes of positions. */
const POSTINGS = 2;
const BYTES = 3;
const STATE = 4;

export class Inverter {
  private readonly buckets = new Buckets();
  private readonly weights: readonly number[];
  private lengths = new Uint32Array(1 << 10);
  private fieldStarts = new Uint32Array(1 << 12);
  private mostPositions = 0;
  private state = new Uint32Array(1 << 14);
  /** One more than the highest term. */
  private terms = 0;

  /** The record being read, counted from 1. */
  private record = 0;
  private weight = 0;
  private countedWeight = 0;
  private length = 0;
  private position = 0;

  /** The record's postings: term, occurrences, frequency, first and last occurrence. */
  private postings = 0;
  private termOf = new Uint32Array(1 << 10);
  private counts = new Uint32Array(1 << 10);
  private frequencies = new Uint32Array(1 << 10);
  private firsts = new Uint32Array(1 << 10);
  private lasts = new Uint32Array(1 << 10);
  /** The record's words from 1 on: where each stands, and the next of the same term. */
  private words = 0;
  private positions = new Uint32Array(1 << 10);
  private next = new Uint32Array(1 << 10);

  constructor(weights: readonly number[]) {
    this.weights = weights;
  }

  get records(): number {
    return this.record;
  }

  /** Reads whole records. */
  read(entries: Int32Array, length: number): void {
    for (let i = 0; i < length; i++) {
      const entry = entries[i]!;
      if (entry >= 0) this.word(entry);
      else if (entry === GAP) this.position += BREAK;
      else if (entry === RECORD_BEGINS) this.beginRecord();
      else if (entry === BESIDE) this.beginBeside();
      else this.beginField(FIELD - entry);
    }
    this.endRecord();
  }

  private beginRecord(): void {
    this.endRecord();
    this.record++;
    this.length = 0;
    this.position = 0;
    const { record } = this;
    const fields = this.weights.length;
    this.lengths = withRoom(this.lengths, record, uint32);
    this.fieldStarts = withRoom(this.fieldStarts, record * fields, uint32);
    for (let field = 0; field < fields; field++) this.fieldStarts[(record - 1) * fields + field] = NOWHERE;
  }

  private beginField(field: number): void {
    this.position += BREAK;
    this.weight = this.weights[field]!;
    this.countedWeight = this.weight;
    this.fieldStarts[(this.record - 1) * this.weights.length + field] = this.position;
  }

  private beginBeside(): void {
    this.position += BREAK;
    this.countedWeight = 0;
  }

  private word(term: number): void {
    const at = term * STATE;
    if (term >= this.terms) this.addTerm(term);
    const { state } = this;
    const word = ++this.words;
    if (word === this.positions.length) this.makeRoom();
    this.positions[word] = this.position++;
    this.next[word] = 0;
    this.length += this.countedWeight;
    if (state[at + RECORD] === this.record) {
      const posting = state[at + POSTING]!;
      this.counts[posting]!++;
      this.frequencies[posting]! += this.weight;
      this.next[this.lasts[posting]!] = word;
      this.lasts[posting] = word;
      return;
    }
    const posting = this.postings++;
    state[at + RECORD] = this.record;
    state[at + POSTING] = posting;
    this.termOf[posting] = term;
    this.counts[posting] = 1;
    this.frequencies[posting] = this.weight;
    this.firsts[posting] = word;
    this.lasts[posting] = word;
  }

  private addTerm(term: number): void {
    this.terms = term + 1;
    this.state = withRoom(this.state, this.terms * STATE, uint32);
  }

  private makeRoom(): void {
    const room = this.positions.length * 2;
    this.positions = withRoom(this.positions, room, uint32);
    this.next = withRoom(this.next, room, uint32);
    this.termOf = withRoom(this.termOf, room, uint32);
    this.counts = withRoom(this.counts, room, uint32);
    this.frequencies = withRoom(this.frequencies, room, uint32);
    this.firsts = withRoom(this.firsts, room, uint32);
    this.lasts = withRoom(this.lasts, room, uint32);
  }

  /** Writes the postings of the record that was read, if there is one. */
  private endRecord(): void {
    if (this.record === 0) return;
    this.lengths[this.record - 1] = this.length;
    const { termOf, counts, frequencies, firsts, positions, next, buckets, state } = this;
    for (let posting = 0; posting < this.postings; posting++) {
      const term = termOf[posting]!;
      const count = counts[posting]!;
      const begin = buckets.begin(term, this.record - 1, frequencies[posting]!, count);
      const { bytes } = buckets;
      let end = begin;
      let before = 0;
      for (let word = firsts[posting]!; word !== 0; ) {
        const position = positions[word]!;
        word = next[word]!;
        end = writePosition(bytes, end, position - before, word === 0);
        before = position;
      }
      buckets.end(term, end);
      state[term * STATE + POSTINGS]!++;
      state[term * STATE + BYTES]! += end - begin;
      if (count > this.mostPositions) this.mostPositions = count;
    }
    this.postings = 0;
    this.words = 0;
  }

  /** All that was read; nothing can be read after it. */
  finish(): Inverted {
    const { record: records, terms, state } = this;
    const ofTerms = (what: number): Uint32Array =>
      Uint32Array.from({ length: terms }, (_, term) => state[term * STATE + what]!);
    return {
      records,
      lengths: this.lengths.slice(0, records),
      fieldStarts: this.fieldStarts.slice(0, records * this.weights.length),
      postings: ofTerms(POSTINGS),
      bytes: ofTerms(BYTES),
      mostPositions: this.mostPositions,
      buckets: this.buckets.finish(),
    };
  }
}
