/**
 * Record id → row. Ids are any safe integers. Those of most dumps ascend: their rows are found by halving, and nothing is
 * kept but 4 or 8 bytes a record for the ids themselves. Others take 8 to 16 bytes more, for open addressing with linear
 * probing at a load of at most one half.
 */
import { float64, int32, withRoom } from '../growable.js';

type Ids = Float64Array | Int32Array;

export interface IdIndex {
  /** The id of each row; integers of 32 bits where those suffice. */
  readonly ids: Ids;
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
export const rowOfId = ({ ids, slots }: IdIndex, id: number): number =>
  slots.length === 0 ? rowOfAscending(ids, ids.length, id) : slots[slotOf(id, ids, slots)]! - 1;

function rowOfAscending(ids: Ids, size: number, id: number): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low < size && ids[low] === id ? low : -1;
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
  let ids = float64(512);
  /** Empty as long as ids ascend. */
  let slots = int32(0);
  let size = 0;

  function rehash(): void {
    slots = int32(Math.max(1024, slots.length * 2));
    while (slots.length < size * 2) slots = int32(slots.length * 2);
    for (let row = 0; row < size; row++) slots[slotOf(ids[row]!, ids, slots)] = row + 1;
  }

  function append(id: number): number {
    ids = withRoom(ids, size + 1, float64);
    ids[size] = id;
    return size++;
  }

  function rowFor(id: number): number {
    if (slots.length === 0) {
      if (size === 0 || id > ids[size - 1]!) return append(id);
      const row = rowOfAscending(ids, size, id);
      if (row >= 0) return row;
      rehash();
    }
    const slot = slotOf(id, ids, slots);
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
    finish: () => ({ ids: narrowed(ids.subarray(0, size)), slots }),
  };
}

const narrowed = (ids: Float64Array): Ids => (ids.every((id) => id === (id | 0)) ? new Int32Array(ids) : ids);
