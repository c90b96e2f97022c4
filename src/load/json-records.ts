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
import { type JsonWalk, NEEDS_MORE, NO_PLACE } from './json-walk.js';
import { NameTree, NOTHING, SourceRow } from './source-row.js';

/** `more`: all whole records are read. `full`: the batch is full. `irregular`: the next bytes are no value, or none may stand there. */
export type RunOutcome = 'more' | 'full' | 'irregular';

/** Bytes of one value. A longer one is no record, and could not be one string in every runtime. */
const MAX_VALUE_BYTES = 256 << 20;

// Negative results of reading a record, in place of the position behind it.
/** The record goes on behind the bytes that were fed. */
const UNFINISHED = -3;
/** The record is no JSON. */
const BROKEN = -4;

export interface JsonRecordsOptions {
  readonly places: JsonWalk;
  /** The names of the values of records that are arrays. */
  readonly header?: readonly string[];
  readonly binder: Binder;
  readonly decoder: Decoder;
  /** The member that gets a record's key, `id` for `{"7":{…}}`; undefined where records have no key. */
  readonly keyName?: string;
  /** Each record is expected on a line of its own: a line that cannot be read is refused alone. */
  readonly areLines: boolean;
  /** A file that is cut off is read up to the cut. */
  readonly isPartial: boolean;
}

export class JsonRecords {
  readonly #options: JsonRecordsOptions;
  readonly #row: SourceRow;
  readonly #names: NameTree;
  /** The names of rows, by their number of cells. */
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
    const unread = this.#end - this.#at;
    binder.memory.bytes.copyWithin(0, this.#at, this.#end);
    binder.openWindow(unread + chunk.length);
    binder.memory.bytes.set(chunk, unread);
    this.#at = 0;
    this.#end = unread + chunk.length;
  }

  /** Bytes that are not read yet. */
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

  /** Whether the file may end here. A file without a readable line is no NDJSON. */
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

  /** Why the kernel stopped: the record goes on behind the bytes, or is broken. */
  #outcome(): number {
    return this.#options.binder.memory.words[STOPPED / 4]! >= this.#end ? UNFINISHED : BROKEN;
  }

  /** Refuses a line that is no JSON, and the record in which a partial file ends. */
  #refuseBroken(at: number, isLast: boolean): number {
    const { areLines, isPartial, binder, places } = this.#options;
    const { bytes } = binder.memory;
    const outcome = this.#outcome();
    if (outcome === UNFINISHED && !isLast) return outcome;
    // A comma behind the first value: the file is an array without its brackets.
    if (bytes[at] === COMMA && this.readCount === 1) return BROKEN;
    const isCut = outcome === UNFINISHED && isPartial && this.readCount > 0;
    if (!isCut && !(areLines && this.#isLineWise)) return outcome;
    const lineBreak = isCut ? -1 : bytes.indexOf(LINE_FEED, at);
    const end = lineBreak === -1 || lineBreak >= this.#end ? this.#end : lineBreak;
    if (end === this.#end && !isLast) return UNFINISHED;
    this.#lines = 0;
    this.#refusedLines++;
    const fault = faultIn(bytes.subarray(at, end));
    binder.refuse(places.line, isCut ? RECORD_CUT_OFF : `the line cannot be read: ${fault}`);
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

  /** Refuses a value that stands in place of a record. */
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

  /** Writes the record once more in UTF-8, and has the tape lead there. */
  #rewrite(at: number, end: number, first: number): void {
    const { binder, decoder } = this.#options;
    const { memory } = binder;
    const record = Buffer.from(decoder.text(memory.bytes.subarray(at, end)));
    const start = binder.makeRoom(record.length + 1);
    memory.bytes.set(record, start);
    binder.keep(start + record.length + 1);
    memory.kernel.members(start, start + record.length, first);
  }

  /** Names the row's cells by the header; cells behind its end are `column 8`, `column 9`, … */
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

const RECORD_CUT_OFF = 'the file ends inside the record: the download was probably cut off';

/** The message of the first fault of a text that is no JSON. */
function faultIn(bytes: Uint8Array): string {
  const checker = new JsonChecker('document');
  return (checker.feed(bytes) ?? checker.end())?.message ?? '';
}

const isClosing = (byte: number): boolean => byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte === QUOTE;

/** The end of the last whole character before `end`, at which a chunk may cut one in two. */
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
