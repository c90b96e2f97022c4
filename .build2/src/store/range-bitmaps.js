/**
 * A range-encoded bitmap index over a sort order (Chan & Ioannidis, "Bitmap index design and evaluation", SIGMOD 1998):
 * for some positions of the order, the rows that stand before it, as bits. The rows of any run of positions are then one
 * pass over words, and as many single bits as its ends lie away from the nearest such position: at most a 32nd of
 * the rows each. 2 bytes a row.
 */
import { clearAll, createBits, setAll, writeDifference } from '../bits.js';
const PARTS = 16;
export function buildRangeBitmaps(rows) {
    const step = Math.max(1, Math.ceil(rows.length / PARTS));
    const bits = createBits(rows.length);
    const before = [bits.slice()];
    for (let from = 0; from < rows.length; from += step) {
        setAll(bits, rows.subarray(from, from + step));
        if (from + step <= rows.length)
            before.push(bits.slice());
    }
    return { rows, step, before };
}
/** Makes `bits` the rows at positions `from` to `to`, the latter excluded. */
export function writeRun({ rows, step, before }, from, to, bits) {
    const nearest = (position) => Math.min(Math.round(position / step), before.length - 1);
    const low = nearest(from);
    const high = nearest(to);
    writeDifference(before[high], before[low], bits);
    // What is missing first, then what is too much: a short run may lie to one side of both.
    setAll(bits, rows.subarray(high * step, to));
    setAll(bits, rows.subarray(from, low * step));
    clearAll(bits, rows.subarray(to, high * step));
    clearAll(bits, rows.subarray(low * step, from));
}
