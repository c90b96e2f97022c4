/** The found fields of a record: links, dates, tags, long texts and nested values, each shown by its kind. */
import type { Field } from '../../../model.js';
import type { Collection } from '../../../store/collection.js';
import type { Highlighter } from '../../highlight/highlight.js';
import { labelOf, numberText, shortened } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { proseMarkup } from './paragraphs.js';
import { rolesOf, type ShownRecord } from './record.js';
import { richText } from './rich-text.js';
import { cellValue, isMissing, outLink, sharedValue, tagList } from './value.js';

interface Entry {
  readonly label: string;
  readonly value: Content;
}

/** Longer texts are paragraphs. */
const LINE_CHARACTERS = 300;
const TEXT_CHARACTERS = 20_000;
const HTML_TAG = /<\/?[a-z][^<>]*>/i;

/** The list of found fields; null where the record has none. `api` is the address of the whole record. */
export function otherFields(
  collection: Collection,
  record: ShownRecord,
  highlighter: Highlighter,
  api: string,
): Content {
  const { found } = rolesOf(collection.model);
  const entries = found.flatMap((field): readonly Entry[] => {
    const value = record.valueOf(field);
    if (isMissing(value)) return [];
    return [{ label: labelOf(field), value: fieldValue(field, value, collection, highlighter, api) }];
  });
  if (entries.length === 0) return null;
  return html`<section class="extra stack" aria-labelledby="extra"><h2 id="extra">${collection.model.isOwn ? 'Fields' : 'Other fields'}</h2><dl class="facts pairs lines">${entries.map(({ label, value }) => html`<div><dt>${isolated(label)}</dt><dd>${value}</dd></div>`)}</dl></section>`;
}

function fieldValue(
  field: Field,
  value: unknown,
  collection: Collection,
  highlighter: Highlighter,
  api: string,
): Content {
  if (field.kind === 'json') return anyValue(value, api);
  if (Array.isArray(value))
    return tagList(
      value,
      MAX_TAGS,
      (text) => shortLink(text) ?? sharedValue(field, text, collection, highlighter.mark(text)),
    );
  if (typeof value !== 'string' || field.kind === 'date') return cellValue(field, value, collection, highlighter);
  const link = shortLink(value);
  if (link !== null) return link;
  const text = shortened(value, TEXT_CHARACTERS);
  const rich = HTML_TAG.test(text) ? richText(text, highlighter) : null;
  if (rich !== null) return rich;
  if (value.length > LINE_CHARACTERS || value.includes('\n')) return proseMarkup(text, highlighter);
  return sharedValue(field, value, collection, highlighter.mark(value));
}

const MAX_TAGS = 100;

const shortLink = (text: string): Content => outLink(text, () => isolated(shortened(text, LINE_CHARACTERS)));

/** A value nested deeper, or in a longer list or object, is left to the JSON. */
const MAX_DEPTH = 4;
const MAX_SHOWN_MEMBERS = 30;
/** An object with so few short members stands in one line: `name rice · grams 353`. */
const MAX_IN_LINE = 6;

const label = (name: string): Html => html`<span class="soft">${isolated(name)}</span> `;

/** A value of no kind: lists of scalars as tags, objects as lists of their members. */
function anyValue(value: unknown, api: string, depth = 0): Content {
  if (typeof value === 'string')
    return (
      outLink(value, () => isolated(shortened(value, LINE_CHARACTERS))) ?? isolated(shortened(value, LINE_CHARACTERS))
    );
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? numberText(value) : String(value);
  if (depth === MAX_DEPTH) return html`<a href="${api}">JSON</a>`;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null))
    return tagList(value, MAX_TAGS, (text) => shortLink(text) ?? isolated(text));
  const members = Object.entries(value).filter(([, member]) => !isMissing(member));
  const isScalar = (member: unknown): boolean =>
    typeof member !== 'object' && String(member).length < LINE_CHARACTERS / 4;
  if (
    !Array.isArray(value) &&
    depth > 0 &&
    members.length <= MAX_IN_LINE &&
    members.every(([, member]) => isScalar(member))
  )
    return html`<span class="members">${members.map(([name, member]) => html`<span>${label(name)}${anyValue(member, api, depth + 1)}</span>`)}</span>`;
  const more = members.length - MAX_SHOWN_MEMBERS;
  const moreItem = more > 0 ? html`<li><a href="${api}">${numberText(more)} more, in the JSON</a></li>` : null;
  const items = members.slice(0, MAX_SHOWN_MEMBERS).map(([name, member]) => {
    return html`<li>${Array.isArray(value) ? null : label(name)}${anyValue(member, api, depth + 1)}</li>`;
  });
  return html`<ul class="nested" role="list">${items}${moreItem}</ul>`;
}
