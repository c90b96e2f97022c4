/** Values of records as markup; null for a missing value. */

import { currencyPartOf, isCurrency, isPricedBeside } from '../../../field-kinds.js';
import { type Field, isFound, isNumeric } from '../../../model.js';
import type { Collection } from '../../../store/collection.js';
import { valueCount } from '../../../store/value-index.js';
import { DAY_MS } from '../../../text.js';
import { type Highlighter, noHighlighter } from '../../highlight/highlight.js';
import {
  dayOf,
  hostText,
  isMoneyField,
  labelOf,
  longDate,
  longDay,
  numberText,
  shortened,
  shownDecimals,
  valueText,
  webAddress,
  withUnit,
} from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { isIdentity, isOffered } from '../counting/offered-fields.js';
import { binningIn } from '../counting/shape.js';
import { address } from '../frame/address.js';
import { rolesOf, type ShownRecord } from './record.js';

/** Whether a value is missing: null, empty text or empty list. */
export const isMissing = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A link to another website; every such link is made here. */
export function outLink(text: unknown, content: (url: URL) => Content, className = 'out'): Content {
  const url = webAddress(text);
  if (url === null) return null;
  return html`<a class="${className}" href="${url.href}" rel="noopener noreferrer nofollow">${content(url)}</a>`;
}

/** The first `limit` values of a list, and how many more there are. */
export function tagList(
  values: readonly unknown[],
  limit: number,
  contentOf: (text: string) => Content,
  label: string | null = null,
): Html {
  const more = values.length - limit;
  const items = values.slice(0, limit).map((value) => html`<li>${contentOf(String(value))}</li>`);
  return html`<ul class="tags row" role="list"${label === null ? null : html` aria-label="${label}"`}>${items}${more > 0 ? html`<li>+${numberText(more)}</li>` : null}</ul>`;
}

/** A number with what the dump writes beside it, which may be of any direction. */
function amountText(field: Field, number: string): Content {
  const text = withUnit(field, number);
  return field.currency === undefined && field.unit === undefined ? text : isolated(text);
}

export const CELL_CHARACTERS = 160;
const JSON_CHARACTERS = 80;
/** A cell shows texts of HTML without its tags. */
export const HTML_TAGS = /<\/?(?:p|div|span|br|ul|ol|li|a|b|i|em|strong|h[1-6])\b[^<>]*>/gi;
const ADDRESS_CHARACTERS = 40;

/** A longer value is a sentence, by which nobody filters. */
const MAX_LINKED_CHARACTERS = 50;

/** A value as a link to the records that share it, if its field is offered as a filter. */
export function sharedValue(field: Field, value: string, collection: Collection, content: Content): Content {
  const { filter } = field;
  const isUsual = !isFound(field) || (value.length <= MAX_LINKED_CHARACTERS && isOffered(collection, field));
  const isLinked = filter?.kind === 'value' && isUsual;
  if (!isLinked) return isolated(content);
  return html`<a href="${address(`/${collection.model.name}`, [[filter.parameter, value]])}">${isolated(content)}</a>`;
}

/** `a.example/b/1.jpg` of `https://www.a.example/b/1.jpg`; a long one is cut. */
export const shortAddress = (url: URL): string =>
  shortened(hostText(url) + (url.pathname === '/' ? '' : url.pathname) + url.search, ADDRESS_CHARACTERS);

/** A value in a table. */
export function cellValue(field: Field, value: unknown, collection: Collection, highlighter: Highlighter): Content {
  const { kind } = field;
  if (isMissing(value)) return null;
  if (isNumeric(kind) && typeof value === 'number') return figureText(field, value, collection);
  const text =
    kind === 'json' || (typeof value === 'object' && !Array.isArray(value))
      ? shortened(JSON.stringify(value), JSON_CHARACTERS)
      : Array.isArray(value)
        ? value.join(', ')
        : String(value);
  if (kind === 'date') return dateValue(text, false);
  if (kind === 'url') return outLink(text, (url) => isolated(hostText(url))) ?? isolated(text);
  if (kind === 'code' && webAddress(text)) return outLink(text, (url) => isolated(shortAddress(url)));
  const plainText = kind === 'text' ? text.replace(HTML_TAGS, ' ') : valueText(field, text);
  const markup = highlighter.mark(shortened(plainText, CELL_CHARACTERS));
  return Array.isArray(value) ? isolated(markup) : sharedValue(field, text, collection, markup);
}

