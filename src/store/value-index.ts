/**
 * Rows by the values of a field, case and accents aside, and values by row: a dictionary of the distinct values, sorted by
 * their folded text; postings of rows for each of them, ascending; and the reverse. A look-up halves the dictionary; its
 * rows are a view, never a scan.
 *
 * A cell has one value or several: those of a list, or the parts of one text (`"Fiction, Classics"`). While records
 * arrive, cells are told apart by their bytes alone; each distinct one is read, split and folded once, when all are there.
 */
import { BACKSLASH, lowerCase, OPEN_ARRAY, QUOTE, SPACE } from '../ascii.js';
import { NULL } from '../batch.js';
import { firstWhere } from '../binary-search.js';
import { createBits, setAll } from '../bits.js';
import { int32, type Narrow, narrow, uint8, withRoom } from '../growable.js';
import { KeySort } from '../key-sort.js';
import type { FieldKind } from '../model.js';
import { fold, textOfBytes } from '../text.js';
import { ByteTable } from './byte-table.js';
import { type Source, sourceOf } from './chunks.js';
import type { ColumnBuilder } from './column-builder.js';
import { siteIn } from './sites.js';
import { groupRows } from './sort-order.js';

/** Plain values, so that it can move to another thread. */
export interface ValueIndex {
  /** Value c is `bytes[offsets[c] … offsets[c + 1])`, as it was first written. */
  readonly names: { readonly bytes: Uint8Array; readonly offsets: Uint32Array };
  /**
   * Values with a code below it are counted, and sorted by the bytes of their folded text. Those from it on, sorted as
   * well, are whole texts of several values: they are found, but never counted.
   */
  readonly counted: number;
  /** Rows of code c: `rows[offsets[c]] … rows[offsets[c + 1] - 1]`, ascending. */
  readonly offsets: Uint32Array;
  readonly rows: Uint32Array;
  /** The rows of each code that at least a 32nd of the rows have, as bits: then no larger than the list. */
  readonly dense: ReadonlyMap<number, Uint32Array>;
  /** Codes of row r, each once: `rowCodes[rowOffsets[r]] … rowCodes[rowOffsets[r + 1] - 1]`. */
  readonly rowCodes: Narrow;
  /** Null where every row has exactly one: that of row r is `rowCodes[r]`. */
  readonly rowOffsets: Uint32Array | null;
}

/** The code of a value, or -1 where no record has it. */
export function codeOfValue(index: ValueIndex, value: string): number {
  const { counted } = index;
  const folded = Buffer.from(fold(value));
  for (const [from, to] of [
    [0, counted],
    [counted, codeCount(index)],
  ] as const) {
    const code = firstWhere(from, to, (at) => foldedValue(index, at).compare(folded) >= 0);
    if (code < to && foldedValue(index, code).equals(folded)) return code;
  }
  return -1;
}

/** The counted values that begin with a text, case and accents aside: their first code, and that behind the last. */
export function codesBeginning(index: ValueIndex, beginning: string): readonly [from: number, to: number] {
  const wanted = Buffer.from(fold(beginning));
  const compare = (code: number): number => foldedValue(index, code).subarray(0, wanted.length).compare(wanted);
  const from = firstWhere(0, index.counted, (code) => compare(code) >= 0);
  return [from, firstWhere(from, index.counted, (code) => compare(code) > 0)];
}

/** Whether a word of a counted value behind its first begins with a text that is folded: `king` of `Stephen King`. */
export function hasLaterWord(index: ValueIndex, code: number, beginning: Buffer): boolean {
  const { bytes, offsets } = index.names;
  const [from, end] = [offsets[code]!, offsets[code + 1]!];
  let isAscii = true;
  for (let at = from; at < end && isAscii; at++) isAscii = bytes[at]! < 0x80;
  if (!isAscii) return hasWordAt(foldedValue(index, code), 0, Number.POSITIVE_INFINITY, beginning);
  return hasWordAt(bytes, from, end, beginning);
}

