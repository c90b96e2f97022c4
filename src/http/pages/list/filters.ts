/**
 * The filters of a list, one for each filtered field: a range with its histogram, or the most frequent values with their
 * counts and a box for any other. They are fields of the search form, whose button applies them without a script.
 */
import { type Field, isNumeric } from '../../../model.js';
import type { ValueCount } from '../../../query/counter.js';
import type { QueryFilter } from '../../../query/query.js';
import type { Collection } from '../../../store/collection.js';
import { codeOfValue, valueAt } from '../../../store/value-index.js';
import { count, fold } from '../../../text.js';
import { dayOf, labelOf, numberText, valueText, withArticle, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { keptIn, memoize } from '../../memoize.js';
import { percentEncode } from '../../semantics/percent.js';
import { toneOf } from '../changes/figures.js';
import { chart } from '../chart/chart.js';
import { type DistributionChart, distributionChart, type Range } from '../chart/distribution-chart.js';
import { fieldsToCount } from '../counting/offered-fields.js';
import { biggestValues, type Distribution, type Frequencies, type Shape } from '../counting/shape.js';
import { address, type Pairs, withValue } from '../frame/address.js';
import { FORM } from '../frame/toolbar.js';
import type { View } from './view.js';

/** Values that are shown first, besides the chosen ones; the others are folded away. */
const VALUES_SHOWN_FIRST = 8;

/** The panel of filters. `total` stands on the button that closes it, as on a narrow screen the panel covers the list. */
export function filterPanel(view: View, shape: Shape, total: number): Html {
  const { main, more } = fieldsToCount(view.collection, view.query.filters);
  const groups = new Map([
    ...shape.frequencies.map((one) => [one.field, valueGroup(view, one, main.includes(one.field))] as const),
    ...shape.distributions.map((one) => [one.field, rangeGroup(view, one)] as const),
  ]);
  const groupsOf = (fields: readonly Field[]): readonly Content[] => fields.map((field) => groups.get(field) ?? null);
  const isRange = ({ filter }: Field): boolean => filter?.kind === 'range';
  const isShort = (field: Field): boolean => !isRange(field) && field.facetLimit === undefined;
  return panel(
    view.query.filters.length,
    html`${groupsOf(main.filter(isShort))}
${groupsOf(main.filter(isRange))}
${groupsOf(main.filter((field) => !isRange(field) && !isShort(field)))}
${moreFields(
  groupsOf(more).filter((group) => group !== null),
  more.some(isUsedIn(view)),
)}`,
    html`
<button type="button" class="close main" data-close="filters">Show ${count(total, view.model.singular.toLowerCase())}</button>`,
  );
}

/** `active` is the number of active filters. */
export const panel = (active: number, groups: Html, behind: Content = null): Html =>
  html`<details class="filters panel side" id="filters">
<summary>Filters${active > 0 ? html` <span class="pill">${active}</span>` : null}</summary>
<div class="groups cells" aria-label="Filters">
<p class="sheet-head split"><strong>Filters</strong><button type="button" data-close="filters" aria-label="Close the filters">&times;</button></p>
${groups}
<button class="apply main" form="${FORM}">Apply filters</button>${behind}
</div>
</details>`;

const isUsedIn =
  ({ query }: View) =>
  ({ name }: Field): boolean =>
    query.filters.some(({ field }) => field === name);

/** The filters of further fields, open while one of them is used. */
function moreFields(groups: readonly Content[], isOpen: boolean): Content {
  if (groups.length === 0) return null;
  return html`<details class="more-fields" id="more-fields"${isOpen ? html` open` : null}><summary>More fields <span class="count">${groups.length}</span></summary><div class="stack">${groups}</div></details>`;
}

interface Option {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly label: Content;
  /** The number of records with this value. */
  readonly records: number;
  readonly isChosen: boolean;
}

/** A value with its checkbox. */
export const optionItem = ({ id, name, value, label, records, isChosen }: Option): Html =>
  html`<li class="beside"><input type="checkbox" form="${FORM}" id="${id}" name="${name}" value="${value}"${isChosen ? html` checked` : null}><label class="split" for="${id}"><span class="name">${label}</span> <span class="count">${numberText(records)}</span></label></li>`;

const filterOf = <Kind extends QueryFilter['kind']>(view: View, field: Field, kind: Kind) =>
  view.query.filters.find(
    (filter): filter is QueryFilter & { kind: Kind } => filter.field === field.name && filter.kind === kind,
  );

/** The values behind the first are folded away for a main field; for any other field, only the box finds them. */
function valueGroup(
  view: View,
  { field, values: allValues, chosen: chosenCounts, distinct, isRepeated }: Frequencies,
  isMain: boolean,
): Content {
  if (field.filter?.kind !== 'value' || distinct === 0) return null;
  const values = isMain ? allValues : allValues.slice(0, VALUES_SHOWN_FIRST);
  const { parameter, match } = field.filter;
  const filter = filterOf(view, field, 'value');
  const chosen = filter?.values ?? [];
  if (values.length === 0 && chosen.length === 0) return null;
  const folded = new Set(chosen.map(fold));
  const isChosen = (name: string): boolean => folded.has(fold(name));
  const offeredNames = new Set(values.map(({ name }) => fold(name)));
  const index = view.collection.values.get(field.name);
  const codeOf = (name: string): number => (index === undefined ? -1 : codeOfValue(index, name));
  const chosenOthers = chosen
    .filter((one) => !offeredNames.has(fold(one)))
    .map((name) => {
      const code = codeOf(name);
      // The address may differ from the collection's spelling in case.
      const isKnown = index !== undefined && code >= 0;
      return { name: isKnown ? valueAt(index, code) : name, count: chosenCounts.get(code) ?? 0 };
    });
  // Values that occur in one record each are not offered.
  const offeredValues =
    isRepeated || distinct <= VALUES_SHOWN_FIRST ? values : values.filter(({ name }) => isChosen(name));
  const all = [...chosenOthers, ...offeredValues];
  const option = ({ name: value, count: records }: ValueCount): Html => {
    // The id depends on the value, and not on its position, which changes when it is chosen: so the focus stays.
    const code = codeOf(value);
    const id = `${parameter}-${code < 0 ? percentEncode(value) : code}`;
    return optionItem({
      id,
      name: parameter,
      value,
      label: isolated(valueText(field, value)),
      records,
      isChosen: isChosen(value),
    });
  };
  const isFirst = ({ name }: { name: string }, i: number): boolean => i < VALUES_SHOWN_FIRST || isChosen(name);
  const options = all.map((value, i) => ({ isFirst: isFirst(value, i), item: option(value) }));
  const first = options.filter((each) => each.isFirst).map(({ item }) => item);
  const more = options.filter((each) => !each.isFirst).map(({ item }) => item);
  return html`<fieldset class="values" id="by-${parameter}">
<legend>${field.kind === 'url' ? labelOf({ name: parameter }) : labelOf(field)}</legend>
${match === undefined || chosen.length < 2 ? null : matchChoice(match, filter?.match === 'all', field.facet ?? field.name)}
<ul>${first}</ul>
${more.length > 0 ? html`<details id="more-${parameter}"><summary>${more.length} more</summary><ul>${more}</ul></details>` : null}
${
  distinct > all.length
    ? html`${isMain ? valueList(view.collection, field, parameter) : null}<input type="text" form="${FORM}" name="${parameter}" id="other-${parameter}" class="other"${isMain ? html` list="values-${parameter}"` : null} data-completes="${parameter}" aria-label="Find ${withArticle(wordsOf(parameter))}" placeholder="Find ${withArticle(wordsOf(parameter))} (${numberText(distinct)})" autocomplete="off">`
    : null
}
</fieldset>`;
}

const LISTED_VALUES = 100;

const valueLists = memoize((_ids: Collection['ids']) => new Map<string, Html>());

/** The biggest values of a field, which a browser without the script offers as completions. */
const valueList = (collection: Collection, field: Field, parameter: string): Html =>
  keptIn(valueLists(collection.ids), field.name, () => {
    const options = biggestValues(collection, field, LISTED_VALUES).map(({ name }) => html`<option value="${name}">`);
    return html`<datalist id="values-${parameter}">${options}</datalist>`;
  });

/** The checkbox for records with all chosen values. */
const matchChoice = (match: string, isAll: boolean, noun: string): Html =>
  html`<p class="match beside"><input type="checkbox" form="${FORM}" id="${match}" name="${match}" value="all"${isAll ? html` checked` : null}><label for="${match}">Match all ${noun}</label></p>`;

function rangeGroup(view: View, distribution: Distribution): Content {
  const { field, binning } = distribution;
  if (field.filter?.kind !== 'range') return null;
  const { min, max } = field.filter;
  const { bins, lowest, highest, textOf } = binning;
  const label = labelOf(field);
  if (bins.length < 2) {
    return html`<fieldset class="range" id="by-${field.name}"><legend>${label}</legend><p class="soft">Always ${textOf(lowest)}</p></fieldset>`;
  }
  const range = filterOf(view, field, 'range') ?? null;
  const bound = (name: string, side: string, value: number | undefined, end: number): Html => {
    const boundText = valueIn(view.pairs, name);
    return boundField(
      name,
      inputType(field, boundText),
      inputText(field, boundText, value),
      textOf(end),
      `${label} ${side}`,
    );
  };
  return rangeFieldset(distribution, {
    legend: label,
    range,
    linked: { path: `/${view.model.name}`, pairs: view.pairs, min, max },
    from: bound(min, 'from', range?.min, lowest),
    to: bound(max, 'to', range?.max, highest),
  });
}

const boundField = (name: string, type: Html, value: string, placeholder: string, label: string): Html =>
  html`<input ${type} form="${FORM}" id="${name}" name="${name}" value="${value}" placeholder="${placeholder}" aria-label="${label}" autocomplete="off">`;

interface RangeFieldset {
  readonly legend: string;
  readonly range: Range | null;
  readonly linked: NonNullable<DistributionChart['linked']>;
  /** The input fields of the bounds. */
  readonly from: Html;
  readonly to: Html;
  readonly classOf?: DistributionChart['classOf'];
}

/** Pixels of the highest bar. */
const CHART_HEIGHT = 52;

function rangeFieldset(distribution: Distribution, { legend, range, linked, from, to, classOf }: RangeFieldset): Html {
  const { name } = distribution.field;
  const chartData = distributionChart(distribution, {
    id: `shape-${name}`,
    height: CHART_HEIGHT,
    range,
    linked,
    hasMedian: false,
    maxDates: 5,
    ...(classOf && { classOf }),
  });
  const isPart = chartData.bars.some(({ found, all }) => found < all);
  return html`<fieldset class="range" id="by-${name}">
<legend>${legend}${isPart ? html` <span class="key count small"><i class="some"></i>found <i class="all"></i>all</span>` : null}</legend>
${chart(chartData)}
<div class="bounds row">${from}<span aria-hidden="true">&ndash;</span>${to}</div>
${range !== null && range.min > range.max ? invertedNote(linked) : null}
</fieldset>`;
}

/** A note beside bounds in the wrong order, with a link that swaps them. */
function invertedNote({ path, pairs, min, max }: RangeFieldset['linked']): Html {
  const swapped = withValue(withValue(pairs, min, valueIn(pairs, max)), max, valueIn(pairs, min));
  return html`<p class="warning" role="alert">The first is above the second. <a href="${address(path, swapped)}">Swap them</a></p>`;
}

/** The filter by percentage of change; `pairs` hold the bounds as the address has them. */
export function percentGroup(distribution: Distribution, range: Range | null, path: string, pairs: Pairs): Html {
  const { field, binning } = distribution;
  const legend = `${labelOf(field)}, change in percent`;
  const bound = (name: string, side: string, end: number): Html =>
    boundField(name, NUMBER_INPUT, valueIn(pairs, name), numberText(end), `${legend} ${side}`);
  const [min, max] = ['minPercent', 'maxPercent'];
  return rangeFieldset(distribution, {
    legend,
    range,
    linked: { path, pairs: withValue(pairs, 'field', field.name), min, max },
    from: bound(min, 'from', binning.lowest),
    to: bound(max, 'to', binning.highest),
    classOf: (from) => toneOf(field.role, from < 0 ? 'down' : 'up'),
  });
}

const valueIn = (pairs: Pairs, name: string): string => pairs.find((pair) => pair[0] === name)?.[1] ?? '';

/** Whether a date has a time, which an input for days could not show. */
const isExact = (text: string): boolean => /\d[T ]\d/.test(text);

const NUMBER_INPUT = html`type="number" step="any" inputmode="decimal"`;

function inputType({ kind }: Field, text: string): Html {
  if (kind === 'date') return isExact(text) ? html`type="text"` : html`type="date"`;
  return isNumeric(kind) ? NUMBER_INPUT : html`type="text"`;
}

function inputText({ kind }: Field, text: string, value: number | undefined): string {
  if (text === '' || value === undefined || kind !== 'date' || isExact(text)) return text;
  return dayOf(value);
}
