import { nameKey } from './names.js';
/** Names of sources that hold HTML, and the names that a record must have besides. */
const HTML_SOURCES = [
    { name: 'contenthtml' },
    { name: 'bodyhtml' },
    { name: 'html' },
    { name: 'descriptionhtml' },
    { name: 'contentencoded' },
    { name: 'rendered' },
    // Feeds as JSON.
    { name: 'description', beside: ['pubdate', 'link'] },
    // Hacker News, by Algolia and by Firebase.
    { name: 'storytext', beside: ['objectid'] },
    { name: 'text', beside: ['by', 'time', 'type'] },
];
const TAG = /<\/(?:p|div|span|a|ul|ol|li|h[1-6]|em|strong|b|i|table|blockquote|figure|pre|code|section|article)>|<p(?:\s[^>]*)?>|<br\s*\/?>|<img\s/i;
const MIN_HTML_SHARE = 0.9;
/** The form of a field's texts: `source` is the last name of what feeds it, `names` are those beside it, `values` its first values. */
export function textForm(field, source, names, values) {
    if (field.kind !== 'text' && field.kind !== 'tags')
        return 'plain';
    const key = nameKey(source);
    const keys = new Set(names.map(nameKey));
    const isNamed = HTML_SOURCES.some(({ name, beside = [] }) => name === key && beside.every((other) => keys.has(other)));
    if (field.detailOnly === undefined || field.kind === 'tags')
        return isNamed && key === 'rendered' ? 'html' : 'entities';
    const texts = values.filter((value) => typeof value === 'string' && value.trim() !== '');
    const isHtml = texts.length > 0 && texts.filter((text) => TAG.test(text)).length >= MIN_HTML_SHARE * texts.length;
    return isNamed || isHtml ? 'html' : 'plain';
}
export const plainForms = ({ fields }) => fields.map(() => 'plain');
/** Whether a text must be read again because of its form. */
export function isMarked(form, text) {
    if (form === 'plain')
        return false;
    return text.includes('&') || (form === 'html' && text !== '');
}
