/**
 * JSON records → cells over their bytes, in one pass: the kernel (`kernels/records.ts`) places every cell that is canonical as it
 * stands, and no string, number or object of the language is made of it. Cells that it leaves are read from their values. The parser
 * (`#parsed`) takes any record that the kernel cannot read: one with names that were not met before, names written twice or with
 * escapes, bytes that are not UTF-8. Both ways give the same cells.
 */
import { isUtf8 } from 'node:buffer';
import { AMPERSAND, CLOSE_ARRAY, CLOSE_OBJECT, LINE_FEED, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../ascii.js';
import { BATCH_RECORDS, endOfString, hasEscape } from '../batch.js';
import {
  DONE,
  LEFT_CELL_BYTES,
  LEFT_CELLS,
  LEFT_COUNT,
  LEFT_NAME,
  LEFT_SPARE,
  LINE,
  MAX_VALUE_DEPTH,
  POSITION,
  UNREAD,
  UNSETTLED,
} from '../kernels/records-layout.js';
import { isNumeric, isTextual } from '../model.js';
import { parsedJson } from '../text.js';
import type { BatchFiller } from './batch-filler.js';
import type { BatchMemory } from './batch-memory.js';
import { type ColumnFinder, sameNames, valueIn } from './columns.js';
import type { Decoder } from './decode.js';
import { EXTRA_NAME } from './extra-object.js';
import { type JsonPlaces, BROKEN as NO_PLACE } from './json-places.js';
import { isPlainObject } from './paths.js';
import { RecordNames } from './record-names.js';
import { fill } from './source-record.js';
import { isReadWhole } from './text-forms.js';

/**
 * `more`: all is read that is whole. `full`: the batch is. `dates`: the order of day and month must be known first.
 * `irregular`: what follows is no value, or not where one may stand.
 */
export type RunOutcome = 'more' | 'full' | 'dates' | 'irregular';

/** A record with a name beyond so many is left to the parser. */
const MAX_NAMES = 1000;
/** Names are learnt from so many records at most: a dump with ever new names is not worth a new table for each. */
const MAX_LEARNT_RECORDS = 100;
/** No value is longer: it could not be parsed as one string everywhere, and is no record. */
const MAX_VALUE_BYTES = 256 << 20;

// Outcomes of reading a record, where it is not the position behind it.
/** The parser has to read the record. */
const LEAVE = -1;
/** A date needs the order of day and month in its column. */
const NEEDS_ORDER = -2;
/** In place of the index of a key's name. */
const NO_KEY = -1;
/** The record goes on behind the bytes that were fed. */
const UNFINISHED = -3;
/** The parser refuses the text. */
const BROKEN = -4;

export interface JsonRecordsOptions {
  readonly places: JsonPlaces;
  /** The names of the values of records that are arrays. */
  readonly header?: readonly string[];
  readonly columns: ColumnFinder;
  readonly filler: BatchFiller;
  readonly decoder: Decoder;
}

export class JsonRecords {
  readonly #options: JsonRecordsOptions;
  readonly #filler: BatchFiller;
  #names: RecordNames;
  #at = 0;
  #end = 0;
  #isUtf8 = true;
  #learntRecords = 0;

  constructor(options: JsonRecordsOptions) {
    const { columns, filler } = options;
    this.#options = options;
    this.#filler = filler;
    this.#names = new RecordNames(columns.find([]), filler);
  }

  /** Takes the next bytes of the file; the batch is empty. */
  feed(chunk: Buffer): void {
    const filler = this.#filler;
    const left = this.#end - this.#at;
    filler.batch.bytes.copyWithin(0, this.#at, this.#end);
    filler.openWindow(left + chunk.length);
    filler.batch.bytes.set(chunk, left);
    this.#at = 0;
    this.#end = left + chunk.length;
  }

  /** How many bytes were not read. */
  get unreadBytes(): number {
    return this.#end - this.#at;
  }

  /** Reads on until one of the outcomes; `isLast`: no bytes will follow. */
  run(isLast: boolean): RunOutcome {
    const filler = this.#filler;
    const { places } = this.#options;
    const end = this.#end;
    this.#isUtf8 = isUtf8(filler.batch.bytes.subarray(this.#at, wholeCharacters(filler.batch.bytes, end)));
    try {
      for (;;) {
        const at = places.next(filler.batch.bytes, this.#at, end);
        if (at === NO_PLACE) return 'irregular';
        this.#at = at;
        if (at === end) return isLast && !places.isComplete ? 'irregular' : 'more';
        if (filler.isFull) return 'full';
        const { line } = places;
        const to = this.#isUtf8 ? this.#read(at) : LEAVE;
        const next = to === LEAVE ? this.#parsed(at, isLast) : to;
        // The record is begun again with more bytes, or explained by the checker.
        if (next === NEEDS_ORDER) return 'dates';
        if (next < 0) return next === UNFINISHED && !isLast && end - at <= MAX_VALUE_BYTES ? 'more' : 'irregular';
        const { bytes, words } = filler.batch;
        places.pass(to === LEAVE ? linesIn(bytes, at, next) : words[LINE / 4]! - line);
        this.#at = next;
      }
    } finally {
      this.#names.settleCounts();
    }
  }

  /** Reads the record at `at`, and those that follow on it in the same form. Returns where the last of them ends, or an outcome. */
  #read(at: number): number {
    const filler = this.#filler;
    const { places, header } = this.#options;
    const { bytes, kernel, words, size } = filler.batch;
    const { columns, table, isReadable } = this.#names;
    const isRecord = bytes[at] === OPEN_OBJECT || (bytes[at] === OPEN_ARRAY && header !== undefined);
    if (!isRecord || !isReadable || columns.names.length === 0) return LEAVE;
    if (bytes[at] === OPEN_ARRAY && !sameNames(columns.names, header)) return LEAVE;
    const { key } = places;
    const keyIndex = key === undefined ? NO_KEY : columns.names.indexOf(key.name);
    if (key !== undefined && keyIndex === -1) return LEAVE;
    if (key !== undefined) this.#names.mark(keyIndex);
    words[LINE / 4] = places.line;
    const room = key === undefined ? BATCH_RECORDS - size : 1;
    const { columns: width, requiredBits } = filler;
    const stopped = kernel.read(table, at, this.#end, places.separator, size, room, width, requiredBits);
    if (stopped === UNREAD) return LEAVE;
    const end = words[POSITION / 4]!;
    const done = words[DONE / 4]!;
    if (stopped !== UNSETTLED && key === undefined) {
      filler.accept(done);
      columns.records += done;
      return end;
    }
    filler.resume();
    const hasKey = key === undefined || this.#setKey(keyIndex, key.value);
    const settled = hasKey ? this.#settle(stopped === UNSETTLED ? words[LEFT_COUNT / 4]! : 0) : 'dates';
    if (settled === 'other type') return end;
    if (settled === 'dates') {
      filler.cancel();
      return NEEDS_ORDER;
    }
    if (stopped === UNSETTLED) filler.batch.kernel.countAbsent(table);
    columns.records++;
    filler.end();
    return end;
  }

  /** Gives a record its key: to the fields that it feeds, and to what is kept besides them. */
  #setKey(index: number, key: string | number): boolean {
    const { columns, isSpare } = this.#names;
    if (isSpare(index)) this.#filler.extra?.add(columns.names[index]!, key);
    return this.#setFields(index, key);
  }

  /** Reads the cells of a record that the kernel has left. `dates`: the order of day and month must be known first. */
  #settle(count: number): 'read' | 'other type' | 'dates' {
    const filler = this.#filler;
    const names = this.#names;
    const { columns } = names;
    for (let i = 0; i < count; i++) {
      const { words } = filler.batch;
      const entry = (LEFT_CELLS + i * LEFT_CELL_BYTES) / 4;
      const name = words[entry]!;
      const what = words[entry + 1]!;
      const at = words[entry + 2]!;
      const to = words[entry + 3]!;
      if (what === LEFT_SPARE) this.#keep(columns.names[names.indexAt(name)]!, at, to);
      else if (what === LEFT_NAME) {
        const value = parsedValue(filler.batch.bytes.toString('utf8', at, to));
        const index = names.indexAt(name);
        const other = index === columns.typePosition ? columns.types?.otherType(value) : undefined;
        if (other !== undefined) {
          filler.leaveOut(other);
          return 'other type';
        }
        if (!this.#setFields(index, value)) return 'dates';
      } else if (!this.#set(names.fieldAt(name), at, to)) return 'dates';
    }
    return 'read';
  }

  /** Sets a field to what is read from the value that stands there. */
  #set(field: number, at: number, to: number): boolean {
    const filler = this.#filler;
    const { batch, model } = filler;
    const { kind, required } = model.fields[field]!;
    const { bytes } = batch;
    const hasText = isTextual(kind);
    if (hasEscape(bytes, at, to)) return filler.set(field, parsedValue(bytes.toString('utf8', at, to)));
    if (hasText && required !== true && !isReadWhole(filler.forms[field]) && isOnlyText(batch, at, to)) {
      filler.placeOnlyText(field, at + 1, to - 1);
      return true;
    }
    if (hasText || bytes[at] !== QUOTE) return filler.set(field, parsedValue(bytes.toString('utf8', at, to)));
    const number = isNumeric(kind) ? batch.canonicalNumber(at + 1, to - 1) : Number.NaN;
    if (Number.isNaN(number) || (kind === 'integer' && !Number.isInteger(number)))
      return filler.setShortText(field, at, to);
    filler.placeQuotedNumber(field, at, to, number);
    return true;
  }

  /** Sets all fields that a name feeds to what is read from its value. */
  #setFields(index: number, value: unknown): boolean {
    const filler = this.#filler;
    const { columns } = this.#names;
    for (let field = filler.givesIds ? 1 : 0; field < columns.positions.length; field++)
      if (columns.positions[field] === index && !filler.set(field, valueIn(columns, field, value))) return false;
    return true;
  }

  /** Keeps a member that feeds no field; those of an export's `extra` are the record's own. */
  #keep(name: string, at: number, to: number): void {
    const { batch, context, extra } = this.#filler;
    const isNested = context.isOwn === true && batch.bytes[at] === OPEN_OBJECT && name === EXTRA_NAME;
    if (isNested) extra?.placeMembers(batch.bytes, at, to);
    else extra?.place(name, batch.bytes, at, to);
  }

  /** Has the parser read the value that begins there, whatever it is. Returns where it ends, or an outcome. */
  #parsed(start: number, isLast: boolean): number {
    const filler = this.#filler;
    const { decoder, columns, places } = this.#options;
    const { bytes, kernel } = filler.batch;
    const end = kernel.skip(start, this.#end);
    if (end === 0 || (end === this.#end && !isLast && !isClosing(bytes[end - 1]!))) return UNFINISHED;
    const text = decoder.text(bytes.subarray(start, end));
    const value = parsedJson(text);
    if (value === undefined) return BROKEN;
    if (isTooDeep(bytes, start, end)) {
      filler.begin(places.line);
      filler.end(`a value is nested too deeply: expected at most ${MAX_VALUE_DEPTH} levels`);
      return end;
    }
    const record = this.#recordOf(value);
    if (record === undefined) {
      filler.begin(places.line);
      filler.end(`expected an object, found ${kindOf(value)}`);
      return end;
    }
    const { names, cells } = record;
    if (filler.extra && this.#isUtf8) {
      // What is kept as it came is read over its bytes, once its name is known.
      this.#learn(names);
      const to = this.#read(start);
      if (to !== LEAVE) return to;
    }
    const integers = cells.some(isRounded) ? longIntegers(text) : undefined;
    for (let i = 0; integers !== undefined && i < cells.length; i++)
      if (isRounded(cells[i])) cells[i] = integers.get(cells[i]) ?? cells[i];
    if (!fill({ line: places.line, names, cells }, columns, filler)) {
      filler.cancel();
      return NEEDS_ORDER;
    }
    this.#learn(names);
    return end;
  }

  /** The names and values of a record: of an object its members, and before them the key that it stands under; of a row its cells. */
  #recordOf(value: unknown): { readonly names: readonly string[]; readonly cells: unknown[] } | undefined {
    const { places, header } = this.#options;
    if (Array.isArray(value))
      return header && { names: value.map((_, i) => header[i] ?? `column ${i + 1}`), cells: value };
    if (!isPlainObject(value)) return undefined;
    const { key } = places;
    const names = Object.keys(value);
    const cells = names.map((name) => value[name]);
    return key === undefined ? { names, cells } : { names: [key.name, ...names], cells: [key.value, ...cells] };
  }

  /** Adds a record's names to those that are known. */
  #learn(names: readonly string[]): void {
    const known = this.#names.columns.names;
    if (this.#learntRecords === MAX_LEARNT_RECORDS) return;
    const all = [...new Set([...known, ...names.slice(0, MAX_NAMES + 1)])];
    if (all.length === known.length || all.length > MAX_NAMES) return;
    this.#learntRecords++;
    this.#names.settleCounts();
    this.#names = new RecordNames(this.#options.columns.find(all), this.#filler);
  }
}

/** Whether a list of one text stands there, without white space and entities. */
function isOnlyText({ bytes, kernel }: BatchMemory, at: number, to: number): boolean {
  if (bytes[at] !== OPEN_ARRAY || bytes[at + 1] !== QUOTE || kernel.string(at + 1, to) !== to - 1) return false;
  for (let i = at; i < to; i++) if (bytes[i] === AMPERSAND) return false;
  return true;
}

/** Whether a value of the record that stands there is nested deeper than a value may be. */
function isTooDeep(bytes: Uint8Array, start: number, end: number): boolean {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfString(bytes, at) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (++depth > MAX_VALUE_DEPTH + 1) return true;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
  }
  return false;
}

