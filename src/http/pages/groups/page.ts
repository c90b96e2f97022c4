/**
 * The HTML page of a field by another one, such as the median price by category: a table with a row and a bar for each group among the
 * records that the words and filters of its address find. Its parameters are those of the API's `stats`, and `view` for the measure.
 */
import { type CollectionModel, type Field, isList } from '../../../model.js';
import { Conditions } from '../../../query/conditions.js';
import { type Group, type GroupedStats, type GroupNumbers, groupedStats } from '../../../query/groups.js';
import { oneOf, textParameters } from '../../../query/parameters.js';
import { EVERYTHING } from '../../../query/query.js';
import { numberParameter, textParameter } from '../../../query/request.js';
import type { Collection } from '../../../store/collection.js';
import { collectionIn } from '../../../store/dataset.js';
import { count } from '../../../text.js';
import { DEFAULT_VALUES, groupParameters } from '../../api/counts.js';
import {
  capitalised,
  collectionTitle,
  labelOf,
  numberText,
  separateWords,
  shortened,
  valueText,
  wordsOf,
} from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { isTime, numberValue, roundedValue } from '../fields/number-value.js';
import { type NumberProfile, numberProfileOf, quantileAt } from '../fields/profile.js';
import { address, addressOfField, conditionsIn, narrowedAddress, type Pairs, without } from '../frame/address.js';
import type { PageFrame } from '../frame/document.js';
import { conditionChips, FORM } from '../frame/toolbar.js';
import { foundText, searchedConditions } from '../list/conditions.js';
import { exportButton } from '../list/export-button.js';
import { createReader, pageFilterParameters, plainView, type View, type ViewReader } from '../list/view.js';
import { groupChoices, usualGrouping, usualMeasure } from './choices.js';

const measures = ['median', 'mean', 'count'] as const;
type GroupMeasure = (typeof measures)[number];

/** Groups are sorted by their name, or by an amount that their row has. */
const groupOrders = ['name', 'count', 'median', 'mean', 'min', 'max'] as const;
type GroupOrder = (typeof groupOrders)[number];

const usualDirection = (key: GroupOrder): 'asc' | 'desc' => (key === 'name' ? 'asc' : 'desc');

interface GroupsView extends View {
  readonly by: string | null;
  /** The number that is summed up; null for counts alone. */
  readonly of: string | null;
  readonly measure: GroupMeasure;
  readonly limit: number;
  readonly sortedBy: GroupOrder;
  readonly isDescending: boolean;
}

/** The parameters of the page that `/api/NAME/stats` does not have. */
const ownParameters = [
  oneOf('view', 'what the bars show; the median if not given', measures),
  oneOf('sort', 'what the rows are sorted by; what the bars show if not given', groupOrders),
  oneOf('order', 'direction of the sort order; names ascend and amounts descend if not given', ['asc', 'desc']),
];

export const createGroupsReader = (model: CollectionModel, maxLimit: number): ViewReader<GroupsView> =>
  createReader(
    [...groupParameters(model, maxLimit), ...ownParameters, ...textParameters, ...pageFilterParameters(model)],
    (pairs, dataset) => settledPairs(collectionIn(dataset, model), pairs),
    (dataset, values, pairs) => {
      const of = textParameter(values, 'fields')?.split(',')[0] ?? null;
      const wantedMeasure = measures.find((measure) => measure === textParameter(values, 'view')) ?? 'median';
      const measure = of === null ? 'count' : wantedMeasure;
      const sortedBy = groupOrders.find((order) => order === textParameter(values, 'sort')) ?? measure;
      const direction = textParameter(values, 'order') ?? usualDirection(sortedBy);
      return {
        ...plainView(model, dataset, values, pairs),
        by: textParameter(values, 'by'),
        of,
        measure,
        sortedBy,
        isDescending: direction === 'desc',
        limit: numberParameter(values, 'limit') ?? DEFAULT_VALUES,
      };
    },
  );

