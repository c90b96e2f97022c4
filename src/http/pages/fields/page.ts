/**
 * The HTML page of a field: how full it is, how its values are spread, the commonest and the farthest of them, and where they
 * came from in the dump. It shows the records that the words and filters of its address find, which are those of a list.
 */
import { isSortable } from '../../../field-kinds.js';
import { KIND_TEXTS } from '../../../load/report/findings.js';
import type { FieldReport, FileReport, LoadReport } from '../../../load/report/report.js';
import { type CollectionModel, type Field, isList, isNumeric } from '../../../model.js';
import { Conditions, valuedAmong } from '../../../query/conditions.js';
import { execute } from '../../../query/execute.js';
import { oneOf, textParameters } from '../../../query/parameters.js';
import { textParameter } from '../../../query/request.js';
import { numberAtRow } from '../../../store/number-column.js';
import { count } from '../../../text.js';
import {
  baseName,
  collectionTitle,
  labelOf,
  numberText,
  shareText,
  shortened,
  valueText,
  wordsOf,
} from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { chart } from '../chart/chart.js';
import { distributionChart } from '../chart/distribution-chart.js';
import { type Scale, timeUnitOf } from '../counting/binning.js';
import { areShort, distinctCount } from '../counting/offered-fields.js';
import { binningIn, countsInBins } from '../counting/shape.js';
import { address, addressOfGroups, conditionsIn, narrowedAddress, type Pairs } from '../frame/address.js';
import { block, blockHead, countBars, topItem, topList } from '../frame/blocks.js';
import type { PageFrame } from '../frame/document.js';
import { conditionChips } from '../frame/toolbar.js';
import { groupChoices } from '../groups/choices.js';
import { foundText, searchedConditions } from '../list/conditions.js';
import { exportButton } from '../list/export-button.js';
import { createReader, pageFilterParameters, plainView, type View, type ViewReader } from '../list/view.js';
import { listRecord } from '../record/record.js';
import { fieldOfRecord } from '../record/value.js';
import { numberValue, roundedValue } from './number-value.js';
import {
  type NumberProfile,
  numberProfileOf,
  type Outliers,
  quantileAt,
  type ValueProfile,
  valueProfileOf,
} from './profile.js';
import { type FieldTexts, readTexts, textBlocks } from './texts.js';

/** A list's view, and the scale of the axis that was asked for. */
interface FieldView extends View {
  readonly scale: Scale | undefined;
}

const scales: readonly Scale[] = ['linear', 'logarithmic'];
const scaleParameter = oneOf('view', 'scale of the axis; the one that suits the values if not given', scales);

/** The reader of the addresses of a collection's fields: the words and filters of a list, and the scale. */
export const createFieldReader = (model: CollectionModel): ViewReader<FieldView> =>
  createReader(
    [...textParameters, ...pageFilterParameters(model), scaleParameter],
    (pairs) => pairs,
    (dataset, values, pairs) => ({
      ...plainView(model, dataset, values, pairs),
      scale: scales.find((scale) => scale === textParameter(values, 'view')),
    }),
  );

const FIELD_CHART_HEIGHT = 240;

export function fieldPage(view: FieldView, field: Field, report: LoadReport, origin: string): PageFrame {
  const { model, collection, query, pairs } = view;
  const conditions = new Conditions(collection, query);
  const total = conditions.all?.count ?? collection.size;
  const valued = valuedAmong(collection, field, conditions);
  const numbers = numberProfileOf(collection, field, conditions);
  const values = numbers === null ? valueProfileOf(collection, field, conditions) : null;
  const texts = field.kind === 'text' ? readTexts(collection, field, conditions, valued) : null;
  const distinct = (numbers ?? values)?.distinct;
  const without =
    valued < total &&
    html` <a href="${listAddress(view, ['missing', field.name])}">${numberText(total - valued)} without</a>`;
  const facts: readonly Fact[] = [
    ['Filled', html`${shareText(valued, total)}${without}`],
    ...(distinct === undefined ? [] : [['Distinct', numberText(distinct)] as const]),
    ...(numbers === null ? [] : numberFacts(view, field, numbers)),
    ...(texts === null ? [] : lengthFacts(texts)),
  ];
  const label = labelOf(field);
  return {
    title: html`${label} &ndash; ${collectionTitle(model.name)}`,
    current: model.name,
    kind: 'field',
    main: html`<nav class="way row" aria-label="Way back"><a class="back" rel="up" href="${address(`/${model.name}`, conditionsIn(pairs))}">&larr; ${collectionTitle(model.name)}</a>${exportButton(origin, apiAddressOf(view, field), null)}</nav>
<header class="stack"><h1>${isolated(label)}</h1>
<p class="soft">${KIND_TEXTS[field.kind]} &middot; <code>${field.name}</code> in the API &middot; ${foundText(view, total)}</p></header>
${conditionChips(`/${model.name}/fields/${field.name}`, pairs, searchedConditions(view), [])}
<h2 class="vh">Statistics</h2>
<div class="blocks">
<dl class="block tiles row">${facts.map(([name, content]) => html`<div><dt>${name}</dt><dd>${content}</dd></div>`)}</dl>
${numbers && distributionBlock(view, field, conditions)}
${numbers && quantilesBlock(view, field, numbers)}
${numbers && commonNumbersBlock(view, field, numbers)}
${numbers && extremes(view, field, numbers, conditions)}
${values && commonValues(view, field, values)}
${texts && 2 * (values?.once ?? valued) > valued && textBlocks(collection, texts)}
${comparisons(view, field)}
${provenance(model, field, report)}
</div>`,
  };
}

