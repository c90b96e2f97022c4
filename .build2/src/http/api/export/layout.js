/**
 * Where each record of a JSON export lies in its bytes, without making them: every 256th position is kept, so a million
 * records take 32 kB, and finding a byte walks 256 lengths. The layout of a whole collection is made once.
 */
import { recordBytes, SEPARATOR, sideBySide } from '../../../store/record-text.js';
import { lengthOf, rowAt } from './rows.js';
export const OPENING = '[\n';
/** In place of the last record's separator. */
export const closing = (length) => (length === 0 ? ']\n' : '\n]\n');
const MARK_EVERY = 256;
const layouts = new WeakMap();
/** Costs a look-up for a whole collection, and a walk over the lengths for a part of one; the walk is made in turns. */
export async function jsonLayout(asked, nextTurn) {
    if (asked.rows !== null)
        return { ...(await measure(asked, nextTurn)), runs: [] };
    const { text, size } = asked.collection;
    const layout = layouts.get(text) ?? { ...(await measure(asked, nextTurn)), runs: runsOf(text, size) };
    layouts.set(text, layout);
    return layout;
}
function runsOf(text, size) {
    const runs = [];
    for (let row = 0; row < size; row = sideBySide(text, row, size))
        runs.push(row);
    return [...runs, size];
}
/** Bytes of the i-th record with what belongs to it. */
const bytesOf = (asked, i) => (i === 0 ? OPENING.length : 0) + recordBytes(asked.collection.text, rowAt(asked, i)) + SEPARATOR.length;
/** Records that are measured in one turn: less than ten milliseconds. */
const MEASURED_PER_TURN = 1 << 16;
async function measure(asked, nextTurn) {
    const length = lengthOf(asked);
    const marks = new Float64Array(Math.ceil(length / MARK_EVERY) + 1);
    let bytes = 0;
    for (let i = 0; i < length; i++) {
        if (i > 0 && i % MEASURED_PER_TURN === 0)
            await nextTurn();
        if (i % MARK_EVERY === 0)
            marks[i / MARK_EVERY] = bytes;
        bytes += bytesOf(asked, i);
    }
    const records = length === 0 ? OPENING.length : bytes - SEPARATOR.length;
    return { size: records + closing(length).length, marks };
}
/** The record that holds this byte; the last one for the end. */
export function positionAt(asked, { marks }, wanted) {
    const last = Math.max(0, lengthOf(asked) - 1);
    let low = 0;
    let high = Math.floor(last / MARK_EVERY);
    while (low < high) {
        const middle = (low + high + 1) >>> 1;
        if (marks[middle] <= wanted)
            low = middle;
        else
            high = middle - 1;
    }
    let record = low * MARK_EVERY;
    let byte = marks[low];
    for (; record < last; record++) {
        const end = byte + bytesOf(asked, record);
        if (wanted < end)
            break;
        byte = end;
    }
    return { record, byte };
}
