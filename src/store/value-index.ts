/**
 * Rows by the values of a field, case and accents aside, and values by row: a dictionary of the distinct values, sorted by
 * their folded text; postings of rows for each of them, ascending; and the reverse. A look-up halves the dictionary; its
 * rows are a view, never a scan.
 *
 * A cell has one value or several: those of a list, or the parts of one text (`"Fiction, Classics"`). While records
 * arrive, cells are told apart by their bytes alone; each distinct one is read, split and folded once, when all are there.
 */

import { firstWhere, int32, type Narrow, narrow, uint8, uint32, withRoom } from '../arrays.js';
import { NULL } from '../batch.js';
import { createBits, setAll } from '../bits.js';
import { KeySort } from '../key-sort.js';
import type { FieldKind } from '../model.js';
import { BACKSLASH, fold, lowerCase, OPEN_ARRAY, QUOTE, SPACE, textOfBytes } from '../text.js';
import { ByteTable } from './byte-table.js';
import { sourceOf } from './chunks.js';
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

/** Whether each value is in one record only, and there are any. */
export const isUnique = (index: ValueIndex | undefined): boolean =>
  index !== undefined && index.counted > 0 && index.rows.length === index.counted;

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

/** `cells` becomes the rows' codes. */
function indexOf(table: ByteTable, cells: Int32Array, splitBy: string | undefined): ValueIndex {
  const { names, counted, codeOfCell, severals } = dictionaryOf(table, cells, splitBy);
  let total = 0;
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row]!;
    const code = cell === NO_CELL ? NO_CELL : codeOfCell[cell]!;
    cells[row] = code;
    if (code >= 0) total++;
    else if (code !== NO_CELL) total += severals[SEVERAL - code]!.length;
  }
  const isSingle = total === cells.length && cells.every((code) => code >= 0);
  const codes = names.offsets.length - 1;
  const rowOffsets = isSingle ? null : new Uint32Array(cells.length + 1);
  const rowCodes = narrow(total, Math.max(0, codes - 1));
  if (rowOffsets === null) rowCodes.set(cells);
  else
    for (let row = 0, used = 0; row < cells.length; row++) {
      const code = cells[row]!;
      if (code >= 0) rowCodes[used++] = code;
      else if (code !== NO_CELL) for (const each of severals[SEVERAL - code]!) rowCodes[used++] = each;
      rowOffsets[row + 1] = used;
    }
  const postings = groupRows(rowOffsets, rowCodes, codes);
  const dense = denseBits(postings, cells.length);
  return { names, counted, ...postings, dense, rowCodes, rowOffsets };
}

/** `SEVERAL - i` in place of a code stands for the i-th list of several codes. */
const SEVERAL = -2;

/** Reads, splits and folds each distinct cell that a row has: those that only replaced records had have no value. */
function dictionaryOf(table: ByteTable, cells: Int32Array, splitBy: string | undefined) {
  const { size } = table;
  const isUsed = new Uint8Array(size);
  for (let row = 0; row < cells.length; row++) if (cells[row] !== NO_CELL) isUsed[cells[row]!] = 1;
  const spellings = new Spellings(table);
  /** Per cell its spelling, which its code replaces in the end. */
  const codeOfCell = new Int32Array(size).fill(NO_CELL);
  const partsOfCell = new Map<number, readonly number[]>();
  const wholes = new Map<number, string>();
  for (let cell = 0; cell < size; cell++) {
    if (isUsed[cell] === 0) continue;
    codeOfCell[cell] = splitBy === undefined ? spellings.addPlain(cell) : NO_CELL;
    if (codeOfCell[cell] !== NO_CELL) continue;
    const values = valuesIn(textOfBytes(table.bytes, table.offsets[cell]!, table.offsets[cell + 1]!));
    const parts =
      splitBy === undefined ? values : values.flatMap((value) => value.split(splitBy).map((part) => part.trim()));
    const partSpellings = spellings.addAll(parts);
    partsOfCell.set(cell, partSpellings);
    if (parts.length > values.length && partSpellings.length > 1) wholes.set(cell, values.join(splitBy));
  }
  const counted = spellings.size;
  for (const [cell, whole] of wholes)
    partsOfCell.set(cell, [...new Set([...(partsOfCell.get(cell) ?? []), ...spellings.addAll([whole])])]);

  const { codeOf, ...dictionary } = spellings.finish(counted);
  for (let cell = 0; cell < size; cell++)
    if (codeOfCell[cell] !== NO_CELL) codeOfCell[cell] = codeOf[codeOfCell[cell]!]!;
  const severals: (readonly number[])[] = [];
  for (const [cell, parts] of partsOfCell) {
    const codes = parts.map((spelling) => codeOf[spelling]!);
    if (codes.length === 1) codeOfCell[cell] = codes[0]!;
    else if (codes.length > 1) codeOfCell[cell] = SEVERAL + 1 - severals.push(codes);
  }
  return { ...dictionary, codeOfCell, severals };
}

