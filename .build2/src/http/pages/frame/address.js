/** Addresses of views: the parameters of the API as decoded pairs, in the order in which they were given. */
import { percentEncode } from '../../semantics/percent.js';
/** Also encodes the apostrophe, so that an address can stand between apostrophes in a shell. Most texts need no coding. */
const encode = (text) => (/^[\w.~-]*$/.test(text) ? text : percentEncode(text).replaceAll("'", '%27'));
export const without = (pairs, ...names) => pairs.filter(([name]) => !names.includes(name));
/** Without one value of a parameter that may have several. */
export const withoutValue = (pairs, name, value) => pairs.filter((pair) => pair[0] !== name || pair[1] !== value);
/** Replaces a parameter's values, or removes it where the new value is null. */
export const withValue = (pairs, name, value) => [
    ...without(pairs, name),
    ...(value === null ? [] : [[name, String(value)]]),
];
export const address = (path, pairs) => pairs.length === 0 ? path : `${path}?${pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}`;
/** What only the pages know; the API has no such parameters. */
const PAGE_ONLY = ['view'];
const PAGING = ['page', 'limit'];
/** The addresses of a view's records; they differ in their ids only. */
export function recordAddresses(collection, pairs) {
    const view = address('', pairs);
    return (id) => `/${collection}/${encode(String(id))}${view}`;
}
export const recordAddress = (collection, id, pairs) => recordAddresses(collection, pairs)(id);
/** Names the link to a record on its list's page, where the way back from the record leads. */
export const hitId = (id) => `hit-${String(id)}`;
export const apiAddress = (collection, pairs) => {
    const isSearch = pairs.some(([name]) => name === 'q');
    return address(`/api/${collection}${isSearch ? '/search' : ''}`, without(pairs, ...PAGE_ONLY));
};
/** The whole view as a file. */
export const exportAddress = (collection, pairs, format) => address(`/api/export/${collection}`, [...without(pairs, ...PAGE_ONLY, ...PAGING), ['format', format]]);
