import { codeOfValue, valueAt } from '../../../store/value-index.js';
import { count, fold } from '../../../text.js';
import { percentEncode } from '../../semantics/percent.js';
import { dayOf } from '../counting/date-edges.js';
import { axisText, isNumeric, labelOf, numberText, wordsOf } from '../frame/format.js';
import { html, isolated } from '../frame/html.js';
import { boundsOf, histogram, scaleNote, ticks } from './histogram.js';
/** Values shown before one asks for more; those that are chosen are shown besides. */
const FEW_VALUES = 8;
export const FORM = 'view';
/** `total` is how many records match: on a narrow screen the panel is a sheet, and the button that closes it says so. */
export function filterPanel(view, shape, total) {
    const active = view.query.filters.length;
    return html `<details class="filters" id="filters">
<summary>Filters${active > 0 ? html ` <span class="badge">${active}</span>` : null}</summary>
<div class="groups">
${shape.frequencies.filter(({ field }) => field.facet !== undefined).map((one) => valueGroup(view, one))}
${shape.distributions.map((one) => rangeGroup(view, one))}
${shape.frequencies.filter(({ field }) => field.facet === undefined).map((one) => valueGroup(view, one))}
<button class="apply" form="${FORM}">Apply filters</button>
<button type="button" class="close" data-close="filters" hidden>Show ${count(total, view.model.singular.toLowerCase())}</button>
</div>
</details>`;
}
const filterOf = (view, field, kind) => view.query.filters.find((filter) => filter.field === field.name && filter.kind === kind);
function valueGroup(view, { field, values, distinct, isRepeated }) {
    if (field.filter?.kind !== 'value' || distinct === 0)
        return null;
    const { parameter } = field.filter;
    const chosen = filterOf(view, field, 'value')?.anyOf ?? [];
    if (values.length === 0 && chosen.length === 0)
        return null;
    const isChosen = (name) => chosen.some((one) => fold(one) === fold(name));
    const others = chosen
        .filter((one) => !values.some(({ name }) => fold(name) === fold(one)))
        .map((name) => ({ name: spelling(view, field, name), count: null }));
    // Values that one record each has are no choice to offer.
    const offered = isRepeated || distinct <= FEW_VALUES ? values : values.filter(({ name }) => isChosen(name));
    const all = [...others, ...offered];
    const index = view.collection.values.get(field.name);
    const option = ({ name, count: records }) => {
        // Named by its value and not by its place, which choosing it changes: the focus stays with the value.
        const code = index === undefined ? -1 : codeOfValue(index, name);
        const id = `${parameter}-${code < 0 ? percentEncode(name) : code}`;
        return html `<li><input type="checkbox" form="${FORM}" id="${id}" name="${parameter}" value="${name}"${isChosen(name) ? html ` checked` : null}><label for="${id}"><span class="name">${isolated(name)}</span>${records === null ? null : html ` <span class="count">${numberText(records)}</span>`}</label></li>`;
    };
    const isFirst = ({ name }, i) => i < FEW_VALUES || isChosen(name);
    const options = all.map((value, i) => ({ isFirst: isFirst(value, i), item: option(value) }));
    const first = options.filter((each) => each.isFirst).map(({ item }) => item);
    const more = options.filter((each) => !each.isFirst).map(({ item }) => item);
    return html `<fieldset class="values" id="by-${parameter}">
<legend>${labelOf(field)}</legend>
<ul>${first}</ul>
${more.length > 0 ? html `<details class="more" id="more-${parameter}"><summary>${more.length} more</summary><ul>${more}</ul></details>` : null}
${distinct > all.length
        ? html `<input type="text" form="${FORM}" name="${parameter}" id="other-${parameter}" class="other" aria-label="Another ${wordsOf(parameter)}" placeholder="Another of ${numberText(distinct)} &hellip;" autocomplete="off">`
        : null}
</fieldset>`;
}
/** As the collection spells it, whatever the address does. */
function spelling({ collection }, field, value) {
    const index = collection.values.get(field.name);
    const code = index === undefined ? -1 : codeOfValue(index, value);
    return index === undefined || code < 0 ? value : valueAt(index, code);
}
function rangeGroup(view, { field, binning, counts }) {
    if (field.filter?.kind !== 'range')
        return null;
    const { min, max } = field.filter;
    const { bins, lowest, highest, decimals } = binning;
    const label = labelOf(field);
    const range = filterOf(view, field, 'range') ?? null;
    const texts = { min: given(view, min), max: given(view, max) };
    const bound = (side, name) => {
        const text = texts[side];
        const placeholder = axisText(field.kind, side === 'min' ? lowest : highest, decimals);
        return html `<input ${inputType(field, text)} form="${FORM}" id="${name}" name="${name}" value="${inputText(field, text, range?.[side])}" placeholder="${placeholder}" aria-label="${label} ${side === 'min' ? 'from' : 'to'}" autocomplete="off">`;
    };
    if (bins.length < 2) {
        return html `<fieldset class="range" id="by-${field.name}"><legend>${label}</legend><p class="constant">Always ${axisText(field.kind, lowest, decimals)}</p></fieldset>`;
    }
    return rangeFieldset({
        field,
        binning,
        counts,
        range,
        legend: label,
        ends: field.kind === 'date'
            ? html `<p class="ends"><span>${dayOf(lowest)}</span><span>${dayOf(highest)}</span></p>`
            : null,
        bounds: [bound('min', min), bound('max', max)],
    });
}
function rangeFieldset({ field, binning, counts, range, legend, ends, bounds: [from, to] }) {
    const { bins } = binning;
    return html `<fieldset class="range" id="by-${field.name}" ${boundsOf(binning)}>
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
export function percentGroup({ min, max, ...shown }) {
    const { field, binning } = shown;
    const legend = `${labelOf(field)}, change in percent`;
    const bound = (name, side, value, end) => html `<input type="number" step="any" inputmode="decimal" form="${FORM}" id="${name}" name="${name}" value="${value}" placeholder="${numberText(end)}" aria-label="${labelOf(field)}, change in percent ${side}" autocomplete="off">`;
    const bounds = [
        bound('minPercent', 'from', min, binning.lowest),
        bound('maxPercent', 'to', max, binning.highest),
    ];
    return rangeFieldset({ ...shown, legend, ends: null, bounds });
}
const given = ({ pairs }, name) => pairs.find((pair) => pair[0] === name)?.[1] ?? '';
function binAt(bins, value) {
    const at = bins.findIndex((bin) => value < bin.to);
    return at < 0 ? bins.length - 1 : at;
}
/** A date that the address gives to the second would not fit a field for days. */
const isExact = (text) => /\d[T ]\d/.test(text);
function inputType({ kind }, text) {
    if (kind === 'date')
        return isExact(text) ? html `type="text"` : html `type="date"`;
    return isNumeric(kind) ? html `type="number" step="any" inputmode="decimal"` : html `type="text"`;
}
function inputText({ kind }, text, value) {
    if (text === '' || value === undefined || kind !== 'date' || isExact(text))
        return text;
    return dayOf(value);
}
