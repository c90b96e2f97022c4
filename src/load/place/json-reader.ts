/**
 * A JSON or NDJSON file → the binder, in one pass over the file's bytes. The walk (`json-walk.ts`) leads from record to record; the kernel
 * (`kernels/json.ts`) proves a record and writes its members to the tape. A record in bytes that are no UTF-8 is written once more as
 * UTF-8, behind the reader's bytes.
 */
import { isUtf8 } from 'node:buffer';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  LETTER_F,
  LETTER_T,
  LINE_FEED,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from '../../kernels/ascii.js';
import { ARRAY, BOOLEAN, MAX_VALUE_DEPTH, NUMBER, OBJECT, RESPELT_TEXT, TEXT } from '../../kernels/json-layout.js';
import { grouped, isContinuation } from '../../text.js';
import { SAMPLE_RECORDS, type SampleRecord } from '../profile/sample.js';
import type { SnapshotFault } from '../report/report.js';
import { BatchMemory } from '../source/batch-memory.js';
import { readBytes } from '../source/bytes.js';
import { createDecoder } from '../source/decode.js';
import type { SnapshotFile } from '../source/folder.js';
import { CellWriter } from '../values/cell-writer.js';
import { faultBetween, type JsonFault, MAX_VALUE_BYTES, positionIn, tooLarge } from './json-fault.js';
import type { LeftOutPlace, PlaceOptions } from './json-place.js';
import { type HeldMember, JsonWalk, NO_PLACE } from './json-walk.js';
import { isOfKind } from './record-kinds.js';
import { type FileReading, NameTree, NOTHING, SourceRow } from './source-row.js';

export async function readJson(reading: FileReading, places: PlaceOptions): Promise<SnapshotFault | undefined> {
  const { source, onRead } = reading;
  const reader = new JsonReader(reading, places);
  const readFault = await readBytes(source, (chunk) => reader.read(chunk), onRead);
  if (readFault) return readFault;
  const fault = reader.end();
  reading.onLeftOut?.(reader.leftOut);
  if (fault === undefined) return undefined;
  const { readCount } = reader;
  const before = readCount === 1 ? 'the record' : `the ${grouped(readCount)} records`;
  const advice = fault.isCut && readCount > 0 ? `; --partial serves ${before} before the cut` : '';
  return { file: source.file, ...(await positionIn(source, fault.at)), message: `${fault.message}${advice}` };
}

/** The fault of a file whose records nobody takes; undefined where it has none. */
export function jsonFaultIn(source: SnapshotFile, places: PlaceOptions): Promise<SnapshotFault | undefined> {
  return readJson({ source, ...looking(() => {}) }, places);
}

/** The arguments of a reader whose records are only looked at. */
function looking(bind: (row: SourceRow) => void): Pick<FileReading, 'binder' | 'decoder'> {
  const cells = new CellWriter(new BatchMemory(), 0);
  return { binder: { cells, bind, refuse: () => {}, flush: () => cells.empty() }, decoder: createDecoder() };
}

/** The first records at a place, as their reader gives them, and the names that they have from what holds them. */
interface FirstRecords {
  readonly sample: readonly SampleRecord[];
  readonly heldNames: ReadonlySet<string>;
}

/** The first records at a place in the beginning of a file. */
export function firstRecordsIn(bytes: Buffer, places: PlaceOptions): FirstRecords {
  const sample: SampleRecord[] = [];
  const heldNames = new Set<string>();
  const bind = (row: SourceRow): void => {
    for (const name of reader.heldNames) heldNames.add(name);
    if (sample.length < SAMPLE_RECORDS)
      sample.push({ names: row.names, cells: row.names.map((_, member) => row.value(member)) });
  };
  const reader = new JsonReader(looking(bind), places);
  reader.read(bytes);
  if (sample.length < SAMPLE_RECORDS) reader.end();
  return { sample, heldNames };
}

// Negative results of reading a record, in place of the position behind it.
/** The record goes on behind the bytes that were read. */
const UNFINISHED = -3;
/** The record is no JSON. */
const BROKEN = -4;

export class JsonReader {
  readonly #reading: Omit<FileReading, 'source'>;
  readonly #places: PlaceOptions;
  readonly #walk: JsonWalk;
  /** Lines hold a record each: a line that cannot be read is refused alone. */
  readonly #areLines: boolean;
  readonly #row: SourceRow;
  /** By the names of what records get from what holds them: the names of their own members. */
  readonly #names = new Map<string, NameTree>();
  /** The values that the last record got from what holds it, and its own names. */
  #held: HeldValues;
  #at = 0;
  #end = 0;
  /** Bytes of the file before those in memory. */
  #bytesBefore = 0;
  /** Bytes of the unfinished record at the last try. It is tried again once they have doubled: so the work stays linear. */
  #unfinishedBytes = 0;
  #isUtf8 = true;
  /** Line breaks in the last record. */
  #lines = 0;
  /** Whether each record so far stood on one line. */
  #isLineWise = true;
  /** Records that were read, whether or not they were accepted. */
  readCount = 0;
  /** The fault of the first line that was refused. */
  #lineFault: JsonFault | undefined;
  #isBroken = false;

