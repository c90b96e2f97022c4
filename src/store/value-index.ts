/**
 * Rows by the values of a text or list field, case and accents aside, and values by row: postings of rows per distinct
 * folded value, ascending, and the reverse. A look-up is one hash access; its rows are a view, never a scan.
 */
import {
  BATCH_RECORDS,
  endOfString,
  hasEscape,
  isBlankString,
  LIST,
  listOf,
  type RecordBatch,
  textOf,
} from '../batch.js';
import { createBits, setAll } from '../bits.js';
import { type Narrow, narrow, narrowed, uint32, withRoom } from '../growable.js';
import type { ColumnBuilder } from './column-builder.js';
import { codeOfName, type Names, nameAt, nameCount } from './names.js';
import { NamesBuilder, NO_CODE } from './names-builder.js';

export interface ValueIndex {
  /** The distinct values, by code. */
  readonly names: Names;
  /** Rows of code c: `rows[offsets[c]] … rows[offsets[c + 1] - 1]`, ascending. */
  readonly offsets: Uint32Array;
  readonly rows: Uint32Array;
  /** The rows of each code that at least a 32nd of the rows have, as bits: then no larger than the list. */
  readonly dense: ReadonlyMap<number, Uint32Array>;
  /** Codes of row r, each once: `rowCodes[rowOffsets[r]] … rowCodes[rowOffsets[r + 1] - 1]`. */
  readonly rowCodes: Narrow;
  /** Null where every row has exactly one: that of row r is `rowCodes[r]`. */
  readonly rowOffsets: Uint32Array | null;
  /** The whole texts of rows that have several values in one: they are found, and not counted. Their codes stand behind those of the values. */
  readonly wholes: ValueIndex | null;
}

/** The code of a value, or -1 where no record has it. */
export function codeOfValue(index: ValueIndex, value: string): number {
  const code = codeOfName(index.names, value);
  if (code >= 0 && hasRows(index, code)) return code;
  const whole = index.wholes === null ? -1 : codeOfValue(index.wholes, value);
  return whole < 0 ? -1 : valueCount(index) + whole;
}

/** False for a value that only replaced records had: its code remains, without a row. */
const hasRows = ({ offsets }: ValueIndex, code: number): boolean => offsets[code]! < offsets[code + 1]!;

/** How many codes there are. */
export const valueCount = ({ names }: ValueIndex): number => nameCount(names);

/** A value as it was first written. */
export const valueAt = (index: ValueIndex, code: number): string =>
  code < valueCount(index) || index.wholes === null
    ? nameAt(index.names, code)
    : valueAt(index.wholes, code - valueCount(index));

/** The distinct values that records have, in the order of their codes; made anew for every caller. */
export const allValues = (index: ValueIndex): readonly string[] =>
  Array.from({ length: valueCount(index) }, (_, code) => code)
    .filter((code) => hasRows(index, code))
    .map((code) => valueAt(index, code));

/** The rows of a code, ascending. */
export const rowsOfCode = (index: ValueIndex, code: number): Uint32Array =>
  code < valueCount(index) || index.wholes === null
    ? index.rows.subarray(index.offsets[code]!, index.offsets[code + 1]!)
    : rowsOfCode(index.wholes, code - valueCount(index));

/** The codes of a row, in the order in which the record has them. */
export const codesOfRow = ({ rowCodes, rowOffsets }: ValueIndex, row: number): Narrow =>
  rowOffsets === null ? rowCodes.subarray(row, row + 1) : rowCodes.subarray(rowOffsets[row]!, rowOffsets[row + 1]!);

