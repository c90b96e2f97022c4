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
import { capitalised, collectionTitle, labelOf, numberText, valueText, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { changesPath, lastDumpPairs, toneOf } from '../changes/figures.js';
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

const TALL = 268;
const MIDDLE = 150;
const LOW = 84;
const TOP_RECORDS = 5;
const NEWEST = 3;
const BRIEF_RECORDS = 3;
const COVERS = 10;
const TOP_VALUES = 8;
/** Blocks of documented fields are all shown, and those of found fields up to this number of both. */
const SMALL_BLOCKS = 9;

/** A collection among many: its size, its main chart, and its highest records, else the newest, else the largest changes. */
export function collectionCard(collection: Collection, comparison: Comparison | null): Html {
  const { model, size } = collection;
  const main = mainDistribution(shapeOf(collection, EVERYTHING).distributions);
  const list =
    highestRecords(collection, BRIEF_RECORDS) ??
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
  const main = mainDistribution(distributions);
  const charted = chartedFields(collection, main?.field);
  const furtherCharts = distributions.filter(
    ({ field, binning }) => field !== main?.field && charted.has(field) && binning.bins.length > 1,
  );
  const covers = bestCovers(collection);
  const rankings = [covers === null ? highestRecords(collection, TOP_RECORDS) : null, newestRecords(collection)].filter(
    (list) => list !== null,
  );
  const height = rankings.length > 1 ? TALL : MIDDLE;
  // Rankings stand beside the main chart; without them, the next chart does.
  const second = rankings.length === 0 && main !== undefined ? furtherCharts.shift() : undefined;
  const besideMain = second === undefined ? rankings : [chartParts(collection, second, height)];
  const largestChanges = largestChangesBlock(collection, comparison, TOP_VALUES);
  const values = frequencies
    .filter(({ field, distinct }) => charted.has(field) && distinct > 1)
    .map((one) => ({ lines: Math.min(one.values.length, TOP_VALUES), parts: () => valueParts(name, one) }));
  // Blocks of some height stand side by side: yes and no are the last.
  const smallBlocks: readonly SmallBlock[] = [
    ...(largestChanges === null ? [] : [{ lines: TOP_VALUES, parts: () => largestChanges }]),
    ...values.filter(({ lines }) => lines > 2),
    ...furtherCharts.map((one) => ({ lines: 0, parts: (height: number) => chartParts(collection, one, height) })),
    ...values.filter(({ lines }) => lines <= 2),
  ];
  return html`<section class="about stack" aria-labelledby="about-${name}">
<header class="row"><h2 id="about-${name}">${collectionTitle(name)}</h2><a href="/${name}">Browse all &rarr;</a>${questionForm(collection)}</header>
${covers}
<div class="blocks">
${main && block(besideMain.length > 0 ? 'half' : 'whole', chartParts(collection, main, height))}
${besideMain.length > 0 && block(main === undefined ? 'whole' : 'half', besideMain)}
${inRows(smallBlocks).map(blockRow)}
</div>
${unchartedFields(collection, charted)}
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

const MAX_UNCHARTED = 60;

/** The other found fields, each a link to its page. */
function unchartedFields(collection: Collection, charted: ReadonlySet<Field>): Content {
  const { model } = collection;
  const fields = rolesOf(model).found.filter(
    (field) => !charted.has(field) && !field.isOfHistory && hasValues(collection, field),
  );
  if (fields.length === 0) return null;
  const item = (field: Field): Html =>
    html`<li><a href="${addressOfField(model.name, field.name)}">${isolated(labelOf(field))}</a></li>`;
  const title = html`Further fields <span class="count">${fields.length}</span>`;
  const more = fields.length - MAX_UNCHARTED;
  return block(
    'whole',
    html`${blockHead(title, html`<a href="${address(`/${model.name}`, [['fields', '*']])}">all as columns</a>`)}<ul class="tags row" role="list">${fields.slice(0, MAX_UNCHARTED).map(item)}${more > 0 ? html`<li>and ${numberText(more)} more</li>` : null}</ul>`,
  );
}

interface SmallBlock {
  /** The lines of a list of values; none of a chart. */
  readonly lines: number;
  /** Its markup; `height` is that of a chart. */
  readonly parts: (height: number) => Content;
}

/** The blocks in rows of three; the last rows have two, so that no block is alone. */
function inRows(blocks: readonly SmallBlock[]): readonly (readonly SmallBlock[])[] {
  if (blocks.length === 0) return [];
  const size = blocks.length === 2 || blocks.length === 4 ? 2 : 3;
  return [blocks.slice(0, size), ...inRows(blocks.slice(size))];
}

/** Pixels of a line of a list, and those of a chart above and below its bars. */
const LINE_HEIGHT = 29;
const CHART_EDGES = 32;

/** Blocks side by side: a chart is as high as the list beside it. */
function blockRow(row: readonly SmallBlock[]): readonly Html[] {
  const width = (['whole', 'half'] as const)[row.length - 1] ?? 'third';
  const height = Math.max(LOW, LINE_HEIGHT * Math.max(...row.map(({ lines }) => lines)) - CHART_EDGES);
  return row.map(({ parts }) => block(width, parts(height)));
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

/** The rows with the highest values of a field. */
function topRows(collection: Collection, field: Field, limit: number): readonly number[] {
  const query = { ...EVERYTHING, sort: field.name, descending: true };
  const valued = collection.orders.get(field.name)?.valued ?? 0;
  return Array.from(execute(collection, query, { page: 1, limit: Math.min(limit, valued) || 1 }).rows).slice(0, valued);
}

/** A link to the records in that order. */
const allBy = ({ model }: Collection, field: Field): Html =>
  html`<a href="${address(`/${model.name}`, Object.entries({ sort: field.name, order: 'desc' }))}">all by ${isolated(wordsOf(field))}</a>`;

/** The records with the highest values of the number by which the collection is ranked at a glance. */
function highestRecords(collection: Collection, limit: number): Html | null {
  const field = collection.model.isOwn ? usualMeasure(collection) : sliderScale(collection);
  if (field === undefined || distinctCount(collection, field) < 2 || isSharedAtTop(collection, field)) return null;
  return topRecords(collection, field, html`Highest ${isolated(wordsOf(field))}`, limit);
}

/** Whether more records than a ranking has share its first value: it would say five times the same. */
function isSharedAtTop({ columns }: Collection, { name }: Field): boolean {
  const column = columns.get(name);
  const valued = column?.order.valued ?? 0;
  return (
    column !== undefined &&
    valued > TOP_RECORDS &&
    numberAt(column, valued - 1) === numberAt(column, valued - 1 - TOP_RECORDS)
  );
}

function newestRecords(collection: Collection): Html | null {
  const field = mainDate(collection);
  if (field === undefined) return null;
  return topRecords(
    collection,
    field,
    field.role === 'date' ? 'Newest' : html`Latest ${isolated(wordsOf(field))}`,
    NEWEST,
  );
}

/** The records with the highest values of a field, with these. */
function topRecords(collection: Collection, field: Field, title: Content, limit: number): Html | null {
  const rows = topRows(collection, field, limit);
  if (rows.length === 0) return null;
  const items = rows.map((row) => {
    const record = listRecord(collection, row);
    return topItem(collection.model.name, record, recordValue(collection, record, field));
  });
  return topList(title, allBy(collection, field), items);
}

/** The largest changes of the last dump: of prices the drops, of any other number the rises. */
function largestChangesBlock(
  { model, columns }: Collection,
  comparison: Comparison | null,
  limit: number,
): Html | null {
  const field =
    fieldOf(model, 'price') ?? model.fields.find(({ name }) => comparison?.last.counts.fields.get(name)?.up);
  if (comparison === null || field === undefined || columns.get(field.name) === undefined) return null;
  const { changes } = comparison;
  const isPrice = field.role === 'price';
  const pairs: Pairs = [
    ['field', field.name],
    [isPrice ? 'percent_lt' : 'percent_gt', '0'],
    ...lastDumpPairs(comparison),
    ['sort', isPrice ? 'percent' : '-percent'],
  ];
  const { rows, total } = execute(changes, queryOfPairs(changes.model, pairs), { page: 1, limit });
  if (total === 0) return null;
  const items = Array.from(rows, (row) => {
    const { record, title, percent } = parseRecord(recordJson(changes.text, row, 'whole'));
    const by = `${isPrice ? '' : '+'}${numberText(Math.round(Number(percent)))}%`;
    return topItem(
      model.name,
      { id: record, title: String(title ?? `No. ${record}`) },
      html`<span class="${toneOf(field.role, isPrice ? 'down' : 'up')}">${by}</span>`,
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
  const rows = topRows(collection, field, COVERS);
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
  return html`<section class="block whole covers">${blockHead(title, allBy(collection, field))}<ul role="list" tabindex="0" aria-label="${title}">${items}</ul></section>`;
}

/** The most frequent values as bars. */
function valueParts(collection: string, { field, values, distinct }: Frequencies): Content {
  if (field.filter?.kind !== 'value') return null;
  const { parameter } = field.filter;
  const shownValues = values.slice(0, TOP_VALUES).map(({ name, count: records }) => ({
    name: isolated(valueText(field, name)),
    address: address(`/${collection}`, [[parameter, name]]),
    records,
  }));
  const name = capitalised(field.facet ?? (field.kind === 'url' ? 'sites' : labelOf(field)));
  const title = html`<a href="${addressOfField(collection, field.name)}">${isolated(name)}</a>`;
  const all =
    distinct > shownValues.length
      ? html`<a href="/${collection}?unfold=${parameter}#by-${parameter}">all ${numberText(distinct)}</a>`
      : null;
  return html`${blockHead(title, all)}${countBars(shownValues)}`;
}
