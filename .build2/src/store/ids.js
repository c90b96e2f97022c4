/**
 * Record id → row. Ids are any safe integers. Those of many dumps count up, and nothing is kept but the first. Where they only
 * ascend, rows are found by halving, in 4 or 8 bytes a record for the ids themselves. Others take 8 to 16 bytes more, for
 * open addressing with linear probing at a load of at most one half.
 */
import { float64, int32, withRoom } from '../growable.js';
/** Fibonacci hashing of both halves of the integer (Knuth, TAOCP vol. 3, section 6.4). */
function firstSlot(id, slots) {
    const high = Math.floor(id / 0x1_0000_0000);
    const mixed = Math.imul((id >>> 0) ^ Math.imul(high, 0x85eb_ca6b), 0x9e37_79b1);
    return (mixed ^ (mixed >>> 15)) & (slots.length - 1);
}
/** The slot that holds `id`, or the free one where it belongs. */
function slotOf(id, ids, slots) {
    const mask = slots.length - 1;
    let slot = firstSlot(id, slots);
    for (let entry = slots[slot]; entry !== 0 && ids[entry - 1] !== id; entry = slots[slot])
        slot = (slot + 1) & mask;
    return slot;
}
/** The row of the record with this id, or -1. */
export function rowOfId({ size, first, ids, slots }, id) {
    if (ids === null)
        return rowOfCounted(first, size, id);
    return slots.length === 0 ? rowOfAscending(ids, size, id) : slots[slotOf(id, ids, slots)] - 1;
}
/** The id of a row, which is there. */
export const idOfRow = ({ first, ids }, row) => (ids === null ? first + row : ids[row]);
function rowOfCounted(first, size, id) {
    const row = id - first;
    return Number.isInteger(row) && row >= 0 && row < size ? row : -1;
}
function rowOfAscending(ids, size, id) {
    let low = 0;
    let high = size;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < size && ids[low] === id ? low : -1;
}
export function createIdIndexBuilder() {
    let first = 0;
    /** Null as long as ids count up. */
    let ids = null;
    /** Empty as long as ids ascend. */
    let slots = int32(0);
    let size = 0;
    /** The ids, written down from here on. */
    function listed() {
        if (ids !== null)
            return ids;
        ids = withRoom(float64(0), size + 1, float64);
        for (let row = 0; row < size; row++)
            ids[row] = first + row;
        return ids;
    }
    function rehash() {
        const all = listed();
        slots = int32(Math.max(1024, slots.length * 2));
        while (slots.length < size * 2)
            slots = int32(slots.length * 2);
        for (let row = 0; row < size; row++)
            slots[slotOf(all[row], all, slots)] = row + 1;
    }
    function append(id) {
        if (size === 0)
            first = id;
        if (ids !== null || id !== first + size) {
            ids = withRoom(listed(), size + 1, float64);
            ids[size] = id;
        }
        return size++;
    }
    /** The row of an id where ids ascend; -1 where that is neither there nor the next. */
    function rowInOrder(id) {
        const last = ids === null ? first + size - 1 : ids[size - 1];
        if (size === 0 || id > last)
            return append(id);
        return ids === null ? rowOfCounted(first, size, id) : rowOfAscending(ids, size, id);
    }
    function rowFor(id) {
        if (slots.length === 0) {
            const row = rowInOrder(id);
            if (row >= 0)
                return row;
            rehash();
        }
        const slot = slotOf(id, listed(), slots);
        const entry = slots[slot];
        if (entry !== 0)
            return entry - 1;
        const row = append(id);
        slots[slot] = row + 1;
        if (size * 2 > slots.length)
            rehash();
        return row;
    }
    return {
        get size() {
            return size;
        },
        rowFor,
        rowsFor(many, from, to, rows) {
            const before = size;
            for (let i = from; i < to; i++)
                rows[i - from] = rowFor(many[i]);
            return to - from - (size - before);
        },
        finish: () => ({ size, first, ids: ids && narrowed(ids.subarray(0, size)), slots }),
    };
}
const narrowed = (ids) => (ids.every((id) => id === (id | 0)) ? new Int32Array(ids) : ids);