/** The statistics of a number or date, the counts of a field with values, the records of any other one, under the view's conditions. */
function apiAddressOf({ model, pairs }: FieldView, { name, filter }: Field): string {
  const path = filter?.kind === 'value' ? `/values/${name}` : filter?.kind === 'range' ? '/stats' : '';
  return address(`/api/${model.name}${path}`, conditionsIn(pairs));
}

const listAddress = ({ model, pairs }: FieldView, ...more: Pairs): string =>
  address(`/${model.name}`, [...conditionsIn(pairs), ...more]);

const narrowedTo = ({ model, pairs }: FieldView, field: Field, name: string, value: string): string | null =>
  narrowedAddress(model.name, pairs, [name, value], isList(field.kind));

/** The list of the records with a number, or up to it, or from it; null where the parameter cannot have it. */
function numberAddress(view: FieldView, field: Field, parameter: string, value: number): string | null {
  const text = parameterText(field, value);
  return text === null ? null : narrowedTo(view, field, parameter, text);
}

/** The content as a link to such a list, where there is one. */
function numberLink(view: FieldView, field: Field, parameter: string, value: number, content: Content): Content {
  const target = numberAddress(view, field, parameter, value);
  return target === null ? content : html`<a href="${target}">${content}</a>`;
}

/** A number as a parameter has it; null where it cannot be written without an exponent. */
function parameterText({ kind }: Field, value: number): string | null {
  if (kind === 'date') return new Date(value).toISOString();
  const text = String(value);
  return text.includes('e') ? null : text;
}

/** The histogram; of numbers that are never negative with links to both scales. */
function distributionBlock(view: FieldView, field: Field, conditions: Conditions): Content {
  const { model, collection, pairs, scale } = view;
  const column = collection.columns.get(field.name);
  const binning = binningIn(collection, field, scale);
  if (column === undefined || binning === null || field.filter?.kind !== 'range') return null;
  const { all } = conditions;
  const counts = countsInBins(collection, field, binning, all);
  const options = {
    id: 'distribution',
    height: FIELD_CHART_HEIGHT,
    range: null,
    path: `/${model.name}`,
    pairs: conditionsIn(pairs),
    hasMedian: all === null,
    minWidth: 330,
  };
  const scaleLink = (name: Scale): Html =>
    html`<a href="${address(`/${model.name}/fields/${field.name}`, [...conditionsIn(pairs), ['view', name]])}"${name === binning.scale ? html` aria-current="true"` : null}>${name}</a>`;
  const hasScales = field.kind !== 'date' && binning.lowest >= 0 && binning.bins.length > 1;
  const aside =
    field.kind === 'date'
      ? `records by ${timeUnitOf(binning.bins)}`
      : hasScales && html`<nav class="row" aria-label="Scale of the axis">${scales.map(scaleLink)}</nav>`;
  return block(
    'whole',
    html`${blockHead('Distribution', aside || null)}${chart(distributionChart({ field, binning, counts }, options))}`,
  );
}

type Fact = readonly [name: string, content: Content];

