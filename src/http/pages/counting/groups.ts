/** The rows of a field in groups: the bins of its numbers or dates, or its values. Views of what the store holds. */
import type { SortOrder } from '../../../store/sort-order.js';
import type { ValueIndex } from '../../../store/value-index.js';
import type { Binning } from './binning.js';

export interface Groups {
  /** Rows of group g: `rows[offsets[g]] … rows[offsets[g + 1] - 1]`. */
  readonly rows: Uint32Array;
  readonly offsets: Uint32Array;
  /** Whether no row is in several of them. */
  readonly isDisjoint: boolean;
  /** The groups of each row, where the store has them. */
  readonly ofRows: GroupsOfRows | null;
}

export type GroupsOfRows = Pick<ValueIndex, 'rowCodes' | 'rowOffsets'>;

/** Bins are runs of the field's sort order. */
export function groupsOfBins({ rows }: SortOrder, { bins }: Binning): Groups {
  const offsets = new Uint32Array(bins.length + 1);
  bins.forEach(({ count }, bin) => {
    offsets[bin + 1] = offsets[bin]! + count;
  });
  return { rows, offsets, isDisjoint: true, ofRows: null };
}

/** By code. */
export const groupsOfValues = ({ rows, offsets, rowCodes, rowOffsets }: ValueIndex): Groups => ({
  rows,
  offsets,
  ofRows: { rowCodes, rowOffsets },
  isDisjoint: rowOffsets === null || growsByOne(rowOffsets),
});

/** Whether none is more than one above the one before it. */
function growsByOne(offsets: Uint32Array): boolean {
  let i = 1;
  while (i < offsets.length && offsets[i]! - offsets[i - 1]! <= 1) i++;
  return i >= offsets.length;
}

export const sizeOf = ({ offsets }: Groups, group: number): number => offsets[group + 1]! - offsets[group]!;

export const groupCount = ({ offsets }: Groups): number => offsets.length - 1;

/** All groups, the largest first, equal ones by number: a counting sort. */
export function largestFirst(groups: Groups): Uint32Array {
  const length = groupCount(groups);
  let most = 0;
  for (let group = 0; group < length; group++) most = Math.max(most, sizeOf(groups, group));
  const starts = new Uint32Array(most + 2);
  for (let group = 0; group < length; group++) starts[most - sizeOf(groups, group) + 1]!++;
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!;
  const sorted = new Uint32Array(length);
  for (let group = 0; group < length; group++) sorted[starts[most - sizeOf(groups, group)]!++] = group;
  return sorted;
}

/** Looking so many of the rows up in a set takes as long as comparing all of it with another. */
export const LARGE = 1 / 128;
/** At most so many groups of a field count as large: those of the most rows. */
const MAX_LARGE = 64;

export function largeGroups(groups: Groups, bySize: Uint32Array, rows: number): Uint32Array {
  let count = 0;
  while (count < Math.min(MAX_LARGE, bySize.length) && sizeOf(groups, bySize[count]!) > rows * LARGE) count++;
  return bySize.subarray(0, count);
}