/** The values of a cell: no text begins as a list does, since a quote in a text is escaped. */
function valuesIn(cell: string): readonly string[] {
  const value: unknown = JSON.parse(cell.startsWith('["') ? cell : `"${cell}"`);
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

/**
 * The spellings of a column's values with their folded texts, numbered as they first occur. `finish` sorts them once, by which
 * spellings of one value come to stand side by side: `Tea`, `TEA`. A cell in ASCII is folded byte by byte, without a string.
 */
class Spellings {
  size = 0;
  /** The distinct cells, and behind them the texts that are no whole cell. */
  readonly #table: ByteTable;
  /** Of each spelling: the piece of the table that has it. */
  #pieceOf = int32(0);
  /** The spelling of a folded text that stood in a list, had other characters than ASCII, or was split off. */
  readonly #spellingOf = new Map<string, number>();
  /** The folded text of spelling s is `bytes[offsets[s] … offsets[s + 1])`. */
  #bytes = uint8(0);
  #offsets = uint32(1);

  constructor(table: ByteTable) {
    this.#table = table;
  }

  /** The spelling that a cell is; NO_CELL where it is a list, is blank, or has other characters than ASCII or escapes. */
  addPlain(cell: number): number {
    const { bytes, offsets } = this.#table;
    const from = offsets[cell]!;
    const to = offsets[cell + 1]!;
    if (bytes[from] === OPEN_ARRAY && bytes[from + 1] === QUOTE) return NO_CELL;
    let isBlank = true;
    let at = this.#offsets[this.size]!;
    this.#bytes = withRoom(this.#bytes, at + to - from, uint8);
    const folded = this.#bytes;
    for (let i = from; i < to; i++) {
      const byte = bytes[i]!;
      if (byte >= 0x80 || byte === BACKSLASH) return NO_CELL;
      if (byte > SPACE) isBlank = false;
      folded[at++] = lowerCase(byte);
    }
    return isBlank ? NO_CELL : this.#add(cell, at);
  }

  /** The spellings that some texts are, each value once; blank ones are none. */
  addAll(texts: readonly string[]): readonly number[] {
    const spellings = new Set<number>();
    for (const text of texts) {
      if (text.trim() === '') continue;
      const folded = fold(text);
      let spelling = this.#spellingOf.get(folded);
      if (spelling === undefined) {
        const start = this.#offsets[this.size]!;
        this.#bytes = withRoom(this.#bytes, start + 3 * folded.length, uint8);
        const end = start + Buffer.from(this.#bytes.buffer).write(folded, start);
        const bytes = Buffer.from(text);
        spelling = this.#add(this.#table.add(bytes, 0, bytes.length), end);
        this.#spellingOf.set(folded, spelling);
      }
      spellings.add(spelling);
    }
    return [...spellings];
  }

  #add(piece: number, end: number): number {
    const spelling = this.size++;
    this.#pieceOf = withRoom(this.#pieceOf, this.size, int32);
    this.#pieceOf[spelling] = piece;
    this.#offsets = withRoom(this.#offsets, this.size + 1, uint32);
    this.#offsets[this.size] = end;
    return spelling;
  }

  /** The values in the order of their codes, and each spelling's code. Values of which no spelling is below `counted` come last. */
  finish(counted: number) {
    const { order, isRepeated } = this.#sorted();
    /** Per code the value's first spelling. */
    const firsts = new Uint32Array(this.size);
    const codeOf = new Int32Array(this.size);
    let codes = 0;
    const assignCodes = (areCounted: boolean): number => {
      let isAssigned = false;
      for (let i = 0; i < order.length; i++) {
        const spelling = order[i]!;
        if (isRepeated[i] === 0) {
          isAssigned = spelling < counted === areCounted;
          if (isAssigned) firsts[codes++] = spelling;
        }
        if (isAssigned) codeOf[spelling] = codes - 1;
      }
      return codes;
    };
    const countedCodes = assignCodes(true);
    if (counted < this.size) assignCodes(false);
    return { names: this.#named(firsts.subarray(0, codes)), counted: countedCodes, codeOf };
  }

  /** The texts of some spellings, one after the other. */
  #named(spellings: Uint32Array): ValueIndex['names'] {
    const { bytes: pieces, offsets: starts, size } = this.#table;
    const offsets = new Uint32Array(spellings.length + 1);
    const bytes = uint8(starts[size]!);
    let at = 0;
    for (let i = 0; i < spellings.length; i++) {
      const piece = this.#pieceOf[spellings[i]!]!;
      for (let from = starts[piece]!; from < starts[piece + 1]!; from++) bytes[at++] = pieces[from]!;
      offsets[i + 1] = at;
    }
    return { bytes: at === bytes.length ? bytes : bytes.slice(0, at), offsets };
  }

  /** Sorts by the first sixteen folded bytes in linear time, then runs of equals by all. `isRepeated`: the value is that of the one before. */
  #sorted() {
    const { size } = this;
    const bytes = this.#bytes;
    const offsets = this.#offsets;
    const keys = new KeySort();
    keys.reserve(size);
    const wordAt = (at: number, end: number): number => {
      let word = 0;
      for (let i = at; i < at + 4; i++) word = (word << 8) | (i < end ? bytes[i]! : 0);
      return word;
    };
    for (let spelling = 0; spelling < size; spelling++) {
      const at = offsets[spelling]!;
      const end = offsets[spelling + 1]!;
      keys.set(spelling, spelling, wordAt(at, end), wordAt(at + 4, end), wordAt(at + 8, end), wordAt(at + 12, end));
    }
    keys.sort(size);
    const order = keys.rows(size);
    const isRepeated = new Uint8Array(size);
    const all = Buffer.from(bytes.buffer);
    const compare = (a: number, b: number): number =>
      all.compare(all, offsets[b]!, offsets[b + 1]!, offsets[a]!, offsets[a + 1]!);
    keys.forEachRun(size, (first, end) => {
      const run = order.subarray(first, end).sort(compare);
      for (let i = 1; i < run.length; i++) isRepeated[first + i] = compare(run[i - 1]!, run[i]!) === 0 ? 1 : 0;
    });
    return { order, isRepeated };
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
