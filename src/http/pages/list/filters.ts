/**
 * The filters of a list, one for each filtered field of the model: a range with its histogram, or the most
 * frequent values with their counts and a field for any other. Plain form fields of the search form: without a script
 * they are applied by its button.
 */
import type { Field } from '../../../model.js';
import type { QueryFilter } from '../../../query/query.js';
import { codeOfValue, valueAt } from '../../../store/value-index.js';
import { count, fold } from '../../../text.js';
import { percentEncode } from '../../semantics/percent.js';
import { dayOf } from '../counting/date-edges.js';
import type { Distribution, Frequencies, Shape } from '../counting/shape.js';
import { axisText, isNumeric, labelOf, numberText, wordsOf } from '../frame/format.js';
import { type Content, type Html, html, isolated } from '../frame/html.js';
import { FORM } from '../frame/toolbar.js';
import { boundsOf, histogram, type Range, scaleNote, ticks } from './histogram.js';
import type { View } from './view.js';

/** Values shown before one asks for more; those that are chosen are shown besides. */
const VALUES_SHOWN_FIRST = 8;

/** `total` is how many records match: on a narrow screen the panel is a sheet, and the button that closes it says so. */
export function filterPanel(view: View, shape: Shape, total: number): Html {
  const active = view.query.filters.length;
  return html`<details class="filters" id="filters">
<summary>Filters${active > 0 ? html` <span class="badge">${active}</span>` : null}</summary>
<div class="groups">
${shape.frequencies.filter(({ field }) => field.facetLimit === undefined).map((one) => valueGroup(view, one))}
${shape.distributions.map((one) => rangeGroup(view, one))}
${shape.frequencies.filter(({ field }) => field.facetLimit !== undefined).map((one) => valueGroup(view, one))}
<button class="apply" form="${FORM}">Apply filters</button>
<button type="button" class="close" data-close="filters" hidden>Show ${count(total, view.model.singular.toLowerCase())}</button>
</div>
</details>`;
}

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
  const option = ({ name, count: records }: { name: string; count: number | null }): Html => {
    // Named by its value and not by its place, which choosing it changes: the focus stays with the value.
    const code = index === undefined ? -1 : codeOfValue(index, name);
    const id = `${parameter}-${code < 0 ? percentEncode(name) : code}`;
    return html`<li><input type="checkbox" form="${FORM}" id="${id}" name="${parameter}" value="${name}"${isChosen(name) ? html` checked` : null}><label for="${id}"><span class="name">${isolated(name)}</span>${records === null ? null : html` <span class="count">${numberText(records)}</span>`}</label></li>`;
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
  const { min, max } = field.filter;
  const { bins, lowest, highest, decimals } = binning;
  const label = labelOf(field);
  const range = filterOf(view, field, 'range') ?? null;
  const texts = { min: given(view, min), max: given(view, max) };
  const bound = (side: 'min' | 'max', name: string): Html => {
    const text = texts[side];
    const placeholder = axisText(field.kind, side === 'min' ? lowest : highest, decimals);
    return html`<input ${inputType(field, text)} form="${FORM}" id="${name}" name="${name}" value="${inputText(field, text, range?.[side])}" placeholder="${placeholder}" aria-label="${label} ${side === 'min' ? 'from' : 'to'}" autocomplete="off">`;
  };
  if (bins.length < 2) {
    return html`<fieldset class="range" id="by-${field.name}"><legend>${label}</legend><p class="constant">Always ${axisText(field.kind, lowest, decimals)}</p></fieldset>`;
  }
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
    bounds: [bound('min', min), bound('max', max)],
  });
}

interface RangeFieldset extends Distribution {
  readonly range: Range | null;
  readonly legend: string;
  readonly ends: Content;
  readonly bounds: readonly [Html, Html];
}

function rangeFieldset({ field, binning, counts, range, legend, ends, bounds: [from, to] }: RangeFieldset): Html {
  const { bins } = binning;
  return html`<fieldset class="range" id="by-${field.name}" ${boundsOf(binning)}>
<legend>${legend}${scaleNote(binning, counts)}</legend>
<div class="plot">
${histogram(field, binning, counts, range, `shape-${field.name}`)}
<input type="range" class="slider" data-side="min" id="least-${field.name}" min="0" max="${bins.length - 1}" value="${range === null ? 0 : binAt(bins, range.min)}" aria-label="Lowest ${wordsOf(field.name)}" hidden>
<input type="range" class="slider" data-side="max" id="most-${field.name}" min="0" max="${bins.length - 1}" value="${range === null ? bins.length - 1 : binAt(bins, range.max)}" aria-label="Highest ${wordsOf(field.name)}" hidden>
</div>
${ticks(binning)}
${ends}
<div class="bounds">${from}<span aria-hidden="true">&ndash;</span>${to}</div>
</fieldset>`;
}

/** By how many percent a number changed. */
export interface Percentages extends Distribution {
  readonly range: Range | null;
  /** The bounds as the address gives them. */
  readonly min: string;
  readonly max: string;
}

export function percentGroup({ min, max, ...shown }: Percentages): Html {
  const { field, binning } = shown;
  const legend = `${labelOf(field)}, change in percent`;
  const bound = (name: string, side: string, value: string, end: number): Html =>
    html`<input type="number" step="any" inputmode="decimal" form="${FORM}" id="${name}" name="${name}" value="${value}" placeholder="${numberText(end)}" aria-label="${labelOf(field)}, change in percent ${side}" autocomplete="off">`;
  const bounds = [
    bound('minPercent', 'from', min, binning.lowest),
    bound('maxPercent', 'to', max, binning.highest),
  ] as const;
  return rangeFieldset({ ...shown, legend, ends: null, bounds });
}

const given = ({ pairs }: View, name: string): string => pairs.find((pair) => pair[0] === name)?.[1] ?? '';

function binAt(bins: Distribution['binning']['bins'], value: number): number {
  const at = bins.findIndex((bin) => value < bin.to);
  return at < 0 ? bins.length - 1 : at;
}

/** A date that the address gives to the second would not fit a field for days. */
const isExact = (text: string): boolean => /\d[T ]\d/.test(text);

function inputType({ kind }: Field, text: string): Html {
  if (kind === 'date') return isExact(text) ? html`type="text"` : html`type="date"`;
  return isNumeric(kind) ? html`type="number" step="any" inputmode="decimal"` : html`type="text"`;
}

function inputText({ kind }: Field, text: string, value: number | undefined): string {
  if (text === '' || value === undefined || kind !== 'date' || isExact(text)) return text;
  return dayOf(value);
}
