/**
 * The search of everything: hits of all collections, fields and values that fit what was typed, and questions such as `median
 * price by category`. It is a page, which the script also shows in a dialog while one types.
 */

import * as v from 'valibot';
import { type CollectionModel, collectionOf, type Field } from '../../../model.js';
import { execute } from '../../../query/execute.js';
import { facetsOf } from '../../../query/facets.js';
import { optionalTextParameter, type Parameter } from '../../../query/parameters.js';
import { EVERYTHING } from '../../../query/query.js';
import type { Collection } from '../../../store/collection.js';
import { count, fold } from '../../../text.js';
import {
  capitalised,
  collectionTitle,
  labelOf,
  numberText,
  shortened,
  valueText,
  withoutBidiControls,
  wordsOf,
} from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { hasValues, offeredFields } from '../counting/offered-fields.js';
import { address, addressOfField, addressOfGroups, recordAddress } from '../frame/address.js';
import type { PageFrame } from '../frame/document.js';
import { FORM, searchInput } from '../frame/toolbar.js';
import { groupChoices, usualGrouping, usualMeasure } from '../groups/choices.js';
import { answerText, type Question } from '../groups/page.js';
import { hitList } from './hits.js';

const scopeParameter: Parameter = {
  name: 'in',
  description: 'the collection that is searched; all collections if not given',
  expected: 'the name of a collection',
  schema: v.string(),
};

export const everywhereParameters: readonly Parameter[] = [optionalTextParameter, scopeParameter];

/** Hits of each of several collections, and of a chosen one. */
const [HITS, HITS_OF_ONE] = [5, 20];
const FIELDS = 6;
const VALUES = 6;
/** Fields whose values are looked up for each typed text. */
const LOOKED_UP_FIELDS = 12;

/** `scope` is the chosen collection; undefined for all. */
export function searchPage(loaded: readonly Collection[], text: string, scope?: Collection): PageFrame {
  const searched = scope === undefined ? loaded : [scope];
  const limit = searched.length === 1 ? HITS_OF_ONE : HITS;
  const hits = text === '' ? [] : searched.map((collection) => hitsIn(collection, text, limit));
  const total = hits.reduce((sum, one) => sum + one.total, 0);
  return {
    title: text === '' ? 'Search' : html`${withoutBidiControls(text)} &ndash; Search`,
    current: null,
    kind: 'search',
    main: html`<h1>${text === '' ? 'Search' : foundTitle(searched, text, total)}</h1>
${searchEverywhere(loaded, { text, scope, isLive: true })}
<div class="found stack" id="found">${text === '' ? html`<div class="cells">${typingHelp(searched)}${keysHelp}</div>` : resultsOf(searched, text, hits)}</div>`,
  };
}

/** Records with some of the words are results as well, which is told where none has all. */
function foundTitle(searched: readonly Collection[], text: string, total: number): Html {
  const query = { ...EVERYTHING, text, textOptions: { ...EVERYTHING.textOptions, match: 'all' as const } };
  const hasAllWords = (collection: Collection): boolean => execute(collection, query, { page: 1, limit: 1 }).total > 0;
  return total > 0 && !searched.some(hasAllWords)
    ? html`No record has all words of <q>${isolated(text)}</q>; ${numberText(total)} ${total === 1 ? 'has' : 'have'} some`
    : html`${count(total, 'result')} for <q>${isolated(text)}</q>`;
}

interface SearchState {
  readonly text?: string;
  readonly scope?: Collection | undefined;
  /** The form is that of the page itself, whose results are updated while one types. */
  readonly isLive?: boolean;
}

/** The field that searches everything, or a chosen collection. */
export function searchEverywhere(
  loaded: readonly Collection[],
  { text = '', scope, isLive = false }: SearchState = {},
): Html {
  const label = `Search ${scope === undefined ? 'everything' : collectionTitle(scope.model.name)}`;
  const scopes = loaded.map((one) => {
    const { name } = one.model;
    return html`<option value="${name}"${one === scope ? html` selected` : null}>${collectionTitle(name)}</option>`;
  });
  const choice = html`<select name="in" id="in" aria-label="Where"><option value="">Everything</option>${scopes}</select>`;
  return html`<form class="find row"${isLive && html` id="${FORM}" data-live`} role="search" action="/search" aria-label="${label}">
${searchInput(label, text)}
${loaded.length > 1 && choice}
<button class="main">Search</button>
</form>`;
}

const keys: readonly (readonly [key: string, says: string])[] = [
  ['/', 'search this page, or everything'],
  ['Ctrl K', 'search everything'],
  ['↑ ↓', 'previous and next result'],
  ['← →', 'previous and next page or record'],
  ['Esc', 'back'],
  ['?', 'these keys'],
];

