/**
 * A list without hits: the nearest words that records have, and what there is without each of the conditions. At most
 * some twenty searches for three records each; nothing of it is reached where there are hits.
 */
import { execute } from '../../../query/execute.js';
import { EVERYTHING, type Query } from '../../../query/query.js';
import { count, fold } from '../../../text.js';
import { numberText } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { address, type Pairs, without, withValue } from '../frame/address.js';
import { shownRecord } from '../record/record.js';
import { filterConditions } from './conditions.js';
import type { View } from './view.js';

const MAX_WORDS = 3;
const MAX_WORD_LENGTH = 24;
/** Shorter beginnings are those of too many words. */
const MIN_BEGINNING = 3;
/** Records whose words are looked at. */
const LOOKED_AT = 3;
/** And how much of each. */
const LOOKED_AT_BYTES = 1 << 13;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** `total` is that of the view: a page past the last one has no hits, either. */
export function noHits(view: View, total: number): Html {
  const { model, pairs, paging } = view;
  if (total > 0) {
    const last = Math.ceil(total / paging.limit);
    const target = address(`/${model.name}`, [...without(pairs, 'page'), ['page', String(last)]]);
    return html`<div class="empty"><p>There is no page ${numberText(paging.page)}: the last one is <a href="${target}">page ${numberText(last)}</a>.</p></div>`;
  }
  if (view.collection.size === 0) {
    return html`<div class="empty"><p>No ${model.name} are loaded. Put a dump of any name into the snapshots folder.</p></div>`;
  }
  return html`<div class="empty"><p>Nothing matches.</p>
${nearestWords(view)}
${ways(view)}
<p><a href="/${model.name}">See all ${model.name}</a></p></div>`;
}

/** How many records a query finds, and the first of them. */
const found = ({ collection }: View, query: Query) => execute(collection, query, { page: 1, limit: LOOKED_AT });

/** A link to another view, where there is anything in it. */
function way(view: View, label: Content, query: Query, pairs: Pairs): Content {
  const { model } = view;
  const { total } = found(view, query);
  if (total === 0) return null;
  const target = address(`/${model.name}`, without(pairs, 'page'));
  return html`<li><a href="${target}">${label}</a>: ${count(total, model.singular.toLowerCase())}</li>`;
}

/** Links to the view without one condition. */
function ways(view: View): Content {
  const { query } = view;
  const items = query.filters.map((filter) => {
    const conditions = filterConditions(view, filter);
    const texts = conditions.map(({ says, text }) => `${says} ${text}`);
    const rest = { ...query, filters: query.filters.filter((other) => other !== filter) };
    const dropped = conditions.map(({ pair }) => pair);
    return way(
      view,
      html`Without ${isolated(texts.join(', '))}`,
      rest,
      view.pairs.filter((pair) => !dropped.includes(pair)),
    );
  });
  if (query.text !== null && query.filters.length > 0) {
    items.push(
      way(view, html`Without <q>${isolated(query.text)}</q>`, { ...query, text: null }, without(view.pairs, 'q')),
    );
  }
  items.push(...widerWords(view));
  return items.every((item) => item === null) ? null : html`<ul>${items}</ul>`;
}

/** Links to the view in which words are taken as usual. */
function widerWords(view: View): readonly Content[] {
  const { query, pairs } = view;
  const ways = [
    { parameter: 'match', label: 'With any of the words', options: { match: 'any' } },
    { parameter: 'fuzzy', label: 'With near spellings', options: { fuzzy: true } },
    { parameter: 'prefix', label: 'With words that begin so', options: { prefix: true } },
  ] as const;
  return ways
    .filter(({ parameter }) => pairs.some(([name]) => name === parameter))
    .map(({ parameter, label, options }) =>
      way(view, label, { ...query, textOptions: { ...query.textOptions, ...options } }, without(pairs, parameter)),
    );
}

function nearestWords(view: View): Content {
  const words = view.query.text?.match(WORD)?.filter(({ length }) => length >= MIN_BEGINNING) ?? [];
  const asked = words.slice(0, MAX_WORDS);
  const offers = new Map(asked.flatMap((word) => nearest(view, word.slice(0, MAX_WORD_LENGTH))));
  if (offers.size === 0) return null;
  const links = [...offers].map(([word, total], i) => {
    const target = address(`/${view.model.name}`, withValue([], 'q', word));
    return html`${i > 0 ? ', ' : null}<a href="${target}">${isolated(word)}</a> <span class="count">${numberText(total)}</span>`;
  });
  return html`<p>Search for ${links}</p>`;
}

/** Words of records that begin as the word does, as far as any do, and how many records each finds. */
function nearest(view: View, word: string): readonly (readonly [string, number])[] {
  let best: readonly string[] = [];
  let from = MIN_BEGINNING;
  let to = word.length;
  // What a beginning finds, a shorter one finds, too.
  while (from <= to) {
    const length = (from + to) >> 1;
    const words = wordsWith(view, word.slice(0, length), word);
    if (words.length === 0) to = length - 1;
    else [best, from] = [words, length + 1];
  }
  return best.map((one) => [one, found(view, searchFor(one)).total] as const);
}

/** Words of the first records found by a beginning of a word: the word itself, else the two that are as long as it, or nearly. */
function wordsWith(view: View, part: string, word: string): readonly string[] {
  const beginning = fold(part);
  const { rows } = found(view, searchFor(beginning));
  const words = new Set(Array.from(rows, (row) => wordsOfRecord(view, row)).flat());
  if (words.has(fold(word))) return [fold(word)];
  const distance = (one: string): number => Math.abs(one.length - word.length);
  return [...words]
    .filter((one) => one.startsWith(beginning))
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, 2);
}

const searchFor = (text: string): Query => ({ ...EVERYTHING, text });

function wordsOfRecord({ model, collection }: View, row: number): readonly string[] {
  const record = shownRecord(collection, row, LOOKED_AT_BYTES);
  const texts = model.fields
    .filter(({ searchWeight }) => searchWeight !== undefined)
    .flatMap((field) => record.valueOf(field) ?? []);
  return texts.flatMap((text) => fold(String(text)).match(WORD) ?? []);
}
