/** The Valibot schema of a collection's records, made from the model table: what the store may rely on. */
import * as v from 'valibot';
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** `2016-08-04T15:52:00Z`, with three digits of milliseconds where they are not zero. By characters: it is asked for every record. */
export function isCanonicalDate(text) {
    const { length } = text;
    if (length !== 20 && (length !== 24 || text.charCodeAt(19) !== 46))
        return false;
    if (text.charCodeAt(length - 1) !== 90 || text.charCodeAt(10) !== 84)
        return false;
    if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45)
        return false;
    if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58)
        return false;
    const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
    const month = twoDigits(text, 5);
    const day = twoDigits(text, 8);
    if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)))
        return false;
    if (!(twoDigits(text, 11) <= 23 && twoDigits(text, 14) <= 59 && twoDigits(text, 17) <= 59))
        return false;
    return length === 20 || (isDigitAt(text, 22) && twoDigits(text, 20) * 10 + text.charCodeAt(22) - 48 > 0);
}
const isDigitAt = (text, at) => text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57;
/** NaN where there is another character. */
function twoDigits(text, at) {
    return isDigitAt(text, at) && isDigitAt(text, at + 1)
        ? (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48
        : Number.NaN;
}
function daysIn(year, month) {
    const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    return month === 2 && isLeap ? 29 : (MONTH_DAYS[month - 1] ?? 0);
}
export function canonicalDate(timeMs) {
    const text = new Date(timeMs).toISOString();
    return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}
const KINDS = {
    integer: v.pipe(v.number(), v.safeInteger()),
    number: v.pipe(v.number(), v.finite()),
    text: v.string(),
    url: v.string(),
    date: v.pipe(v.string(), v.check(isCanonicalDate)),
    tags: v.pipe(v.array(v.string()), v.minLength(1)),
};
const NOT_BLANK = /\S/;
/** What a field's value is after loading. */
export function fieldSchema({ kind, required }) {
    if (!required)
        return v.nullable(KINDS[kind]);
    return kind === 'text' ? v.pipe(KINDS.text, v.regex(NOT_BLANK)) : KINDS[kind];
}
export const recordSchema = (model) => v.strictTuple(model.fields.map(fieldSchema));
/** The positions of the fields that are not as they should be. */
export function faultyFields(schema, values) {
    const result = v.safeParse(schema, values);
    return result.success ? [] : result.issues.map((issue) => Number(issue.path?.[0]?.key ?? 0));
}
