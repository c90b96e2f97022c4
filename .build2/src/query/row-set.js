/**
 * The rows that one filter lets pass. A set knows its size before any row is touched, so the narrowest of several can
 * lead; the others then only look at rows that are still in.
 */
import { addAll, ascending, countBits, createBits, hasBit, membersAt, setAll } from '../bits.js';
import { placeAbove, placeFrom } from '../store/number-column.js';
import { writeRun } from '../store/range-bitmaps.js';
import { positionOfKey } from '../store/sort-order.js';
import { codeOfValue, rowsOfCode } from '../store/value-index.js';
export function rowSet(collection, filter) {
    if (filter.kind === 'range') {
        const column = collection.columns.get(filter.field);
        if (column === undefined)
            throw new Error(`${filter.field} has no column`);
        return rangeSet(column, filter.min, filter.max);
    }
    const index = collection.values.get(filter.field);
    if (index === undefined)
        throw new Error(`${filter.field} is not indexed by value`);
    return valueSet(index, filter.anyOf, collection.size);
}
/** Rows whose number lies in [min, max]: those of a run of the column's keys, and a run of its order. */
function rangeSet(column, min, max) {
    const { order, ranges } = column;
    const { keys } = order;
    const first = placeFrom(column, min);
    const places = Math.max(0, placeAbove(column, max) - first);
    const from = positionOfKey(order, first);
    const to = positionOfKey(order, first + places);
    let bits;
    return {
        count: to - from,
        run: { order, from, to },
        has: (row) => (keys[row] - first) >>> 0 < places,
        rows: () => ascending(order.rows.subarray(from, to), keys.length),
        bits() {
            if (bits === undefined) {
                bits = createBits(keys.length);
                writeRun(ranges, from, to, bits);
            }
            return bits;
        },
        writeBits(into) {
            if (bits === undefined)
                writeRun(ranges, from, to, into);
            else
                into.set(bits);
        },
        keep(rows) {
            const kept = new Uint32Array(rows.length);
            let size = 0;
            for (let i = 0; i < rows.length; i++) {
                kept[size] = rows[i];
                // 1 if 0 <= place < places: a branch here would be guessed wrong every other time.
                const place = keys[rows[i]] - first;
                size += (~place & (place - places)) >>> 31;
            }
            return kept.subarray(0, size);
        },
    };
}
/** Rows that have any of the values. */
function valueSet(index, anyOf, size) {
    const codes = [...new Set(anyOf.map((value) => codeOfValue(index, value)))].filter((code) => code >= 0);
    const [code, ...others] = codes;
    if (code !== undefined && others.length === 0)
        return rowsSet(rowsOfCode(index, code), size, index.dense.get(code));
    const bits = createBits(size);
    for (const one of codes) {
        const dense = index.dense.get(one);
        if (dense === undefined)
            setAll(bits, rowsOfCode(index, one));
        else
            addAll(bits, dense);
    }
    return bitsSet({ bits, count: countBits(bits) });
}
/** The rows of one posting; looked up by bits, which are made when they are first needed. */
function rowsSet(rows, size, dense) {
    let made = dense;
    const bits = () => {
        if (made === undefined) {
            made = createBits(size);
            setAll(made, rows);
        }
        return made;
    };
    return { ...bitsMembership(bits), count: rows.length, run: null, rows: () => rows, bits };
}
/** The rows of a set whose bits are there already. */
export const bitsSet = ({ bits, count }) => ({
    ...bitsMembership(() => bits),
    count,
    run: null,
    rows: () => membersAt(bits, 0, count),
    bits: () => bits,
});
const bitsMembership = (bits) => ({
    writeBits: (into) => into.set(bits()),
    has: (row) => hasBit(bits(), row),
    keep(rows) {
        const members = bits();
        const kept = new Uint32Array(rows.length);
        let size = 0;
        for (let i = 0; i < rows.length; i++) {
            kept[size] = rows[i];
            size += (members[rows[i] >>> 5] >>> (rows[i] & 31)) & 1;
        }
        return kept.subarray(0, size);
    },
});