const isClosing = (byte: number): boolean => byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte === QUOTE;

function linesIn(bytes: Uint8Array, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) if (bytes[at] === LINE_FEED) lines++;
  return lines;
}

/** Where the last character that may be whole ends, of bytes that are cut off at `end`. */
function wholeCharacters(bytes: Uint8Array, end: number): number {
  let at = end - 1;
  while (at > end - 4 && at >= 0 && (bytes[at]! & 0xc0) === 0x80) at--;
  return at >= 0 && bytes[at]! >= 0xc0 ? at : end;
}

/** What a JSON text that is whole stands for; an integer that a double cannot hold is a bigint. */
function parsedValue(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return isRounded(value) ? (longIntegers(text).get(value) ?? value) : value;
}

/** Whether a number may stand for an integer that a double cannot hold. */
const isRounded = (cell: unknown): boolean =>
  typeof cell === 'number' && (cell > Number.MAX_SAFE_INTEGER || cell < -Number.MAX_SAFE_INTEGER);

/** The integers of a text that no double can hold, by the double that each is read as; of several the first. */
function longIntegers(text: string): ReadonlyMap<unknown, bigint> {
  const integers = new Map<unknown, bigint>();
  for (const [digits] of text.matchAll(/(?<![\d.])-?\d{16,40}(?![\d.eE])/g))
    if (!integers.has(Number(digits))) integers.set(Number(digits), BigInt(digits));
  return integers;
}

/** `an object`, `a number`: a value's type as messages name it. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
