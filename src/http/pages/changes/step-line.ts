/** A number through the dumps of a history as a line of steps, without a script. */
import type { RecordValues } from '../../../store/record-values.js';
import { type Html, html } from '../../markup/html.js';

const WIDTH = 300;
const STEP_LINE_HEIGHT = 48;
const EDGE = 3;
/** The last value lasts until now, however new it is. */
const LAST_WIDTH = 24;

/** The value of a field from a time on, from the first dump on where that is null. One that is no number breaks the line. */
export interface Step {
  readonly timeMs: number | null;
  readonly value: unknown;
}

/** A change of a record, with the time of its dump. */
export interface TimedChange extends RecordValues {
  readonly timeMs: number;
}

/**
 * The steps of a field, the earliest first, told backwards from its present value: `events` are its changes, and the record's comings
 * and goings, the newest first. A record that went has the value of the change before; where no change tells one, the line begins
 * behind.
 */
export function stepsOf(events: readonly TimedChange[], present: number): readonly Step[] {
  const steps: Step[] = [];
  let value: unknown = present;
  for (const [i, { kind, timeMs, from, to }] of events.entries()) {
    const older = events[i + 1];
    if (kind === 'removed' && older?.kind !== 'changed') return steps;
    steps.unshift({ timeMs, value: kind === 'changed' ? to : kind === 'removed' ? null : value });
    value = kind === 'changed' ? from : kind === 'removed' ? older?.to : null;
  }
  return [{ timeMs: null, value }, ...steps];
}

interface Frame {
  readonly lowest: number;
  readonly highest: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** The line is drawn for the eye; its figures stand beside it as text. */
export function stepLine(steps: readonly Step[], { lowest, highest, startMs, endMs }: Frame): Html {
  const span = Math.max(1, endMs - startMs);
  const x = (timeMs: number | null): string =>
    ((((timeMs ?? startMs) - startMs) / span) * (WIDTH - LAST_WIDTH)).toFixed(1);
  const range = highest - lowest || 1;
  const y = (value: number): string => (EDGE + ((highest - value) / range) * (STEP_LINE_HEIGHT - 2 * EDGE)).toFixed(1);
  let path = '';
  let lastValue: unknown = null;
  for (const { timeMs, value } of steps) {
    if (typeof lastValue === 'number') path += `H${x(timeMs)}`;
    if (typeof value === 'number') path += typeof lastValue === 'number' ? `V${y(value)}` : `M${x(timeMs)} ${y(value)}`;
    lastValue = value;
  }
  const isPresent = typeof lastValue === 'number';
  if (isPresent) path += `H${WIDTH - EDGE}`;
  const dot = isPresent && html`<path class="now" d="M${WIDTH - EDGE} ${y(Number(lastValue))}h0"/>`;
  return html`<svg viewBox="0 0 ${WIDTH} ${STEP_LINE_HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path d="${path}"/>${dot}</svg>`;
}
