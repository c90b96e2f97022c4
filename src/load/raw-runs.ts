/**
 * Records as the bytes that they are: as many at once as `BatchReader` can read, the others one by one. Many are read by
 * the names that the last records had, or some of them, so a file whose records have the same names is read in few steps.
 */
import type { CollectionModel } from '../model.js';
import { type BatchReader, isReadable } from './batch-reader.js';
import type { Columns } from './columns.js';
import { RawReader } from './raw-reader.js';
import type { Following, Passed, RawBytes } from './reading.js';

/** From so many records more on that had other names than were expected, those are expected. */
const OTHERS = 16;
/** Fewer records at once take longer than one by one; */
const WORTH_A_BATCH = 4;
/** after such, more and more are read one by one, but no more than this. */
const MOST_PATIENCE = 1 << 10;
/** Fewer bytes than this are not worth a copy to where the reader of batches sees them. */
const FEWEST_BYTES = 1 << 15;

export interface RawRunsOptions {
  readonly model: CollectionModel;
  /** The loader sets every record's id itself. */
  readonly idIsGiven: boolean;
  /** Gives the reader of batches when it is first needed; without it records are read one by one. */
  readonly batchReader?: () => BatchReader;
}

export class RawRuns {
  /** The record that was read alone. */
  readonly one: RawReader;
  readonly #options: RawRunsOptions;
  #bytes: RawBytes;
  #starts: readonly number[] = [];
  #ends: readonly number[] = [];
  #many: BatchReader | undefined;
  /** What batches are read by, if they can be, and how many records more had other names since. */
  #expected: Columns | undefined;
  #isReadable = false;
  #others = OTHERS;
  /** Whether the reader of batches has the bytes. */
  #isOver = false;
  /** So many records are still to be read one by one, and so many were to be last time. */
  #alone = 0;
  #patience = 1;

  constructor(options: RawRunsOptions) {
    this.#options = options;
    this.one = new RawReader(options.model, options.idIsGiven);
    this.#bytes = this.one;
  }

  /** The records are `bytes[starts[i] … ends[i])`. */
  over(bytes: RawBytes, starts: readonly number[], ends: readonly number[]): void {
    this.one.over(bytes);
    this.#bytes = bytes;
    this.#starts = starts;
    this.#ends = ends;
    this.#isOver = false;
    this.#alone = 0;
    this.#patience = 1;
  }

  /** The records follow one another; returns whether some may be read that nobody has looked for. */
  follow(bytes: RawBytes, following: Following): boolean {
    return this.#readerOf(following.to - following.from)?.follow(bytes, following) ?? false;
  }

  /** Reads on, as many as can be read at once, and counts them; undefined where there are none. */
  readNext(): BatchReader | undefined {
    const many = this.#many;
    return many === undefined || many.readNext() === 0 ? undefined : this.#counted(many);
  }

  /** How far the records were read that follow one another. */
  get passed(): Passed | undefined {
    return this.#many?.passed;
  }

  knows(columns: Columns): boolean {
    return this.one.names.knows(columns);
  }

  /** Makes names known: records with others are left to the parser. */
  learn(columns: Columns): void {
    this.one.names.learn(columns);
  }

  forget(): void {
    this.one.names.forget();
    this.#expected = undefined;
  }

  /** Reads records from the i-th on, as many as can be read at once, and counts them; undefined where there are none. */
  readMany(i: number): BatchReader | undefined {
    const many = this.#alone > 0 ? undefined : this.#readerOf(this.#ends.at(-1)! - this.#starts[0]!);
    if (many === undefined) return undefined;
    if (!this.#isOver) many.over(this.#bytes, this.#starts, this.#ends);
    this.#isOver = true;
    const size = many.read(i);
    if (size < many.most && i + size < this.#starts.length) this.#stopped(size);
    return size === 0 ? undefined : this.#counted(many);
  }

  #counted(many: BatchReader): BatchReader {
    if (this.#expected) {
      this.#expected.records += many.size;
      many.countAbsent(this.#expected.absent);
    }
    this.#others = Math.max(0, this.#others - many.size);
    return many;
  }

  /** The record behind those that were read is one of those that are read alone. */
  #stopped(size: number): void {
    this.#patience = size >= WORTH_A_BATCH ? 1 : Math.min(2 * this.#patience, MOST_PATIENCE);
    this.#alone = this.#patience;
  }

  /** Reads the i-th record, and counts it; undefined where it has to be parsed. */
  readOne(i: number): RawReader | undefined {
    if (this.#alone > 0) this.#alone--;
    const found = this.one.read(this.#starts[i]!, this.#ends[i]!);
    if (found === undefined) return undefined;
    found.records++;
    if (found !== this.#expected && (this.#widens(found) || ++this.#others >= OTHERS)) this.#expect(found);
    return this.one;
  }

  /** Whether all that have the expected names in their order can be read by these as well: they lack some. */
  #widens({ names, passedOver }: Columns): boolean {
    if (this.#expected === undefined || passedOver.length > 0) return false;
    const expected = this.#expected.names;
    let met = 0;
    for (const name of names) if (name === expected[met]) met++;
    return met === expected.length && names.length > met && isReadable({ names });
  }

  /** The reader of batches, if it can read records with the expected names, and so many bytes are worth it. */
  #readerOf(bytes: number): BatchReader | undefined {
    const { batchReader, idIsGiven } = this.#options;
    const expected = this.#expected;
    if (batchReader === undefined || expected === undefined || !this.#isReadable || bytes < FEWEST_BYTES)
      return undefined;
    if (this.#many === undefined) {
      this.#many = batchReader();
      this.#many.expect(expected, idIsGiven);
    }
    return this.#many;
  }

  #expect(found: Columns): void {
    this.#expected = found;
    this.#others = 0;
    this.#isReadable = isReadable(found);
    if (this.#isReadable) this.#many?.expect(found, this.#options.idIsGiven);
  }
}
