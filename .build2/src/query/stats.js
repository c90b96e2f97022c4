import { lengthOf, numberOf } from '../store/number-column.js';
import { matchingRows } from './execute.js';
export const BINS = 20;
export function statsOf(collection, query) {
    const rows = matchingRows(collection, query);
    const fields = [...collection.columns].map(([name, column]) => [name, fieldStats(valuesOf(column, rows))]);
    return { count: rows?.length ?? collection.size, fields: new Map(fields) };
}
/** The values that are there, in row order. */
function valuesOf(column, rows) {
    const values = new Float64Array(rows?.length ?? lengthOf(column));
    let kept = 0;
    for (let i = 0; i < values.length; i++) {
        const value = numberOf(column, rows === null ? i : rows[i]);
        if (!Number.isNaN(value))
            values[kept++] = value;
    }
    return values.subarray(0, kept);
}
function fieldStats(values) {
    const count = values.length;
    if (count === 0)
        return { count, min: null, max: null, mean: null, histogram: [] };
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    let sum = 0;
    for (let i = 0; i < count; i++) {
        const value = values[i];
        if (value < min)
            min = value;
        if (value > max)
            max = value;
        sum += value;
    }
    return { count, min, max, mean: sum / count, histogram: histogramOf(values, min, max) };
}
function edgesOf(min, max) {
    const step = (max - min) / BINS;
    const decimals = Math.min(100, Math.max(0, Math.ceil(3 - Math.log10(step))));
    return Float64Array.from({ length: BINS + 1 }, (_, i) => {
        if (i === 0 || i === BINS)
            return i === 0 ? min : max;
        return Number((min + step * i).toFixed(decimals));
    });
}
function histogramOf(values, min, max) {
    if (min === max)
        return [{ from: min, to: max, count: values.length }];
    const edges = edgesOf(min, max);
    const counts = new Uint32Array(BINS);
    const perUnit = BINS / (max - min);
    for (let i = 0; i < values.length; i++) {
        const value = values[i];
        let bin = Math.min(BINS - 1, Math.floor((value - min) * perUnit));
        // Edges are rounded, and so is the division; the edges decide.
        while (bin > 0 && value < edges[bin])
            bin--;
        while (bin < BINS - 1 && value >= edges[bin + 1])
            bin++;
        counts[bin]++;
    }
    return [...counts].map((count, bin) => ({ from: edges[bin], to: edges[bin + 1], count }));
}
