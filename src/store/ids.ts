/**
 * Record id → row. Ids are any safe integers. Those of many dumps count up, and nothing is kept but the first. Where they only
 * ascend, rows are found by halving, in 4 or 8 bytes a record for the ids themselves. Others take 8 to 16 bytes more, for
 * open addressing with linear probing at a load of at most one half.
 */
import { firstWhere } from '../binary-search.js';
import { float64, int32, withRoom } from '../growable.js';

type Ids = Float64Array | Int32Array;

export interface IdIndex {
  readonly size: number;
  readonly first: number;
  /** The id of each row; integers of 32 bits where those suffice. Null where ids count up from the first. */
  readonly ids: Ids | null;
  /** Row + 1 at the slot where probing for an id ends; 0 is free. Its length is a power of two, but 0 where ids ascend. */
  readonly slots: Int32Array;
}

/** Fibonacci hashing of both halves of the integer (Knuth, TAOCP vol. 3, section 6.4). */
function firstSlot(id: number, slots: Int32Array): number {
  const high = Math.floor(id / 0x1_0000_0000);
  const mixed = Math.imul((id >>> 0) ^ Math.imul(high, 0x85eb_ca6b), 0x9e37_79b1);
  return (mixed ^ (mixed >>> 15)) & (slots.length - 1);
}

/** The slot that holds `id`, or the free one where it belongs. */
function slotOf(id: number, ids: Ids, slots: Int32Array): number {
  const mask = slots.length - 1;
  let slot = firstSlot(id, slots);
  for (let entry = slots[slot]!; entry !== 0 && ids[entry - 1] !== id; entry = slots[slot]!) slot = (slot + 1) & mask;
  return slot;
}

/** The row of the record with this id, or -1. */
export function rowOfId({ size, first, ids, slots }: IdIndex, id: number): number {
  if (ids === null) return rowOfCounted(first, size, id);
  return slots.length === 0 ? rowOfAscending(ids, size, id) : slots[slotOf(id, ids, slots)]! - 1;
}

/** The id of a row, which is there. */
export const idOfRow = ({ first, ids }: IdIndex, row: number): number => (ids === null ? first + row : ids[row]!);

function rowOfCounted(first: number, size: number, id: number): number {
  const row = id - first;
  return Number.isInteger(row) && row >= 0 && row < size ? row : -1;
}

function rowOfAscending(ids: Ids, size: number, id: number): number {
  const row = firstWhere(0, size, (place) => ids[place]! >= id);
  return row < size && ids[row] === id ? row : -1;
}

export interface IdIndexBuilder {
  /** How many rows there are: an id whose row is below it had one already. */
  readonly size: number;
  /** The row of `id`: an earlier one, or the next free row, which it then belongs to. */
  rowFor(id: number): number;
  /** The same for many ids, whose rows are written to `rows`; returns how many of them had a row. */
  rowsFor(ids: Float64Array, from: number, to: number, rows: Int32Array): number;
  finish(): IdIndex;
}

export function createIdIndexBuilder(): IdIndexBuilder {
  let first = 0;
  /** Null as long as ids count up. */
  let ids: Float64Array | null = null;
  /** Empty as long as ids ascend. */
  let slots = int32(0);
  let size = 0;

  /** The ids, written down from here on. */
  function listed(): Float64Array {
    if (ids !== null) return ids;
    ids = withRoom(float64(0), size + 1, float64);
    for (let row = 0; row < size; row++) ids[row] = first + row;
    return ids;
  }

  function rehash(): void {
    const all = listed();
    slots = int32(Math.max(1024, slots.length * 2));
    while (slots.length < size * 2) slots = int32(slots.length * 2);
    for (let row = 0; row < size; row++) slots[slotOf(all[row]!, all, slots)] = row + 1;
  }

  function append(id: number): number {
    if (size === 0) first = id;
    if (ids !== null || id !== first + size) {
      ids = withRoom(listed(), size + 1, float64);
      ids[size] = id;
    }
    return size++;
  }

  /** The row of an id where ids ascend; -1 where that is neither there nor the next. */
  function rowInOrder(id: number): number {
    const last = ids === null ? first + size - 1 : ids[size - 1]!;
    if (size === 0 || id > last) return append(id);
    return ids === null ? rowOfCounted(first, size, id) : rowOfAscending(ids, size, id);
  }

  function rowFor(id: number): number {
    if (slots.length === 0) {
      const row = rowInOrder(id);
      if (row >= 0) return row;
      rehash();
    }
    const slot = slotOf(id, listed(), slots);
    const entry = slots[slot]!;
    if (entry !== 0) return entry - 1;
    const row = append(id);
    slots[slot] = row + 1;
    if (size * 2 > slots.length) rehash();
    return row;
  }

  return {
    get size() {
      return size;
    },
    rowFor,
    rowsFor(many, from, to, rows) {
      const before = size;
      for (let i = from; i < to; i++) rows[i - from] = rowFor(many[i]!);
      return to - from - (size - before);
    },
    finish: () => ({ size, first, ids: ids && narrowed(ids.subarray(0, size)), slots }),
  };
}

const narrowed = (ids: Float64Array): Ids => (ids.every((id) => id === (id | 0)) ? new Int32Array(ids) : ids);
