import { lengthOf, numberAt, numberOf, placeFrom } from '../../../store/number-column.js';
import { positionOfKey } from '../../../store/sort-order.js';
import { axisText } from '../frame/format.js';
import { dateEdges, dayOf } from './date-edges.js';
const BINS = 24;
/** Beyond this ratio of the largest value to the middle one, equal steps would put nearly all into one bin. */
const MAGNITUDES = 20;
/** Values above this share of all may stand in the open bin. */
const USUAL = 0.98;
const SAMPLE = 4096;
const MAX_DECIMALS = 3;
/** Null where no row has a value. */
export function binningOf({ kind }, column) {
    const { valued } = column.order;
    if (valued === 0)
        return null;
    const valueAt = (position) => numberAt(column, position);
    const lowest = valueAt(0);
    const highest = valueAt(valued - 1);
    const usual = valueAt(Math.floor((valued - 1) * USUAL));
    const middle = valueAt(valued >>> 1);
    const decimals = kind === 'number' ? decimalsOf(column) : 0;
    const edges = kind === 'date'
        ? dateEdges(lowest, highest, BINS)
        : lowest >= 0 && highest > MAGNITUDES * Math.max(1, middle)
            ? growingEdges(lowest, highest)
            : numberEdges(lowest, usual, highest, 10 ** -decimals);
    const positions = edges.map((edge) => positionOfKey(column.order, placeFrom(column, edge)));
    const bins = edges.slice(0, -1).map((from, i) => {
        const to = edges[i + 1] ?? Number.POSITIVE_INFINITY;
        const isFirst = i === 0;
        const isLast = i === edges.length - 2;
        const max = isLast ? '' : boundText(kind, lastIn(kind, to, decimals), decimals);
        return {
            from,
            to,
            min: isFirst ? '' : boundText(kind, from, decimals),
            max,
            label: spanText(axisText(kind, from, decimals), to === Number.POSITIVE_INFINITY
                ? null
                : axisText(kind, isLast ? highest : lastIn(kind, to, decimals), decimals)),
            count: positions[i + 1] - positions[i],
        };
    });
    return { bins, lowest, highest, decimals };
}
/** The largest value below `to` that the column's values may have. */
const lastIn = (kind, to, decimals) => kind === 'date' ? to - 1 : Number((to - 10 ** -decimals).toFixed(decimals));
const boundText = (kind, value, decimals) => kind === 'date' ? dayOf(value) : String(Number(value.toFixed(decimals)));
function spanText(from, to) {
    if (to === null)
        return `${from} and more`;
    return to === from ? from : `${from} to ${to}`;
}
/** The edges of round steps that span the usual values; the last is infinite where others lie far above. */
function numberEdges(lowest, usual, highest, smallest) {
    const isSkewed = usual > lowest && highest - lowest > 2 * (usual - lowest);
    const end = isSkewed ? usual : highest;
    const step = roundStep((end - lowest) / BINS, smallest);
    const first = Math.floor(lowest / step + 1e-9);
    const last = Math.floor(end / step + 1e-9) + 1;
    const edges = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
    // Rounding may put a value next to an edge outside it.
    const whole = [Math.min(edges[0] ?? lowest, lowest), ...edges.slice(1)];
    return isSkewed || (whole.at(-1) ?? 0) <= highest ? [...whole, Number.POSITIVE_INFINITY] : whole;
}
/** 0, 1, 2, 5, 10, 20, 50 and so on, from the last that is no more than `lowest` to the first above `highest`. */
function growingEdges(lowest, highest) {
    const edges = [0];
    for (let power = 1; (edges.at(-1) ?? 0) <= highest; power *= 10)
        edges.push(power, 2 * power, 5 * power);
    const first = edges.findLastIndex((edge) => edge <= lowest);
    const last = edges.findIndex((edge) => edge > highest);
    return edges.slice(first, last + 1);
}
/** The smallest of 1, 2, 5, 10, 20 … times a power of ten that is no less than both. */
function roundStep(least, smallest) {
    const power = 10 ** Math.floor(Math.log10(Math.max(least, smallest)) + 1e-9);
    const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= Math.max(least, smallest) * (1 - 1e-9)) ?? 10;
    return factor * power;
}
function decimalsOf(column) {
    const length = lengthOf(column);
    const step = Math.max(1, Math.floor(length / SAMPLE));
    let decimals = 0;
    for (let row = 0; row < length && decimals < MAX_DECIMALS; row += step) {
        const value = numberOf(column, row);
        while (decimals < MAX_DECIMALS && !Number.isNaN(value) && Number(value.toFixed(decimals)) !== value)
            decimals++;
    }
    return decimals;
}