function numberFacts(view: FieldView, field: Field, { mean, quantiles, outliers }: NumberProfile): readonly Fact[] {
  const at = (share: number): Content => roundedValue(view.collection, field, quantileAt(quantiles, share));
  return [
    ['Range', html`${at(0)} &ndash; ${at(1)}`],
    ['Median', at(0.5)],
    ...(isNumeric(field.kind) ? [['Mean', roundedValue(view.collection, field, mean)] as const] : []),
    ['Outliers', outlierText(view, field, outliers)],
  ];
}

function lengthFacts({ lengths, ofRecords }: FieldTexts): readonly Fact[] {
  const { lowest, highest, medianText } = lengths;
  return [
    [`Characters${ofRecords}`, html`${numberText(lowest)} &ndash; ${numberText(highest)}`],
    ['Median length', medianText],
  ];
}

/** Links to the records whose values lie far from the others. */
function outlierText(view: FieldView, field: Field, { low, high }: Outliers): Content {
  if (field.filter?.kind !== 'range') return null;
  const { min, max } = field.filter;
  const link = (bound: string, words: string, { nearest, records }: NonNullable<Outliers['low']>): Content => {
    const says = html`${numberText(records)} ${words} ${numberValue(view.collection, field, nearest)}`;
    return numberLink(view, field, bound, nearest, says);
  };
  if (low === null && high === null) return 'none';
  return [low && link(max, 'up to', low), low && high ? ', ' : null, high && link(min, 'from', high)];
}

/** The names of the least and the greatest value. */
const endsOf = ({ kind }: Field): readonly [string, string] =>
  kind === 'date' ? ['Earliest', 'Latest'] : ['Lowest', 'Highest'];

function quantilesBlock(view: FieldView, field: Field, { quantiles }: NumberProfile): Content {
  if (field.filter?.kind !== 'range') return null;
  const { max } = field.filter;
  const [lowest, highest] = endsOf(field);
  const names: Readonly<Record<number, string>> = { 0: lowest, 0.5: 'Median', 1: highest };
  const items = quantiles.map(({ share, value }) => {
    const name = names[share] ?? `${Math.round(share * 100)}%`;
    const content = roundedValue(view.collection, field, value);
    return html`<div><dt>${name}</dt><dd>${numberLink(view, field, max, value, content)}</dd></div>`;
  });
  return block(
    'third',
    html`${blockHead('Quantiles', html`<span title="Between two values: their middle">share of values below</span>`)}<dl class="facts pairs lines">${items}</dl>`,
  );
}

function commonNumbersBlock(view: FieldView, field: Field, { common, distinct }: NumberProfile): Content {
  if (common.length === 0) return null;
  const items = common.map(({ value, count: records }) => ({
    name: numberValue(view.collection, field, value),
    address: numberAddress(view, field, field.name, value),
    records,
  }));
  return block('third', html`${blockHead('Commonest', `of ${numberText(distinct)}`)}${countBars(items)}`);
}

const SHOWN_EXTREMES = 5;

/** The records with the highest and the lowest values. */
function extremes(view: FieldView, field: Field, numbers: NumberProfile, conditions: Conditions): Content {
  const { model, collection, query } = view;
  const column = collection.columns.get(field.name);
  if (column === undefined || numbers.distinct < 2 || !isSortable(field)) return null;
  const list = (title: string, descending: boolean): Html => {
    const order = { ...query, sort: field.name, descending, thenBy: [], boost: null };
    // Records without a value stand last, and are neither high nor low.
    const limit = Math.min(SHOWN_EXTREMES, numbers.valued);
    const { rows } = execute(collection, order, { page: 1, limit }, conditions);
    const items = Array.from(rows, (row) => {
      const record = listRecord(collection, row);
      const ownField = fieldOfRecord(collection, record, field);
      return topItem(model.name, record, numberValue(collection, ownField, numberAtRow(column, row)));
    });
    const all = listAddress(view, ['sort', field.name], ['order', descending ? 'desc' : 'asc']);
    return topList(title, html`<a href="${all}">all</a>`, items);
  };
  const [lowest, highest] = endsOf(field);
  return block(numbers.common.length === 0 ? 'wide' : 'third', [list(highest, true), list(lowest, false)]);
}

const FIELD_VALUE_CHARACTERS = 160;

