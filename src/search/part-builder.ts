/** Records → a part of an inversion: their texts are read into terms, and the terms inverted. */
import { Pool } from '../memory.js';
import { type BucketMemories, createBucketMemories } from './bucket-memory.js';
import type { TextBatch } from './cell-words.js';
import { type Inverted, Inverter } from './inverter.js';
import { firstRecord, StreamDecoder, StreamEncoder } from './narrow-stream.js';
import type { FieldText } from './search.js';
import type { WordTables } from './tables.js';
import { TermReader } from './term-reader.js';
import type { ListedWords } from './vocabulary.js';

export class PartBuilder {
  /** What the words by bucket stand in. */
  readonly memories = createBucketMemories();
  private readonly inverter: Inverter;
  private readonly reader = new TermReader(true, (entries) => this.inverter.read(entries, this.terms));

  constructor(weights: readonly number[]) {
    this.inverter = new Inverter(weights, this.memories);
  }

  add(texts: readonly FieldText[]): void {
    this.reader.read(texts);
  }

  /** Adds the first `size` records of a batch. */
  addBatch(batch: TextBatch, size: number): void {
    this.reader.readBatch(batch, size);
  }

  finish(): Inverted {
    this.reader.finish();
    return this.inverter.finish();
  }

  /** How many terms there are. */
  get terms(): number {
    return this.reader.terms;
  }

  /** Adds the words of a part that follows; returns what each of its terms is here. */
  adopt(words: ListedWords): Uint32Array {
    return this.reader.termsOf(words);
  }

  dictionary(): WordTables {
    return this.reader.dictionary();
  }
}

/**
 * The same for records that follow others, which are read elsewhere at the same time: each word is a
 * term of its own until those of the others are known.
 */
export class TailBuilder {
  private readonly reader = new TermReader(false, (entries) => this.setAside(entries));
  private readonly encoder = new StreamEncoder();
  private readonly pool = new Pool();
  private readonly streams: Streams = [];

  add(texts: readonly FieldText[]): void {
    this.reader.read(texts);
  }

  /** Adds the first `size` records of a batch. */
  addBatch(batch: TextBatch, size: number): void {
    this.reader.readBatch(batch, size);
  }

  /** All that was added; nothing can be added after it. */
  finish(): Tail {
    this.reader.finish();
    return { words: this.reader.list(), streams: this.streams };
  }

  private setAside(entries: Int32Array): void {
    const { buffer, byteOffset, byteLength } = this.pool.bytes(this.encoder.encode(entries));
    this.streams.push(new Uint16Array(buffer, byteOffset, byteLength / 2));
  }
}

/** The records of a tail, as streams of entries: each word is a term of its own. */
export interface Tail {
  readonly words: ListedWords;
  /** As `narrow-stream.ts` has them, in memory that threads can share. */
  readonly streams: Streams;
}
export type Streams = Uint16Array[];

/** Streams in two: behind about such a share of them, the second begins with a record. */
export function splitStreams(streams: Streams, share: number): [Streams, Streams] {
  for (let i = Math.floor(streams.length * share); i < streams.length; i++) {
    const codes = streams[i]!;
    const at = firstRecord(codes);
    if (at >= 0)
      return [
        [...streams.slice(0, i), codes.subarray(0, at)],
        [codes.subarray(at), ...streams.slice(i + 1)],
      ];
  }
  return [streams, []];
}

/** Uses up the streams. `termOf[i]` is what number i is to be. */
export function invertTail(
  streams: Streams,
  weights: readonly number[],
  termOf: Uint32Array,
  memories: BucketMemories,
): Inverted {
  const inverter = new Inverter(weights, memories);
  const terms = termOf.reduce((most, term) => Math.max(most, term + 1), 0);
  const decoder = new StreamDecoder(termOf);
  for (const codes of streams.splice(0)) inverter.read(decoder.decode(codes), terms);
  return inverter.finish();
}
