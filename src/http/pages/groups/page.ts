/**
 * The HTML page of a field by another one, such as the median price by category: a bar for each group among the records that the
 * words and filters of its address find. Its parameters are those of the API's `stats`, and `view` for the measure.
 */
import * as v from 'valibot';
import { type CollectionModel, type Field, isList } from '../../../model.js';
import { Conditions } from '../../../query/conditions.js';
import { type Group, type GroupNumbers, groupedStats } from '../../../query/groups.js';
import { type Parameter, textParameters } from '../../../query/parameters.js';
import { numberParameter, textParameter } from '../../../query/request.js';
import type { Collection } from '../../../store/collection.js';
import { collectionIn } from '../../../store/dataset.js';
import { count } from '../../../text.js';
import { DEFAULT_VALUES, groupParameters } from '../../api/counts.js';
import { collectionTitle, labelOf, numberText, shortened, valueText, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { hasValues } from '../counting/offered-fields.js';
import { meanValue, medianValue, numberValue } from '../fields/number-value.js';
import { address, addressOfField, conditionsIn, narrowedAddress, type Pairs } from '../frame/address.js';
import { type NamedBar, namedBars } from '../frame/blocks.js';
import type { PageFrame } from '../frame/document.js';
import { conditionChips, FORM } from '../frame/toolbar.js';
import { viewConditions } from '../list/conditions.js';
import { createReader, pageFilterParameters, plainView, type View, type ViewReader } from '../list/view.js';
import { groupChoices, usualGrouping, usualMeasure } from './choices.js';

const measures = ['median', 'mean', 'count'] as const;
type GroupMeasure = (typeof measures)[number];

interface GroupsView extends View {
  readonly by: string | null;
  /** The number that is summed up; null for counts alone. */
  readonly of: string | null;
  readonly measure: GroupMeasure;
  readonly limit: number;
}

const measureParameter: Parameter = {
  name: 'view',
  description: 'what the bars show; the median if not given',
  expected: `one of ${measures.join(', ')}`,
  schema: v.picklist(measures),
};

export const createGroupsReader = (model: CollectionModel, maxLimit: number): ViewReader<GroupsView> =>
  createReader(
    [...groupParameters(model, maxLimit), measureParameter, ...textParameters, ...pageFilterParameters(model)],
    (pairs, dataset) => settledPairs(collectionIn(dataset, model), pairs),
    (dataset, values, pairs) => {
      const of = textParameter(values, 'fields')?.split(',')[0] ?? null;
      return {
        ...plainView(model, dataset, values, pairs),
        by: textParameter(values, 'by'),
        of,
        measure:
          of === null ? 'count' : (measures.find((measure) => measure === textParameter(values, 'view')) ?? 'median'),
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

/** Further bars are folded away. */
const SHOWN_BARS = 40;

export function groupsPage(view: GroupsView): PageFrame {
  const { model, collection, query, pairs, measure, limit } = view;
  const fieldNamed = (name: string | null): Field | undefined => model.fields.find((field) => field.name === name);
  const [by, of] = [fieldNamed(view.by), fieldNamed(view.of)];
  const name = collectionTitle(model.name);
  if (by === undefined || collection.size === 0) return nothingToGroup(view);
  const { groups, total } = groupedStats(collection, query, by.name, of === undefined ? [] : [of.name], limit);
  const matching = new Conditions(collection, query).all?.count ?? collection.size;
  const bars = barsOf(view, by, of, groups);
  const titleText = `${of === undefined || measure === 'count' ? name : `${measureTitle(measure)} ${labelOf(of)}`} by ${labelOf(by)}`;
  const [first, more] = [bars.slice(0, SHOWN_BARS), bars.slice(SHOWN_BARS)];
  const isPart = groups.length < total;
  const smallGroups = measure === 'count' ? 0 : groups.filter(({ count: records }) => records < FEW_RECORDS).length;
  const ordered = isPart
    ? `the ${numberText(groups.length)} largest of ${count(total, 'group')}`
    : count(total, 'group');
  return {
    title: html`${titleText} &ndash; ${name}`,
    current: model.name,
    kind: 'groups',
    main: html`<nav class="way row" aria-label="Way back"><a class="back" rel="up" href="${address(`/${model.name}`, conditionsIn(pairs))}">&larr; ${name}</a></nav>
<h1>${isolated(titleText)}</h1>
${askingForm(collection, { by, of, measure }, conditionsIn(pairs))}
${groupChips(view)}
<section class="block whole" aria-labelledby="groups"><header class="split"><h2 id="groups">${ordered}</h2><span class="count small">${count(matching, model.singular.toLowerCase())}${smallGroups > 0 && `; ${count(smallGroups, 'group')} of fewer than ${FEW_RECORDS}`}</span></header>
${namedBars(first)}
${more.length > 0 && html`<details><summary>${numberText(more.length)} more</summary>${namedBars(more)}</details>`}
</section>
${asTable(view, by, of, groups)}
${downloads(view, of)}`,
  };
}

const nothingToGroup = ({ model, pairs }: GroupsView): PageFrame => ({
  title: html`Groups &ndash; ${collectionTitle(model.name)}`,
  current: model.name,
  kind: 'error',
  main: html`<h1>No groups</h1><p>No field of ${model.name} has values that several records share, so there is nothing to group by.</p>
<ul class="row" role="list"><li><a class="button" href="${address(`/${model.name}`, conditionsIn(pairs))}">${collectionTitle(model.name)}</a></li></ul>`,
});

/** A median of fewer records says little of a group. */
const FEW_RECORDS = 10;

const measureTitle = (measure: GroupMeasure): string =>
  ({ median: 'Median', mean: 'Mean', count: 'Count of' })[measure];

interface Question {
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
)} of
${select('fields', 'Field', [['', 'records'], ...choices.measured.map(choiceOf)], of?.name ?? '')} by
${select('by', 'Group by', groupings.map(choiceOf), by.name)}
<button${isLive && html` class="apply"`}>${isLive ? 'Show' : 'Compare'}</button>
${(pairs ?? []).map(([parameter, value]) => html`<input type="hidden" name="${parameter}" value="${value}">`)}
</form>`;
}

type Choice = readonly [value: string, label: string];
const choiceOf = (field: Field): Choice => [field.name, labelOf(field)];

const select = (name: string, label: string, choices: readonly Choice[], chosen: string): Html =>
  html`<label><span class="vh">${label}</span><select name="${name}">${choices.map(([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`)}</select></label>`;

function groupChips(view: GroupsView): Content {
  const cleared = view.pairs.filter(([name]) => ['by', 'fields', 'view', 'limit'].includes(name));
  return conditionChips(`/${view.model.name}/stats`, view.pairs, viewConditions(view), cleared);
}

const groupNumbers = ({ fields }: Group, of: Field | undefined): GroupNumbers | undefined => fields.get(of?.name ?? '');

/** The number that a group's bar shows; null where none of its records has a number. */
function measureOf(group: Group, of: Field | undefined, measure: GroupMeasure): number | null {
  if (of === undefined || measure === 'count') return group.count;
  return groupNumbers(group, of)?.[measure] ?? null;
}

/** Times have no zero from which a bar could begin: the earliest one has a bar of this share. */
const LEAST_SHARE = 0.05;

function barsOf(view: GroupsView, by: Field, of: Field | undefined, groups: readonly Group[]): readonly NamedBar[] {
  const { measure } = view;
  const measured = groups.map((group) => ({ group, amount: measureOf(group, of, measure) }));
  const sorted = measured.toSorted(
    (a, b) => (b.amount ?? Number.NEGATIVE_INFINITY) - (a.amount ?? Number.NEGATIVE_INFINITY),
  );
  const amounts = measured.flatMap(({ amount }) => amount ?? []);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  const isTime = of?.kind === 'date' && measure !== 'count';
  const largest = Math.max(Math.abs(least), Math.abs(most)) || 1;
  const shareOf = (amount: number): number =>
    isTime ? LEAST_SHARE + (1 - LEAST_SHARE) * ((amount - least) / (most - least || 1)) : Math.abs(amount) / largest;
  return sorted.map(({ group, amount }) => ({
    name: groupName(by, group),
    address: groupAddress(view, by, group),
    share: amount === null ? null : shareOf(amount),
    figure: html`<b>${groupAmount(view, of, amount)}</b>${measure === 'count' ? null : html` <span class="records">${count(group.count, view.model.singular.toLowerCase())}</span>`}`,
  }));
}

const GROUP_CHARACTERS = 160;

const groupName = (by: Field, { value }: Group): Content =>
  value === null ? `without ${labelOf(by)}` : isolated(shortened(valueText(by, value), GROUP_CHARACTERS));

/** The list of a group's records; null where no address finds these alone. */
function groupAddress({ model, pairs }: GroupsView, by: Field, { value }: Group): string | null {
  if (value === null) return address(`/${model.name}`, [...conditionsIn(pairs), ['missing', by.name]]);
  const parameter = by.filter?.kind === 'value' ? by.filter.parameter : by.name;
  return narrowedAddress(model.name, pairs, [parameter, value], isList(by.kind));
}

function groupAmount({ collection, measure }: GroupsView, of: Field | undefined, amount: number | null): Content {
  if (amount === null) return html`&ndash;`;
  if (of === undefined || measure === 'count') return numberText(amount);
  return (measure === 'mean' ? meanValue : medianValue)(collection, of, amount);
}

/** All measures of the groups, the largest groups first as in the API. */
function asTable(view: GroupsView, by: Field, of: Field | undefined, groups: readonly Group[]): Content {
  const { collection } = view;
  if (of === undefined || !hasValues(collection, of)) return null;
  const columns = ['Records', `With ${labelOf(of)}`, 'Lowest', 'Median', 'Mean', 'Highest'];
  const cell = (content: Content, label: string): Html =>
    html`<td role="cell" class="number" data-label="${label}">${content}</td>`;
  const value = (number: number | null | undefined, show = numberValue): Content =>
    number === null || number === undefined ? html`&ndash;` : show(collection, of, number);
  const rows = groups.map((group) => {
    const numbers = groupNumbers(group, of);
    const cells = [
      numberText(group.count),
      numberText(numbers?.count ?? 0),
      value(numbers?.min),
      value(numbers?.median, medianValue),
      value(numbers?.mean, meanValue),
      value(numbers?.max),
    ];
    return html`<tr role="row"><th role="rowheader" scope="row">${groupName(by, group)}</th>${cells.map((content, i) => cell(content, columns[i] ?? ''))}</tr>`;
  });
  return html`<details class="block whole" id="table"><summary>As a table</summary>
<table role="table" aria-label="${labelOf(of)} by ${labelOf(by)}"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${isolated(labelOf(by))}</th>${columns.map((column) => html`<th role="columnheader" scope="col" class="number">${isolated(column)}</th>`)}</tr></thead><tbody role="rowgroup">${rows}</tbody></table></details>`;
}

/** The groups as files, and as the API has them. */
function downloads({ model, pairs }: GroupsView, of: Field | undefined): Html {
  const shared = pairs.filter(([name]) => name !== 'view');
  const file = (format: string): Html =>
    html`<a class="button" href="${address(`/api/export/${model.name}/stats`, [...shared, ['format', format]])}" download="${model.name}.${format}">${format.toUpperCase()}</a>`;
  const field =
    of &&
    html` <a class="button" href="${addressOfField(model.name, of.name, pairs)}">All about ${isolated(wordsOf(of))}</a>`;
  return html`<p class="row"><span class="soft">Download</span>${file('csv')}${file('json')}<a class="button" href="${address(`/api/${model.name}/stats`, shared)}">API</a>${field}</p>`;
}