function hasWordAt(bytes: Uint8Array, from: number, end: number, beginning: Buffer): boolean {
  const last = Math.min(end, bytes.length) - beginning.length;
  for (let at = from + 1; at <= last; at++) {
    if (isWordByte(bytes[at - 1]!)) continue;
    let i = 0;
    while (i < beginning.length && lowerCase(bytes[at + i]!) === beginning[i]) i++;
    if (i === beginning.length) return true;
  }
  return false;
}

const isWordByte = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (lowerCase(byte) >= 0x61 && lowerCase(byte) <= 0x7a) || byte >= 0x80;

/** How many values are counted. */
export const valueCount = ({ counted }: ValueIndex): number => counted;
/** How many codes there are. */
export const codeCount = ({ names }: ValueIndex): number => names.offsets.length - 1;

/** A value as it was first written. */
export const valueAt = ({ names: { bytes, offsets } }: ValueIndex, code: number): string =>
  textOfBytes(bytes, offsets[code]!, offsets[code + 1]!);

const foldedValue = (index: ValueIndex, code: number): Buffer => Buffer.from(fold(valueAt(index, code)));

/** The values that are counted, in the order of their codes; made anew for every caller. */
export const allValues = (index: ValueIndex): readonly string[] =>
  Array.from({ length: index.counted }, (_, code) => valueAt(index, code));

/** The rows of a code, ascending. */
export const rowsOfCode = ({ offsets, rows }: ValueIndex, code: number): Uint32Array =>
  rows.subarray(offsets[code]!, offsets[code + 1]!);

/** The codes of a row, in the order in which the record has them; behind its parts that of a whole text. */
export const codesOfRow = ({ rowCodes, rowOffsets }: ValueIndex, row: number): Narrow =>
  rowOffsets === null ? rowCodes.subarray(row, row + 1) : rowCodes.subarray(rowOffsets[row]!, rowOffsets[row + 1]!);

/** In place of the code of a cell that has no value. */
const NO_CELL = -1;

interface ValuesOf {
  /** Of addresses the values are their sites. */
  readonly kind: FieldKind;
  /** What separates several values in one text. */
  readonly splitBy?: string;
}

export function createValueIndexBuilder(
  { kind: fieldKind, splitBy }: ValuesOf = { kind: 'text' },
): ColumnBuilder<ValueIndex> {
  const isUrl = fieldKind === 'url';
  let table = new ByteTable();
  /** Per row: the code of its cell's bytes. */
  let cells = int32(0);
  return {
    setAll(rows, size, batch, firstCell) {
      cells = withRoom(cells, size, int32);
      const source = sourceOf(batch.bytes);
      for (let i = 0; i < rows.length; i++) {
        const cell = firstCell + i;
        const kind = batch.kinds[cell]!;
        const [start, end] = [batch.starts[cell]!, batch.ends[cell]!];
        if (isUrl) {
          const site = kind > NULL ? siteIn(batch.bytes, start, end) : null;
          cells[rows[i]!] = site === null ? NO_CELL : table.codeOf(source, site[0], site[1]);
        } else cells[rows[i]!] = kind > NULL ? table.codeOf(source, start, end) : NO_CELL;
      }
    },
    finish(size) {
      const index = indexOf(table, cells.subarray(0, size), splitBy);
      table = new ByteTable();
      cells = int32(0);
      return index;
    },
  };
}

