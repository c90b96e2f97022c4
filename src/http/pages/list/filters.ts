/**
 * The filters of a list, one for each filtered field of the model: a range with its histogram, or the most
 * frequent values with their counts and a field for any other. Plain form fields of the search form: without a script
 * they are applied by its button.
 */
import type { Field } from '../../../model.js';
import type { QueryFilter } from '../../../query/query.js';
import { codeOfValue, valueAt } from '../../../store/value-index.js';
import { count, fold } from '../../../text.js';
import { axisText, dayOf, isNumeric, labelOf, numberText, withArticle, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { percentEncode } from '../../semantics/percent.js';
import { chart } from '../chart/chart.js';
import { type DistributionChart, distributionChart, type Range } from '../chart/distribution-chart.js';
import type { Distribution, Frequencies, Shape } from '../counting/shape.js';
import { address, type Pairs, withValue } from '../frame/address.js';
import { FORM } from '../frame/toolbar.js';
import type { View } from './view.js';

/** Values shown before one asks for more; those that are chosen are shown besides. */
const VALUES_SHOWN_FIRST = 8;

/** `total` is how many records match: on a narrow screen the panel is a sheet, and the button that closes it says so. */
export function filterPanel(view: View, shape: Shape, total: number): Html {
  const { distributions, frequencies } = shape;
  return panel(
    view.query.filters.length,
    html`${frequencies.filter(({ field }) => field.facetLimit === undefined).map((one) => valueGroup(view, one))}
${distributions.map((one) => rangeGroup(view, one))}
${frequencies.filter(({ field }) => field.facetLimit !== undefined).map((one) => valueGroup(view, one))}`,
    html`
<button type="button" class="close" data-close="filters" hidden>Show ${count(total, view.model.singular.toLowerCase())}</button>`,
  );
}

/** `active` is how many filters apply. */
export const panel = (active: number, groups: Html, behind: Content = null): Html =>
  html`<details class="filters" id="filters">
<summary>Filters${active > 0 ? html` <span class="badge">${active}</span>` : null}</summary>
<div class="groups" aria-label="Filters">
<p class="sheet-head"><strong>Filters</strong><button type="button" data-close="filters" aria-label="Close the filters">&times;</button></p>
${groups}
<button class="apply" form="${FORM}">Apply filters</button>${behind}
</div>
</details>`;

interface Option {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly label: Content;
  /** How many records it would leave; null where that is not known. */
  readonly records: number | null;
  readonly isChosen: boolean;
}

/** A value to choose. */
export const optionItem = ({ id, name, value, label, records, isChosen }: Option): Html =>
  html`<li><input type="checkbox" form="${FORM}" id="${id}" name="${name}" value="${value}"${isChosen ? html` checked` : null}><label for="${id}"><span class="name">${label}</span>${records === null ? null : html` <span class="count">${numberText(records)}</span>`}</label></li>`;

const filterOf = <Kind extends QueryFilter['kind']>(view: View, field: Field, kind: Kind) =>
  view.query.filters.find(
    (filter): filter is QueryFilter & { kind: Kind } => filter.field === field.name && filter.kind === kind,
  );

function valueGroup(view: View, { field, values, distinct, isRepeated }: Frequencies): Content {
  if (field.filter?.kind !== 'value' || distinct === 0) return null;
  const { parameter, match } = field.filter;
  const filter = filterOf(view, field, 'value');
  const chosen = filter?.values ?? [];
  if (values.length === 0 && chosen.length === 0) return null;
  const folded = new Set(chosen.map(fold));
  const isChosen = (name: string): boolean => folded.has(fold(name));
  const offeredNames = new Set(values.map(({ name }) => fold(name)));
  const others = chosen
    .filter((one) => !offeredNames.has(fold(one)))
    .map((name) => ({ name: spelling(view, field, name), count: null }));
  // Values that one record each has are no choice to offer.
  const offered = isRepeated || distinct <= VALUES_SHOWN_FIRST ? values : values.filter(({ name }) => isChosen(name));
  const all = [...others, ...offered];
  const index = view.collection.values.get(field.name);
  const option = ({ name: value, count: records }: { name: string; count: number | null }): Html => {
    // Named by its value and not by its place, which choosing it changes: the focus stays with the value.
    const code = index === undefined ? -1 : codeOfValue(index, value);
    const id = `${parameter}-${code < 0 ? percentEncode(value) : code}`;
    return optionItem({ id, name: parameter, value, label: isolated(value), records, isChosen: isChosen(value) });
  };
  const isFirst = ({ name }: { name: string }, i: number): boolean => i < VALUES_SHOWN_FIRST || isChosen(name);
  const options = all.map((value, i) => ({ isFirst: isFirst(value, i), item: option(value) }));
  const first = options.filter((each) => each.isFirst).map(({ item }) => item);
  const more = options.filter((each) => !each.isFirst).map(({ item }) => item);
  return html`<fieldset class="values" id="by-${parameter}">
<legend>${field.kind === 'url' ? labelOf({ name: parameter }) : labelOf(field)}</legend>
${match === undefined || chosen.length < 2 ? null : matchChoice(match, filter?.match === 'all', field.facet ?? field.name)}
<ul>${first}</ul>
${more.length > 0 ? html`<details class="more" id="more-${parameter}"><summary>${more.length} more</summary><ul>${more}</ul></details>` : null}
${
  distinct > all.length
    ? html`<input type="text" form="${FORM}" name="${parameter}" id="other-${parameter}" class="other" data-completes="${parameter}" aria-label="Find ${withArticle(wordsOf(parameter))}" placeholder="Find ${withArticle(wordsOf(parameter))} (${numberText(distinct)})" autocomplete="off">`
    : null
}
</fieldset>`;
}

/** Whether records need all of the values that are chosen. */
const matchChoice = (match: string, isAll: boolean, noun: string): Html =>
  html`<p class="match"><input type="checkbox" form="${FORM}" id="${match}" name="${match}" value="all"${isAll ? html` checked` : null}><label for="${match}">Match all ${noun}</label></p>`;

/** As the collection spells it, whatever the address does. */
function spelling({ collection }: View, field: Field, value: string): string {
  const index = collection.values.get(field.name);
  const code = index === undefined ? -1 : codeOfValue(index, value);
  return index === undefined || code < 0 ? value : valueAt(index, code);
}

function rangeGroup(view: View, shown: Distribution): Content {
  const { field, binning } = shown;
  if (field.filter?.kind !== 'range') return null;
  const { min, max } = field.filter;
  const { bins, lowest, highest, decimals } = binning;
  const label = labelOf(field);
  const text = (value: number): string => axisText(field.kind, value, decimals);
  if (bins.length < 2) {
    return html`<fieldset class="range" id="by-${field.name}"><legend>${label}</legend><p class="soft">Always ${text(lowest)}</p></fieldset>`;
  }
  const range = filterOf(view, field, 'range') ?? null;
  const bound = (name: string, side: string, value: number | undefined, end: number): Html => {
    const asked = given(view.pairs, name);
    return boundField(name, inputType(field, asked), inputText(field, asked, value), text(end), `${label} ${side}`);
  };
  return rangeFieldset(shown, {
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
  /** The fields of its bounds. */
  readonly from: Html;
  readonly to: Html;
  readonly classOf?: DistributionChart['classOf'];
}

/** Pixels of the highest bar beside a list. */
const CHART_HEIGHT = 52;

function rangeFieldset(shown: Distribution, { legend, range, linked, from, to, classOf }: RangeFieldset): Html {
  const { name } = shown.field;
  const drawn = distributionChart(shown, {
    id: `shape-${name}`,
    height: CHART_HEIGHT,
    range,
    linked,
    hasMedian: false,
    ...(classOf && { classOf }),
  });
  const isPart = drawn.bars.some(({ found, all }) => found < all);
  return html`<fieldset class="range" id="by-${name}">
<legend>${legend}${isPart ? html` <span class="key"><i class="some"></i>found <i class="all"></i>all</span>` : null}</legend>
${chart(drawn)}
<div class="bounds">${from}<span aria-hidden="true">&ndash;</span>${to}</div>
${range !== null && range.min > range.max ? invertedNote(linked) : null}
</fieldset>`;
}

/** The lower bound is the higher one: what is wrong stands beside the fields, and the way to mend it. */
function invertedNote({ path, pairs, min, max }: RangeFieldset['linked']): Html {
  const swapped = withValue(withValue(pairs, min, given(pairs, max)), max, given(pairs, min));
  return html`<p class="warning" role="alert">The first is above the second. <a href="${address(path, swapped)}">Swap them</a></p>`;
}

/** By how many percent a number changed; `pairs` hold the bounds as the address gives them. */
export function percentGroup(shown: Distribution, range: Range | null, path: string, pairs: Pairs): Html {
  const { field, binning } = shown;
  const legend = `${labelOf(field)}, change in percent`;
  const bound = (name: string, side: string, end: number): Html =>
    boundField(name, NUMBER_INPUT, given(pairs, name), numberText(end), `${legend} ${side}`);
  const [min, max] = ['minPercent', 'maxPercent'];
  return rangeFieldset(shown, {
    legend,
    range,
    linked: { path, pairs: withValue(pairs, 'field', field.name), min, max },
    from: bound(min, 'from', binning.lowest),
    to: bound(max, 'to', binning.highest),
    classOf: (from) => (from < 0 === (field.role === 'price') ? 'good' : 'bad'),
  });
}

const given = (pairs: Pairs, name: string): string => pairs.find((pair) => pair[0] === name)?.[1] ?? '';

/** A date that the address gives to the second would not fit a field for days. */
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