/** The field with the record's own currency, where the amounts of a dump have several: a part of their texts, or a column beside them. */
export function fieldOfRecord({ model }: Collection, record: Pick<ShownRecord, 'valueOf'>, field: Field): Field {
  const part = isNumeric(field.kind) ? currencyPartOf(model, field) : undefined;
  const column = isPricedBeside(field) && field.currency === undefined ? rolesOf(model).currency : undefined;
  const currencyBeside = column && record.valueOf(column);
  const currency = part ? record.valueOf(part) : isCurrency(currencyBeside) && currencyBeside;
  return typeof currency === 'string' ? { ...field, currency } : field;
}

/** The value of a record's field in a table. */
export function recordValue(
  collection: Collection,
  record: ShownRecord,
  field: Field,
  highlighter: Highlighter = noHighlighter,
): Content {
  return cellValue(fieldOfRecord(collection, record, field), record.valueOf(field), collection, highlighter);
}

/** Whether a value is shown with its field's name: prices, ratings, dates and texts are understood without. */
const needsName = ({ kind, role }: Field): boolean =>
  kind === 'url' || (isNumeric(kind) && role !== 'price' && role !== 'rating');

/** A value in a list of facts; its field's name is hidden where the value is understood without. */
export const fact = (field: Field, value: Content): Html =>
  html`<div class="${field.role ?? field.kind}"><dt${needsName(field) ? null : html` class="vh"`}>${labelOf(field)}</dt> <dd>${value}</dd></div>`;

/** Bound on the characters of the tags that stand beside a website. */
const MAX_TAG_CHARACTERS = 24;

/** The number of tags that stand in one line beside a website, at least one. */
function tagsInLine(tags: readonly string[]): number {
  const fitting = tags.filter((_, i) => tags.slice(0, i + 1).join('').length <= MAX_TAG_CHARACTERS);
  return Math.max(1, fitting.length);
}

/** Whether all records share one website, which then tells none of them from another. */
export function isOneSite({ model, values }: Collection): boolean {
  const { link } = rolesOf(model);
  const sites = link && values.get(link.name);
  return sites !== undefined && valueCount(sites) === 1;
}

/** The line below a record's title: `before`, such as its change, the website of its address, and its first tags; null where it has none. */
export function sourceLine(
  collection: Collection,
  link: unknown,
  tagValues: readonly string[],
  highlighter: Highlighter,
  before: Content,
): Content {
  const { tags } = rolesOf(collection.model);
  const host = isOneSite(collection) ? null : outLink(link, (url) => isolated(hostText(url)), 'host');
  if (host === null && tagValues.length === 0 && before === null) return null;
  const tagContent = (tag: string): Content =>
    tags === undefined ? isolated(tag) : sharedValue(tags, tag, collection, highlighter.mark(tag));
  return html`<div class="under row">${before}${host}${tagValues.length === 0 ? null : tagList(tagValues, tagsInLine(tagValues), tagContent)}</div>`;
}

function figureText(field: Field, value: number, collection: Collection): Content {
  const { decimals = 0, isMostlyWhole = true, areYears = false } = binningIn(collection, field) ?? {};
  if (areYears || field.isNamedAsId || isIdentity(collection, field)) return amountText(field, String(value));
  // Points stand below one another (5.0, 4.5), unless most numbers have none (2 rooms, 1.5).
  const isFilled = isMoneyField(field) || !isMostlyWhole;
  return amountText(field, numberText(value, isFilled ? shownDecimals(field, decimals) : 0));
}

export function dateValue(text: string, isLong: boolean): Content {
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) return isolated(text);
  // The time of a date without one is midnight, which nobody wrote.
  const isDay = timeMs % DAY_MS === 0;
  if (isDay && !isLong) return html`<time>${dayOf(timeMs)}</time>`;
  const long = isDay ? longDay(timeMs) : longDate(timeMs);
  return html`<time datetime="${text}" title="${long}">${isLong ? long : dayOf(timeMs)}</time>`;
}