function commonValues(view: FieldView, field: Field, { common, distinct, once }: ValueProfile): Content {
  if (common.length === 0) return null;
  const parameter = field.filter?.kind === 'value' ? field.filter.parameter : field.name;
  const items = common.map(({ name, count: records }) => ({
    name: isolated(shortened(valueText(field, name), FIELD_VALUE_CHARACTERS)),
    address: narrowedTo(view, field, parameter, name),
    records,
  }));
  const aside = `${numberText(items.length)} of ${numberText(distinct)}${once > 0 ? `, ${numberText(once)} in one record only` : ''}`;
  return block('whole', html`${blockHead('Commonest', aside)}${countBars(items)}`);
}

const MAX_COMPARISONS = 8;

/** Links to this field by others: `Median by category`, or the other way round where this field has the groups. */
function comparisons({ model, collection, pairs }: FieldView, field: Field): Content {
  const { by: repeated, measured } = groupChoices(collection);
  const by = repeated.filter((one) => areShort(collection, one) && distinctCount(collection, one) > 1);
  const isMeasured = measured.includes(field);
  const partnerFields = isMeasured ? by : by.includes(field) ? measured : [];
  if (partnerFields.length === 0) return null;
  const items = partnerFields.slice(0, MAX_COMPARISONS).map((other) => {
    const [group, number] = isMeasured ? [other, field] : [field, other];
    const target = addressOfGroups(model.name, group.name, number.name, pairs);
    return html`<li><a href="${target}">${isMeasured ? 'by' : 'median'} ${isolated(labelOf(other))}</a></li>`;
  });
  const title = isMeasured ? html`Median of ${isolated(wordsOf(field))}` : html`By ${isolated(labelOf(field))}`;
  return block('whole', html`${blockHead(title)}<ul class="tags row" role="list">${items}</ul>`);
}

/** The columns that feed the field, file by file, and what was repaired or could not be read. */
function provenance(
  { name: collectionName }: CollectionModel,
  { name }: Field,
  { files, findings }: LoadReport,
): Content {
  const parts = files
    .filter(({ collection }) => collection === collectionName)
    .flatMap((file) =>
      file.fields
        .filter(({ field, present, leftNull }) => field === name && present + leftNull > 0)
        .map((field) => sourceItem(file, field)),
    );
  if (parts.length === 0) return null;
  const texts = findings.filter(
    ({ collection, field, kind }) => collection === collectionName && field === name && !TOLD_BY_COUNTS.has(kind),
  );
  const notes = texts.map(
    ({ text, advice }) =>
      html`<li>${isolated(text)}${advice && html`; <span class="soft">${isolated(advice)}</span>`}</li>`,
  );
  return block(
    'whole',
    html`${blockHead('Where it came from')}<ul class="lines" role="list">${parts}</ul>${notes.length > 0 && html`<ul class="content" role="list">${notes}</ul>`}`,
  );
}

/** Findings that the counts of a file's column tell. */
const TOLD_BY_COUNTS = new Set(['repaired', 'left-null', 'renamed', 'guess']);
const MAX_SHOWN_EXAMPLES = 3;

function sourceItem({ file }: FileReport, field: FieldReport): Html {
  const { found, renamedFrom, passedOver, present, repaired, repairs, leftNull, leftNullExamples, isGuessed } = field;
  const columns = found === undefined ? renamedFrom.map(({ name }) => name) : [found.from];
  const column = columns.length === 0 ? field.field : columns.join(', ');
  const examples = (all: FieldReport['repairs']): Content =>
    all.slice(0, MAX_SHOWN_EXAMPLES).map(({ raw, read, line }, i) => {
      const reading = read === null ? null : html` &rarr; <code>${isolated(String(read))}</code>`;
      return html`${i === 0 ? ': ' : ', '}<code>${isolated(shortened(raw, FIELD_VALUE_CHARACTERS))}</code>${reading} <span class="soft">(line ${numberText(line)})</span>`;
    });
  return html`<li><p><b>${isolated(baseName(file))}</b>: column <code>${isolated(column)}</code>${isGuessed === true ? ', guessed by its values' : null}, in ${count(present, 'record')}${passedOver.length > 0 && html`; <code>${isolated(passedOver.map(({ name }) => name).join(', '))}</code> would fit as well`}</p>
${repaired > 0 && html`<p><span class="good">${numberText(repaired)} read from another spelling</span>${examples(repairs)}</p>`}
${leftNull > 0 && html`<p><span class="warning">${numberText(leftNull)} could not be read, and are null</span>${examples(leftNullExamples)}</p>`}</li>`;
}