const keysHelp: Html = html`<section class="block" id="keys"><h2>Keys</h2><dl class="facts pairs lines">${keys.map(([key, says]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${says}</dd></div>`)}</dl></section>`;

/** The help on what can be typed, with examples of the fields of the first collection. */
function typingHelp(loaded: readonly Collection[]): Html {
  const [first] = loaded;
  const [by, of] = first === undefined ? [] : [usualGrouping(first), usualMeasure(first)];
  const examples = [
    ...(by === undefined ? [] : [`${wordsOf(by)}:`]),
    ...(by === undefined || of === undefined ? [] : [`median ${wordsOf(of)} by ${wordsOf(by)}`]),
  ];
  const links = examples.map(
    (example) => html`<li><a href="${address('/search', [['q', example]])}">${example}</a></li>`,
  );
  return html`<section class="block">
<h2>What can be typed</h2><p>Words of any record, the name of a field, a field with the beginning of a value, or a question.</p>
<ul class="tags row" role="list">${links}</ul></section>`;
}

function resultsOf(loaded: readonly Collection[], text: string, hits: readonly FirstHits[]): Content {
  const answers = answersTo(loaded, text);
  const suggestions = loaded.flatMap((collection) => [
    ...fieldsIn(collection, text),
    ...matchingValues(collection, text),
  ]);
  const lists = hits.filter(({ total }) => total > 0).map(({ list }) => list);
  if (answers.length === 0 && suggestions.length === 0 && lists.length === 0) return nothingFound(loaded, text);
  const answered =
    answers.length > 0 &&
    html`<section class="block" aria-label="Answers"><ul class="hits answers lines" role="list">${answers.map(({ says, aside, address }) => html`<li><a class="beside" href="${address}"><div><span class="name">${says}</span> ${aside}</div></a></li>`)}</ul></section>`;
  const shownIn = (link: Suggestion): Html =>
    html`<li><a class="pill" href="${link.address}">${link.says} <span class="count">${link.aside}</span></a></li>`;
  const suggested =
    suggestions.length > 0 &&
    html`<ul class="hits tags row" role="list" aria-label="Suggestions">${suggestions.map(shownIn)}</ul>`;
  return html`${answered}${suggested}<div class="lists row">${lists}</div>`;
}

/** The ways on where nothing was found: to the searched collections, or to other words. */
const nothingFound = (loaded: readonly Collection[], text: string): Content => [
  html`<section class="block"><p role="status">Nothing fits <q>${isolated(text)}</q>: no record, no field and no value.</p>