/** An address without a field to group by is that of the usual one, and of the usual number. */
function settledPairs(collection: Collection, pairs: Pairs): Pairs {
  const by = usualGrouping(collection);
  if (by === undefined || pairs.some(([name]) => name === 'by')) return pairs;
  const measured = pairs.some(([name]) => name === 'fields') ? undefined : usualMeasure(collection);
  return [...pairs, ['by', by.name], ...(measured === undefined ? [] : [['fields', measured.name] as const])];
}

export function groupsPage(view: GroupsView, origin: string): PageFrame {
  const { model, collection, query, pairs, measure, limit } = view;
  const fieldNamed = (name: string | null): Field | undefined => model.fields.find((field) => field.name === name);
  const [by, of] = [fieldNamed(view.by), fieldNamed(view.of)];
  const name = collectionTitle(model.name);
  if (by === undefined || collection.size === 0) return nothingToGroup(view);
  const stats = groupedStats(collection, query, by.name, of === undefined ? [] : [of.name], limit);
  const titleText = `${of === undefined || measure === 'count' ? name : `${capitalised(measure)} ${labelOf(of)}`} by ${labelOf(by)}`;
  const shared = without(pairs, ...ownParameters.map(({ name }) => name));
  const exported = {
    name: model.name,
    path: `/${model.name}/stats`,
    pairs: shared,
    rows: stats.groups.length,
    bytesOf: () => null,
    hasFeed: false,
  };
  return {
    title: html`${titleText} &ndash; ${name}`,
    current: model.name,
    kind: 'groups',
    main: html`<nav class="way row" aria-label="Way back"><a class="back" rel="up" href="${address(`/${model.name}`, conditionsIn(pairs))}">&larr; ${name}</a>${exportButton(origin, address(`/api/${model.name}/stats`, shared), exported)}</nav>
<h1>${isolated(titleText)}</h1>
${askingForm(collection, { by, of, measure }, conditionsIn(pairs))}
${groupChips(view)}
${groupTable(view, by, of, stats)}`,
  };
}

const nothingToGroup = ({ model, pairs }: GroupsView): PageFrame => ({
  title: html`Groups &ndash; ${collectionTitle(model.name)}`,
  current: model.name,
  kind: 'error',
  main: html`<h1>No groups</h1><p>No field of ${model.name} has values that several records share, so there is nothing to group by.</p>
<ul class="row" role="list"><li><a class="button" href="${address(`/${model.name}`, conditionsIn(pairs))}">${collectionTitle(model.name)}</a></li></ul>`,
});

/** A question that this page answers. */
export interface Question {
  readonly by: Field;
  readonly of: Field | undefined;
  readonly measure: GroupMeasure;
}

/** The question of a collection that nobody has asked yet, on the home page; null where there is nothing to ask. */
export function questionForm(collection: Collection): Content {
  const [by, of] = [usualGrouping(collection), usualMeasure(collection)];
  return by === undefined
    ? null
    : askingForm(collection, { by, of, measure: of === undefined ? 'count' : 'median' }, null);
}

/** `[median] of [price] by [category]`; with the conditions of a view it is sent at each change, and else by its button. */
function askingForm(collection: Collection, { by, of, measure }: Question, pairs: Pairs | null): Html {
  const { name } = collection.model;
  const choices = groupChoices(collection);
  const isLive = pairs !== null;
  const groupings = [...choices.by, ...(choices.by.includes(by) ? [] : [by])];
  return html`<form class="row soft" action="/${name}/stats" aria-label="Compare groups of ${name}"${isLive && html` id="${FORM}" data-live`}>
${select(
  'view',
  'Measure',
  measures.map((one) => [one, one] as const),
  measure,
)}
<span class="beside">of ${select('fields', 'Field', [['', 'records'], ...choices.measured.map(choiceOf)], of?.name ?? '')}</span>
<span class="beside">by ${select('by', 'Group by', groupings.map(choiceOf), by.name)}</span>
<button${isLive && html` class="apply"`}>${isLive ? 'Show' : 'Compare'}</button>
${(pairs ?? []).map(([parameter, value]) => html`<input type="hidden" name="${parameter}" value="${value}">`)}
</form>`;
}

