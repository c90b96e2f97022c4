/**
 * The filters of a list, one for each filtered field: a range with its histogram, or the most frequent values with their
 * counts and a box for any other. They are fields of the search form, whose button applies them without a script.
 */
import { type Field, isNumeric } from '../../../model.js';
import type { ValueCount } from '../../../query/counter.js';
import { choiceIn, rangeIn } from '../../../query/operators.js';
import { codeOfValue, valueAtCode } from '../../../store/value-index.js';
import { count, fold } from '../../../text.js';
import { dayOf, labelOf, numberText, separateWords, withArticle, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { percentEncode } from '../../semantics/percent.js';
import { chart } from '../chart/chart.js';
import { distributionChart } from '../chart/distribution-chart.js';
import { timeUnitOf } from '../counting/binning.js';
import { fieldsToCount } from '../counting/offered-fields.js';
import type { ColumnShape, Distribution, Frequencies } from '../counting/shape.js';
import { address, addressOfField, type Pairs, withoutValue, withValue } from '../frame/address.js';
import { FORM } from '../frame/toolbar.js';
import { filterValueText } from './conditions.js';
import { FURTHER_FIELDS, type View } from './view.js';

/** Values that are shown first, besides the chosen ones; the others are folded away. */
const VALUES_SHOWN_FIRST = 8;

/** The panel of filters. `total` stands on the button that closes it, as on a narrow screen the panel covers the list. */
export function filterPanel(view: View, shape: ColumnShape, total: number): Html {
  const { filters } = view.query;
  const { main, more } = fieldsToCount(view.collection, filters);
  const isRange = ({ filter }: Field): boolean => filter?.kind === 'range';
  // The first chart says what the two shades of its bars mean; all others share them.
  const chartWithLegend = [...main, ...more].find(isRange);
  const isNarrowed = total > 0 && total < view.collection.size;
  const groups = new Map([
    ...shape.frequencies.map((one) => [one.field, valueGroup(view, one, main.includes(one.field))] as const),
    ...shape.distributions.map(
      (one) =>
        [one.field, rangeGroup(view, one, isNarrowed && one.field === chartWithLegend && barsKey(shape))] as const,
    ),
  ]);
  const groupsOf = (fields: readonly Field[]): readonly Content[] =>
    fields.map((field) => groups.get(field) ?? null).filter((group) => group !== null);
  const choices = main.filter((field) => !isRange(field));
  // The first choice, then what is measured, then the other choices, which may have many values.
  const first = choices.find(({ facetLimit }) => facetLimit === undefined);
  const furtherGroups = groupsOf(more);
  const isUnfolded = isUnfoldedIn(view, FURTHER_FIELDS);
  const isOpen = isUnfolded || more.some(({ name }) => filters.some(({ field }) => field === name));
  return panel(
    html`${first && groupsOf([first])}
${groupsOf(main.filter(isRange))}
${groupsOf(choices.filter((field) => field !== first))}
${furtherGroups.length === 0 ? null : html`<div class="more-fields stack">${isOpen && !isUnfolded ? null : unfoldLink(view, FURTHER_FIELDS, html`More fields <span class="count">${furtherGroups.length}</span>`)}${isOpen ? furtherGroups : null}</div>`}`,
    count(total, view.model.singular.toLowerCase()),
  );
}

/** The filters beside the results. On a narrow screen they are a sheet over these; its button says how many it leaves. */
const panel = (groups: Html, results: string): Html =>
  html`<div class="filters panel cells" id="filters" popover role="group" aria-label="Filters">
<p class="sheet-head split"><strong>Filters</strong><button type="button" popovertarget="filters" popovertargetaction="hide" autofocus aria-label="Close the filters">&times;</button></p>
${groups}
<button class="apply main" form="${FORM}">Apply filters</button>
<button type="button" class="close main" popovertarget="filters" popovertargetaction="hide">Show ${results}</button>
</div>`;

/** The button that opens the sheet, with the number of active filters. */
export const filtersButton = (active: number): Html =>
  html`<button type="button" class="open-filters" popovertarget="filters">Filters${active > 0 ? html` <span class="pill">${active}</span>` : null}</button>`;

const isUnfoldedIn = ({ pairs }: View, name: string): boolean =>
  pairs.some(([key, value]) => key === 'unfold' && value === name);

/** The link that shows or hides further filters. Its id stays, and the focus with it. */
function unfoldLink(view: View, name: string, label: Content): Html {
  const { model, pairs } = view;
  const isOpen = isUnfoldedIn(view, name);
  const target = isOpen ? withoutValue(pairs, 'unfold', name) : [...pairs, ['unfold', name] as const];
  return html`<a class="unfold" id="more-${name}" href="${address(`/${model.name}`, target)}" aria-expanded="${isOpen ? 'true' : 'false'}"><span aria-hidden="true">${isOpen ? html`&#9662;` : html`&#9656;`} </span>${label}</a>`;
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
const optionItem = ({ id, name, value, label, records, isChosen }: Option): Html =>
  html`<li class="beside"><input type="checkbox" form="${FORM}" id="${id}" name="${name}" value="${value}"${isChosen ? html` checked` : null}><label class="split" for="${id}"><span class="name">${label}</span> <span class="count">${numberText(records)}</span></label></li>`;

/** The values behind the first are folded away for a main field; for any other field, only the box finds them. */
function valueGroup(view: View, frequencies: Frequencies, isMain: boolean): Content {
  const { field, index, values: allValues, chosen: chosenCounts, distinct, found, isRepeated } = frequencies;
  if (field.filter?.kind !== 'value' || distinct === 0) return null;
  const { parameter, match } = field.filter;
  const filter = choiceIn(view.query.filters, field);
  const chosen = filter?.values ?? [];
  const values = isMain ? allValues : allValues.slice(0, VALUES_SHOWN_FIRST);
  if (values.length === 0 && chosen.length === 0) return null;
  const [folded, foldedValues] = [new Set(chosen.map(fold)), new Set(values.map(({ name }) => fold(name)))];
  const isChosen = ({ name }: ValueCount): boolean => folded.has(fold(name));
  const chosenOthers = chosen
    .filter((name) => !foldedValues.has(fold(name)))
    .map((name): ValueCount => {
      const code = codeOfValue(index, name);
      // The address may differ from the collection's spelling in case.
      return { name: code < 0 ? name : valueAtCode(index, code), count: chosenCounts.get(code) ?? 0 };
    });
  // Values that occur in one record each are not offered.
  const areOffered = isRepeated || distinct <= VALUES_SHOWN_FIRST;
  const all = [...chosenOthers, ...(areOffered ? values : values.filter(isChosen))];
  const item = (value: ValueCount): Html => {
    // The id depends on the value, and not on its position, which changes when it is chosen: so the focus stays.
    const code = codeOfValue(index, value.name);
    return optionItem({
      id: `${parameter}-${code < 0 ? percentEncode(value.name) : code}`,
      name: parameter,
      value: value.name,
      label: isolated(filterValueText(view, field, value.name)),
      records: value.count,
      isChosen: isChosen(value),
    });
  };
  const first = all.filter((value, i) => i < VALUES_SHOWN_FIRST || isChosen(value));
  const more = all.filter((value) => !first.includes(value));
  return html`<fieldset class="values" id="by-${parameter}">
<legend>${legendOf(view, field, field.kind === 'url' ? labelOf({ name: parameter }) : labelOf(field))}</legend>
${match === undefined || chosen.length < 2 ? null : matchChoice(match, filter?.match === 'all', field.facet ?? field.name)}
<ul>${(isUnfoldedIn(view, parameter) ? [...first, ...more] : first).map(item)}</ul>
${more.length > 0 ? unfoldLink(view, parameter, `${more.length} more`) : null}
${found > all.filter(({ count }) => count > 0).length ? otherValueBox(field, parameter, found) : null}
</fieldset>`;
}

/** A field for any value; the script completes it. */
function otherValueBox(field: Field, parameter: string, found: number): Html {
  const label = `Find ${withArticle(parameter === field.name ? wordsOf(field) : separateWords(parameter))}`;
  return html`<input type="text" form="${FORM}" name="${parameter}" id="other-${parameter}" class="other" data-completes="${parameter}" aria-label="${label}" placeholder="${label} (${numberText(found)})">`;
}

/** The checkbox for records with all chosen values. */
const matchChoice = (match: string, isAll: boolean, noun: string): Html =>
  html`<p class="match beside"><input type="checkbox" form="${FORM}" id="${match}" name="${match}" value="all"${isAll ? html` checked` : null}><label for="${match}">Match all ${noun}</label></p>`;

/** The name of a filter as a link to the page of its field; changes have no such pages. */
const legendOf = ({ model, pairs }: View, { name }: Field, label: string): Content =>
  model.changesOf === undefined ? html`<a href="${addressOfField(model.name, name, pairs)}">${label}</a>` : label;

/** Pixels of the highest bar. */
const CHART_HEIGHT = 52;

const keyMark = (shade: 'some' | 'all'): Html =>
  html`<svg aria-hidden="true"><rect class="${shade}" width="100%" height="100%"/></svg>`;

/** Bars count the found and all records in two shades, or the found ones alone. */
const barsKey = ({ isSmallPart }: ColumnShape): Html =>
  html`<span class="key count small">${isSmallPart ? 'scaled to those found' : html`${keyMark('some')}found &ensp;${keyMark('all')}all`}</span>`;

/** A chart whose bars link to their range, and fields for its bounds. Of fewer than two bins it is a line. */
function rangeGroup(view: View, distribution: Distribution, key: Content): Content {
  const { field, binning, counts } = distribution;
  if (field.filter?.kind !== 'range') return null;
  const { min, max } = field.filter;
  const { pairs } = view;
  const label = labelOf(field);
  const legend = legendOf(view, field, label);
  if (binning.bins.length < 2) {
    const [lowest, highest] = [binning.textOf(binning.lowest), binning.textOf(binning.highest)];
    const values = lowest === highest ? `Always ${lowest}` : html`${lowest} &ndash; ${highest}`;
    return html`<fieldset class="range" id="by-${field.name}"><legend>${legend}</legend><p class="soft">${values}</p></fieldset>`;
  }
  const range = rangeIn(view.query.filters, field);
  const hasFound = counts.some((records) => records > 0);
  // No bound leads to a record where none is found.
  if (!hasFound && range === null) return null;
  const chartData = distributionChart(distribution, {
    id: `shape-${field.name}`,
    height: CHART_HEIGHT,
    range,
    path: '',
    pairs,
    hasMedian: false,
    minWidth: 190,
  });
  const axisText =
    field.kind === 'date' ? `by ${timeUnitOf(binning.bins)}` : binning.scale === 'logarithmic' && binning.scale;
  const bound = (name: string, side: 'from' | 'to', end: number, value: number | undefined): Html => {
    const text = valueIn(pairs, name);
    return html`<input ${inputType(field, text)} form="${FORM}" id="${name}" name="${name}" value="${inputText(field, text, value)}" placeholder="${binning.textOf(end)}" aria-label="${label} ${side}">`;
  };
  return html`<fieldset class="range" id="by-${field.name}">
<legend>${legend}${axisText && html` <span class="count small">${axisText}</span>`}${key && html` ${key}`}</legend>
${hasFound && chart(chartData)}
<div class="bounds beside">${bound(min, 'from', binning.lowest, range?.min)}<span aria-hidden="true">&ndash;</span>${bound(max, 'to', binning.highest, range?.max)}</div>
${range !== null && range.min > range.max ? invertedNote(view, min, max) : null}
</fieldset>`;
}

/** A note beside bounds in the wrong order, with a link that swaps them. */
function invertedNote({ model, pairs }: View, min: string, max: string): Html {
  const swapped = withValue(withValue(pairs, min, valueIn(pairs, max)), max, valueIn(pairs, min));
  return html`<p class="warning" role="alert">The first is above the second. <a href="${address(`/${model.name}`, swapped)}">Swap them</a></p>`;
}

const valueIn = (pairs: Pairs, name: string): string => pairs.find((pair) => pair[0] === name)?.[1] ?? '';

/** Whether a date has a time, which an input for days could not show. */
const isExact = (text: string): boolean => /\d[T ]\d/.test(text);

function inputType({ kind }: Field, text: string): Html {
  if (isNumeric(kind)) return html`type="number" step="any" inputmode="decimal"`;
  return kind === 'date' && !isExact(text) ? html`type="date" max="9999-12-31"` : html`type="text"`;
}

function inputText({ kind }: Field, text: string, value: number | undefined): string {
  if (text === '' || value === undefined || kind !== 'date' || isExact(text)) return text;
  return dayOf(value);
}
