/**
 * Records as the inverter reads them, one number a word: its term, in the order of the texts, with marks between.
 */
import { int32 } from '../growable.js';

/** A record begins; */
export const RECORD = -1;
/** what stands before this and what stands after are not adjacent; */
export const GAP = -2;
/** the words that follow stand beside the field's text: they can be found, but do not make it longer; */
export const BESIDE = -3;
/** and from here downwards: field 0 begins, field 1, and so on. */
export const FIELD = -4;

/** Entries that are handed over together: what they go through stays in the nearer caches. */
export const MOST_ENTRIES = 1 << 14;

/** A stream that is being written, and handed over a piece at a time. */
export class TermStream {
  /** Entries from `length` on have no meaning. */
  private readonly entries = int32(MOST_ENTRIES);
  private length = 0;
  private handedOver = 0;
  /** Of the field that is being written. */
  private readonly beside: number[] = [];
  private readonly take: (entries: Int32Array) => void;

  /** `take` is lent the entries. */
  constructor(take: (entries: Int32Array) => void) {
    this.take = take;
  }

  /** How many entries were written. */
  get written(): number {
    return this.handedOver + this.length;
  }

  add(entry: number): void {
    if (this.length === MOST_ENTRIES) this.handOver();
    this.entries[this.length++] = entry;
  }

  addMany(entries: Int32Array): void {
    for (let from = 0; from < entries.length; ) {
      if (this.length === MOST_ENTRIES) this.handOver();
      const some = entries.subarray(from, from + MOST_ENTRIES - this.length);
      this.entries.set(some, this.length);
      this.length += some.length;
      from += some.length;
    }
  }

  /** Keeps a term to stand beside the text of the field that is being written. */
  addBeside(term: number): void {
    this.beside.push(term);
  }

  get hasBeside(): boolean {
    return this.beside.length > 0;
  }

  /** Adds what stands beside the text. */
  endField(): void {
    if (this.beside.length === 0) return;
    this.add(BESIDE);
    for (const term of this.beside) {
      this.add(GAP);
      this.add(term);
    }
    this.beside.length = 0;
  }

  /** Hands over what was written since it was last done. */
  handOver(): void {
    this.take(this.entries.subarray(0, this.length));
    this.handedOver += this.length;
    this.length = 0;
  }
}