type Choice = readonly [value: string, label: string];
const choiceOf = (field: Field): Choice => [field.name, labelOf(field)];

const select = (name: string, label: string, choices: readonly Choice[], chosen: string): Html =>
  html`<label><span class="vh">${label}</span><select name="${name}">${choices.map(([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`)}</select></label>`;

function groupChips(view: GroupsView): Content {
  const cleared = view.pairs.filter(([name]) => ['by', 'fields', 'view', 'sort', 'order', 'limit'].includes(name));
  return conditionChips(`/${view.model.name}/stats`, view.pairs, searchedConditions(view), cleared);
}

const GROUP_CHARACTERS = 80;

const groupName = (by: Field, { value }: Group): Content =>
  value === null ? `without ${labelOf(by)}` : isolated(shortened(valueText(by, value), GROUP_CHARACTERS));

/** The list of a group's records; null where no address finds these alone. */
function groupAddress({ model, pairs }: GroupsView, by: Field, { value }: Group): string | null {
  if (value === null) return address(`/${model.name}`, [...conditionsIn(pairs), ['missing', by.name]]);
  const parameter = by.filter?.kind === 'value' ? by.filter.parameter : by.name;
  return narrowedAddress(model.name, pairs, [parameter, value], isList(by.kind));
}

/** A row of the table: a group, or all records. */
interface GroupRow {
  /** Null for the records without a value, and for all records. */
  readonly value: string | null;
  readonly name: Content;
  readonly address: string | null;
  readonly records: number;
  readonly numbers: GroupNumbers | undefined;
}

/** A median of fewer values says little of a group. */
const FEW_VALUES = 10;

const isOfFewValues = (measure: GroupMeasure, numbers: GroupNumbers | undefined): boolean =>
  measure !== 'count' && (numbers?.count ?? 0) < FEW_VALUES;

const ANSWERED_GROUPS = 5;

/** `All flats €1,241 · Mitte €1,691 · …`: the figure of all records, and those of the first groups that have more than a few values. */
export function answerText(collection: Collection, { by, of, measure }: Question): Html {
  const { model, size } = collection;
  const { groups, total } = groupedStats(collection, EVERYTHING, by.name, of ? [of.name] : [], DEFAULT_VALUES);
  const profile = of && numberProfileOf(collection, of, new Conditions(collection, EVERYTHING));
  const figureOf = (name: Content, records: number, numbers: GroupNumbers | undefined) => {
    const amount = amountBy({ records, numbers }, measure) ?? Number.NEGATIVE_INFINITY;
    const text = of === undefined ? numberText(amount) : roundedValue(collection, of, amount);
    return { amount, says: html`${name} <b>${text}</b>` };
  };
  const answered = groups
    .map((group) => ({ group, numbers: group.fields.get(of?.name ?? '') }))
    .filter(({ numbers }) => !isOfFewValues(measure, numbers))
    .map(({ group, numbers }) => figureOf(groupName(by, group), group.count, numbers))
    .sort((a, b) => b.amount - a.amount)
    .slice(0, ANSWERED_GROUPS);
  const all = figureOf(`All ${separateWords(model.name)}`, size, profile ? numbersOfAll(profile) : undefined);
  const more = total > answered.length && html` &middot; ${numberText(total - answered.length)} more &rarr;`;
  return html`${[all, ...answered].map(({ says }, i) => html`${i > 0 ? ' · ' : null}${says}`)}${more}`;
}

const names = new Intl.Collator('en', { numeric: true });
const nullsLast = (a: unknown, b: unknown): number => Number(a === null) - Number(b === null);

/** The table of the groups; those of few values have pale bars, and stand last but among names. */
function groupTable(view: GroupsView, by: Field, of: Field | undefined, { groups, total }: GroupedStats): Html {
  const { model, collection, measure, pairs, sortedBy, isDescending } = view;
  const amountOf = (row: GroupRow): number | null => amountBy(row, measure);
  const isFew = ({ numbers }: GroupRow): boolean => isOfFewValues(measure, numbers);
  const all = allRecords(view, of);
  const sign = isDescending ? -1 : 1;
  const rows = groups
    .map(
      (group): GroupRow => ({
        value: group.value,
        name: groupName(by, group),
        address: groupAddress(view, by, group),
        records: group.count,
        numbers: group.fields.get(of?.name ?? ''),
      }),
    )
    .sort((a, b) => {
      if (sortedBy === 'name') return nullsLast(a.value, b.value) || sign * names.compare(a.value ?? '', b.value ?? '');
      const [x, y] = [amountBy(a, sortedBy), amountBy(b, sortedBy)];
      return Number(isFew(a)) - Number(isFew(b)) || nullsLast(x, y) || sign * ((x ?? 0) - (y ?? 0));
    });
  const amounts = rows.flatMap((row) => amountOf(row) ?? []);
  const fewCount = rows.filter(isFew).length;
  // Dates and years have no zero from which a bar could begin.
  const hasZero = measure === 'count' || of === undefined || !isTime(collection, of);
  const shareOf = sharesOf(amounts, hasZero);
  const allAmount = measure === 'count' ? null : amountOf(all);
  const mark = allAmount === null ? null : shareOf(allAmount);
  const columns = groupColumns(view, of, all);
  const line = (row: GroupRow, bar: Content): Html =>
    html`<tr role="row"><th role="rowheader" scope="row" class="lead">${row.address === null ? row.name : html`<a href="${row.address}">${row.name}</a>`}</th><td role="cell" class="bar">${bar}</td>${columns.map(({ label, show }) => html`<td role="cell" class="number" data-label="${label}">${show(row)}</td>`)}</tr>`;
  const body = rows.map((row) => {
    const amount = amountOf(row);
    return line(row, amount !== null && barOf(shareOf(amount), mark, isFew(row)));
  });
  const start =
    !hasZero && of && amounts.length > 0 && html`from ${roundedValue(collection, of, Math.min(...amounts))}, `;
  const legend = mark === null ? 'bars: records' : html`${start}line: ${measure} of all groups together`;
  return html`<div class="row split"><h2 id="count">${groups.length < total && `The ${numberText(groups.length)} largest of `}${count(total, 'group')} <span class="count">${foundText(view, all.records)}${fewCount > 0 && `; those of fewer than ${FEW_VALUES} values stand last`}</span></h2>${of && html`<a href="${addressOfField(model.name, of.name, pairs)}">All about ${isolated(wordsOf(of))}</a>`}</div>
