/** Records → a part of an inversion: their texts are read into terms, and the terms inverted. */
import { Pool } from '../memory.js';
import type { TextBatch } from './cell-words.js';
import { type Inverted, Inverter } from './inverter.js';
import type { FieldText } from './search.js';
import { TermReader } from './term-reader.js';

/** Records are inverted once they have so many terms. */
const STREAM_TERMS = 1 << 15;

export class PartBuilder {
  /** Has all words that were read. */
  readonly reader = new TermReader();
  private readonly inverter: Inverter;

  constructor(weights: readonly number[]) {
    this.inverter = new Inverter(weights);
  }

  add(texts: readonly FieldText[]): void {
    this.reader.read(texts);
    if (this.reader.stream.length >= STREAM_TERMS) this.invert();
  }

  /** Adds the first `size` records of a batch. */
  addBatch(batch: TextBatch, size: number): void {
    this.reader.readBatch(batch, size);
    if (this.reader.stream.length >= STREAM_TERMS) this.invert();
  }

  finish(): Inverted {
    this.invert();
    return this.inverter.finish();
  }

  private invert(): void {
    const { stream } = this.reader;
    this.inverter.read(stream.entries.subarray(0, stream.length), this.reader.terms);
    stream.length = 0;
  }
}

/** The words of a part, in the order in which they were met. */
export interface PartWords {
  readonly words: readonly string[];
  /** Each word's term, as the part numbers them. */
  readonly terms: Uint32Array;
}

/**
 * The same for records that follow others, which are read elsewhere at the same time: the terms have numbers of the
 * part's own until those of the others are known.
 */
export class TailBuilder {
  private readonly reader = new TermReader();
  private readonly pool = new Pool();
  private readonly streams: Uint32Array[] = [];

  add(texts: readonly FieldText[]): void {
    this.reader.read(texts);
    if (this.reader.stream.length >= STREAM_TERMS) this.setAside();
  }

  /** Adds the first `size` records of a batch. */
  addBatch(batch: TextBatch, size: number): void {
    this.reader.readBatch(batch, size);
    if (this.reader.stream.length >= STREAM_TERMS) this.setAside();
  }

  words(): PartWords {
    return this.reader.words();
  }

  /** `termOf[i]` is what term i of this part is to be. */
  finish(weights: readonly number[], termOf: Uint32Array): Inverted {
    this.setAside();
    const inverter = new Inverter(weights);
    const terms = termOf.reduce((most, term) => Math.max(most, term + 1), 0);
    for (const { buffer, byteOffset, length } of this.streams.splice(0)) {
      const entries = new Int32Array(buffer, byteOffset, length);
      for (let i = 0; i < length; i++) if (entries[i]! >= 0) entries[i] = termOf[entries[i]!]!;
      inverter.read(entries, terms);
    }
    return inverter.finish();
  }

  private setAside(): void {
    const { stream } = this.reader;
    const { buffer, byteOffset } = stream.entries;
    this.streams.push(this.pool.numbers(new Uint32Array(buffer, byteOffset, stream.length)));
    stream.length = 0;
  }
}
