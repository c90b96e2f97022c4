/**
 * A list without hits: the conditions, and the number of hits without each of them. It costs about ten searches, only for
 * lists without hits.
 */
import type { Field } from '../../../model.js';
import { nearestIn, type SpellingTree, spellingTree } from '../../../nearest.js';
import type { ValueCount } from '../../../query/counter.js';
import { execute } from '../../../query/execute.js';
import { choiceIn, intervalOf, operatorIn } from '../../../query/operators.js';
import { EVERYTHING, type Query, type QueryFilter } from '../../../query/query.js';
import { allValues, codeOfValue, codesOfValue, rowsOfCode, valueCount } from '../../../store/value-index.js';
import { count } from '../../../text.js';
import { labelOf, numberText, separateWords, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { memoizeByText } from '../../memoize.js';
import { binningIn, type Frequencies, shapeOf } from '../counting/shape.js';
import { address, type Pairs, without, withValue } from '../frame/address.js';
import { askedText } from '../frame/toolbar.js';
import { filterConditions } from './conditions.js';
import type { View } from './view.js';

/** The text in place of hits, with links to other views. */
export function noHits(view: View): Html {
  const { model, collection, query } = view;
  const all = html`<li><a class="button" href="/${model.name}">All ${numberText(collection.size)} ${separateWords(model.name)}</a></li>`;
  const offers = [...nearValues(view), ...otherViews(view).flatMap((other) => viewLink(view, other))];
  return html`<div class="empty panel stack"><p><strong>No ${separateWords(model.name)} match ${askedText(query.text, filterConditions(view))}.</strong>${unreachedBounds(view)}</p>
${offers.length === 0 ? commonestValues(view) : null}
<ul class="row" role="list">${offers}${all}</ul></div>`;
}

/** ` The highest score is 2,400.`, where a range lies outside of all values. */
const unreachedBounds = ({ model, collection, query }: View): readonly string[] =>
  query.filters.flatMap((filter) => {
    const field = model.fields.find(({ name }) => name === filter.field);
    const interval = operatorIn(filter)?.interval;
    const binning = interval !== undefined && field ? binningIn(collection, field) : null;
    if (interval === undefined || field === undefined || binning === null) return [];
    const { min, max } = interval(intervalOf(field, filter.values[0] ?? ''));
    const { lowest, highest, textOf } = binning;
    const isDate = field.kind === 'date';
    const sentence = (word: string, value: number): string => ` The ${word} ${wordsOf(field)} is ${textOf(value)}.`;
    if (min > highest) return [sentence(isDate ? 'latest' : 'highest', highest)];
    return max < lowest ? [sentence(isDate ? 'earliest' : 'lowest', lowest)] : [];
  });

/** A link to another view, with the number of its records. */
const offer = (target: string, label: Content, records: string): Html =>
  html`<li><a class="button" href="${target}">${label} <span class="count">(${records})</span></a></li>`;

/** A view that differs from the empty one in a condition. */
interface OtherView {
  readonly label: Content;
  readonly query: Query;
  readonly pairs: Pairs;
}

/** A link to another view; none if the view has no records. */
function viewLink({ model, collection }: View, { label, query, pairs }: OtherView): readonly Html[] {
  const { total } = execute(collection, query, { page: 1, limit: 1 });
  if (total === 0) return [];
  return [offer(address(`/${model.name}`, without(pairs, 'page')), label, count(total, model.singular.toLowerCase()))];
}

/** The switches of a search that exclude records, with the options of the view without the switch. */
const STRICT_SWITCHES = [
  { parameter: 'match', label: 'Any of the words', options: { match: 'any' } },
  { parameter: 'fuzzy', label: 'Near spellings', options: { fuzzy: true } },
  { parameter: 'prefix', label: 'Words that begin so', options: { prefix: true } },
] as const;

const isBound = (filter: QueryFilter): boolean => operatorIn(filter)?.interval !== undefined;

/** The views without one condition, without the words, and with the usual tolerance for the words. */
function otherViews(view: View): readonly OtherView[] {
  const { query, pairs } = view;
  const { text, filters, textOptions } = query;
  // The bounds of a field are one condition.
  const groups = new Map<string, QueryFilter[]>();
  for (const filter of filters) {
    const key = `${filter.field} ${isBound(filter) ? 'range' : filter.operator}`;
    groups.set(key, [...(groups.get(key) ?? []), filter]);
  }
  const withoutFilters = [...groups.values()].map((group): OtherView => {
    const conditions = group.flatMap((filter) => filterConditions(view, filter));
    const texts = conditions.map((condition) => `${condition.says} ${condition.text}`);
    return {
      label: html`Remove ${isolated(texts.join(', '))}`,
      query: { ...query, filters: filters.filter((other) => !group.includes(other)) },
      pairs: pairs.filter((pair) => !conditions.some((condition) => condition.pair === pair)),
    };
  });
  const withoutText =
    text === null
      ? []
      : [{ label: html`Remove <q>${isolated(text)}</q>`, query: { ...query, text: null }, pairs: without(pairs, 'q') }];
  const tolerant = STRICT_SWITCHES.filter(({ parameter }) => pairs.some(([name]) => name === parameter)).map(
    ({ parameter, label, options }): OtherView => ({
      label,
      query: { ...query, textOptions: { ...textOptions, ...options } },
      pairs: without(pairs, parameter),
    }),
  );
  const isEverything = ({ query: other }: OtherView): boolean => other.text === null && other.filters.length === 0;
  return [...withoutFilters, ...withoutText, ...tolerant].filter((other) => !isEverything(other));
}

/** Fields with more values are not searched for a near one: to make a tree of these takes some 8 µs each. */
const MAX_COMPARED_VALUES = 4000;
/** Values of an address for which a near one is searched. */
const MAX_MISSPELT_VALUES = 3;
const MAX_EDIT_DISTANCE = 3;

/** Trees of a collection's values, by field. */
const valueTrees = memoizeByText<SpellingTree>();

/** Links to the nearest existing value, for the first values that no record has. */
function nearValues(view: View): readonly Html[] {
  const { model, collection, query, pairs } = view;
  const misspelt = query.filters.flatMap((filter) => {
    const index = collection.values.get(filter.field);
    const field = model.fields.find(({ name }) => name === filter.field);
    if (index === undefined || field?.filter?.kind !== 'value' || choiceIn([filter], field) === undefined) return [];
    if (valueCount(index) > MAX_COMPARED_VALUES) return [];
    const { parameter } = field.filter;
    return [...new Set(filter.values)]
      .filter((value) => codesOfValue(index, value).length === 0)
      .map((value) => ({ field, parameter, index, value }));
  });
  return misspelt.slice(0, MAX_MISSPELT_VALUES).flatMap(({ field, parameter, index, value }) => {
    const tree = valueTrees(collection, field.name, () => spellingTree(allValues(index)));
    const near = nearestIn(tree, value, MAX_EDIT_DISTANCE);
    if (near === null) return [];
    const total = rowsOfCode(index, codeOfValue(index, near)).length;
    const target = address(`/${model.name}`, withValue(without(pairs, 'page'), parameter, near));
    return [offer(target, html`${labelOf(field)} ${isolated(near)}`, numberText(total))];
  });
}

const OFFERED_VALUES = 8;

/** Links to the most frequent values of a field, preferably one whose values repeat. */
function commonestValues({ model, collection }: View): Content {
  const { frequencies } = shapeOf(collection, EVERYTHING);
  const isSubject = ({ role }: Field): boolean => role === 'tags' || role === 'category';
  const rankOf = ({ field, isRepeated }: Frequencies): number => Number(isRepeated) + Number(isSubject(field));
  const [first] = frequencies.toSorted((a, b) => rankOf(b) - rankOf(a));
  if (first?.field.filter?.kind !== 'value') return null;
  const { field, values } = first;
  const { parameter } = first.field.filter;
  const link = ({ name, count: records }: ValueCount): Html =>
    html`<li><a class="pill" href="${address(`/${model.name}`, [[parameter, name]])}">${isolated(name)} <span class="count">${numberText(records)}</span></a></li>`;
  return html`<p>Perhaps one of these ${field.kind === 'url' ? 'sites' : (field.facet ?? wordsOf(field))}:</p><ul class="row" role="list">${values.slice(0, OFFERED_VALUES).map(link)}</ul>`;
}
