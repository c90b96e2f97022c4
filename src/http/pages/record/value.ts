/** One value of a record as markup; nothing where it is missing. */
import type { Field } from '../../../model.js';
import type { Collection } from '../../../store/collection.js';
import type { Highlighter } from '../../highlight/highlight.js';
import { dayOf, hostText, isNumeric, longDate, numberText, shortened, webAddress } from '../../markup/format.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { decimalsOf } from '../counting/shape.js';
import { address } from '../frame/address.js';

/** Whether there is nothing to show. */
export const isMissing = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A link out of the site: the one place that makes them. */
export function outLink(text: unknown, content: (url: URL) => Content, className = 'out'): Content {
  const url = webAddress(text);
  if (url === null) return null;
  return html`<a class="${className}" href="${url.href}" rel="noopener noreferrer nofollow">${content(url)}</a>`;
}

/** A link to the records that share a value. */
export const valueLink = (collection: string, parameter: string, value: string, content: Content): Html =>
  html`<a href="${address(`/${collection}`, [[parameter, value]])}">${isolated(content)}</a>`;

/** `$5`, `CHF 5`: a number with the sign that the dump has with most of them. */
const amountText = ({ currency }: Field, number: string): Content =>
  currency === undefined ? number : isolated(`${currency}${/\p{L}$/u.test(currency) ? '\u00a0' : ''}${number}`);

const CELL_CHARACTERS = 2000;

/** A value in a table. */
export function cellValue(field: Field, value: unknown, collection: Collection, highlighter: Highlighter): Content {
  const { kind, filter } = field;
  if (isMissing(value)) return null;
  if (isNumeric(kind) && typeof value === 'number')
    return amountText(field, numberText(value, decimalsOf(collection, field)));
  const text = String(value);
  if (kind === 'date') return dateValue(text, false);
  if (kind === 'url') return outLink(text, (url) => isolated(hostText(url))) ?? isolated(text);
  const marked = highlighter.mark(shortened(text, CELL_CHARACTERS));
  return filter?.kind === 'value' ? valueLink(collection.model.name, filter.parameter, text, marked) : isolated(marked);
}

export function dateValue(text: string, isLong: boolean): Content {
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) return isolated(text);
  return html`<time datetime="${text}" title="${longDate(timeMs)}">${isLong ? longDate(timeMs) : dayOf(timeMs)}</time>`;
}
