/**
 * JSON records → the binder, in one pass over the file's bytes. The kernel (`kernels/json.ts`) proves a record and writes its members to
 * the tape. A record in bytes that are no UTF-8 is written once more as UTF-8, behind the reader's bytes.
 */
import { isUtf8 } from 'node:buffer';
import { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, LINE_FEED, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../ascii.js';
import {
  COUNT,
  IS_TOO_DEEP,
  LINES,
  MAX_VALUE_DEPTH,
  NUMBER,
  RESPELT_TEXT,
  STOPPED,
  TEXT,
} from '../kernels/json-layout.js';
import type { Binder } from './bind.js';
import type { Decoder } from './decode.js';
import { JsonChecker } from './json-checker.js';
import { type JsonWalk, NEEDS_MORE, BROKEN as NO_PLACE } from './json-walk.js';
import { NameTree, NOTHING, SourceRow } from './source-row.js';

/** `more`: all is read that is whole. `full`: the batch is. `irregular`: what follows is no value, or not where one may stand. */
export type RunOutcome = 'more' | 'full' | 'irregular';

/** No value is longer: it could not be parsed as one string everywhere, and is no record. */
const MAX_VALUE_BYTES = 256 << 20;

// Outcomes of reading a record, where it is not the position behind it.
/** The record goes on behind the bytes that were fed. */
const UNFINISHED = -3;
/** It is no JSON. */
const BROKEN = -4;

export interface JsonRecordsOptions {
  readonly places: JsonWalk;
  /** The names of the values of records that are arrays. */
  readonly header?: readonly string[];
  readonly binder: Binder;
  readonly decoder: Decoder;
  /** By which name records have the names that they stand under; undefined where they stand under none. */
  readonly keyName?: string;
  /** Records stand on lines of their own, as far as is known: one that cannot be read is refused alone. */
  readonly areLines: boolean;
  /** Of a file that is cut off, what stands before the cut is read. */
  readonly isPartial: boolean;
}

export class JsonRecords {
  readonly #options: JsonRecordsOptions;
  readonly #row: SourceRow;
  readonly #names: NameTree;
  /** Per width the names of rows. */
  readonly #headers = new Map<number, readonly string[]>();
  #at = 0;
  #end = 0;
  #isUtf8 = true;
  /** Line breaks in the last record. */
  #lines = 0;
  /** Whether each record so far stood on one line. */
  #isLineWise = true;
  /** Records that were read, whether or not they were accepted. */
  readCount = 0;
  /** Lines that could not be read. */
  #refusedLines = 0;

  constructor(options: JsonRecordsOptions) {
    const { memory } = options.binder;
    this.#options = options;
    this.#row = new SourceRow(memory);
    this.#names = new NameTree(memory, options.keyName);
  }

  /** Takes the next bytes of the file; the batch is empty. */
  feed(chunk: Buffer): void {
    const { binder } = this.#options;
    const left = this.#end - this.#at;
    binder.memory.bytes.copyWithin(0, this.#at, this.#end);
    binder.openWindow(left + chunk.length);
    binder.memory.bytes.set(chunk, left);
    this.#at = 0;
    this.#end = left + chunk.length;
  }

  /** How many bytes were not read. */
  get unreadBytes(): number {
    return this.#end - this.#at;
  }

  /** Reads on until one of the outcomes; `isLast`: no bytes will follow. */
  run(isLast: boolean): RunOutcome {
    const { places, binder } = this.#options;
    const { memory } = binder;
    const end = this.#end;
    this.#isUtf8 = isUtf8(memory.bytes.subarray(this.#at, wholeCharacters(memory.bytes, end)));
    for (;;) {
      const at = places.next(this.#at, end);
      if (at === NO_PLACE) return 'irregular';
      this.#at = places.at;
      if (at === NEEDS_MORE) {
        if (isLast) return this.#isComplete ? 'more' : 'irregular';
        return this.unreadBytes > MAX_VALUE_BYTES ? 'irregular' : 'more';
      }
      if (binder.isFull) return 'full';
      const next = this.#read(at, isLast);
      if (next < 0) return next === UNFINISHED && !isLast && end - at <= MAX_VALUE_BYTES ? 'more' : 'irregular';
      places.pass(this.#lines);
      if (this.#lines > 0) this.#isLineWise = false;
      this.#at = next;
    }
  }

  /** Nothing is missing at the end; a file of no line that can be read is no NDJSON. */
  get #isComplete(): boolean {
    const { places, isPartial } = this.#options;
    const isAllRefused = this.#refusedLines > 0 && this.readCount === 0;
    return !isAllRefused && (places.isComplete || (isPartial && this.readCount > 0));
  }

  /** Reads the record at `at`. Returns where it ends, or an outcome. */
  #read(at: number, isLast: boolean): number {
    const { places, header, binder, keyName } = this.#options;
    const { memory } = binder;
    const { line } = places;
    const opening = memory.bytes[at];
    if (opening !== OPEN_OBJECT && (opening !== OPEN_ARRAY || header === undefined))
      return this.#refuseValue(at, isLast);
    const first = keyName === undefined ? 0 : 1;
    memory.words[LINES / 4] = 0;
    const end = memory.kernel.members(at, this.#end, first);
    if (end === 0)
      return memory.words[IS_TOO_DEEP / 4] === 1 ? this.#refuseDeep(at, line) : this.#refuseBroken(at, isLast);
    this.readCount++;
    this.#lines = memory.words[LINES / 4]!;
    if (!this.#isUtf8 && !isUtf8(memory.bytes.subarray(at, end))) this.#rewrite(at, end, first);
    if (opening === OPEN_OBJECT) this.#names.name(this.#row);
    else this.#nameRow(header ?? []);
    if (keyName !== undefined) this.#setKey(places.key);
    binder.bind(this.#row, line);
    return end;
  }

  /** Why the kernel has stopped. */
  #outcome(): number {
    return this.#options.binder.memory.words[STOPPED / 4]! >= this.#end ? UNFINISHED : BROKEN;
  }

  /** Refuses a line that is no JSON, and the record in which a partial file ends. */
  #refuseBroken(at: number, isLast: boolean): number {
    const { areLines, isPartial, binder, places } = this.#options;
    const { bytes } = binder.memory;
    const outcome = this.#outcome();
    if (outcome === UNFINISHED && !isLast) return outcome;
    // Commas behind values are those of an array without its brackets.
    if (bytes[at] === COMMA && this.readCount === 1) return BROKEN;
    const isCut = outcome === UNFINISHED && isPartial && this.readCount > 0;
    if (!isCut && !(areLines && this.#isLineWise)) return outcome;
    const lineBreak = isCut ? -1 : bytes.indexOf(LINE_FEED, at);
    const end = lineBreak === -1 || lineBreak >= this.#end ? this.#end : lineBreak;
    if (end === this.#end && !isLast) return UNFINISHED;
    this.#lines = 0;
    this.#refusedLines++;
    const fault = faultIn(bytes.subarray(at, end));
    binder.refuse(places.line, isCut ? CUT_OFF : `the line cannot be read: ${fault}`);
    return end;
  }

  #refuseDeep(at: number, line: number): number {
    const { kernel, words } = this.#options.binder.memory;
    words[LINES / 4] = 0;
    const end = kernel.any(at, this.#end);
    if (end === 0) return this.#outcome();
    this.#lines = words[LINES / 4]!;
    this.#options.binder.refuse(line, `a value is nested too deeply: expected at most ${MAX_VALUE_DEPTH} levels`);
    return end;
  }

  /** Refuses what stands where a record should be. */
  #refuseValue(at: number, isLast: boolean): number {
    const { places, binder } = this.#options;
    const { kernel, bytes, words } = binder.memory;
    const { line } = places;
    words[LINES / 4] = 0;
    const end = kernel.any(at, this.#end);
    if (end === 0) return this.#refuseBroken(at, isLast);
    this.#lines = words[LINES / 4]!;
    if (end === this.#end && !isLast && !isClosing(bytes[end - 1]!)) return UNFINISHED;
    binder.refuse(line, `expected an object, found ${kindOf(bytes[at]!)}`);
    return end;
  }

  /** Has the tape lead to the record in UTF-8. */
  #rewrite(at: number, end: number, first: number): void {
    const { binder, decoder } = this.#options;
    const { memory } = binder;
    const record = Buffer.from(decoder.text(memory.bytes.subarray(at, end)));
    const start = binder.makeRoom(record.length + 1);
    memory.bytes.set(record, start);
    binder.keep(start + record.length + 1);
    memory.kernel.members(start, start + record.length, first);
  }

  /** The names of a row are those of the header, and `column 8` of what stands behind them. */
  #nameRow(header: readonly string[]): void {
    const { words } = this.#options.binder.memory;
    const count = words[COUNT / 4]!;
    const names = this.#headers.get(count) ?? Array.from({ length: count }, (_, i) => header[i] ?? `column ${i + 1}`);
    this.#headers.set(count, names);
    this.#row.names = names;
    this.#row.size = count;
  }

  /** Writes the record's key as its first member. */
  #setKey(key: string | number | undefined): void {
    const { binder } = this.#options;
    if (this.#row.names[0] !== this.#options.keyName) return;
    if (key === undefined) {
      this.#row.set(0, NOTHING, 0, 0);
      return;
    }
    const json = JSON.stringify(key);
    const start = binder.makeRoom(3 * json.length + 1);
    const end = start + binder.memory.bytes.write(json, start);
    binder.keep(end + 1);
    if (typeof key === 'number') this.#row.set(0, NUMBER, start, end, key);
    else this.#row.set(0, json.length === key.length + 2 ? TEXT : RESPELT_TEXT, start + 1, end - 1);
  }
}

const CUT_OFF = 'the file ends inside the record: the download was probably cut off';

/** What is wrong with a text that is no JSON. */
function faultIn(bytes: Uint8Array): string {
  const checker = new JsonChecker('document');
  return (checker.feed(bytes) ?? checker.end())?.message ?? '';
}

const isClosing = (byte: number): boolean => byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte === QUOTE;

/** Where the last character that may be whole ends, of bytes that are cut off at `end`. */
function wholeCharacters(bytes: Uint8Array, end: number): number {
  let at = end - 1;
  while (at > end - 4 && at >= 0 && (bytes[at]! & 0xc0) === 0x80) at--;
  return at >= 0 && bytes[at]! >= 0xc0 ? at : end;
}

/** `an array`, `a number`: the type of the value that begins with this byte, as messages name it. */
function kindOf(first: number): string {
  if (first === OPEN_ARRAY) return 'an array';
  if (first === QUOTE) return 'a string';
  const letter = String.fromCharCode(first);
  if (letter === 'n') return 'null';
  return letter === 't' || letter === 'f' ? 'a boolean' : 'a number';
}
