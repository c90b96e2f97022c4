/**
 * A histogram as SVG: the whole collection in a pale shade, what the other conditions leave of it before that, and what
 * lies outside the chosen range dimmed. The script adds two sliders and picking with the pointer; the bounds of each bin
 * stand in the markup, so that it only copies them into the fields.
 */
import type { Field } from '../../../model.js';
import { count } from '../../../text.js';
import { labelOf, numberText } from '../../markup/format.js';
import { type Html, html } from '../../markup/html.js';
import { memoize } from '../../memoize.js';
import type { Bin, Binning } from '../counting/binning.js';

const BAR = 10;
const GAP = 1;
const HEIGHT = 40;

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** `name` tells histograms of one page apart. */
export function histogram(
  field: Field,
  binning: Binning,
  counts: ArrayLike<number>,
  range: Range | null,
  name: string,
): Html {
  const { bins } = binning;
  const drawn = drawnOf(binning);
  // What is left is drawn to its own scale: of a few hits the shape would else be flat.
  const found = highestOf(counts, bins.length);
  const bars = bins.map((bin, i) => {
    const some = bar(i, found === 0 ? 0 : (counts[i] ?? 0) / found, isOutside(bin, range) ? 'some off' : 'some');
    return html`<g><title>${bin.label}: ${numberText(counts[i] ?? 0)}</title>${drawn[i] ?? null}${some}</g>`;
  });
  return html`<svg class="histogram" id="${name}" viewBox="0 0 ${bins.length * BAR} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${describe(field, binning, counts)}">${bars}</svg>`;
}

/** Of each bin what is the same whatever the conditions: the place that takes the pointer, and all of its records. */
const drawnOf = memoize(({ bins }: Binning): readonly Html[] => {
  const highest = highestOfAll(bins);
  return bins.map(({ count }, i) => {
    const all = bar(i, count / highest, 'all');
    return html`<rect class="hit" x="${i * BAR}" y="0" width="${BAR}" height="${HEIGHT}"/>${all}`;
  });
});

function highestOf(counts: ArrayLike<number>, bins: number): number {
  let highest = 0;
  for (let i = 0; i < bins; i++) highest = Math.max(highest, counts[i] ?? 0);
  return highest;
}

const highestOfAll = (bins: readonly Bin[]): number => Math.max(...bins.map(({ count }) => count));

/** How many times as high what is left is drawn as the whole collection behind it; nothing where both have one scale. */
export function scaleNote({ bins }: Binning, counts: ArrayLike<number>): Html | null {
  const found = highestOf(counts, bins.length);
  const highest = highestOfAll(bins);
  if (found === 0 || found === highest) return null;
  const times = highest / found;
  return html` <span class="scale">matches ${numberText(Number(times.toPrecision(2)))}&times; as high</span>`;
}

const POWER_OF_TEN = /^10+$/;

/** Where bins grow with their values, each power of ten between the ends, under the bin that begins with it. */
export const ticks = memoize(({ bins }: Binning): Html | null => {
  const edges = bins.slice(1).map(({ from }) => from);
  const [second = 0] = edges;
  const isGrowing = edges.length > 3 && (edges.at(-1) ?? 0) - (edges.at(-2) ?? 0) > 4 * ((edges[1] ?? 0) - second);
  if (!isGrowing) return null;
  const marks = bins.map(({ from }, i) =>
    i > 0 && POWER_OF_TEN.test(String(from)) ? html`<span><b>${compact.format(from)}</b></span>` : html`<span></span>`,
  );
  return html`<p class="ticks" aria-hidden="true">${marks}</p>`;
});

/** `10`, `1K`, `10M`. */
const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** The bounds of all bins, as the script reads them. */
export const boundsOf = memoize(
  ({ bins }: Binning): Html =>
    html`data-mins="${JSON.stringify(bins.map((bin) => bin.min))}" data-maxes="${JSON.stringify(bins.map((bin) => bin.max))}"`,
);

function bar(position: number, share: number, className: string): Html | null {
  if (share === 0) return null;
  const height = Math.max(1.5, Math.round(share * HEIGHT * 10) / 10);
  return html`<rect class="${className}" x="${position * BAR + GAP / 2}" y="${HEIGHT - height}" width="${BAR - GAP}" height="${height}"/>`;
}

const isOutside = (bin: Bin, range: Range | null): boolean =>
  range !== null && (bin.from > range.max || bin.to <= range.min);

function describe(field: Field, binning: Binning, counts: ArrayLike<number>): string {
  const { bins } = binning;
  let most = 0;
  let total = 0;
  for (let i = 0; i < bins.length; i++) {
    total += counts[i] ?? 0;
    if ((counts[i] ?? 0) > (counts[most] ?? 0)) most = i;
  }
  const label = labelOf(field);
  const peak = bins[most];
  if (peak === undefined || total === 0) return `${label}: no records`;
  return `${label} of ${count(total, 'record')}, most often ${peak.label}`;
}
