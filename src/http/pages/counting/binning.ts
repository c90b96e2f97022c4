/**
 * Cuts a column of numbers or dates into bins that people would choose: round steps, whole days, months or years. Where a
 * few values lie far above the others (prices), the last bin is open, so that the others keep their shape. Where values
 * differ by orders of magnitude (scores), bins grow: 1, 2, 5, 10, 20 and so on. Rows are counted by a binary search for
 * each edge in the sort order.
 */
import type { Field } from '../../../model.js';
import {
  lengthOf,
  type NumberColumn,
  numberAt,
  numberOf,
  placeAbove,
  placeFrom,
} from '../../../store/number-column.js';
import { positionOfKey } from '../../../store/sort-order.js';
import { axisText, dayOf } from '../../markup/format.js';
import { dateEdges } from './date-edges.js';

export interface Bin {
  /** The lower bound, included. */
  readonly from: number;
  /** The upper bound, excluded; infinite for an open bin. */
  readonly to: number;
  /** The bin's bounds as values of the field's range parameters, both included; empty for no bound. */
  readonly min: string;
  readonly max: string;
  /** The bin's text: `10 to 19`, `500 and more`. */
  readonly label: string;
  /** Rows of the whole collection. */
  readonly count: number;
}

export interface Binning {
  readonly bins: readonly Bin[];
  /** Smallest and largest value. */
  readonly lowest: number;
  readonly highest: number;
  readonly median: number;
  /** Most digits after the point among a sample of the values. */
  readonly decimals: number;
  /** A value as it stands at the axis. */
  readonly textOf: (value: number) => string;
}

const BINS = 24;
/** More bins for dates, whose counts vary more than those of numbers. */
const DATE_BINS = 36;
/** Beyond this ratio of the largest usual value to the median, bins grow: equal steps would put nearly all values into one. */
const MAGNITUDES = 12;
/** The share of the values that count as usual; larger values may be in the open bin. */
const USUAL_SHARE = 0.98;
const SAMPLE_SIZE = 4096;
/** Integers are years, without a comma, if all but a twentieth are between these, and none is later. */
const YEARS = { first: 1500, last: 2100 };
const MAX_DECIMALS = 3;

/** Null where no row has a value. */
export function binningOf({ kind }: Field, column: NumberColumn): Binning | null {
  const { valued } = column.order;
  if (valued === 0) return null;
  const valueAt = (position: number): number => numberAt(column, position);
  const lowest = valueAt(0);
  const highest = valueAt(valued - 1);
  const usual = valueAt(Math.floor((valued - 1) * USUAL_SHARE));
  const middle = valueAt(valued >>> 1);
  const decimals = kind === 'number' ? sampledDecimals(column) : 0;
  const areYears =
    kind !== 'date' && decimals === 0 && valueAt(Math.floor(valued / 20)) >= YEARS.first && highest <= YEARS.last;
  const textOf = (value: number): string => axisText(areYears ? 'year' : kind, value, decimals);
  const edges =
    kind === 'date'
      ? dateEdges(lowest, highest, DATE_BINS)
      : lowest >= 0 && usual > MAGNITUDES * Math.max(1, middle)
        ? growingEdges(lowest, highest)
        : numberEdges(lowest, usual, highest, 10 ** -decimals);
  const positions = edges.map((edge) => positionOfKey(column.order, placeFrom(column, edge)));
  const bins = edges.slice(0, -1).map((from, i): Bin => {
    const to = edges[i + 1] ?? Number.POSITIVE_INFINITY;
    const isFirst = i === 0;
    const isLast = i === edges.length - 2;
    const usualMax = lastIn(kind, to, decimals);
    // Values may have more digits than those of the sample: then the bound is the bin's largest value.
    const isExact = placeAbove(column, usualMax) === placeFrom(column, to);
    const largest = isExact ? usualMax : valueAt(Math.max(0, positions[i + 1]! - 1));
    const max = isLast ? '' : isExact ? boundText(kind, largest, decimals) : String(largest);
    return {
      from,
      to,
      min: isFirst ? '' : boundText(kind, from, decimals),
      max,
      label: spanText(
        textOf(from),
        to === Number.POSITIVE_INFINITY ? null : textOf(isLast ? highest : lastIn(kind, to, decimals)),
      ),
      count: positions[i + 1]! - positions[i]!,
    };
  });
  return { bins, lowest, highest, median: middle, decimals, textOf };
}

/** The largest possible value below `to`. */
const lastIn = (kind: Field['kind'], to: number, decimals: number): number =>
  kind === 'date' ? to - 1 : Number((to - 10 ** -decimals).toFixed(decimals));

const boundText = (kind: Field['kind'], value: number, decimals: number): string =>
  kind === 'date' ? dayOf(value) : String(Number(value.toFixed(decimals)));

function spanText(from: string, to: string | null): string {
  if (to === null) return `${from} and more`;
  return to === from ? from : `${from} to ${to}`;
}

/** Edges at round steps across the usual values; the last is infinite where other values lie far above. */
function numberEdges(lowest: number, usual: number, highest: number, smallest: number): readonly number[] {
  const isSkewed = usual > lowest && highest - lowest > 2 * (usual - lowest);
  const end = isSkewed ? usual : highest;
  const step = roundStep((end - lowest) / BINS, smallest);
  const first = Math.floor(lowest / step + 1e-9);
  const last = Math.floor(end / step + 1e-9) + 1;
  const edges = Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
  // Rounding may put a value next to an edge outside it.
  const widenedEdges = [Math.min(edges[0] ?? lowest, lowest), ...edges.slice(1)];
  return isSkewed || (widenedEdges.at(-1) ?? 0) <= highest ? [...widenedEdges, Number.POSITIVE_INFINITY] : widenedEdges;
}

const GROWING_STEPS = [1, 2, 5];
const FINER_STEPS = [1, 2, 3, 5, 7];
/** With fewer growing bins, finer steps are used. */
const MIN_GROWING_BINS = 12;

/** Edges 0, 1, 2, 5, 10, 20, 50 …, from the last one up to `lowest` to the first above `highest`. */
function growingEdges(lowest: number, highest: number, steps = GROWING_STEPS): readonly number[] {
  const edges = [0];
  for (let power = 1; (edges.at(-1) ?? 0) <= highest; power *= 10) edges.push(...steps.map((step) => step * power));
  const first = edges.findLastIndex((edge) => edge <= lowest);
  const last = edges.findIndex((edge) => edge > highest);
  const within = edges.slice(first, last + 1);
  return within.length <= MIN_GROWING_BINS && steps === GROWING_STEPS
    ? growingEdges(lowest, highest, FINER_STEPS)
    : within;
}

/** The smallest of 1, 2, 5 or 10 times a power of ten that is at least as large as both. */
function roundStep(least: number, smallest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, smallest)) + 1e-9);
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= Math.max(least, smallest) * (1 - 1e-9)) ?? 10;
  return factor * power;
}

function sampledDecimals(column: NumberColumn): number {
  const length = lengthOf(column);
  const step = Math.max(1, Math.floor(length / SAMPLE_SIZE));
  let decimals = 0;
  for (let row = 0; row < length && decimals < MAX_DECIMALS; row += step) {
    const value = numberOf(column, row);
    // A sum of decimals may be a little off: 31.990000000000002.
    const isOff = () => Math.abs(Number(value.toFixed(decimals)) - value) > Math.abs(value) * 1e-12;
    while (decimals < MAX_DECIMALS && isOff()) decimals++;
  }
  return decimals;
}
