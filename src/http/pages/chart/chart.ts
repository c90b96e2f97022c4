/**
 * A bar chart of counts as SVG. Each bar links to the records that it counts; its text is its name, and is shown above the
 * bars while it has the pointer or the focus. Widths are percentages, so that a chart needs no script or style of its own.
 */
import { numberText } from '../../markup/format.js';
import { type Content, type Html, html } from '../../markup/html.js';

export interface Bar {
  /** `5 to 9.99`. */
  readonly label: string;
  /** Its edges as shares of the width. */
  readonly start: number;
  readonly end: number;
  /** Records that match, and those of the whole collection, which are drawn behind in a pale shade. */
  readonly found: number;
  readonly all: number;
  /** The list of the bar's records; null where there is no link to it. */
  readonly address: string | null;
  /** Outside of the chosen range: dimmed. */
  readonly isOutside?: boolean;
  /** It counts all larger values, or is a month or other unit of time that the dump has only the beginning of: it is dashed. */
  readonly isOpen?: boolean;
}

/** A text at a share of the width. */
export interface Mark {
  readonly at: number;
  readonly text: string;
}

export interface Chart {
  /** Its id in the page. */
  readonly id: string;
  /** A sentence for screen readers. */
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly ticks: readonly Mark[];
  readonly median: Mark | null;
  /** The place of 0 as a share of the width, where values stand on both sides of it. */
  readonly zero: number | null;
  /** Pixels of the highest bar. */
  readonly height: number;
}

/** Pixels above the bars for a bar's text, and below them for the ticks. */
const HEAD = 16;
const FOOT = 16;
/** Fewest pixels of a bar that is not zero. */
const MIN_BAR = 2;

export function chart({ id, label, bars, ticks, median, zero, height }: Chart): Html {
  // The counts of found and of all records are drawn to one scale: a part is never higher than its whole.
  const highest = Math.max(1, ...bars.map(({ found, all }) => Math.max(found, all)));
  const filledBars = bars.filter(({ all }) => all > 0);
  const maxFound = Math.max(...filledBars.map(({ found, isOutside }) => (isOutside ? -1 : found)));
  const tallest = filledBars.findIndex(({ found, isOutside }) => found === maxFound && !isOutside);
  const barMarkup = filledBars.map((bar, i) => {
    const { address, isOutside, isOpen } = bar;
    const kind = `some${isOutside ? ' off' : ''}${isOpen ? ' open' : ''}`;
    const behind = bar.all > bar.found ? column(`all${isOutside ? ' off' : ''}`, bar.all / highest, height) : null;
    const parts = html`<svg x="${cssPercent(bar.start)}" width="${cssPercent(bar.end - bar.start)}"><rect/>${behind}${column(kind, bar.found / highest, height)}</svg><text>${sayingOf(bar)}</text>`;
    // Arrow keys move between the bars; the tab key reaches only one of them.
    return address === null
      ? html`<g>${parts}</g>`
      : html`<a href="${address}" tabindex="${i === Math.max(0, tallest) ? 0 : -1}">${parts}</a>`;
  });
  const bottom = HEAD + height;
  return html`<svg class="chart" id="${id}" width="100%" height="${bottom + FOOT}" role="group" aria-label="${label}"><svg y="${HEAD}" height="${height}">${barMarkup}</svg>${gridline(highest, median)}<line class="axis" x2="100%" y1="${bottom + 0.5}" y2="${bottom + 0.5}"/>${zero === null ? null : html`<line class="axis" x1="${cssPercent(zero)}" x2="${cssPercent(zero)}" y1="2" y2="${bottom}"/>`}${medianLine(median, bottom)}${ticks.map((tick) => tickAt(tick, bottom))}</svg>`;
}

export const sayingOf = ({ label, found, all }: Bar): string =>
  found === all ? `${label}: ${numberText(found)}` : `${label}: ${numberText(found)} of ${numberText(all)}`;

/** A bar, which the style sheet lets reach down to the axis. */
function column(className: string, share: number, height: number): Content {
  if (share === 0) return null;
  const barHeight = Math.max(MIN_BAR, Math.round(share * height));
  return html`<rect class="${className}" y="${height - barHeight}"/>`;
}

/** A line at the highest count, which gives the scale of the bars. Its figure stands above them, and beside the median's. */
function gridline(highest: number, median: Mark | null): Content {
  if (highest < 2) return null;
  const place = median !== null && median.at > 0.5 ? html`x="0"` : html`x="100%" text-anchor="end"`;
  return html`<line class="gridline" x2="100%" y1="${HEAD + 0.5}" y2="${HEAD + 0.5}"/><text class="most" ${place} y="${HEAD - 4}">${compact.format(highest)}</text>`;
}

/** `10`, `1K`, `2.5M`. */
export const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Beyond this share of the width, the text is left of its mark. */
const LATE = 0.65;

function medianLine(median: Mark | null, bottom: number): Content {
  if (median === null) return null;
  const x = cssPercent(median.at);
  const isLate = median.at > LATE;
  return html`<g class="median"><line x1="${x}" x2="${x}" y1="2" y2="${bottom}"/><text x="${x}" y="11" dx="${isLate ? -4 : 4}"${isLate ? html` text-anchor="end"` : null}>${median.text}</text></g>`;
}

/** Within these shares of the ends, the text of a tick begins or ends at the end of the axis. */
const END_SHARE = 0.06;

export const anchorAt = (at: number): 'start' | 'middle' | 'end' =>
  at < END_SHARE ? 'start' : at > 1 - END_SHARE ? 'end' : 'middle';

/** The text stands below its tick, not beside it, where it would read as the name of a bar. */
function tickAt({ at, text }: Mark, bottom: number): Html {
  const x = cssPercent(at);
  const anchor = anchorAt(at);
  const textX = { start: '0', middle: x, end: '100%' }[anchor];
  return html`<line class="axis" x1="${x}" x2="${x}" y1="${bottom}" y2="${bottom + 4}"/><text x="${textX}" y="${bottom + 14}" text-anchor="${anchor}">${text}</text>`;
}

const cssPercent = (share: number): string => `${Math.round(share * 10_000) / 100}%`;
