/** The found fields of a record: links, dates, tags, long texts and nested values, each shown by its kind. */
import type { CollectionModel, Field } from '../../../model.js';
import type { Collection } from '../../../store/collection.js';
import type { Highlighter } from '../../highlight/highlight.js';
import { labelOf, numberText, shortened } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { addressOfField } from '../frame/address.js';
import { proseMarkup } from './paragraphs.js';
import { rolesOf, type ShownRecord } from './record.js';
import { richText } from './rich-text.js';
import { isMissing, outLink, recordValue, sharedValue, tagList } from './value.js';

/** Longer texts are paragraphs. */
const LINE_CHARACTERS = 300;
const TEXT_CHARACTERS = 20_000;
const HTML_TAG = /<\/?[a-z][^<>]*>/i;
const MAX_TAGS = 100;

/**
 * The list of found fields but those that lead the record, and behind them `facts`, what else is to know of it; null where there
 * is neither. `api` is the address of the whole record.
 */
export function otherFields(
  collection: Collection,
  record: ShownRecord,
  highlighter: Highlighter,
  api: string,
  leading: readonly Field[],
  facts: readonly Html[],
): Content {
  const { model } = collection;
  const isThere = (field: Field): boolean => !isMissing(record.valueOf(field));
  const filledFields = rolesOf(model).found.filter(isThere);
  const upperEnds = new Set(filledFields.map((field) => upperEndOf(model, field)));
  const present = filledFields.filter((field) => !upperEnds.has(field) && !leading.includes(field));
  if (present.length === 0) return facts.length > 0 && html`<div class="extra">${factList(facts, true)}</div>`;
  const entryOf = (field: Field): Html => {
    const valueIn = (one: Field): Content => fieldValue(one, record, collection, highlighter, api);
    const value = bothEnds(model, record, field, valueIn);
    return html`<div><dt><a href="${addressOfField(model.name, field.name)}">${isolated(labelOf(field))}</a></dt><dd>${value}</dd></div>`;
  };
  const isLong = (field: Field): boolean => isLongValue(record.valueOf(field));
  const entries = present.filter((field) => !isLong(field)).map(entryOf);
  const longEntries = present.filter(isLong).map(entryOf);
  return html`<section class="extra stack" aria-labelledby="extra"><h2 id="extra"${model.isOwn && html` class="vh"`}>${model.isOwn ? 'Fields' : 'Other fields'}</h2>${factList([...entries, ...facts], true)}${longEntries.length > 0 && factList(longEntries, false)}</section>`;
}

/** Short values stand in two columns. */
const factList = (facts: readonly Html[], areShort: boolean): Html =>
  html`<dl class="facts pairs lines${areShort && ' short'}">${facts}</dl>`;

/** Whether a value takes more than a line or two of a column: a long text, list or object. */
const isLongValue = (value: unknown): boolean =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).length > SHORT_CHARACTERS;

/** The field with the upper ends of a field's ranges; a page shows both ends as one value: `€94k – €118k`. */
function upperEndOf({ fields }: CollectionModel, { sourcePath, part }: Field): Field | undefined {
  const path = part === undefined && sourcePath?.join('\n');
  return fields.find((other) => other.part === 'upper end' && other.sourcePath?.join('\n') === path);
}

/** A value, and behind it the upper end of its range, if it has one. */
function bothEnds(
  model: CollectionModel,
  record: ShownRecord,
  field: Field,
  valueIn: (field: Field) => Content,
): Content {
  const upperEnd = upperEndOf(model, field);
  return upperEnd === undefined || isMissing(record.valueOf(upperEnd))
    ? valueIn(field)
    : html`${valueIn(field)} &ndash; ${valueIn(upperEnd)}`;
}

/** A number of a record, or both ends of its range, beside other values in a line. */
export const measureValue = (collection: Collection, record: ShownRecord, field: Field): Content =>
  bothEnds(collection.model, record, field, (one) => recordValue(collection, record, one));

function fieldValue(
  field: Field,
  record: ShownRecord,
  collection: Collection,
  highlighter: Highlighter,
  api: string,
): Content {
  const value = record.valueOf(field);
  if (field.kind === 'json') return anyValue(value, api);
  const shared = (text: string): Content => sharedValue(field, text, collection, highlighter.mark(text));
  if (Array.isArray(value)) return tagList(value, MAX_TAGS, (text) => shortLink(text) ?? shared(text));
  if (typeof value !== 'string' || field.kind === 'date') return recordValue(collection, record, field, highlighter);
  const text = shortened(value, TEXT_CHARACTERS);
  const isLong = value.length > LINE_CHARACTERS || value.includes('\n');
  return (
    shortLink(value) ??
    (HTML_TAG.test(text) ? richText(text, highlighter) : null) ??
    (isLong ? proseMarkup(text, highlighter) : shared(value))
  );
}

const shortLink = (text: string): Content => outLink(text, () => isolated(shortened(text, LINE_CHARACTERS)));

/** A value nested deeper, or in a longer list or object, is left to the JSON. */
const MAX_SHOWN_DEPTH = 4;
const MAX_SHOWN_MEMBERS = 30;
/** An object with at most this number of short members stands in one line: `name rice · grams 353`. */
const MAX_IN_LINE = 6;
const SHORT_CHARACTERS = 75;

const label = (name: string): Html => html`<span class="soft">${isolated(name)}</span> `;

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** A value of no kind: lists of scalars as tags, objects as lists of their members. */
function anyValue(value: unknown, api: string, depth = 0): Content {
  if (typeof value === 'string') return shortLink(value) ?? isolated(shortened(value, LINE_CHARACTERS));
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? numberText(value) : String(value);
  if (depth === MAX_SHOWN_DEPTH) return html`<a href="${api}">JSON</a>`;
  const isArray = Array.isArray(value);
  if (isArray && value.every(isScalar)) return tagList(value, MAX_TAGS, (text) => shortLink(text) ?? isolated(text));
  const members = Object.entries(value).filter(([, member]) => !isMissing(member));
  const items = members.slice(0, MAX_SHOWN_MEMBERS).map(([name, member]) => {
    return html`${isArray ? null : label(name)}${anyValue(member, api, depth + 1)}`;
  });
  const isLine =
    !isArray &&
    depth > 0 &&
    members.length <= MAX_IN_LINE &&
    members.every(([, member]) => isScalar(member) && String(member).length < SHORT_CHARACTERS);
  if (isLine) return items.map((item, i) => [i > 0 && ' · ', item]);
  const more = members.length - MAX_SHOWN_MEMBERS;
  const moreItem = more > 0 ? html`<li><a href="${api}">${numberText(more)} more, in the JSON</a></li>` : null;
  return html`<ul class="nested" role="list">${items.map((item) => html`<li>${item}</li>`)}${moreItem}</ul>`;
}
