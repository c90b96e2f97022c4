/**
 * Rows by the values of a text or list field, case and accents aside, and values by row: postings of rows per distinct
 * folded value, ascending, and the reverse. A look-up is one hash access; its rows are a view, never a scan.
 */
import { createBits, setAll } from '../bits.js';
import type { Value } from '../model.js';
import { fold } from '../text.js';
import { uint32, withRoom } from './growable.js';

export interface ValueIndex {
  /** Each distinct value as it was first written, by code. */
  readonly names: readonly string[];
  /** Folded value → code. */
  readonly codes: ReadonlyMap<string, number>;
  /** Rows of code c: `rows[offsets[c]] … rows[offsets[c + 1] - 1]`, ascending. */
  readonly offsets: Uint32Array;
  readonly rows: Uint32Array;
  /** The rows of each code that at least a 32nd of the rows have, as bits: then no larger than the list. */
  readonly dense: ReadonlyMap<number, Uint32Array>;
  /** Codes of row r, each once: `rowCodes[rowOffsets[r]] … rowCodes[rowOffsets[r + 1] - 1]`. */
  readonly rowOffsets: Uint32Array;
  readonly rowCodes: Uint32Array;
}

/** The code of a value, or -1 where no record has it. */
export const codeOfValue = (index: ValueIndex, value: string): number => index.codes.get(fold(value)) ?? -1;

/** The rows of a code, ascending. */
export const rowsOfCode = ({ offsets, rows }: ValueIndex, code: number): Uint32Array =>
  rows.subarray(offsets[code]!, offsets[code + 1]!);

export interface ValueIndexBuilder {
  set(row: number, value: Value): void;
  finish(size: number): ValueIndex;
}

export function createValueIndexBuilder(): ValueIndexBuilder {
  const names: string[] = [];
  const codes = new Map<string, number>();
  /** Values repeat, so most are found here without folding them again. */
  const codeOfSpelling = new Map<string, number>();
  /** The codes of each row as they arrived; a replaced row's old codes stay behind, unreferenced. */
  let arrived = uint32(0);
  let used = 0;
  let starts = uint32(0);
  let counts = uint32(0);

  function codeOf(value: string): number {
    const known = codeOfSpelling.get(value);
    if (known !== undefined) return known;
    const key = fold(value);
    const code = codes.get(key) ?? names.push(value) - 1;
    codes.set(key, code);
    codeOfSpelling.set(value, code);
    return code;
  }

  function append(row: number, value: string): void {
    const code = codeOf(value);
    for (let i = starts[row]!; i < used; i++) if (arrived[i] === code) return;
    arrived = withRoom(arrived, used + 1, uint32);
    arrived[used++] = code;
    counts[row]!++;
  }

  return {
    set(row, value) {
      starts = withRoom(starts, row + 1, uint32);
      counts = withRoom(counts, row + 1, uint32);
      starts[row] = used;
      counts[row] = 0;
      if (typeof value === 'string') append(row, value);
      else if (Array.isArray(value)) for (const one of value) append(row, one);
    },
    finish(size) {
      const { rowOffsets, rowCodes } = compact(arrived, starts, counts, size);
      const postings = invert(rowOffsets, rowCodes, names.length);
      return { names, codes, rowOffsets, rowCodes, ...postings, dense: denseBits(postings, size) };
    },
  };
}

/** The codes of each row, in row order. */
function compact(arrived: Uint32Array, starts: Uint32Array, counts: Uint32Array, size: number) {
  const rowOffsets = new Uint32Array(size + 1);
  for (let row = 0; row < size; row++) rowOffsets[row + 1] = rowOffsets[row]! + counts[row]!;
  const rowCodes = new Uint32Array(rowOffsets[size]!);
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
function invert(rowOffsets: Uint32Array, rowCodes: Uint32Array, groups: number): Postings {
  const offsets = new Uint32Array(groups + 1);
  for (let i = 0; i < rowCodes.length; i++) offsets[rowCodes[i]! + 1]!++;
  for (let code = 0; code < groups; code++) offsets[code + 1]! += offsets[code]!;
  const next = offsets.slice(0, groups);
  const rows = new Uint32Array(rowCodes.length);
  for (let row = 0; row + 1 < rowOffsets.length; row++) {
    for (let i = rowOffsets[row]!; i < rowOffsets[row + 1]!; i++) rows[next[rowCodes[i]!]!++] = row;
  }
  return { offsets, rows };
}