function indexOf(table: ByteTable, cells: Int32Array, splitBy: string | undefined): ValueIndex {
  const { names, counted, codeOfCell, severalOfCell } = dictionaryOf(table, cells, splitBy);
  const countOf = (cell: number): number =>
    cell === NO_CELL ? 0 : codeOfCell[cell] === SEVERAL ? severalOfCell.get(cell)!.length : 1;
  let total = 0;
  let isSingle = true;
  for (let row = 0; row < cells.length; row++) {
    const count = countOf(cells[row]!);
    total += count;
    if (count !== 1) isSingle = false;
  }
  const codes = names.offsets.length - 1;
  const rowOffsets = isSingle ? null : new Uint32Array(cells.length + 1);
  const rowCodes = narrow(total, Math.max(0, codes - 1));
  let used = 0;
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row]!;
    if (cell !== NO_CELL && codeOfCell[cell] !== SEVERAL) rowCodes[used++] = codeOfCell[cell]!;
    else if (cell !== NO_CELL) for (const code of severalOfCell.get(cell)!) rowCodes[used++] = code;
    if (rowOffsets !== null) rowOffsets[row + 1] = used;
  }
  const postings = groupRows(rowOffsets, rowCodes, codes);
  const dense = denseBits(postings, cells.length);
  return { names, counted, ...postings, dense, rowCodes, rowOffsets };
}

/** In place of the code of a cell that has any number of values but one. */
const SEVERAL = -2;

/** Reads, splits and folds each distinct cell that a row has: those that only replaced records had have no value. */
function dictionaryOf(table: ByteTable, cells: Int32Array, splitBy: string | undefined) {
  const isUsed = new Uint8Array(table.size);
  for (let row = 0; row < cells.length; row++) if (cells[row] !== NO_CELL) isUsed[cells[row]!] = 1;
  const names = new NamesBuilder(table);
  const numbers = new Int32Array(table.size).fill(SEVERAL);
  const severalOfCell = new Map<number, readonly number[]>();
  const wholes = new Map<number, string>();
  for (let cell = 0; cell < table.size; cell++) {
    if (isUsed[cell] === 0) continue;
    const number = splitBy === undefined ? names.addPlain(cell) : -1;
    if (number >= 0) {
      numbers[cell] = number;
      continue;
    }
    const values = valuesIn(textOfBytes(table.bytes, table.offsets[cell]!, table.offsets[cell + 1]!));
    const parts =
      splitBy === undefined ? values : values.flatMap((value) => value.split(splitBy).map((part) => part.trim()));
    severalOfCell.set(cell, names.addAll(parts));
    if (parts.length > values.length) wholes.set(cell, values.join(splitBy));
  }
  const counted = names.size;
  for (const [cell, whole] of wholes) {
    const several = severalOfCell.get(cell) ?? [];
    if (several.length > 1) severalOfCell.set(cell, [...new Set([...several, ...names.addAll([whole])])]);
  }

  const { sorted, codeOf } = names.finish(counted);
  for (const [cell, several] of severalOfCell)
    severalOfCell.set(
      cell,
      several.map((number) => codeOf[number]!),
    );
  const codeOfCell = numbers.map((number) => (number === SEVERAL ? SEVERAL : codeOf[number]!));
  return { names: sorted, counted, codeOfCell, severalOfCell };
}

