/**
 * The profile of a column, in its header: a small histogram or the two commonest values, the number of distinct values, and the
 * share of records without one. In a narrowed view it shows what the filter of the field shows: the records found, before all of
 * them, without the counts. Each bar and value is a link that narrows the view, and the counts are a link to the page of the field.
 * Counts of the whole collection are made once a version.
 */
import type { Field } from '../../../model.js';
import type { ValueCount } from '../../../query/counter.js';
import { rangeIn } from '../../../query/operators.js';
import type { Collection } from '../../../store/collection.js';
import { valueAtCode } from '../../../store/value-index.js';
import { DAY_MS, fold } from '../../../text.js';
import { labelOf, numberText, shareText, valueText, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { memoizeByText } from '../../memoize.js';
import { type Bar, sayingOf } from '../chart/chart.js';
import { distributionBars } from '../chart/distribution-chart.js';
import { type Binning, DAYS_PER_YEAR, timeUnitOf } from '../counting/binning.js';
import { areShort, distinctCount, isIdentity, isRepeated } from '../counting/offered-fields.js';
import {
  biggestValues,
  binningIn,
  type ColumnShape,
  type Distribution,
  type Frequencies,
  totalsOf,
} from '../counting/shape.js';
import { distinctTextCount } from '../fields/profile.js';
import { address, addressOfField, type NameAndValue, without } from '../frame/address.js';
import { rolesOf } from '../record/record.js';
import { usualColumns } from './usual-columns.js';
import type { View } from './view.js';

/** The counts of a field that the profiles of all views share. */
interface HeaderCounts {
  /** The commonest values; empty where values do not repeat, or are too long for a header. */
  readonly values: readonly ValueCount[];
  /** Null for a field whose values are not counted. */
  readonly distinct: number | null;
  readonly missing: number;
}

const MAX_HEADER_VALUES = 2;

/** The chosen values, or without a choice the commonest ones. */
function headerValuesOf(frequencies: Frequencies | undefined): readonly ValueCount[] {
  if (frequencies === undefined) return [];
  const { index, values, chosen } = frequencies;
  const chosenValues = [...chosen]
    .filter(([code]) => code >= 0)
    .map(([code, count]): ValueCount => ({ name: valueAtCode(index, code), count }))
    .sort((a, b) => b.count - a.count);
  return (chosen.size === 0 ? values : chosenValues).slice(0, MAX_HEADER_VALUES);
}

const headerCountsOf = memoizeByText<HeaderCounts>();

/** The counts in the header of a field. A million distinct values take some 10 ms, once a version. */
const columnCounts = (collection: Collection, field: Field): HeaderCounts =>
  headerCountsOf(collection, field.name, () => {
    const { name } = field;
    const isCounted = collection.values.has(name) || collection.columns.has(name);
    const texts = collection.textColumns.get(name);
    const distinct = isCounted ? distinctCount(collection, field) : texts ? distinctTextCount(texts) : null;
    return {
      values:
        isRepeated(collection, field) && areShort(collection, field)
          ? biggestValues(collection, field, MAX_HEADER_VALUES)
          : [],
      distinct,
      missing: collection.missing.get(name)?.count ?? 0,
    };
  });

/** Makes the counts of the columns that a list shows first, a column a step. */
export function* prepareProfiles(collection: Collection): Generator<void> {
  const { title } = rolesOf(collection.model);
  for (const field of [...(title ? [title] : []), ...usualColumns(collection)]) {
    columnCounts(collection, field);
    yield;
  }
}

export function columnProfile(view: View, field: Field, narrowedShape: ColumnShape | null): Html {
  const { collection } = view;
  if (narrowedShape !== null) {
    const isOfField = (one: { readonly field: Field }): boolean => one.field === field;
    const distribution = narrowedShape.distributions.find(isOfField);
    const values = headerValuesOf(narrowedShape.frequencies.find(isOfField));
    const profile = distribution ? histogram(view, distribution, true) : headerValues(view, field, values, null);
    return html`<div class="profile">${profile}</div>`;
  }
  const counts = columnCounts(collection, field);
  const binning = binningIn(collection, field);
  const bars = binning && histogram(view, { field, binning, counts: totalsOf(binning) }, false);
  return html`<div class="profile">${bars ?? headerValues(view, field, counts.values, collection.size)}${countsLink(view, field, counts)}</div>`;
}

/** Pixels of the highest bar. */
const HISTOGRAM_HEIGHT = 24;
/** Fewest pixels of a bar that is not zero. */
const MIN_BIN_HEIGHT = 2;
/** The share of a bin's width that its bar has. */
const BAR_SHARE = 0.9;

/** The chart is 100 units wide. */
const unitsAlong = (share: number): number => Math.round(share * 10_000) / 100;

/** Null for a field that has fewer than two bins, or whose values tell records apart and measure nothing, as article numbers do. */
function histogram({ collection, pairs, query }: View, distribution: Distribution, isNarrowed: boolean): Content {
  const { field, binning } = distribution;
  if (binning.bins.length < 2 || isIdentity(collection, field)) return null;
  const bars = distributionBars(distribution, { range: rangeIn(query.filters, field), path: '', pairs });
  const isLogarithmic = binning.scale === 'logarithmic';
  const axis = field.kind === 'date' ? `, by ${timeUnitOf(binning.bins)}` : isLogarithmic && ', logarithmic';
  const highest = Math.max(...bars.map(({ all }) => all));
  const [lowestText, highestText] = endTexts(field, binning);
  const target = (bar: Bar): Html => {
    const parts = html`<title>${sayingOf(bar)}</title><rect x="${unitsAlong(bar.start)}" width="${unitsAlong(bar.end - bar.start)}"/>`;
    // The filters have the same chart with a stop for the tab key.
    return bar.address === null ? html`<g>${parts}</g>` : html`<a href="${bar.address}" tabindex="-1">${parts}</a>`;
  };
  const outline = ({ start, end }: Bar, records: number): string => {
    const height = Math.max(MIN_BIN_HEIGHT, Math.round((records / highest) * HISTOGRAM_HEIGHT));
    const width = unitsAlong((end - start) * BAR_SHARE);
    return records === 0 ? '' : `M${unitsAlong(start)} ${HISTOGRAM_HEIGHT}v-${height}h${width}v${height}z`;
  };
  const filledBars = bars.filter(({ all }) => all > 0);
  const foundBars = (isOpen: boolean): Content => {
    const path = filledBars.map((bar) => (bar.isOpen === isOpen && !bar.isOutside ? outline(bar, bar.found) : ''));
    return path.some((part) => part !== '') && html`<path class="some${isOpen ? ' open' : ''}" d="${path.join('')}"/>`;
  };
  const behind =
    isNarrowed && html`<path class="track" d="${filledBars.map((bar) => outline(bar, bar.all)).join('')}"/>`;
  return html`<svg class="shape" width="100%" height="${HISTOGRAM_HEIGHT}" viewBox="0 0 100 ${HISTOGRAM_HEIGHT}" preserveAspectRatio="none" role="group" aria-label="${labelOf(field)} of ${isNarrowed ? 'found and all' : 'all'} records${axis}">${filledBars.map(target)}${behind}${foundBars(false)}${foundBars(true)}</svg><span class="split ends"><span>${lowestText}</span>${isLogarithmic && html`<span class="log">log</span>`}<span>${highestText}</span></span>`;
}

/** From here on, the ends of numbers are whole, unless they are nearer to each other than this. */
const MIN_WHOLE_END = 100;

/**
 * The ends of the axis, in few characters, so that they make no column wider than its values do: of 3.99 to 2,538.11 `3.99` and
 * `2,538`, of dates far apart their years, else their months.
 */
function endTexts({ kind }: Field, { lowest, highest, textOf }: Binning): readonly [lowest: string, highest: string] {
  const range = highest - lowest;
  if (kind === 'date') {
    const characters = range > 2 * DAYS_PER_YEAR * DAY_MS ? 4 : range > 60 * DAY_MS ? 7 : 10;
    return [textOf(lowest).slice(0, characters), textOf(highest).slice(0, characters)];
  }
  const isWhole = (end: number): boolean => Math.min(range, Math.abs(end)) >= MIN_WHOLE_END;
  const endText = (end: number): string => textOf(isWhole(end) ? Math.round(end) : end);
  return [endText(lowest), endText(highest)];
}

/** Values with their share of `size` records, or with their counts. */
function headerValues(
  { model, pairs }: View,
  field: Field,
  values: readonly ValueCount[],
  size: number | null,
): Content {
  const { filter } = field;
  return values.map(({ name, count }) => {
    const content = html`<span class="cut">${isolated(valueText(field, name))}</span> <span>${size === null ? numberText(count) : shareText(count, size)}</span>`;
    if (filter?.kind !== 'value') return html`<span class="common split">${content}</span>`;
    const { parameter } = filter;
    const otherPairs = without(pairs, 'page');
    const isOther = (pair: NameAndValue): boolean => pair[0] !== parameter || fold(pair[1]) !== fold(name);
    const isChosen = !otherPairs.every(isOther);
    const target = isChosen ? otherPairs.filter(isOther) : [...otherPairs, [parameter, name] as const];
    // The page of the field, and most filters, have the same values for the tab key.
    return html`<a class="common split" tabindex="-1" href="${address(`/${model.name}`, target)}"${isChosen ? html` aria-current="true"` : null} title="${`${wordsOf(field)} ${valueText(field, name)}: ${numberText(count)}`}">${content}</a>`;
  });
}

/** The counts of the whole collection, as a link to the page of the field. */
function countsLink({ model, collection, pairs }: View, field: Field, { distinct, missing }: HeaderCounts): Content {
  const isUnique = distinct !== null && distinct > 1 && distinct === collection.size - missing;
  const distinctText = distinct === null ? null : isUnique ? 'all different' : `${numberText(distinct)} distinct`;
  const gapText = missing === 0 ? null : `${shareText(missing, collection.size)} empty`;
  const texts = [gapText, distinctText].flatMap((text) =>
    text === null ? [] : html`<span class="cut">${text}</span> `,
  );
  if (texts.length === 0) return null;
  const title = `All about ${wordsOf(field)}${missing === 0 ? '' : `: ${numberText(missing)} without one`}`;
  return html`<a class="counts row" href="${addressOfField(model.name, field.name, pairs)}" title="${title}">${texts}</a>`;
}
