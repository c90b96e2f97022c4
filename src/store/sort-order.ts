/**
 * A sort key's permutation of the rows, and the key of each row as a plain integer. Rows with a value come first,
 * ascending, ties by row; rows without one follow in row order. `desc` is the same permutation with the valued part read
 * backwards, so both directions cost the same. Any subset of rows is sorted by their keys.
 */
import { firstWhere, type Narrow } from '../arrays.js';

export interface SortOrder {
  /** Rows in ascending order of the key, rows without a value last. */
  readonly rows: Uint32Array;
  /** By row: its key. Rows are ordered by key, and rows of equal keys are ascending. */
  readonly keys: Narrow;
  /** The number of rows that have a value; their keys are smaller than those of rows without one. */
  readonly valued: number;
}

/** The position to read for the i-th row of a listing whose first `valued` positions have a value. */
export const positionOfRow = (i: number, valued: number, descending: boolean): number =>
  descending && i < valued ? valued - 1 - i : i;

/** The first position whose row has this key or a greater one. */
export const positionOfKey = ({ rows, keys }: SortOrder, key: number): number =>
  firstWhere(0, rows.length, (position) => keys[rows[position]!]! >= key);

/**
 * Groups rows by code with a counting sort, which keeps them ascending within each group: those of code c are
 * `rows[offsets[c]] … rows[offsets[c + 1] - 1]`. A row's codes are as in a `ValueIndex`.
 */
export function groupRows(rowOffsets: Uint32Array | null, rowCodes: Narrow, groups: number) {
  const offsets = new Uint32Array(groups + 1);
  countCodes(rowCodes, groups, offsets);
  addUp(offsets);
  const rows = new Uint32Array(rowCodes.length);
  if (rowOffsets === null) placeRows(rowCodes, offsets, rows);
  else placeRowsOfSeveral(rowOffsets, rowCodes, offsets, rows);
  return { offsets, rows };
}

/** Counts the rows of code c at `counts[c + 2]`: added up, that is where a group begins, one place too far. */
function countCodes(rowCodes: Narrow, groups: number, counts: Uint32Array): void {
  for (let i = 0; i < rowCodes.length; i++) if (rowCodes[i]! + 2 <= groups) counts[rowCodes[i]! + 2]!++;
}

function addUp(counts: Uint32Array): void {
  for (let i = 1; i < counts.length; i++) counts[i]! += counts[i - 1]!;
}

/** The start of a group moves on with each of its rows, until it is the end of the group: the start of the next one. */
function placeRows(rowCodes: Narrow, offsets: Uint32Array, rows: Uint32Array): void {
  for (let row = 0; row < rowCodes.length; row++) rows[offsets[rowCodes[row]! + 1]!++] = row;
}

function placeRowsOfSeveral(rowOffsets: Uint32Array, rowCodes: Narrow, offsets: Uint32Array, rows: Uint32Array): void {
  for (let row = 0; row + 1 < rowOffsets.length; row++)
    for (let i = rowOffsets[row]!; i < rowOffsets[row + 1]!; i++) rows[offsets[rowCodes[i]! + 1]!++] = row;
}

/** The order of rows by their keys, which are at most `missing`, that of rows without a value; the rows of key k begin at `offsets[k]`. */
export function orderByKeys(keys: Narrow, missing: number) {
  const { offsets, rows } = groupRows(null, keys, missing + 1);
  const order: SortOrder = { rows, keys, valued: offsets[missing]! };
  return { order, offsets };
}
