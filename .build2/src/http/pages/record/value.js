import { dayOf } from '../counting/date-edges.js';
import { address } from '../frame/address.js';
import { hostText, isNumeric, longDate, numberText, webAddress } from '../frame/format.js';
import { html, isolated } from '../frame/html.js';
/** Whether there is nothing to show. */
export const isMissing = (value) => value === null || value === '' || (Array.isArray(value) && value.length === 0);
/** A link out of the site: the one place that makes them. */
export function outLink(text, content, className = 'out') {
    const url = webAddress(text);
    if (url === null)
        return null;
    return html `<a class="${className}" href="${url.href}" rel="noopener noreferrer nofollow">${content(url)}</a>`;
}
/** A link to the records that share a value. */
export const valueLink = (collection, parameter, value, content) => html `<a href="${address(`/${collection}`, [[parameter, value]])}">${isolated(content)}</a>`;
/** A value in a table. */
export function cellValue({ kind, filter }, value, context) {
    if (isMissing(value))
        return null;
    if (isNumeric(kind) && typeof value === 'number')
        return numberText(value, context.decimals);
    if (Array.isArray(value))
        return value.map((item) => html `${isolated(String(item))} `);
    const text = String(value);
    if (kind === 'date')
        return dateValue(text, false);
    if (kind === 'url')
        return outLink(text, (url) => isolated(hostText(url))) ?? isolated(text);
    const marked = context.highlighter.mark(text);
    return filter?.kind === 'value' ? valueLink(context.collection, filter.parameter, text, marked) : isolated(marked);
}
export function dateValue(text, isLong) {
    const timeMs = Date.parse(text);
    if (Number.isNaN(timeMs))
        return isolated(text);
    return html `<time datetime="${text}" title="${longDate(timeMs)}">${isLong ? longDate(timeMs) : dayOf(timeMs)}</time>`;
}
