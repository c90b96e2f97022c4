/** The section of a collection on the home page: charts, its highest and newest records, and its frequent values. */
import { type Field, fieldOf, isFound } from '../../../model.js';
import { execute } from '../../../query/execute.js';
import { EVERYTHING, type Query } from '../../../query/query.js';
import { queryOf } from '../../../query/request.js';
import type { Comparison } from '../../../store/changes/changes.js';
import type { Collection } from '../../../store/collection.js';
import { numberAt } from '../../../store/number-column.js';
import { recordJson } from '../../../store/record-text.js';
import { parseRecord } from '../../../store/record-values.js';
import { count } from '../../../text.js';
import { capitalised, collectionTitle, labelOf, numberText, valueText, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { changesPath, lastDumpPairs, toneOf } from '../changes/figures.js';
import { ARROW, changedNumber, medianPriceLine } from '../changes/record-changes.js';
import { chart } from '../chart/chart.js';
import { distributionChart } from '../chart/distribution-chart.js';
import { timeUnitOf } from '../counting/binning.js';
import {
  distinctCount,
  hasValues,
  isRedundant,
  mainDate,
  offeredFields,
  sliderScale,
} from '../counting/offered-fields.js';
import { type Distribution, type Frequencies, shapeOf } from '../counting/shape.js';
import { numberValue } from '../fields/number-value.js';
import { address, addressOfField, type Pairs, recordAddress } from '../frame/address.js';
import { block, blockHead, countBars, topItem, topList } from '../frame/blocks.js';
import { usualGrouping, usualMeasure } from '../groups/choices.js';
import { questionForm } from '../groups/page.js';
import { cover } from '../record/image.js';
import { listRecord, rolesOf } from '../record/record.js';
import { recordValue } from '../record/value.js';
import { mainDistribution } from './tiles.js';

const TALL = 332;
const MIDDLE = 150;
const LOW = 100;
const TOP_RECORDS = 5;
const MAX_RANKINGS = 2;
const BRIEF_RECORDS = 3;
const COVERS = 10;
const TOP_VALUES = 8;
/** A field of which all frequent values are longer has sentences, not names. */
const MAX_NAME_CHARACTERS = 40;
/** Blocks of documented fields are all shown, and those of found fields up to this number of both. */
const SMALL_BLOCKS = 9;

/** A collection among many: its size, its main chart, and its highest records, else the newest, else the largest changes. */
export function collectionCard(collection: Collection, comparison: Comparison | null): Html {
  const { model, size } = collection;
  const main = mainDistribution(collection, shapeOf(collection, EVERYTHING).distributions);
  const list =
    extremeRecords(collection, true, BRIEF_RECORDS) ??
    newestRecords(collection) ??
    largestChangesBlock(collection, comparison, BRIEF_RECORDS);
  const groups = usualGrouping(collection) && html`<a href="/${model.name}/stats">Compare groups</a>`;
  return html`<section class="block third stack" aria-labelledby="about-${model.name}">
<header class="split"><h2 id="about-${model.name}"><a href="/${model.name}">${collectionTitle(model.name)}</a> <span class="count">${numberText(size)}</span></h2><span class="small">${groups}</span></header>
${main && html`<div>${chartParts(collection, main, LOW)}</div>`}
${list && html`<div class="brief">${list}</div>`}
</section>`;
}

export function collectionSection(collection: Collection, comparison: Comparison | null): Html {
  const { name } = collection.model;
  const { distributions, frequencies } = shapeOf(collection, EVERYTHING);
  const main = mainDistribution(collection, distributions);
  const charted = chartedFields(collection, main?.field);
  const furtherCharts = distributions.filter(
    ({ field, binning }) => field !== main?.field && charted.has(field) && binning.bins.length > 1,
  );
  const covers = bestCovers(collection);
  const largestChanges = largestChangesBlock(collection, comparison, TOP_RECORDS);
  const rankings = [largestChanges, ...rankingsOf(collection, covers !== null)]
    .filter((list) => list !== null)
    .slice(0, MAX_RANKINGS);
  const height = rankings.length > 1 ? TALL : MIDDLE;
  // Rankings stand beside the main chart; without them, the next chart does.
  const second = rankings.length === 0 && main !== undefined ? furtherCharts.shift() : undefined;
  const besideMain = second === undefined ? rankings : [chartParts(collection, second, height)];
  const medianPrices = comparison && medianPriceLine(collection, comparison);
  const values = frequencies.filter(
    ({ field, distinct, values }) =>
      charted.has(field) && distinct > 1 && values.some(({ name }) => name.length <= MAX_NAME_CHARACTERS),
  );
  const smallBlocks: readonly Content[] = [
    ...(medianPrices ? [html`${blockHead('Median price', 'through all dumps')}${medianPrices}`] : []),
    ...furtherCharts.map((one) => chartParts(collection, one, LOW)),
    ...values.map((one) => valueParts(collection, one)),
  ];
  // Two, four or five blocks would leave a hole in three columns.
  const isPairs = [2, 4, 5].includes(smallBlocks.length);
  return html`<section class="about stack" aria-labelledby="about-${name}">
<header class="row"><h2 id="about-${name}">${collectionTitle(name)}</h2><a href="/${name}">Browse all &rarr;</a>${questionForm(collection)}</header>
${covers}
<div class="blocks">
${main && block(besideMain.length > 0 ? 'half' : 'whole', chartParts(collection, main, height))}
${besideMain.length > 0 && block(main === undefined ? 'whole' : 'half', besideMain)}
</div>
${smallBlocks.length > 0 && html`<details class="folded"><summary>${count(smallBlocks.length, 'further chart')}</summary><div class="packed ${isPairs ? 'two' : null}">${smallBlocks.map((one) => block('third', one))}</div></details>`}
</section>`;
}

/** The fields with a chart or a list of values: documented ones, then the most useful found ones. */
function chartedFields(collection: Collection, main: Field | undefined): ReadonlySet<Field> {
  const { main: first, more } = offeredFields(collection);
  const documented = first.filter((field) => !isFound(field) && field !== main);
  const foundFields = [...first.filter(isFound), ...more].filter(
    (field) => field !== main && !field.isOfHistory && !isRedundant(collection, field),
  );
  const room = Math.max(0, SMALL_BLOCKS - documented.length);
  return new Set([...(main ? [main] : []), ...documented, ...foundFields.slice(0, room)]);
}

/** The chart of a number or date; a date's heading names the time of a bar: `Published, records by month`. */
function chartParts(collection: Collection, distribution: Distribution, height: number): Html {
  const { name } = collection.model;
  const { field, binning } = distribution;
  const { lowest, highest, bins } = binning;
  const isDate = field.kind === 'date';
  const id = `${name}-${field.name}`;
  const options = { id, height, range: null, path: `/${name}`, pairs: [], hasMedian: !isDate, minWidth: 330 };
  const unit = isDate ? `, records by ${timeUnitOf(bins)}` : binning.scale === 'logarithmic' ? ', logarithmic' : '';
  const title = html`<a href="${addressOfField(name, field.name)}">${isolated(labelOf(field))}</a>${unit}`;
  return html`${blockHead(title, html`${numberValue(collection, field, lowest)} &ndash; ${numberValue(collection, field, highest)}`)}${chart(distributionChart(distribution, options))}`;
}

/** The first rows in the order of a field, of those that have a value. */
function topRows(collection: Collection, field: Field, descending: boolean, limit: number): readonly number[] {
  const query = { ...EVERYTHING, sort: field.name, descending };
  const valued = collection.orders.get(field.name)?.valued ?? 0;
  return Array.from(execute(collection, query, { page: 1, limit: Math.min(limit, valued) || 1 }).rows).slice(0, valued);
}

/** A link to the records in that order. */
const allBy = ({ model }: Collection, field: Field, order: 'asc' | 'desc'): Html =>
  html`<a href="${address(`/${model.name}`, Object.entries({ sort: field.name, order }))}">all by ${isolated(wordsOf(field))}</a>`;

/** The records that a reader looks for first: the newest, those with the highest score, or the dearest and the cheapest. */
function rankingsOf(collection: Collection, hasCovers: boolean): readonly Html[] {
  const highest = hasCovers ? null : extremeRecords(collection, true, TOP_RECORDS);
  const lowest = highest && collection.model.isOwn ? extremeRecords(collection, false, TOP_RECORDS) : null;
  const newest = lowest === null ? newestRecords(collection) : null;
  return [highest, lowest, newest].filter((list) => list !== null);
}

/** The records with the highest or lowest values of the number by which the collection is ranked at a glance. */
function extremeRecords(collection: Collection, isHighest: boolean, limit: number): Html | null {
  const field = collection.model.isOwn ? usualMeasure(collection) : sliderScale(collection);
  if (field === undefined || distinctCount(collection, field) < 2 || isSharedAtEnd(collection, field, isHighest))
    return null;
  const title = html`${isHighest ? 'Highest' : 'Lowest'} ${isolated(wordsOf(field))}`;
  return topRecords(collection, field, title, isHighest, limit);
}

/** Whether more records than a ranking has share its first value: it would say five times the same. */
function isSharedAtEnd({ columns }: Collection, { name }: Field, isHighest: boolean): boolean {
  const column = columns.get(name);
  const valued = column?.order.valued ?? 0;
  if (column === undefined || valued <= TOP_RECORDS) return false;
  const [end, next] = isHighest ? [valued - 1, valued - 1 - TOP_RECORDS] : [0, TOP_RECORDS];
  return numberAt(column, end) === numberAt(column, next);
}

function newestRecords(collection: Collection): Html | null {
  const field = mainDate(collection);
  if (field === undefined) return null;
  const title = field.role === 'date' ? 'Newest' : html`Latest ${isolated(wordsOf(field))}`;
  return topRecords(collection, field, title, true, TOP_RECORDS);
}

/** The records with the highest or lowest values of a field, with these. */
function topRecords(
  collection: Collection,
  field: Field,
  title: Content,
  isHighest: boolean,
  limit: number,
): Html | null {
  const rows = topRows(collection, field, isHighest, limit);
  if (rows.length === 0) return null;
  const items = rows.map((row) => {
    const record = listRecord(collection, row);
    return topItem(collection.model.name, record, recordValue(collection, record, field));
  });
  return topList(title, allBy(collection, field, isHighest ? 'desc' : 'asc'), items);
}

/** The largest changes of the last dump: of prices the drops, of any other number the rises. */
function largestChangesBlock(collection: Collection, comparison: Comparison | null, limit: number): Html | null {
  const { model, columns } = collection;
  const field =
    fieldOf(model, 'price') ?? model.fields.find(({ name }) => comparison?.last.counts.fields.get(name)?.up);
  if (comparison === null || field === undefined || columns.get(field.name) === undefined) return null;
  const { changes } = comparison;
  const isPrice = field.role === 'price';
  const pairs: Pairs = [
    ['field', field.name],
    [isPrice ? 'percent_lt' : 'percent_gt', '0'],
    ...lastDumpPairs(comparison),
    ['sort', isPrice ? 'percent,difference' : '-percent,-difference'],
  ];
  const { rows, total } = execute(changes, queryOfPairs(changes.model, pairs), { page: 1, limit });
  if (total === 0) return null;
  const items = Array.from(rows, (row) => {
    const { record, title, percent, from, to } = parseRecord(recordJson(changes.text, row, 'whole'));
    const by = `${isPrice ? '' : '+'}${numberText(Math.round(Number(percent)))}%`;
    const [earlier, later] = [from, to].map((value) => changedNumber(collection, record, field.name, Number(value)));
    return topItem(
      model.name,
      { id: record, title: String(title ?? `No. ${record}`) },
      html`<span class="${toneOf(field.role, isPrice ? 'down' : 'up')}">${by}</span>`,
      html`${earlier}${ARROW}${later}`,
    );
  });
  const aside = html`<a href="${address(changesPath(model), pairs)}">all ${numberText(total)}</a>`;
  const words = isolated(wordsOf(field));
  return topList(isPrice ? html`Biggest ${words} drops` : html`Biggest rises of ${words}`, aside, items);
}

/** The query of an address that a page writes itself. */
const queryOfPairs = (model: Collection['model'], pairs: Pairs): Query =>
  queryOf(model, new Map(pairs.map(([name, value]) => [name, [value]])));

/** The best rated records as covers, where records have pictures. */
function bestCovers(collection: Collection): Content {
  const { model } = collection;
  const { image } = rolesOf(model);
  const field = sliderScale(collection);
  if (image === undefined || field === undefined || !hasValues(collection, image)) return null;
  const rows = topRows(collection, field, true, COVERS);
  if (rows.length === 0) return null;
  const factFields = [field, ...model.fields.filter(({ role }) => role === 'price')];
  const items = rows.map((row) => {
    const record = listRecord(collection, row);
    const facts = factFields.map(
      (one) => html`<span class="${one.role ?? one.kind}">${recordValue(collection, record, one)}</span>`,
    );
    return html`<li><a href="${recordAddress(model.name, record.id, [])}">${cover(model, record, { alt: record.title, size: 'large' })}<span class="row soft small">${facts}</span></a></li>`;
  });
  const title = field.role === 'rating' ? 'Best rated' : `Highest ${wordsOf(field)}`;
  return html`<section class="block whole covers">${blockHead(title, allBy(collection, field, 'desc'))}<ul role="list" tabindex="0" aria-label="${title}">${items}</ul></section>`;
}

/** The least share of empty values that have a bar of their own. */
const MUCH_EMPTY = 0.1;

/** The most frequent values as bars, and behind them the records without a value, where these are many. */
function valueParts({ model, missing, size }: Collection, { field, values, distinct }: Frequencies): Content {
  if (field.filter?.kind !== 'value') return null;
  const { parameter } = field.filter;
  const path = `/${model.name}`;
  const shownValues = values.slice(0, TOP_VALUES).map(({ name, count: records }) => ({
    name: isolated(valueText(field, name)),
    address: address(path, [[parameter, name]]),
    records,
  }));
  const records = missing.get(field.name)?.count ?? 0;
  const empty =
    records < MUCH_EMPTY * size
      ? []
      : [{ name: 'empty', address: address(path, [['missing', field.name]]), records, isEmpty: true }];
  const name = capitalised(field.facet ?? (field.kind === 'url' ? 'sites' : labelOf(field)));
  const title = html`<a href="${addressOfField(model.name, field.name)}">${isolated(name)}</a>`;
  const all =
    distinct > shownValues.length
      ? html`<a href="${path}?unfold=${parameter}#by-${parameter}">all ${numberText(distinct)}</a>`
      : null;
  return html`${blockHead(title, all)}${countBars([...shownValues, ...empty])}`;
}