/** The values of a cell: no text begins as a list does, since a quote in a text is escaped. */
function valuesIn(cell: string): readonly string[] {
  const value: unknown = JSON.parse(cell.startsWith('["') ? cell : `"${cell}"`);
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

/** Numbers values, case and accents aside, as they first occur. A cell in ASCII is folded byte by byte, without a string. */
class NamesBuilder {
  readonly #cells: ByteTable;
  readonly #folded: ByteTable;
  /** Of each number: the cell that first spelt it, or -1 where `#texts` has its spelling. */
  #spellings = int32(0);
  readonly #texts = new Map<number, string>();
  #scratch = sourceOf(Buffer.alloc(1 << 12));

  constructor(cells: ByteTable) {
    this.#cells = cells;
    this.#folded = new ByteTable(cells.size);
  }

  get size(): number {
    return this.#folded.size;
  }

  /** The number of a cell's text; -1 where it is a list, is blank, or has other characters than ASCII or escapes. */
  addPlain(cell: number): number {
    const { bytes, offsets } = this.#cells;
    const from = offsets[cell]!;
    const to = offsets[cell + 1]!;
    const isList = bytes[from] === OPEN_ARRAY && bytes[from + 1] === QUOTE;
    if (isList || to - from > this.#scratch.bytes.length) return -1;
    let isBlank = true;
    for (let i = from; i < to; i++) {
      const byte = bytes[i]!;
      if (byte >= 0x80 || byte === BACKSLASH) return -1;
      if (byte > SPACE) isBlank = false;
      this.#scratch.bytes[i - from] = lowerCase(byte);
    }
    return isBlank ? -1 : this.#numberOf(this.#scratch, to - from, cell);
  }

  /** The numbers of some texts, each once; blank ones have none. */
  addAll(texts: readonly string[]): readonly number[] {
    const numbers = new Set<number>();
    for (const text of texts) {
      if (text.trim() === '') continue;
      const before = this.size;
      const folded = Buffer.from(fold(text));
      const number = this.#numberOf(sourceOf(folded), folded.length, -1);
      if (number === before) this.#texts.set(number, text);
      numbers.add(number);
    }
    return [...numbers];
  }

  #numberOf(folded: Source, length: number, cell: number): number {
    const before = this.size;
    const number = this.#folded.codeOf(folded, 0, length);
    if (number < before) return number;
    this.#spellings = withRoom(this.#spellings, number + 1, int32);
    this.#spellings[number] = cell;
    return number;
  }

  /** Sorts the first `counted` values, and those behind them, by the bytes of their folded texts. */
  finish(counted: number): { readonly sorted: ValueIndex['names']; readonly codeOf: Int32Array } {
    const order = new Uint32Array(this.size);
    order.set(this.#sorted(0, counted));
    order.set(this.#sorted(counted, this.size), counted);
    const codeOf = new Int32Array(order.length);
    const offsets = new Uint32Array(order.length + 1);
    const cells = this.#cells;
    let bytes = uint8(cells.bytes.length);
    for (let code = 0; code < order.length; code++) {
      const number = order[code]!;
      codeOf[number] = code;
      const cell = this.#spellings[number]!;
      const text = cell === -1 ? Buffer.from(this.#texts.get(number) ?? '') : null;
      const from = text === null ? cells.offsets[cell]! : 0;
      const to = text === null ? cells.offsets[cell + 1]! : text.length;
      const source = text ?? cells.bytes;
      let at = offsets[code]!;
      bytes = withRoom(bytes, at + to - from, uint8);
      for (let i = from; i < to; i++) bytes[at++] = source[i]!;
      offsets[code + 1] = at;
    }
    return { sorted: { bytes: bytes.slice(0, offsets[order.length]), offsets }, codeOf };
  }

  /** By their first sixteen bytes in linear time, then runs of equals by all. */
  #sorted(from: number, to: number): Uint32Array {
    const { bytes, offsets } = this.#folded;
    const keys = new KeySort();
    keys.reserve(to - from);
    const wordAt = (number: number, at: number): number => {
      const end = offsets[number + 1]!;
      let word = 0;
      for (let i = offsets[number]! + at; i < offsets[number]! + at + 4; i++)
        word = (word << 8) | (i < end ? bytes[i]! : 0);
      return word;
    };
    for (let number = from; number < to; number++)
      keys.set(number - from, number, wordAt(number, 0), wordAt(number, 4), wordAt(number, 8), wordAt(number, 12));
    keys.sort(to - from);
    const sorted = keys.rows(to - from);
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const compare = (a: number, b: number): number =>
      all.compare(all, offsets[b]!, offsets[b + 1]!, offsets[a]!, offsets[a + 1]!);
    keys.forEachRun(to - from, (first, end) => sorted.subarray(first, end).sort(compare));
    return sorted;
  }
}

function denseBits(
  { offsets, rows }: Pick<ValueIndex, 'offsets' | 'rows'>,
  size: number,
): ReadonlyMap<number, Uint32Array> {
  const dense = new Map<number, Uint32Array>();
  for (let code = 0; code + 1 < offsets.length; code++) {
    if ((offsets[code + 1]! - offsets[code]!) * 32 < size) continue;
    const bits = createBits(size);
    setAll(bits, rows.subarray(offsets[code]!, offsets[code + 1]!));
    dense.set(code, bits);
  }
  return dense;
}
