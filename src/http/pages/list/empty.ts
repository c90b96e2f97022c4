/**
 * A list without hits: the conditions, and the number of hits without each of them. It costs about ten searches, only for
 * lists without hits.
 */
import { execute } from '../../../query/execute.js';
import { fieldNamed, rangeIn } from '../../../query/operators.js';
import type { Query, QueryFilter } from '../../../query/query.js';
import { count } from '../../../text.js';
import { numberText, separateWords, wordsOf } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { binningIn } from '../counting/shape.js';
import { address, type Pairs, without } from '../frame/address.js';
import { askedText } from '../frame/toolbar.js';
import { filterConditions } from './conditions.js';
import type { View } from './view.js';

/** The text in place of hits, with links to other views. */
export function noHits(view: View): Html {
  const { model, collection, query } = view;
  const all = html`<li><a class="button" href="/${model.name}">All ${numberText(collection.size)} ${separateWords(model.name)}</a></li>`;
  const offers = otherViews(view).flatMap((other) => viewLink(view, other));
  return html`<div class="empty block stack"><p><strong>No ${separateWords(model.name)} match ${askedText(query.text, filterConditions(view))}.</strong>${unreachedBounds(view)}</p>
<ul class="row" role="list">${offers}${all}</ul></div>`;
}

/** ` The highest score is 2,400.`, where a range lies outside of all values. */
const unreachedBounds = ({ model, collection, query }: View): readonly string[] =>
  query.filters.flatMap((filter) => {
    const field = fieldNamed(model, filter.field);
    const range = rangeIn([filter], field);
    const binning = range && binningIn(collection, field);
    if (range === null || binning === null) return [];
    const { min, max } = range;
    const { lowest, highest, textOf } = binning;
    const isDate = field.kind === 'date';
    const sentence = (word: string, value: number): string => ` The ${word} ${wordsOf(field)} is ${textOf(value)}.`;
    if (min > highest) return [sentence(isDate ? 'latest' : 'highest', highest)];
    return max < lowest ? [sentence(isDate ? 'earliest' : 'lowest', lowest)] : [];
  });

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
  const target = address(`/${model.name}`, without(pairs, 'page'));
  const records = count(total, model.singular.toLowerCase());
  return [html`<li><a class="button" href="${target}">${label} <span class="count">(${records})</span></a></li>`];
}

/** The switches of a search that exclude records, with the options of the view without the switch. */
const STRICT_SWITCHES = [
  { parameter: 'match', label: 'Any of the words', options: { match: 'any' } },
  { parameter: 'fuzzy', label: 'Near spellings', options: { fuzzy: true } },
  { parameter: 'prefix', label: 'Words that begin so', options: { prefix: true } },
] as const;

/** The views without one condition, without the words, and with the usual tolerance for the words. */
function otherViews(view: View): readonly OtherView[] {
  const { model, query, pairs } = view;
  const { text, filters, textOptions } = query;
  const isBound = (filter: QueryFilter): boolean => rangeIn([filter], fieldNamed(model, filter.field)) !== null;
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