<div class="scroll" role="group" aria-labelledby="count" tabindex="0"><table role="table" aria-labelledby="count"><thead role="rowgroup"><tr role="row">${columnHeader(view, 'lead', labelOf(by), 'name')}<th role="columnheader" scope="col" class="bar">${legend}</th>${columns.map(({ label, key }) => columnHeader(view, 'number', label, key))}</tr></thead><tbody role="rowgroup">${body}${line(all, null)}</tbody></table></div>`;
}

/** A header that sorts the rows; a second click turns them around. */
function columnHeader(
  { model, pairs, sortedBy, isDescending }: GroupsView,
  className: 'lead' | 'number',
  label: string,
  key: GroupOrder,
): Html {
  const isSorted = key === sortedBy;
  const sorted = isSorted && html` aria-sort="${isDescending ? 'descending' : 'ascending'}"`;
  const opposite = isDescending ? 'asc' : 'desc';
  const order = isSorted ? opposite : usualDirection(key);
  const sign = !isSorted ? html`&varr;` : isDescending ? html`&darr;` : html`&uarr;`;
  const sortedPairs: Pairs = [...without(pairs, 'sort', 'order'), ['sort', key], ['order', order]];
  return html`<th role="columnheader" scope="col" class="${className}"${sorted}><a data-order="${sign}" href="${address(`/${model.name}/stats`, sortedPairs)}">${label}</a></th>`;
}

/** The amount of a row by which rows are compared; null where the group has no number. */
const amountBy = (
  { records, numbers }: Pick<GroupRow, 'records' | 'numbers'>,
  key: Exclude<GroupOrder, 'name'>,
): number | null => (key === 'count' ? records : (numbers?.[key] ?? null));

interface GroupColumn {
  readonly label: string;
  readonly key: GroupOrder;
  readonly show: (row: GroupRow) => Content;
}

/** The measure of the bars, what it is of, and the other measures. */
function groupColumns(
  { collection, measure }: GroupsView,
  of: Field | undefined,
  all: GroupRow,
): readonly GroupColumn[] {
  const records: GroupColumn = { label: 'Records', key: 'count', show: (row: GroupRow) => numberText(row.records) };
  if (of === undefined) return [records];
  const column = (label: string, key: 'median' | 'mean' | 'min' | 'max', asText = numberValue): GroupColumn => ({
    label,
    key,
    show: ({ numbers }) => {
      const value = numbers?.[key] ?? null;
      return value === null ? html`&ndash;` : asText(collection, of, value);
    },
  });
  const [median, mean] = [column('Median', 'median', roundedValue), column('Mean', 'mean', roundedValue)];
  // The measures are those of the values, which not all records may have.
  const values: GroupColumn = {
    label: 'Values',
    key: 'count',
    show: (row) => html`${numberText(row.numbers?.count ?? 0)} <span class="soft">of ${numberText(row.records)}</span>`,
  };
  const counted = all.numbers?.count === all.records ? records : values;
  const first = {
    median: [median, counted, mean],
    mean: [mean, counted, median],
    count: [records, median, mean],
  };
  return [...first[measure], column('Lowest', 'min'), column('Highest', 'max')];
}

/** All records that the view finds, with what stands in place of a group's numbers. */
function allRecords({ model, collection, query, pairs }: GroupsView, of: Field | undefined): GroupRow {
  const conditions = new Conditions(collection, query);
  const chosenPairs = conditionsIn(pairs);
  const profile = of === undefined ? null : numberProfileOf(collection, of, conditions);
  return {
    value: null,
    name: chosenPairs.length === 0 ? `All ${separateWords(model.name)}` : 'All found',
    address: address(`/${model.name}`, chosenPairs),
    records: conditions.all?.count ?? collection.size,
    numbers: profile === null ? undefined : numbersOfAll(profile),
  };
}

const numbersOfAll = ({ valued, mean, quantiles }: NumberProfile): GroupNumbers => {
  const [min, median, max] = [0, 0.5, 1].map((share) => quantileAt(quantiles, share));
  return { count: valued, mean, min: min ?? null, median: median ?? null, max: max ?? null };
};

/** The bar of the earliest time. */
const LEAST_SHARE = 0.05;

/** The length of a bar, 1 for the longest of these amounts. */
function sharesOf(amounts: readonly number[], hasZero: boolean): (amount: number) => number {
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  const largest = Math.max(Math.abs(least), Math.abs(most)) || 1;
  return (amount) =>
    Math.min(
      1,
      hasZero
        ? Math.abs(amount) / largest
        : LEAST_SHARE + (1 - LEAST_SHARE) * (Math.max(0, amount - least) / (most - least || 1)),
    );
}

/** A bar, and a line at the length of that of all records. */
function barOf(share: number, mark: number | null, isPale: boolean): Html {
  const percent = (part: number): string => `${Math.round(part * 1000) / 10}%`;
  const line =
    mark !== null && html`<g class="median"><line x1="${percent(mark)}" x2="${percent(mark)}" y2="100%"/></g>`;
  return html`<svg aria-hidden="true"><rect class="some${isPale ? ' off' : ''}" width="${percent(Math.max(0.01, share))}" y="20%" height="60%"/>${line}</svg>`;
}
