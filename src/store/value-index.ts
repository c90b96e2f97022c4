/**
 * Rows by the value of a text field, case and accents aside: postings per distinct folded value, rows ascending.
 * A look-up is one hash access; its rows are a view, never a scan.
 */
import { fold } from '../text.js';
import { int32, withRoom } from './growable.js';

export interface ValueIndex {
  /** Each distinct value as it was first written, by code. */
  readonly names: readonly string[];
  /** Folded value → code. */
  readonly codes: ReadonlyMap<string, number>;
  /** Rows of code c: `rows[offsets[c]] … rows[offsets[c + 1] - 1]`. */
  readonly offsets: Uint32Array;
  readonly rows: Uint32Array;
}

/** The rows that hold this value, ascending, or null where no record does. */
export function rowsOfValue(index: ValueIndex, value: string): Uint32Array | null {
  const code = index.codes.get(fold(value));
  return code === undefined ? null : index.rows.subarray(index.offsets[code]!, index.offsets[code + 1]!);
}

export interface ValueIndexBuilder {
  set(row: number, value: string | null): void;
  finish(size: number): ValueIndex;
}

export function createValueIndexBuilder(): ValueIndexBuilder {
  const names: string[] = [];
  const codes = new Map<string, number>();
  /** Values repeat, so most are found here without folding them again. */
  const codeOfSpelling = new Map<string, number>();
  let rowCodes = int32(0);

  function codeOf(value: string): number {
    const known = codeOfSpelling.get(value);
    if (known !== undefined) return known;
    const key = fold(value);
    const code = codes.get(key) ?? names.push(value) - 1;
    codes.set(key, code);
    codeOfSpelling.set(value, code);
    return code;
  }

  return {
    set(row, value) {
      rowCodes = withRoom(rowCodes, row + 1, int32);
      rowCodes[row] = value === null ? -1 : codeOf(value);
    },
    finish: (size) => ({ names, codes, ...group(rowCodes.subarray(0, size), names.length) }),
  };
}

/** Groups rows by code with a counting sort, which keeps them ascending within each group. */
function group(rowCodes: Int32Array, groups: number): { offsets: Uint32Array; rows: Uint32Array } {
  const offsets = new Uint32Array(groups + 1);
  for (const code of rowCodes) if (code >= 0) offsets[code + 1]!++;
  for (let code = 0; code < groups; code++) offsets[code + 1]! += offsets[code]!;
  const next = offsets.slice(0, groups);
  const rows = new Uint32Array(offsets[groups]!);
  for (let row = 0; row < rowCodes.length; row++) {
    const code = rowCodes[row]!;
    if (code >= 0) rows[next[code]!++] = row;
  }
  return { offsets, rows };
}
