/** Edges of calendar bins in UTC: days, weeks, months, quarters or years, by the number of bins that is wanted. */
import { DAY_MS } from '../text.js';

/** A step in days or months. */
type DateStep = { readonly days: number } | { readonly months: number };

const steps: readonly DateStep[] = [
  ...[1, 2, 7].map((days) => ({ days })),
  ...[1, 3, 6, 12, 24, 60, 120, 300, 600].map((months) => ({ months })),
];
const DAYS_PER_MONTH = 30.4;
/** Steps that begin on certain days: those of two days may begin on any. */
const calendarSteps = steps.filter((step) => 'months' in step || step.days !== 2);

/**
 * Ascending edges in milliseconds since 1970, the first not after `lowest`, the last after `highest`.
 * There are at most a quarter more bins than `binCount`.
 */
export function dateEdges(lowest: number, highest: number, binCount: number): readonly number[] {
  const span = (highest - lowest) / DAY_MS;
  const step =
    steps.find((candidate) => span / daysOf(candidate) <= binCount * 1.25) ??
    ({ months: 12 * Math.ceil(span / 365 / binCount) } as const);
  const edges = [startOf(lowest, step)];
  for (let edge = edges[0] ?? lowest; edge <= highest; edges.push(edge)) edge = nextEdge(edge, step);
  return edges;
}

/**
 * Where the last of ascending dates ends. A date stands for the longest step that each of them begins: for its year where all are
 * the 1st of January; for its day where nothing longer is told.
 */
export function endOfDates(dates: Float64Array): number {
  const step = calendarSteps.findLast((one) => dates.every((date) => startOf(date, one) === date)) ?? { days: 1 };
  return nextEdge(startOf(dates.at(-1) ?? 0, step), step);
}

const daysOf = (step: DateStep): number => ('days' in step ? step.days : step.months * DAYS_PER_MONTH);

/** Weeks begin on Mondays; 1970 began on a Thursday. */
function startOf(timeMs: number, step: DateStep): number {
  const day = Math.floor(timeMs / DAY_MS);
  // Days before 1970 are negative, and so is their remainder.
  const daysSinceMonday = (((day + 3) % 7) + 7) % 7;
  if ('days' in step) return (step.days === 7 ? day - daysSinceMonday : day) * DAY_MS;
  const date = new Date(timeMs);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth();
  return monthStart(Math.floor(months / step.months) * step.months);
}

function nextEdge(edge: number, step: DateStep): number {
  if ('days' in step) return edge + step.days * DAY_MS;
  const date = new Date(edge);
  return monthStart(date.getUTCFullYear() * 12 + date.getUTCMonth() + step.months);
}

function monthStart(months: number): number {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(months / 12), months % 12, 1);
  return date.getTime();
}