<ul class="tags row" role="list">${loaded.map(({ model, size }) => html`<li><a href="/${model.name}">all ${count(size, model.singular.toLowerCase())}</a></li>`)}</ul></section>`,
  typingHelp(loaded),
];

interface Suggestion {
  readonly says: Content;
  readonly aside: Content;
  readonly address: string;
}

/** Whether a typed name is one of a field, or begins a word of it. */
function isNamedByQuery(field: Field, name: string): boolean {
  const foldedName = fold(name.trim());
  if (foldedName === '') return false;
  const names = [fold(labelOf(field)), fold(field.name)];
  return names.some(
    (one) => one === foldedName || one.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(foldedName)),
  );
}

/** `median price by category`, `count by author`, `mean rating`, `price by category`. */
const QUESTION = /^\s*(?:(count|number|median|mean|average)\b\s*(?:of\s+)?)?(.*?)(?:\s*\b(?:by|per)\s+(.+?))?\s*$/i;

interface TypedQuestion {
  readonly measure: 'median' | 'mean' | 'count' | null;
  /** The words for the number and for the groups; empty where there are none. */
  readonly what: string;
  readonly by: string;
}

function typedQuestion(text: string): TypedQuestion | null {
  const [, word = '', what = '', by = ''] = QUESTION.exec(text) ?? [];
  if (word === '' && by === '') return null;
  const isMean = /^(?:mean|average)$/i.test(word);
  return { measure: word === '' ? null : /^median$/i.test(word) ? 'median' : isMean ? 'mean' : 'count', what, by };
}

/** A typed text may name several fields, and each answer is a pass over a collection. */
const MAX_ANSWERS = 4;

/** The answers to the questions that a text asks of the fields that it names. */
function answersTo(loaded: readonly Collection[], text: string): readonly Suggestion[] {
  const question = typedQuestion(text);
  if (question === null) return [];
  const questions = loaded.flatMap((collection) =>
    questionsIn(collection, question).map((one) => ({ collection, one })),
  );
  return questions.slice(0, MAX_ANSWERS).map(({ collection, one }) => ({
    says: questionTitle(collection.model.name, one),
    aside: answerText(collection, one),
    address: `${addressOfGroups(collection.model.name, one.by.name, one.of?.name ?? null)}${one.measure === 'mean' ? '&view=mean' : ''}`,
  }));
}

const questionTitle = (name: string, { by, of, measure }: Question): Html =>
  html`${of === undefined ? `Count of ${collectionTitle(name)}` : html`${capitalised(measure)} ${isolated(labelOf(of))}`} by ${isolated(labelOf(by))}`;

const MAX_NAMED = 2;

/** Whether words are a name of a collection's records. */
const isCalled = ({ model }: Collection, words: string): boolean =>
  [model.name, collectionTitle(model.name), model.singular, 'records'].some((one) => fold(one) === fold(words));

/** A question for each pair of fields that are called so. Where nothing is typed, it is the usual field. */
function questionsIn(collection: Collection, { measure, what, by }: TypedQuestion): readonly Question[] {
  const choices = groupChoices(collection);
  const fieldsFor = (offered: readonly Field[], words: string, usual: Field | undefined): readonly Field[] => {
    const named = offered.filter((field) => isNamedByQuery(field, words)).slice(0, MAX_NAMED);
    return named.length > 0 || words !== '' || usual === undefined ? named : [usual];
  };
  const isOfRecords = measure !== 'count' || what === '' || isCalled(collection, what);
  // A count is of records: `count authors` names its groups, and other words ask for something else.
  if (!isOfRecords && by !== '') return [];
  const groups = isOfRecords
    ? fieldsFor(choices.by, by, usualGrouping(collection))
    : fieldsFor(choices.by, what, undefined);
  const numbers = measure === 'count' ? [] : fieldsFor(choices.measured, what, usualMeasure(collection));
  const isCount = measure === 'count' || (measure === null && numbers.length === 0);
  return groups.flatMap((group): readonly Question[] =>
    isCount
      ? [{ by: group, of: undefined, measure: 'count' }]
      : numbers.map((number) => ({ by: group, of: number, measure: measure ?? 'median' })),
  );
}

function fieldsIn(collection: Collection, text: string): readonly Suggestion[] {
  const { model } = collection;
  return model.fields
    .filter((field) => isNamedByQuery(field, text.replace(/:$/, '')) && hasValues(collection, field))
    .slice(0, FIELDS)
    .map((field) => ({
      says: html`Field: <b>${isolated(labelOf(field))}</b>`,
      aside: collectionTitle(model.name),
      address: addressOfField(model.name, field.name),
    }));
}

/** Values that begin with the text; of `publisher:lan` those of the fields that are called so. */
function matchingValues(collection: Collection, text: string): readonly Suggestion[] {
  const [, fieldName, beginning = text] = /^([^:]+):(.*)$/.exec(text) ?? [];
  const { model } = collection;
  const { main, more } = offeredFields(collection);
  const candidates = fieldName === undefined ? [...main, ...more] : model.fields;
  const fields = candidates.flatMap((field) => {
    const isCandidate = fieldName === undefined || isNamedByQuery(field, fieldName);
    if (field.filter?.kind !== 'value' || !collection.values.has(field.name) || !isCandidate) return [];
    return [{ field, parameter: field.filter.parameter }];
  });
  return fields
    .slice(0, LOOKED_UP_FIELDS)
    .flatMap(({ field, parameter }) => {
      const values = facetsOf(collection, field.name, null, { beginning: beginning.trim(), limit: VALUES });
      return values.map((value) => ({ ...value, field, parameter }));
    })
    .toSorted((a, b) => b.count - a.count)
    .slice(0, VALUES)
    .map(({ field, parameter, name, count: records }) => ({
      says: html`${isolated(labelOf(field))}: <b>${isolated(shortened(valueText(field, name), 80))}</b>`,
      aside: count(records, model.singular.toLowerCase()),
      address: address(`/${model.name}`, [[parameter, name]]),
    }));
}

/** The hits of a collection: the first of them as a list, and the number of all. */
interface FirstHits {
  readonly total: number;
  readonly list: Content;
}

function hitsIn(collection: Collection, text: string, limit: number): FirstHits {
  const { model } = collection;
  const query = { ...EVERYTHING, text };
  const { rows, total } = execute(collection, query, { page: 1, limit });
  const name = collectionTitle(model.name);
  const target = address(`/${model.name}`, [['q', text]]);
  const all = total > rows.length && html`<a href="${target}">All ${numberText(total)} &rarr;</a>`;
  const items = hitList(collection, rows, query, ({ id }) => recordAddress(model.name, id, [['q', text]]));
  const list = html`<section class="block" aria-label="${name}"><header class="split"><h2><a href="${target}">${name}</a> <span class="count">${numberText(total)}</span></h2>${all}</header>${items}</section>`;
  return { total, list };
}

/** The collections with records, in the order of the pages. */
export const loadedCollections = (
  models: readonly CollectionModel[],
  collections: ReadonlyMap<string, Collection>,
): readonly Collection[] => models.map(({ name }) => collectionOf(collections, name)).filter(({ size }) => size > 0);
