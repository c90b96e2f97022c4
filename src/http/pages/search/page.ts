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
import { fold } from '../../../text.js';
import { createHighlighter } from '../../highlight/highlight.js';
import { collectionTitle, labelOf, numberText, shortened, valueText } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { hasValues, offeredFields } from '../counting/offered-fields.js';
import { address, addressOfField, addressOfGroups, recordAddress } from '../frame/address.js';
import type { PageFrame } from '../frame/document.js';
import { FORM, searchInput } from '../frame/toolbar.js';
import { groupChoices } from '../groups/choices.js';
import { listRecord } from '../record/record.js';

const scopeParameter: Parameter = {
  name: 'in',
  description: 'the collection whose list is shown; all collections if not given',
  expected: 'the name of a collection',
  schema: v.string(),
};

export const everywhereParameters: readonly Parameter[] = [optionalTextParameter, scopeParameter];

const HITS = 5;
const FIELDS = 6;
const VALUES = 6;
/** Fields whose values are looked up for each typed text. */
const LOOKED_UP_FIELDS = 12;

export function searchPage(loaded: readonly Collection[], text: string): PageFrame {
  return {
    title: text === '' ? 'Search' : html`${text} &ndash; Search`,
    current: null,
    kind: 'search',
    main: html`<h1>Search</h1>
<form class="find row" id="${FORM}" role="search" action="/search" data-live>${searchInput('Search everything', text)}<button class="main">Search</button></form>
<div class="found stack" id="found">${text === '' ? searchHelp(loaded) : resultsOf(loaded, text)}</div>`,
  };
}

const keys: readonly (readonly [key: string, says: string])[] = [
  ['/', 'search this page, or everything'],
  ['Ctrl K', 'search everything'],
  ['↑ ↓', 'previous and next result'],
  ['← →', 'previous and next page or record'],
  ['Esc', 'back'],
  ['?', 'these keys'],
];

/** The help on what can be typed, and on the keys of all pages. */
function searchHelp(loaded: readonly Collection[]): Html {
  const [first] = loaded;
  const by = first && groupChoices(first).by[0];
  const of = first && groupChoices(first).measured[0];
  const examples = [
    ...(by === undefined ? [] : [`${by.name}:`]),
    ...(by === undefined || of === undefined ? [] : [`median ${of.name} by ${by.name}`]),
  ];
  const links = examples.map(
    (example) => html`<li><a href="${address('/search', [['q', example]])}">${example}</a></li>`,
  );
  return html`<section class="block">
<h2>What can be typed</h2><p>Words of any record, the name of a field, a field with the beginning of a value, or a question.</p>
<ul class="tags row" role="list">${links}</ul></section>
<section class="block" id="keys"><h2>Keys</h2><dl class="facts pairs lines">${keys.map(([key, says]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${says}</dd></div>`)}</dl></section>`;
}

function resultsOf(loaded: readonly Collection[], text: string): Content {
  const suggestions = loaded.flatMap((collection) => [
    ...questionsIn(collection, text),
    ...fieldsIn(collection, text),
    ...matchingValues(collection, text),
  ]);
  const hits = loaded.map((collection) => hitsIn(collection, text)).filter((part) => part !== null);
  if (suggestions.length === 0 && hits.length === 0)
    return html`<p role="status">Nothing fits <q>${isolated(text)}</q>: no record, no field and no value.</p>`;
  const shownIn = (link: Suggestion): Html =>
    html`<li><a class="split" href="${link.address}"><span class="name cut">${link.says}</span> <span class="count">${link.aside}</span></a></li>`;
  const suggested =
    suggestions.length > 0 &&
    html`<section class="block" aria-label="Fields and values"><ul class="hits" role="list">${suggestions.map(shownIn)}</ul></section>`;
  return [suggested, hits];
}

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

const QUESTION = /^\s*(?:(count|number|median|mean|average)\s+(?:of\s+)?)?(.*?)\s+(?:by|per)\s+(.+?)\s*$/i;

/** `median price by category`: a page of groups for each pair of fields that are called so. */
function questionsIn(collection: Collection, text: string): readonly Suggestion[] {
  const [, measure = '', what = '', by = ''] = QUESTION.exec(text) ?? [];
  if (by === '') return [];
  const choices = groupChoices(collection);
  const { name } = collection.model;
  const isCount = /^(?:count|number)$/i.test(measure);
  const groups = choices.by.filter((field) => isNamedByQuery(field, by)).slice(0, 2);
  const numbers = choices.measured.filter((field) => isNamedByQuery(field, what)).slice(0, 2);
  const isMean = /^(?:mean|average)$/i.test(measure);
  return groups.flatMap((group) =>
    isCount || numbers.length === 0
      ? [
          {
            says: html`Count of ${collectionTitle(name)} by ${isolated(labelOf(group))}`,
            aside: 'groups',
            address: addressOfGroups(name, group.name, null),
          },
        ]
      : numbers.map((number) => ({
          says: html`${isMean ? 'Mean' : 'Median'} ${isolated(labelOf(number))} by ${isolated(labelOf(group))}`,
          aside: collectionTitle(name),
          address: `${addressOfGroups(name, group.name, number.name)}${isMean ? '&view=mean' : ''}`,
        })),
  );
}

function fieldsIn(collection: Collection, text: string): readonly Suggestion[] {
  const { model } = collection;
  return model.fields
    .filter((field) => isNamedByQuery(field, text.replace(/:$/, '')) && hasValues(collection, field))
    .slice(0, FIELDS)
    .map((field) => ({
      says: html`Field <b>${isolated(labelOf(field))}</b>`,
      aside: collectionTitle(model.name),
      address: addressOfField(model.name, field.name),
    }));
}

/** Values that begin with the text; of `publisher:lan` those of the fields that are called so. */
function matchingValues(collection: Collection, text: string): readonly Suggestion[] {
  const [, fieldName, beginning = text] = /^\s*([^:\s]+)\s*:\s*(.*)$/.exec(text) ?? [];
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
    .map(({ field, parameter, name, count }) => ({
      says: html`${isolated(labelOf(field))} <b>${isolated(shortened(valueText(field, name), 80))}</b>`,
      aside: html`${numberText(count)} ${collectionTitle(model.name)}`,
      address: address(`/${model.name}`, [[parameter, name]]),
    }));
}

function hitsIn(collection: Collection, text: string): Content {
  const { model, search } = collection;
  const query = { ...EVERYTHING, text };
  const { rows, total } = execute(collection, query, { page: 1, limit: HITS });
  if (total === 0) return null;
  const highlighter = createHighlighter(search, query);
  const items = Array.from(rows, (row) => {
    const record = listRecord(collection, row);
    return html`<li><a class="split" href="${recordAddress(model.name, record.id, [['q', text]])}"><span class="name cut">${isolated(highlighter.mark(record.title))}</span></a></li>`;
  });
  const all = html`<a href="${address(`/${model.name}`, [['q', text]])}">all ${numberText(total)}</a>`;
  const title = collectionTitle(model.name);
  return html`<section class="block" aria-label="${title}"><header class="split"><h2>${title}</h2><span class="count small">${all}</span></header><ul class="hits" role="list">${items}</ul></section>`;
}

/** The collections with records, in the order of the pages. */
export const loadedCollections = (
  models: readonly CollectionModel[],
  collections: ReadonlyMap<string, Collection>,
): readonly Collection[] => models.map(({ name }) => collectionOf(collections, name)).filter(({ size }) => size > 0);
