/**
 * A column of numbers or dates (milliseconds since 1970) as an order-preserving dictionary: its distinct numbers in order,
 * and for every row the place of its number among them. Prices and ratings take one or two bytes a row so; rows are
 * narrowed and sorted by these places, which are whole numbers.
 */
import { narrow } from '../growable.js';
import { KeySort } from '../key-sort.js';
import { DistinctNumbers } from './distinct-numbers.js';
import { buildRangeBitmaps } from './range-bitmaps.js';
/** In place of the code of a number, where a row has none. */
const NO_CODE = -1;
/** The number of a row, NaN where it has none. */
export const numberOf = ({ values, order }, row) => values[order.keys[row]];
/** The number of the row at a position of the order. */
export const numberAt = (column, position) => numberOf(column, column.order.rows[position]);
/** How many rows there are. */
export const lengthOf = ({ order }) => order.keys.length;
/** `numbers[row]` is NaN where a row has none. */
export function buildNumberColumn(numbers) {
    const { distinct, rows, keys, valued } = sortedByCounting(numbers) ?? sortedByBits(numbers);
    const values = new Float64Array(distinct.length + 1).fill(Number.NaN);
    values.set(distinct);
    return { values, order: { rows, keys, valued }, ranges: buildRangeBitmaps(rows) };
}
/** Sorts the distinct numbers, then counts the rows of each. Undefined where there are more numbers than a table takes. */
function sortedByCounting(numbers) {
    const table = new DistinctNumbers();
    const codes = new Int32Array(numbers.length);
    for (let row = 0; row < codes.length; row++) {
        const number = numbers[row];
        if (Number.isNaN(number)) {
            codes[row] = NO_CODE;
            continue;
        }
        const code = table.codeOf(number);
        if (code < 0)
            return undefined;
        codes[row] = code;
    }
    const distinct = table.numbers.slice().sort();
    const places = new Uint32Array(distinct.length);
    for (let place = 0; place < places.length; place++)
        places[table.codeOf(distinct[place])] = place;
    const missing = distinct.length;
    const keys = narrow(codes.length, missing);
    const next = new Uint32Array(missing + 2);
    for (let row = 0; row < codes.length; row++) {
        const key = codes[row] === NO_CODE ? missing : places[codes[row]];
        keys[row] = key;
        next[key + 1]++;
    }
    for (let key = 1; key <= missing; key++)
        next[key] += next[key - 1];
    const valued = next[missing];
    const rows = new Uint32Array(codes.length);
    for (let row = 0; row < rows.length; row++)
        rows[next[keys[row]]++] = row;
    return { distinct, rows, keys, valued };
}
/** Sorts rows by the bits of their numbers, however many distinct numbers there are. */
function sortedByBits(numbers) {
    const sort = new KeySort();
    sort.reserve(numbers.length);
    const valued = setKeys(sort, numbers);
    sort.sort(valued);
    const rows = new Uint32Array(numbers.length);
    rows.set(sort.rows(valued));
    let next = valued;
    for (let row = 0; row < numbers.length; row++)
        if (Number.isNaN(numbers[row]))
            rows[next++] = row;
    const distinct = distinctOf(numbers, rows.subarray(0, valued));
    const keys = narrow(numbers.length, distinct.length);
    let place = 0;
    for (let i = 0; i < rows.length; i++) {
        const row = rows[i];
        if (i === valued || numbers[row] > distinct[place])
            place++;
        keys[row] = place;
    }
    return { distinct, rows, keys, valued };
}
/** The distinct numbers of rows that are sorted by their numbers. */
function distinctOf(numbers, rows) {
    const distinct = new Float64Array(rows.length);
    let count = 0;
    for (let i = 0; i < rows.length; i++) {
        const number = numbers[rows[i]];
        if (count === 0 || number > distinct[count - 1])
            distinct[count++] = number;
    }
    return distinct.slice(0, count);
}
/**
 * Gives the rows that have a number its bits as keys, so that they compare as the numbers do (Herf, "Radix Tricks", 2001);
 * -0 counts as 0. Returns how many rows these are.
 */
function setKeys(sort, numbers) {
    const view = new DataView(new ArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
    let count = 0;
    for (let row = 0; row < numbers.length; row++) {
        const number = numbers[row];
        if (Number.isNaN(number))
            continue;
        view.setFloat64(0, number + 0);
        const high = view.getUint32(0);
        const low = view.getUint32(4);
        if (high >>> 31 === 1)
            sort.set(count++, row, ~high, ~low, 0, 0);
        else
            sort.set(count++, row, high ^ 0x8000_0000, low, 0, 0);
    }
    return count;
}
/** The first place whose number is `least` or more. */
export const placeFrom = (column, least) => firstWhere(column, (number) => number >= least);
/** The first place whose number is more than `most`. */
export const placeAbove = (column, most) => firstWhere(column, (number) => number > most);
/** `holds` holds from some place on, or for none. */
function firstWhere({ values }, holds) {
    let low = 0;
    let high = values.length - 1;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if (holds(values[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
