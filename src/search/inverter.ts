/**
 * Words of records, one record after the other, to postings. The words of a record are put together by term first, so
 * that each posting is written once, with its frequency and positions. A posting's
 * frequency is BM25F's: the occurrences in every field times the field's weight, added up; a record's length is the
 * same sum over all its words (Robertson & Zaragoza 2009, section 3.6).
 *
 * A word is one position after the word before it; fields and separate texts are `BREAK` positions apart, so nothing
 * is adjacent across them.
 */
import { uint32, withRoom } from '../growable.js';
import { BUCKET_TERMS, Buckets, type SortedBucket } from './buckets.js';
import { writePosition } from './posting-code.js';

/** More than any distance at which words count as standing together. */
export const BREAK = 8;

/** The place of an empty field's beginning: beyond all positions. */
export const NOWHERE = 0xffffffff;

/** What is known of a term, side by side for the cache: the last record that has it, counted from 1, its posting there, */
const RECORD = 0;
const POSTING = 1;
/** how many postings it has in all, and how many bytes of positions. */
const POSTINGS = 2;
const BYTES = 3;
const STATE = 4;

export class Inverter {
  private readonly buckets = new Buckets();
  /** Per record. */
  lengths = new Uint32Array(1 << 10);
  /** Per record and field, where the field begins. */
  fieldStarts = new Uint32Array(1 << 12);
  /** No posting has more positions. */
  mostPositions = 0;
  /** The bytes that all positions take. */
  positionBytes = 0;

  private readonly fields: number;
  private state = new Uint32Array(1 << 14);
  /** The record being read, counted from 1. */
  private record = 0;
  private weight = 0;
  private countedWeight = 0;
  private length = 0;
  private position = 0;

  /** The record's postings: term, occurrences, frequency, first and last occurrence. */
  private postings = 0;
  private terms = new Uint32Array(1 << 10);
  private counts = new Uint32Array(1 << 10);
  private frequencies = new Uint32Array(1 << 10);
  private firsts = new Uint32Array(1 << 10);
  private lasts = new Uint32Array(1 << 10);
  /** The record's words from 1 on: where each stands, and the next of the same term. */
  private words = 0;
  private positions = new Uint32Array(1 << 10);
  private next = new Uint32Array(1 << 10);

  constructor(fields: number) {
    this.fields = fields;
  }

  beginRecord(): void {
    this.record++;
    this.length = 0;
    this.position = 0;
    this.postings = 0;
    this.words = 0;
    const { fields, record } = this;
    this.lengths = withRoom(this.lengths, record, uint32);
    this.fieldStarts = withRoom(this.fieldStarts, record * fields, uint32);
    for (let field = 0; field < fields; field++) this.fieldStarts[(record - 1) * fields + field] = NOWHERE;
  }

  beginField(field: number, weight: number): void {
    this.gap();
    this.weight = weight;
    this.countedWeight = weight;
    this.fieldStarts[(this.record - 1) * this.fields + field] = this.position;
  }

  /** The words that follow stand beside the field's text: they can be found, but do not make it longer. */
  beginBeside(): void {
    this.gap();
    this.countedWeight = 0;
  }

  /** What stands before this and what stands after are not adjacent. */
  gap(): void {
    this.position += BREAK;
  }

  word(term: number): void {
    const at = term * STATE;
    if (at >= this.state.length) this.state = withRoom(this.state, at + STATE, uint32);
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
    this.terms[posting] = term;
    this.counts[posting] = 1;
    this.frequencies[posting] = this.weight;
    this.firsts[posting] = word;
    this.lasts[posting] = word;
  }

  private makeRoom(): void {
    const room = this.positions.length * 2;
    this.positions = withRoom(this.positions, room, uint32);
    this.next = withRoom(this.next, room, uint32);
    this.terms = withRoom(this.terms, room, uint32);
    this.counts = withRoom(this.counts, room, uint32);
    this.frequencies = withRoom(this.frequencies, room, uint32);
    this.firsts = withRoom(this.firsts, room, uint32);
    this.lasts = withRoom(this.lasts, room, uint32);
  }

  endRecord(): void {
    this.lengths[this.record - 1] = this.length;
    const { terms, counts, frequencies, firsts, positions, next, buckets, state } = this;
    for (let posting = 0; posting < this.postings; posting++) {
      const term = terms[posting]!;
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
      this.positionBytes += end - begin;
      if (count > this.mostPositions) this.mostPositions = count;
    }
  }

  /** Takes the postings of 256 terms out, sorted by term, into the memory of a bucket that is no longer needed. */
  take(bucket: number, into: SortedBucket): SortedBucket {
    const counts = new Uint32Array(BUCKET_TERMS);
    const sizes = new Uint32Array(BUCKET_TERMS);
    for (let i = 0; i < BUCKET_TERMS; i++) {
      const at = (bucket * BUCKET_TERMS + i) * STATE;
      counts[i] = this.state[at + POSTINGS] ?? 0;
      sizes[i] = this.state[at + BYTES] ?? 0;
    }
    return this.buckets.take(bucket, counts, sizes, into);
  }
}
