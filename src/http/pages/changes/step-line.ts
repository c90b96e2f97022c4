/** A number through the dumps of a history as a line of steps, without a script. */
import { type Html, html } from '../../markup/html.js';

const WIDTH = 300;
const STEP_LINE_HEIGHT = 48;
const EDGE = 3;

/** A change of a number; a value that is no number breaks the line. */
export interface ValueStep {
  readonly timeMs: number;
  readonly from: unknown;
  readonly to: unknown;
}

interface Frame {
  readonly lowest: number;
  readonly highest: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** `steps` are in the order of their times. The line is drawn for the eye; its figures stand beside it as text. */
export function stepLine(steps: readonly ValueStep[], { lowest, highest, startMs, endMs }: Frame): Html {
  const span = Math.max(1, endMs - startMs);
  const x = (timeMs: number): string => (((timeMs - startMs) / span) * WIDTH).toFixed(1);
  const range = highest - lowest || 1;
  const y = (value: number): string => (EDGE + ((highest - value) / range) * (STEP_LINE_HEIGHT - 2 * EDGE)).toFixed(1);
  let path = '';
  let value: unknown = steps[0]?.from;
  if (typeof value === 'number') path = `M0 ${y(value)}`;
  for (const { timeMs, to } of steps) {
    if (typeof value === 'number') path += `H${x(timeMs)}`;
    if (typeof to === 'number') path += typeof value === 'number' ? `V${y(to)}` : `M${x(timeMs)} ${y(to)}`;
    value = to;
  }
  if (typeof value === 'number') path += `H${WIDTH}`;
  return html`<svg viewBox="0 0 ${WIDTH} ${STEP_LINE_HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path d="${path}"/></svg>`;
}
