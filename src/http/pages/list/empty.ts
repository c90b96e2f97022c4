/**
 * A list without hits: the conditions, and the number of hits without each of them. It costs about ten searches, only for
 * lists without hits.
 */
import type { Field } from '../../../model.js';
import { nearest } from '../../../nearest.js';
import { execute } from '../../../query/execute.js';
import { EVERYTHING, type Query } from '../../../query/query.js';
import { allValues, codeOfValue, rowsOfCode, valueCount } from '../../../store/value-index.js';
import { count } from '../../../text.js';
import { labelOf, numberText, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { binningIn, type Frequencies, shapeOf } from '../counting/shape.js';
import { address, type Pair, type Pairs, without, withValue } from '../frame/address.js';
import { askedText } from '../frame/toolbar.js';
import { filterConditions } from './conditions.js';
import type { View } from './view.js';

/** The text in place of hits, with links to other views. */
export function noHits(view: View): Html {
  const { model } = view;
  const all = html`<li><a class="button" href="/${model.name}">All ${numberText(view.collection.size)} ${wordsOf(model.name)}</a></li>`;
  const offers = [...nearValues(view), ...viewsWithoutOne(view)];
  return html`<div class="empty panel stack"><p><strong>No ${wordsOf(model.name)} match ${askedText(view.query.text, filterConditions(view))}.</strong>${unreachedBounds(view)}</p>
${offers.length === 0 ? topValues(view) : null}
<ul class="row" role="list">${offers}${all}</ul></div>`;
}

/** ` The highest score is 2,400.`, where a range lies outside of all values. */
const unreachedBounds = ({ model, collection, query }: View): readonly string[] =>
  query.filters.flatMap((filter) => {
    const field = model.fields.find(({ name }) => name === filter.field);
    const binning = filter.kind === 'range' && field ? binningIn(collection, field) : null;
    if (filter.kind !== 'range' || field === undefined || binning === null) return [];
    const { lowest, highest, textOf } = binning;
    const isDate = field.kind === 'date';
    const sentence = (word: string, value: number): string =>
      ` The ${word} ${wordsOf(field.name)} is ${textOf(value)}.`;
    if (filter.min > highest) return [sentence(isDate ? 'latest' : 'highest', highest)];
    return filter.max < lowest ? [sentence(isDate ? 'earliest' : 'lowest', lowest)] : [];
  });

/** The number of records that a query finds. */
const totalOf = ({ collection }: View, query: Query): number => execute(collection, query, { page: 1, limit: 1 }).total;

/** A link to another view, with the number of its records. */
const offer = (target: string, label: Content, records: string): Html =>
  html`<li><a class="button" href="${target}">${label} <span class="count">(${records})</span></a></li>`;

/** A link to another view; none if the view has no records. */
function viewLink(view: View, label: Content, query: Query, pairs: Pairs): readonly Html[] {
  const { model } = view;
  const total = totalOf(view, query);
  if (total === 0) return [];
  const target = address(`/${model.name}`, without(pairs, 'page'));
  return [offer(target, label, count(total, model.singular.toLowerCase()))];
}

/** Links to the view without one condition. */
function viewsWithoutOne(view: View): readonly Html[] {
  const { query, pairs } = view;
  const items = query.filters.flatMap((filter) => {
    const conditions = filterConditions(view, filter);
    const dropped: readonly Pair[] = conditions.map(({ pair }) => pair);
    const texts = conditions.map(({ says, text }) => `${says} ${text}`);
    const otherQuery = { ...query, filters: query.filters.filter((other) => other !== filter) };
    if (otherQuery.text === null && otherQuery.filters.length === 0) return [];
    const otherPairs = pairs.filter((pair) => !dropped.includes(pair));
    return viewLink(view, html`Remove ${isolated(texts.join(', '))}`, otherQuery, otherPairs);
  });
  const isFiltered = query.filters.length > 0;
  return [
    ...items,
    ...(query.text !== null && isFiltered
      ? viewLink(view, html`Remove <q>${isolated(query.text)}</q>`, { ...query, text: null }, without(pairs, 'q'))
      : []),
    ...widerWords(view),
  ];
}

/** Links to the view with the usual tolerance for its words. */
function widerWords(view: View): readonly Html[] {
  const { query, pairs } = view;
  const kinds = [
    { parameter: 'match', label: 'Any of the words', options: { match: 'any' } },
    { parameter: 'fuzzy', label: 'Near spellings', options: { fuzzy: true } },
    { parameter: 'prefix', label: 'Words that begin so', options: { prefix: true } },
  ] as const;
  return kinds
    .filter(({ parameter }) => pairs.some(([name]) => name === parameter))
    .flatMap(({ parameter, label, options }) =>
      viewLink(view, label, { ...query, textOptions: { ...query.textOptions, ...options } }, without(pairs, parameter)),
    );
}

/** Fields with more values are not searched for a near one: comparing takes too long. */
const MAX_COMPARED_VALUES = 20_000;

/** Links to the nearest existing value, for each value that no record has. */
function nearValues(view: View): readonly Html[] {
  const { model, collection, query, pairs } = view;
  return query.filters.flatMap((filter) => {
    const index = collection.values.get(filter.field);
    const field = model.fields.find(({ name }) => name === filter.field);
    if (filter.kind !== 'value' || index === undefined || field?.filter?.kind !== 'value') return [];
    if (valueCount(index) > MAX_COMPARED_VALUES) return [];
    const { parameter } = field.filter;
    return filter.values.flatMap((value) => {
      if (codeOfValue(index, value) >= 0) return [];
      const near = nearest(value, allValues(index));
      if (near === null) return [];
      const total = rowsOfCode(index, codeOfValue(index, near)).length;
      const target = address(`/${model.name}`, withValue(without(pairs, 'page'), parameter, near));
      return [offer(target, html`${labelOf(field)} ${isolated(near)}`, numberText(total))];
    });
  });
}

const SHOWN_VALUES = 8;

/** Links to the most frequent values of a field, preferably one whose values repeat. */
function topValues({ model, collection }: View): Content {
  const { frequencies } = shapeOf(collection, EVERYTHING);
  const isSubject = ({ role }: Field): boolean => role === 'tags' || role === 'category';
  const rankOf = ({ field, isRepeated }: Frequencies): number => Number(isRepeated) + Number(isSubject(field));
  const [first] = frequencies.toSorted((a, b) => rankOf(b) - rankOf(a));
  if (first === undefined) return null;
  const { field, values } = first;
  const parameter = parameterOf(field);
  if (parameter === null) return null;
  const links = values
    .slice(0, SHOWN_VALUES)
    .map(
      ({ name, count: records }) =>
        html`<li><a class="pill" href="${address(`/${model.name}`, [[parameter, name]])}">${isolated(name)} <span class="count">${numberText(records)}</span></a></li>`,
    );
  return html`<p>Perhaps one of these ${field.kind === 'url' ? 'sites' : wordsOf(field.facet ?? field.name)}:</p><ul class="row" role="list">${links}</ul>`;
}

const parameterOf = ({ filter }: Field): string | null => (filter?.kind === 'value' ? filter.parameter : null);
