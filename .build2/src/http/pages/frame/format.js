import { grouped } from '../../../text.js';
import { dayOf } from '../counting/date-edges.js';
import { memoize } from './memoize.js';
/** A field's name as words: `imageUrl` → `image url`. */
export const wordsOf = (name) => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
export const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const labelOf = memoize(({ name }) => capitalised(wordsOf(name)).replace(/\b(?:id|url)\b/gi, (initials) => initials.toUpperCase()));
export const isNumeric = (kind) => kind === 'integer' || kind === 'number';
const MAX_DECIMALS = 3;
/** By the digits after the point that are always shown; making a format costs far more than using it. */
const formats = [];
export function numberText(value, decimals = 0) {
    if (decimals === 0 && value >= 0 && Number.isSafeInteger(value))
        return grouped(value);
    const shown = Math.min(decimals, MAX_DECIMALS);
    const digits = { minimumFractionDigits: shown, maximumFractionDigits: MAX_DECIMALS };
    formats[shown] ??= new Intl.NumberFormat('en', digits);
    return formats[shown].format(value);
}
const months = 'January February March April May June July August September October November December'.split(' ');
/** `31 January 2024 at 12:00 UTC`, in a tenth of the time of a format for all of it. */
export function longDate(timeMs) {
    const date = new Date(timeMs);
    const time = date.toISOString().slice(-13, -8);
    return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()} at ${time} UTC`;
}
/** `5 May`. */
export function dayText(timeMs) {
    const date = new Date(timeMs);
    return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}
/** A number or a time as it stands at the end of an axis. */
export const axisText = (kind, value, decimals) => kind === 'date' ? dayOf(value) : numberText(value, Number.isInteger(value) ? 0 : decimals);
/** The address if it is one that a browser may be sent to, or null: never `javascript:` or a relative one. */
export function webAddress(text) {
    if (typeof text !== 'string' || !/^https?:\/\//i.test(text.trim()))
        return null;
    return URL.canParse(text.trim()) ? new URL(text.trim()) : null;
}
/** `example.com`, shortened by what says nothing. */
export const hostText = (url) => url.host.replace(/^www\./, '');
