/**
 * The filters of a list, one for each filtered field of the model: a range with its histogram, or the most
 * frequent values with their counts and a field for any other. Plain form fields of the search form: without a script
 * they are applied by its button.
 */
import type { Field } from '../../../model.js';
import type { QueryFilter } from '../../../query/query.js';
import { codeOfValue, valueAt } from '../../../store/value-index.js';
import { count, fold } from '../../../text.js';
import { axisText, dayOf, isNumeric, labelOf, numberText, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { percentEncode } from '../../semantics/percent.js';
import type { Distribution, Frequencies, Shape } from '../counting/shape.js';
import type { Pairs } from '../frame/address.js';
import { FORM } from '../frame/toolbar.js';
import { boundsOf, histogram, type Range, scaleNote, ticks } from './histogram.js';
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
<div class="groups">
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
<legend>${labelOf(field)}</legend>
${match === undefined || chosen.length < 2 ? null : matchChoice(match, filter?.match === 'all')}
<ul>${first}</ul>
${more.length > 0 ? html`<details class="more" id="more-${parameter}"><summary>${more.length} more</summary><ul>${more}</ul></details>` : null}
${
  distinct > all.length
    ? html`<input type="text" form="${FORM}" name="${parameter}" id="other-${parameter}" class="other" data-completes="${parameter}" aria-label="Another ${wordsOf(parameter)}" placeholder="Another of ${numberText(distinct)} &hellip;" autocomplete="off">`
    : null
}
</fieldset>`;
}

/** Whether records need all of the values that are chosen. */
const matchChoice = (match: string, isAll: boolean): Html =>
  html`<p class="match"><input type="checkbox" form="${FORM}" id="${match}" name="${match}" value="all"${isAll ? html` checked` : null}><label for="${match}">All chosen together</label></p>`;

/** As the collection spells it, whatever the address does. */
function spelling({ collection }: View, field: Field, value: string): string {
  const index = collection.values.get(field.name);
  const code = index === undefined ? -1 : codeOfValue(index, value);
  return index === undefined || code < 0 ? value : valueAt(index, code);
}

function rangeGroup(view: View, { field, binning, counts }: Distribution): Content {
  if (field.filter?.kind !== 'range') return null;
  const { bins, lowest, highest, decimals } = binning;
  const label = labelOf(field);
  const text = (value: number): string => axisText(field.kind, value, decimals);
  if (bins.length < 2) {
    return html`<fieldset class="range" id="by-${field.name}"><legend>${label}</legend><p class="constant">Always ${text(lowest)}</p></fieldset>`;
  }
  const range = filterOf(view, field, 'range') ?? null;
  const bound = (name: string, side: string, value: number | undefined, end: number): Html => {
    const asked = given(view.pairs, name);
    return boundField(name, inputType(field, asked), inputText(field, asked, value), text(end), `${label} ${side}`);
  };
  return rangeFieldset({
    field,
    binning,
    counts,
    range,
    legend: label,
    ends:
      field.kind === 'date'
        ? html`<p class="ends"><span>${dayOf(lowest)}</span><span>${dayOf(highest)}</span></p>`
        : null,
    from: bound(field.filter.min, 'from', range?.min, lowest),
    to: bound(field.filter.max, 'to', range?.max, highest),
  });
}

const boundField = (name: string, type: Html, value: string, placeholder: string, label: string): Html =>
  html`<input ${type} form="${FORM}" id="${name}" name="${name}" value="${value}" placeholder="${placeholder}" aria-label="${label}" autocomplete="off">`;

interface RangeFieldset extends Distribution {
  readonly range: Range | null;
  readonly legend: string;
  readonly ends: Content;
  /** The fields of its bounds. */
  readonly from: Html;
  readonly to: Html;
}

function rangeFieldset({ field, binning, counts, range, legend, ends, from, to }: RangeFieldset): Html {
  const { bins } = binning;
  const slider = (id: string, side: string, label: string, bin: number): Html =>
    html`<input type="range" class="slider" data-side="${side}" id="${id}-${field.name}" min="0" max="${bins.length - 1}" value="${bin}" aria-label="${label} ${wordsOf(field.name)}" hidden>`;
  return html`<fieldset class="range" id="by-${field.name}" ${boundsOf(binning)}>
<legend>${legend}${scaleNote(binning, counts)}</legend>
<div class="plot">
${histogram(field, binning, counts, range, `shape-${field.name}`)}
${slider('least', 'min', 'Lowest', range === null ? 0 : binAt(bins, range.min))}
${slider('most', 'max', 'Highest', range === null ? bins.length - 1 : binAt(bins, range.max))}
</div>
${ticks(binning)}
${ends}
<div class="bounds">${from}<span aria-hidden="true">&ndash;</span>${to}</div>
</fieldset>`;
}

/** By how many percent a number changed; `pairs` hold the bounds as the address gives them. */
export function percentGroup(shown: Distribution, range: Range | null, pairs: Pairs): Html {
  const { field, binning } = shown;
  const legend = `${labelOf(field)}, change in percent`;
  const bound = (name: string, side: string, end: number): Html =>
    boundField(name, NUMBER_INPUT, given(pairs, name), numberText(end), `${legend} ${side}`);
  const from = bound('minPercent', 'from', binning.lowest);
  const to = bound('maxPercent', 'to', binning.highest);
  return rangeFieldset({ ...shown, range, legend, ends: null, from, to });
}

const given = (pairs: Pairs, name: string): string => pairs.find((pair) => pair[0] === name)?.[1] ?? '';

function binAt(bins: Distribution['binning']['bins'], value: number): number {
  const at = bins.findIndex((bin) => value < bin.to);
  return at < 0 ? bins.length - 1 : at;
}

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