  constructor(reading: Omit<FileReading, 'source'>, places: PlaceOptions) {
    const { memory } = reading.binder.cells;
    this.#reading = reading;
    this.#places = places;
    this.#walk = new JsonWalk(places, memory);
    this.#areLines = places.shape === 'sequence' && places.steps.length === 0 && places.header === undefined;
    this.#row = new SourceRow(memory);
    this.#held = this.#heldValues([]);
  }

  /** By their paths the places beside the records that are not read. */
  get leftOut(): ReadonlyMap<string, LeftOutPlace> {
    return this.#walk.leftOut;
  }

  /** The names that the last record has from what holds it. One that the record itself has too counts as its own. */
  get heldNames(): readonly string[] {
    const { bytes } = this.#reading.binder.cells.memory;
    const { heldNames, values } = this.#held;
    const first = heldNames.length - values.length;
    const isHeld = (member: number, json: Buffer): boolean =>
      bytes.subarray(...this.#row.outerSpan(member)).equals(json);
    return heldNames.slice(first).filter((_, i) => isHeld(first + i, values[i]!));
  }

  /** Reads the records that end in the next bytes of the file; false ends the reading. */
  read(chunk: Buffer): boolean {
    const { cells } = this.#reading.binder;
    const unread = this.#end - this.#at;
    cells.memory.bytes.copyWithin(0, this.#at, this.#end);
    cells.openWindow(unread + chunk.length);
    cells.memory.bytes.set(chunk, unread);
    this.#bytesBefore += this.#at;
    this.#at = 0;
    this.#end = unread + chunk.length;
    const hasDoubled = this.#end >= 2 * this.#unfinishedBytes;
    if (!hasDoubled) return true;
    this.#readAll(false);
    this.#unfinishedBytes = this.#end - this.#at;
    return !this.#isBroken;
  }

  /** Reads what is left, once the file has ended; returns the file's fault. */
  end(): JsonFault | undefined {
    const isEnded = !this.#isBroken;
    if (isEnded) this.#readAll(true);
    return this.#isBroken ? this.#faultOfFile(isEnded) : undefined;
  }

  #readAll(isLast: boolean): void {
    const { binder } = this.#reading;
    const { bytes } = binder.cells.memory;
    this.#isUtf8 = isUtf8(bytes.subarray(this.#at, endOfCharacters(bytes, this.#end)));
    for (;;) {
      const at = this.#walk.next(this.#at, this.#end, isLast);
      this.#at = this.#walk.at;
      if (at < 0) {
        const isTooLong = this.#end - this.#at > MAX_VALUE_BYTES;
        this.#isBroken = at === NO_PLACE || (isLast ? !this.#isComplete : isTooLong);
        break;
      }
      if (binder.cells.isFull) binder.flush();
      const next = this.#readRecord(at, isLast);
      if (next < 0) {
        this.#isBroken = next === BROKEN || isLast || this.#end - at > MAX_VALUE_BYTES;
        break;
      }
      this.#walk.pass(this.#lines);
      if (this.#lines > 0) this.#isLineWise = false;
      this.#at = next;
    }
    binder.flush();
  }

  /** Whether the file may end here. A file without a readable line is no NDJSON. */
  get #isComplete(): boolean {
    const isAllRefused = this.#lineFault !== undefined && this.readCount === 0;
    return !isAllRefused && (this.#walk.isComplete || (this.#reading.isPartial === true && this.readCount > 0));
  }

  /** Where and why the file is no JSON; `isEnded`: all of it was read. */
  #faultOfFile(isEnded: boolean): JsonFault {
    if (this.#lineFault !== undefined && this.readCount === 0) return this.#lineFault;
    const { bytes } = this.#reading.binder.cells.memory;
    const foundFault = faultBetween(bytes, this.#at, this.#end, this.#walk.context);
    const fault = foundFault === undefined || (foundFault.isCut && !isEnded) ? tooLarge(this.#at) : foundFault;
    return { ...fault, at: this.#bytesBefore + fault.at };
  }

  /** Reads the record at `at`. Returns where it ends, or an outcome. */
  #readRecord(at: number, isLast: boolean): number {
    const { header, keyName, kind } = this.#places;
    const { binder } = this.#reading;
    const { memory } = binder.cells;
    const { line } = this.#walk;
    const opening = memory.bytes[at];
    if (opening !== OPEN_OBJECT && (opening !== OPEN_ARRAY || header === undefined))
      return this.#refuseValue(at, isLast);
    if (this.#walk.held !== this.#held.source) this.#held = this.#heldValues(this.#walk.held);
    const { values, names, heldNames } = this.#held;
    // On the tape the record's own members stand behind its key and the values of what holds it.
    const firstOwn = heldNames.length;
    memory.lineBreaks = 0;
    const end = memory.kernel.members(at, this.#end, firstOwn);
    if (end === 0) return memory.isTooDeep ? this.#refuseDeep(at, line) : this.#refuseBroken(at, isLast);
    this.readCount++;
    this.#lines = memory.lineBreaks;
    if (!this.#isUtf8 && !isUtf8(memory.bytes.subarray(at, end))) this.#rewriteAsUtf8(at, end, firstOwn);
    if (keyName !== undefined) this.#setKey(this.#walk.key);
    for (let i = 0; i < values.length; i++) this.#setHeld(firstOwn - values.length + i, values[i]!);
    // Members of the record that have the name of such a value take its place.
    if (opening === OPEN_OBJECT) names.name(this.#row);
    else this.#nameRow();
    if (kind === undefined || isOfKind(kind, this.#row.value(this.#row.names.indexOf(kind.member))))
      binder.bind(this.#row, line);
    return end;
  }

  /** Why the kernel stopped: the record goes on behind the bytes, or is broken. */
  #outcome(): number {
    return this.#reading.binder.cells.memory.stoppedAt >= this.#end ? UNFINISHED : BROKEN;
  }

  /** Refuses a line that is no JSON, and the record in which a partial file ends. */
  #refuseBroken(at: number, isLast: boolean): number {
    const { isPartial, binder } = this.#reading;
    const { memory } = binder.cells;
    const { bytes } = memory;
    const outcome = this.#outcome();
    if (outcome === UNFINISHED && !isLast) return outcome;
    // A comma behind the first value: the file is an array without its brackets.
    if (bytes[at] === COMMA && this.readCount === 1) return BROKEN;
    const isCut = outcome === UNFINISHED && isPartial === true && this.readCount > 0;
    if (!isCut && !(this.#areLines && this.#isLineWise)) return outcome;
    const lineBreak = isCut ? -1 : bytes.indexOf(LINE_FEED, at);
    const end = lineBreak === -1 || lineBreak >= this.#end ? this.#end : lineBreak;
    if (end === this.#end && !isLast) return UNFINISHED;
    this.#lines = 0;
    const fault = faultBetween(bytes, at, end) ?? tooLarge(at);
    this.#lineFault ??= { ...fault, at: this.#bytesBefore + fault.at };
    const reason = isCut ? RECORD_CUT_OFF : `the line cannot be read: ${fault.isCut ? LINE_CUT_OFF : fault.message}`;
    this.#refuse(this.#walk.line, reason);
    return end;
  }

  #refuseDeep(at: number, line: number): number {
    const { memory } = this.#reading.binder.cells;
    memory.lineBreaks = 0;
    const end = memory.kernel.any(at, this.#end);
    if (end === 0) return this.#outcome();
    this.#lines = memory.lineBreaks;
    this.#refuse(line, `a value is nested too deeply: expected at most ${MAX_VALUE_DEPTH} levels`);
    return end;
  }

  /** Refuses a value that stands in place of a record. */
  #refuseValue(at: number, isLast: boolean): number {
    const { memory } = this.#reading.binder.cells;
    const { bytes } = memory;
    const { line } = this.#walk;
    memory.lineBreaks = 0;
    const end = memory.kernel.any(at, this.#end);
    if (end === 0) return this.#refuseBroken(at, isLast);
    this.#lines = memory.lineBreaks;
    if (end === this.#end && !isLast && !isClosing(bytes[end - 1]!)) return UNFINISHED;
    this.#refuse(line, `expected an object, found ${typeName(bytes[at]!)}`);
    return end;
  }

  /** Refuses a line that is no record. Where a file has several kinds, each has a reader, and one of them reports it. */
  #refuse(line: number, reason: string): void {
    if (this.#places.kind?.areLeftOut !== false) this.#reading.binder.refuse(line, reason);
  }

  /** Writes the record once more in UTF-8, and has the tape lead there. */
  #rewriteAsUtf8(at: number, end: number, firstOwn: number): void {
    const { binder, decoder } = this.#reading;
    const { cells } = binder;
    const { memory } = cells;
    const record = Buffer.from(decoder.text(memory.bytes.subarray(at, end)));
    const start = cells.makeRoom(record.length + 1);
    memory.bytes.set(record, start);
    cells.keep(start + record.length + 1);
    memory.kernel.members(start, start + record.length, firstOwn);
  }

  /** Names the row's cells by the header; cells behind its end are `column 8`, `column 9`, … */
  #nameRow(): void {
    const { header = [] } = this.#places;
    const { memberCount } = this.#reading.binder.cells.memory;
    const { heldNames, rowNames } = this.#held;
    const names =
      rowNames.get(memberCount) ??
      heldNames.concat(Array.from({ length: memberCount }, (_, i) => header[i] ?? `column ${i + 1}`));
    rowNames.set(memberCount, names);
    this.#row.names = names;
    this.#row.size = names.length;
  }

  /** The values that records get from their holders. The first name is that of the record's key, whose value is set for each record: see `#setKey`. */
  #heldValues(source: readonly HeldMember[]): HeldValues {
    const { binder, decoder } = this.#reading;
    const { keyName, header } = this.#places;
    const { memory } = binder.cells;
    const members = source.filter(({ name }) => header?.includes(name) !== true);
    const heldNames = [...(keyName === undefined ? [] : [keyName]), ...members.map(({ name }) => name)];
    const key = JSON.stringify(heldNames);
    const names = this.#names.get(key) ?? new NameTree(memory, heldNames);
    this.#names.set(key, names);
    const values = members.map(({ json }) => (isUtf8(json) ? json : Buffer.from(decoder.text(json))));
    return { source, values, names, heldNames, rowNames: new Map() };
  }

  /** Writes a value of what holds the record as a member of it. */
  #setHeld(member: number, json: Buffer): void {
    const { cells } = this.#reading.binder;
    const start = cells.makeRoom(json.length);
    cells.memory.bytes.set(json, start);
    const end = start + json.length;
    cells.keep(end);
    const first = json[0];
    if (first === QUOTE) this.#row.set(member, json.includes(BACKSLASH) ? RESPELT_TEXT : TEXT, start + 1, end - 1);
    else if (first === OPEN_OBJECT) this.#row.set(member, OBJECT, start, end);
    else if (first === OPEN_ARRAY) this.#row.set(member, ARRAY, start, end);
    else if (first === LETTER_T || first === LETTER_F)
      this.#row.set(member, BOOLEAN, start, end, first === LETTER_T ? 1 : 0);
    else this.#row.set(member, NUMBER, start, end, cells.memory.canonicalNumber(start, end));
  }

  /** Writes the record's key as its first member. */
  #setKey(key: string | number | undefined): void {
    if (key === undefined) {
      this.#row.set(0, NOTHING, 0, 0);
      return;
    }
    const json = JSON.stringify(key);
    const [start, end] = this.#reading.binder.cells.write(json);
    if (typeof key === 'number') this.#row.set(0, NUMBER, start, end, key);
    else this.#row.set(0, json.length === key.length + 2 ? TEXT : RESPELT_TEXT, start + 1, end - 1);
  }
}

/** The values that a record gets from the objects that hold it. */
interface HeldValues {
  /** As the walk gives them, also those that have the name of a column. */
  readonly source: readonly HeldMember[];
  /** The JSON, in UTF-8, of those that have no column's name. */
  readonly values: readonly Buffer[];
  readonly names: NameTree;
  /** The name of the record's key, if it has one, then a name for each value. */
  readonly heldNames: readonly string[];
  /** The names of rows with these values, by their number of cells. */
  readonly rowNames: Map<number, readonly string[]>;
}

const RECORD_CUT_OFF = 'the file ends inside the record: the download was probably cut off';
const LINE_CUT_OFF = 'it ends inside of a value';

const isClosing = (byte: number): boolean => byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte === QUOTE;

/** The end of the whole characters before `end`, at which a chunk may cut one in two: where the last one of several bytes begins. */
function endOfCharacters(bytes: Uint8Array, end: number): number {
  let at = end - 1;
  while (at > end - 4 && at >= 0 && isContinuation(bytes[at]!)) at--;
  const isOfSeveralBytes = at >= 0 && bytes[at]! >= 0xc0;
  return isOfSeveralBytes ? at : end;
}

/** `an array`, `a number`: the type of the value that begins with this byte, as messages name it. */
function typeName(first: number): string {
  if (first === OPEN_ARRAY) return 'an array';
  if (first === QUOTE) return 'a string';
  const letter = String.fromCharCode(first);
  if (letter === 'n') return 'null';
  return letter === 't' || letter === 'f' ? 'a boolean' : 'a number';
}
