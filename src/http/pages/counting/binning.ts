/**
 * How a column of numbers or dates is cut into bins that people would choose: round steps, whole days, months or years.
 * Where a few values lie far above the rest (prices), the last bin is open, so that the rest keeps its shape; where
 * values differ by orders of magnitude (scores), bins grow with them: 1, 2, 5, 10, 20 and so on. Counting all rows is a binary search per edge in the sort order; nothing scans the rows.
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
  /** Values from this on. */
  readonly from: number;
  /** Values below this; infinite for an open bin. */
  readonly to: number;
  /** The bin's bounds as values of the field's range parameters, both included; empty for no bound. */
  readonly min: string;
  readonly max: string;
  /** As people read it: `10 to 19`, `500 and more`. */
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
  /** Digits after the point that the column's values have, as far as a sample of them tells. */
  readonly decimals: number;
}

const BINS = 24;
/** Time has more of a shape than numbers. */
const DATE_BINS = 36;
/** Beyond this ratio of the usual values' largest to the middle one, equal steps would put nearly all into one bin. */
const MAGNITUDES = 12;
/** Values above this share of all may stand in the open bin. */
const USUAL = 0.98;
const SAMPLE = 4096;
const MAX_DECIMALS = 3;

/** Null where no row has a value. */
export function binningOf({ kind }: Field, column: NumberColumn): Binning | null {
  const { valued } = column.order;
  if (valued === 0) return null;
  const valueAt = (position: number): number => numberAt(column, position);
  const lowest = valueAt(0);
  const highest = valueAt(valued - 1);
  const usual = valueAt(Math.floor((valued - 1) * USUAL));
  const middle = valueAt(valued >>> 1);
  const decimals = kind === 'number' ? decimalsOf(column) : 0;
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
    // Values may have more digits than those that the sample shows; then the bound is the bin's largest value.
    const isExact = placeAbove(column, usualMax) === placeFrom(column, to);
    const largest = isExact ? usualMax : valueAt(Math.max(0, positions[i + 1]! - 1));
    const max = isLast ? '' : isExact ? boundText(kind, largest, decimals) : String(largest);
    return {
      from,
      to,
      min: isFirst ? '' : boundText(kind, from, decimals),
      max,
      label: spanText(
        axisText(kind, from, decimals),
        to === Number.POSITIVE_INFINITY
          ? null
          : axisText(kind, isLast ? highest : lastIn(kind, to, decimals), decimals),
      ),
      count: positions[i + 1]! - positions[i]!,
    };
  });
  return { bins, lowest, highest, median: middle, decimals };
}

/** The largest value below `to` that the column's values may have. */
const lastIn = (kind: Field['kind'], to: number, decimals: number): number =>
  kind === 'date' ? to - 1 : Number((to - 10 ** -decimals).toFixed(decimals));

const boundText = (kind: Field['kind'], value: number, decimals: number): string =>
  kind === 'date' ? dayOf(value) : String(Number(value.toFixed(decimals)));

function spanText(from: string, to: string | null): string {
  if (to === null) return `${from} and more`;
  return to === from ? from : `${from} to ${to}`;
}

/** The edges of round steps that span the usual values; the last is infinite where others lie far above. */
function numberEdges(lowest: number, usual: number, highest: number, smallest: number): readonly number[] {
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

const STEPS = [1, 2, 5];
const FINER_STEPS = [1, 2, 3, 5, 7];
/** With fewer bins, finer steps show more of the shape. */
const MIN_GROWING_BINS = 12;

/** 0, 1, 2, 5, 10, 20, 50 and so on, from the last that is no more than `lowest` to the first above `highest`. */
function growingEdges(lowest: number, highest: number, steps = STEPS): readonly number[] {
  const edges = [0];
  for (let power = 1; (edges.at(-1) ?? 0) <= highest; power *= 10) edges.push(...steps.map((step) => step * power));
  const first = edges.findLastIndex((edge) => edge <= lowest);
  const last = edges.findIndex((edge) => edge > highest);
  const within = edges.slice(first, last + 1);
  return within.length <= MIN_GROWING_BINS && steps === STEPS ? growingEdges(lowest, highest, FINER_STEPS) : within;
}

/** The smallest of 1, 2, 5, 10, 20 … times a power of ten that is no less than both. */
function roundStep(least: number, smallest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, smallest)) + 1e-9);
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= Math.max(least, smallest) * (1 - 1e-9)) ?? 10;
  return factor * power;
}

function decimalsOf(column: NumberColumn): number {
  const length = lengthOf(column);
  const step = Math.max(1, Math.floor(length / SAMPLE));
  let decimals = 0;
  for (let row = 0; row < length && decimals < MAX_DECIMALS; row += step) {
    const value = numberOf(column, row);
    while (decimals < MAX_DECIMALS && !Number.isNaN(value) && Number(value.toFixed(decimals)) !== value) decimals++;
  }
  return decimals;
}