/** `splitBy`: what separates several values in one text. */
export function createValueIndexBuilder(splitBy?: string): ColumnBuilder<ValueIndex> {
  const wholes = splitBy === undefined ? null : createWholesBuilder();
  const names = new NamesBuilder();
  /** The codes of each row as they arrived; a replaced row's old codes stay behind, unreferenced. */
  let arrived = uint32(0);
  let used = 0;
  /** As long as every row has one value, that of row r is `arrived[r]`, and these two are not needed. */
  let starts: Uint32Array | null = null;
  let counts = uint32(0);
  const codesOfBatch = new Int32Array(BATCH_RECORDS);

  function append(code: number): void {
    arrived = withRoom(arrived, used + 1, uint32);
    arrived[used++] = code;
  }

  function setOne(row: number, code: number): void {
    if (starts !== null) {
      begin(row);
      add(row, code);
    } else if (row === used) append(code);
    else arrived[row] = code;
  }

  /** Begins a row that may have any number of values. */
  function begin(row: number): void {
    if (starts === null) {
      starts = Uint32Array.from({ length: used }, (_, at) => at);
      counts = new Uint32Array(used).fill(1);
    }
    starts = withRoom(starts, row + 1, uint32);
    counts = withRoom(counts, row + 1, uint32);
    starts[row] = used;
    counts[row] = 0;
  }

  function add(row: number, code: number): void {
    for (let i = used - counts[row]!; i < used; i++) if (arrived[i] === code) return;
    append(code);
    counts[row]!++;
  }

  function addList(row: number, batch: RecordBatch, cell: number): void {
    const { bytes, starts, ends } = batch;
    if (hasEscape(bytes, starts[cell]!, ends[cell]!)) {
      for (const value of listOf(batch, cell)) if (value.trim() !== '') add(row, names.codeOf(value));
      return;
    }
    for (let start = starts[cell]! + 1; start < ends[cell]!; ) {
      const end = endOfString(bytes, start);
      if (!isBlankString(bytes, start + 1, end - 1)) add(row, names.codeOfBytes(bytes, start + 1, end - 1));
      start = end + 1;
    }
  }

  return {
    setAll(rows, _size, batch, firstCell) {
      arrived = withRoom(arrived, used + rows.length, uint32);
      if (wholes !== null && splitBy !== undefined) {
        for (let i = 0; i < rows.length; i++) {
          const text = textOf(batch, firstCell + i) ?? '';
          const parts = text.split(splitBy).filter((part) => part.trim() !== '');
          begin(rows[i]!);
          for (const part of parts) add(rows[i]!, names.codeOf(part.trim()));
          wholes.set(rows[i]!, parts.length > 1 ? text : null);
        }
        return;
      }
      const codes = codesOfBatch.subarray(0, rows.length);
      names.codesOf(batch, firstCell, codes);
      for (let i = 0; i < rows.length; i++) {
        if (codes[i] !== NO_CODE) {
          setOne(rows[i]!, codes[i]!);
          continue;
        }
        begin(rows[i]!);
        if (batch.kinds[firstCell + i] === LIST) addList(rows[i]!, batch, firstCell + i);
      }
    },
    finish(size) {
      const { rowOffsets, rowCodes } =
        starts === null
          ? { rowOffsets: null, rowCodes: narrowed(arrived.subarray(0, size), names.size - 1) }
          : compact(arrived, starts, counts, size, names.size - 1);
      const postings = invert(rowOffsets, rowCodes, names.size);
      const finishedWholes = wholes?.finish(size) ?? null;
      return {
        names: names.finish(),
        rowOffsets,
        rowCodes,
        ...postings,
        dense: denseBits(postings, size),
        wholes: finishedWholes,
      };
    },
  };
}

/** Builds the index of the texts that hold several values. */
function createWholesBuilder() {
  const texts: (string | null)[] = [];
  return {
    set(row: number, text: string | null): void {
      texts[row] = text;
    },
    finish(size: number): ValueIndex {
      const names = new NamesBuilder();
      const codes: number[] = [];
      const rowOffsets = new Uint32Array(size + 1);
      for (let row = 0; row < size; row++) {
        const text = texts[row];
        if (text !== null && text !== undefined) codes.push(names.codeOf(text));
        rowOffsets[row + 1] = codes.length;
      }
      const rowCodes = narrowed(Uint32Array.from(codes), names.size - 1);
      const postings = invert(rowOffsets, rowCodes, names.size);
      return {
        names: names.finish(),
        rowOffsets,
        rowCodes,
        ...postings,
        dense: denseBits(postings, size),
        wholes: null,
      };
    },
  };
}

/** The codes of each row, in row order. */
function compact(arrived: Uint32Array, starts: Uint32Array, counts: Uint32Array, size: number, most: number) {
  const rowOffsets = new Uint32Array(size + 1);
  for (let row = 0; row < size; row++) rowOffsets[row + 1] = rowOffsets[row]! + counts[row]!;
  const rowCodes = narrow(rowOffsets[size]!, most);
  for (let row = 0; row < size; row++) {
    const start = starts[row]!;
    for (let i = 0; i < counts[row]!; i++) rowCodes[rowOffsets[row]! + i] = arrived[start + i]!;
  }
  return { rowOffsets, rowCodes };
}

interface Postings {
  readonly offsets: Uint32Array;
  readonly rows: Uint32Array;
}

function denseBits({ offsets, rows }: Postings, size: number): ReadonlyMap<number, Uint32Array> {
  const dense = new Map<number, Uint32Array>();
  for (let code = 0; code + 1 < offsets.length; code++) {
    if ((offsets[code + 1]! - offsets[code]!) * 32 < size) continue;
    const bits = createBits(size);
    setAll(bits, rows.subarray(offsets[code]!, offsets[code + 1]!));
    dense.set(code, bits);
  }
  return dense;
}

/** Groups rows by code with a counting sort, which keeps them ascending within each group. */
function invert(rowOffsets: Uint32Array | null, rowCodes: Narrow, groups: number): Postings {
  // Written to: what is read first of new memory, as counts are, is given twice.
  const offsets = new Uint32Array(groups + 1).fill(0);
  // A group's rows are placed from its start on, which by that moves to its end: the start of the next.
  for (let i = 0; i < rowCodes.length; i++) if (rowCodes[i]! + 2 <= groups) offsets[rowCodes[i]! + 2]!++;
  for (let code = 1; code <= groups; code++) offsets[code]! += offsets[code - 1]!;
  const rows = new Uint32Array(rowCodes.length);
  if (rowOffsets === null) for (let row = 0; row < rowCodes.length; row++) rows[offsets[rowCodes[row]! + 1]!++] = row;
  else
    for (let row = 0; row + 1 < rowOffsets.length; row++) {
      for (let i = rowOffsets[row]!; i < rowOffsets[row + 1]!; i++) rows[offsets[rowCodes[i]! + 1]!++] = row;
    }
  return { offsets, rows };
}
