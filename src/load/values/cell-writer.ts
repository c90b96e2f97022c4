/**
 * Writes the cells of a batch. The batch's memory begins with the reader's bytes; a canonical cell is a span of them. Any other value is
 * spelt behind them, for this batch only.
 *
 *     {"name":"Tea","price":"£4.20"}    4.2         ["a","b"]
 *     the reader's bytes                spellings
 */
import { ABSENT, BATCH_RECORDS, BOOLEAN, ESCAPED_TEXT, LIST, NUMBER, RAW, TEXT } from '../../batch.js';
import type { ByteTable } from '../../byte-table.js';
import { BACKSLASH, QUOTE, SPACE } from '../../kernels/ascii.js';
import type { Value } from '../../model.js';
import type { BatchMemory } from '../source/batch-memory.js';
import { writeDate } from './dates.js';

/** A batch is full when its spellings take this many bytes. */
const FULL_BYTES = 1 << 17;
const MAX_DATE_BYTES = '0000-00-00T00:00:00.000Z'.length;

export class CellWriter {
  readonly memory: BatchMemory;
  /** The reader's bytes end here; spellings follow up to `#used`. */
  #windowBytes = 0;
  #used = 0;
  /** The spellings of the record begin here. */
  #recordStart = 0;

  constructor(memory: BatchMemory, columns: number) {
    this.memory = memory;
    memory.useColumns(columns);
  }

  get isFull(): boolean {
    return this.memory.size === BATCH_RECORDS || this.#used - this.#windowBytes > FULL_BYTES;
  }

  /** Gives the first bytes of the memory to the reader, who may write to them while the batch is empty. Their contents stay. */
  openWindow(bytes: number): void {
    this.memory.reserve(bytes + FULL_BYTES);
    this.#windowBytes = bytes;
    this.empty();
  }

  empty(): void {
    this.memory.size = 0;
    this.#used = this.#windowBytes;
  }

  /** Makes room for bytes behind all that was written; returns where the room begins. */
  makeRoom(bytes: number): number {
    this.memory.reserve(this.#used + bytes);
    return this.#used;
  }

  /** Keeps the bytes that were written into this room, up to `end`. */
  keep(end: number): void {
    this.#used = end;
  }

  /** Begins a record, whose cells are all absent. */
  beginRecord(line: number): void {
    const { size, kinds, numbers, lines } = this.memory;
    for (let cell = size; cell < kinds.length; cell += BATCH_RECORDS) {
      kinds[cell] = ABSENT;
      numbers[cell] = Number.NaN;
    }
    lines[size] = line;
    this.#recordStart = this.#used;
  }

  /** Gives the record up: its spellings are overwritten. */
  dropRecord(): void {
    this.#used = this.#recordStart;
  }

  set(field: number, kind: number, start: number, end: number, number = Number.NaN): void {
    const { size, kinds, starts, ends, numbers } = this.memory;
    const cell = field * BATCH_RECORDS + size;
    kinds[cell] = kind;
    starts[cell] = start;
    ends[cell] = end;
    numbers[cell] = number;
  }

  /** Spells a value, and sets the cell to it. `timeMs`: the time of a date. */
  spell(field: number, value: Value, timeMs = Number.NaN): void {
    if (value === null) {
      this.set(field, ABSENT, this.#used, this.#used);
      return;
    }
    const json = JSON.stringify(value);
    const [start, end] = this.write(json);
    // -0 is written as 0.
    if (typeof value === 'number') this.set(field, NUMBER, start, end, value + 0);
    else if (typeof value === 'boolean') this.set(field, BOOLEAN, start, end, Number(value));
    else if (typeof value !== 'string') this.set(field, LIST, start, end);
    else this.set(field, json.length === value.length + 2 ? TEXT : ESCAPED_TEXT, start + 1, end - 1, timeMs);
  }

  /** Spells a date, and sets the cell to it. */
  spellDate(field: number, timeMs: number): void {
    const start = this.makeRoom(MAX_DATE_BYTES + 1);
    const end = writeDate(this.memory.bytes, start, timeMs);
    this.#used = end + 1;
    this.set(field, TEXT, start, end, timeMs);
  }

  /** Sets a cell to a piece of a table. */
  copy(field: number, kind: number, number: number, { bytes: pieces, offsets }: ByteTable, code: number): void {
    const from = offsets[code]!;
    const to = offsets[code + 1]!;
    const start = this.makeRoom(to - from + 1);
    const { bytes } = this.memory;
    let end = start;
    for (let i = from; i < to; i++) bytes[end++] = pieces[i]!;
    this.#used = end + 1;
    this.set(field, kind, start, end, number);
  }

  /** Sets a cell to a text with JSON's escapes, `"` as `\"`; false where a control character needs a long one, `\u0001`. */
  escape(field: number, start: number, end: number): boolean {
    const at = this.makeRoom(2 * (end - start) + 32);
    const to = this.memory.kernel.writeEscaped(start, end, at);
    if (to === 0) return false;
    this.set(field, ESCAPED_TEXT, at, to);
    this.#used = to + 1;
    return true;
  }

  /** Sets a cell to JSON as it came, without white space between its tokens. A byte stays free behind it, as behind each cell. */
  setJson(field: number, start: number, end: number): void {
    const at = this.makeRoom(end - start + 1);
    const { bytes } = this.memory;
    const to = copyWithoutSpace(bytes, start, end, at);
    this.#used = to + 1;
    this.set(field, RAW, at, to);
  }

  /** Sets a cell to a text that is JSON. */
  writeJson(field: number, json: string): void {
    this.setJson(field, ...this.write(json));
  }

  /** Writes a text behind all that was written; returns its bounds. */
  write(text: string): [start: number, end: number] {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    const start = this.makeRoom(3 * text.length + 1);
    const end = start + this.memory.bytes.write(text, start);
    this.#used = end + 1;
    return [start, end];
  }
}

/** Copies JSON to `at`, without the white space between its tokens; returns where the copy ends. */
function copyWithoutSpace(bytes: Uint8Array, start: number, end: number, at: number): number {
  let to = at;
  let inString = false;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (!inString && byte <= SPACE) continue;
    bytes[to++] = byte;
    if (byte === QUOTE) inString = !inString;
    else if (byte === BACKSLASH) bytes[to++] = bytes[++i]!;
  }
  return to;
}
