/** The fields of a record that the dump has besides the documented ones, each as its kind is read: links, dates, tags, nested values. */
import { type Field, isNumeric } from '../../../model.js';
import type { Collection } from '../../../store/collection.js';
import type { Highlighter } from '../../highlight/highlight.js';
import { labelOf, numberText, shortened } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { prose } from './paragraphs.js';
import { rolesOf, type ShownRecord } from './record.js';
import { cellValue, isMissing, outLink, sharedValue } from './value.js';

interface Entry {
  readonly label: string;
  readonly value: Content;
}

/** Longer texts are paragraphs. */
const LINE_CHARACTERS = 300;
const TEXT_CHARACTERS = 20_000;

/** The list of these fields; null where the record has none. `api` is the address of the whole record. */
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
  return html`<section class="extra" aria-labelledby="extra"><h2 id="extra">${collection.model.isOwn ? 'Fields' : 'Other fields'}</h2><dl class="facts">${entries.map(({ label, value }) => html`<div><dt>${isolated(label)}</dt><dd>${value}</dd></div>`)}</dl></section>`;
}

function fieldValue(
  field: Field,
  value: unknown,
  collection: Collection,
  highlighter: Highlighter,
  api: string,
): Content {
  if (field.kind === 'date' || isNumeric(field.kind)) return cellValue(field, value, collection, highlighter);
  if (Array.isArray(value) && field.kind !== 'json')
    return tagList(value, (text) => sharedValue(field, text, collection, highlighter.mark(text)));
  if (typeof value !== 'string')
    return field.kind === 'boolean'
      ? sharedValue(field, String(value), collection, String(value))
      : anyValue(value, api);
  const link = outLink(value, () => isolated(shortened(value, LINE_CHARACTERS)));
  if (link !== null) return link;
  if (value.length > LINE_CHARACTERS || value.includes('\n'))
    return prose(shortened(value, TEXT_CHARACTERS), highlighter);
  return sharedValue(field, value, collection, highlighter.mark(value));
}

const MAX_TAGS = 100;

function tagList(values: readonly unknown[], contentOf: (text: string) => Content): Html {
  const more = values.length - MAX_TAGS;
  const items = values.slice(0, MAX_TAGS).map((value) => html`<li>${contentOf(String(value))}</li>`);
  return html`<ul class="tags" role="list">${items}${more > 0 ? html`<li class="more">+${numberText(more)}</li>` : null}</ul>`;
}

/** A value nested deeper, or in a longer list or object, is left to the JSON. */
const MAX_DEPTH = 4;
const MAX_MEMBERS = 30;

/** A value of no kind: lists of scalars as tags, objects as lists of their members. */
function anyValue(value: unknown, api: string, depth = 0): Content {
  if (typeof value === 'string')
    return (
      outLink(value, () => isolated(shortened(value, LINE_CHARACTERS))) ?? isolated(shortened(value, LINE_CHARACTERS))
    );
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? numberText(value) : String(value);
  if (depth === MAX_DEPTH) return html`<a href="${api}">JSON</a>`;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null))
    return tagList(value, (text) => outLink(text, () => isolated(shortened(text, LINE_CHARACTERS))) ?? isolated(text));
  const members = Object.entries(value).filter(([, member]) => !isMissing(member));
  const more = members.length - MAX_MEMBERS;
  const rest = more > 0 ? html`<li><a href="${api}">${numberText(more)} more, in the JSON</a></li>` : null;
  const items = members.slice(0, MAX_MEMBERS).map(([name, member]) => {
    const label = Array.isArray(value) ? null : html`<span class="soft">${isolated(name)}</span> `;
    return html`<li>${label}${anyValue(member, api, depth + 1)}</li>`;
  });
  return html`<ul class="nested" role="list">${items}${rest}</ul>`;
}
