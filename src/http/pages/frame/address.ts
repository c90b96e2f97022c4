/** Addresses of views: the parameters of the API as decoded pairs, in the order in which they were given. */

import { percentEncode } from '../../semantics/percent.js';

export type Pair = readonly [name: string, value: string];
export type Pairs = readonly Pair[];

/** Also encodes the apostrophe, so that an address can stand between apostrophes in a shell. Most texts need no coding. */
const encode = (text: string): string => (/^[\w.~-]*$/.test(text) ? text : percentEncode(text).replaceAll("'", '%27'));

export const without = (pairs: Pairs, ...names: readonly string[]): Pairs =>
  pairs.filter(([name]) => !names.includes(name));

/** Without one value of a parameter that may have several. */
export const withoutValue = (pairs: Pairs, name: string, value: string): Pairs =>
  pairs.filter((pair) => pair[0] !== name || pair[1] !== value);

/** Replaces a parameter's values, or removes it where the new value is null. */
export const withValue = (pairs: Pairs, name: string, value: string | number | null): Pairs => [
  ...without(pairs, name),
  ...(value === null ? [] : [[name, String(value)] as const]),
];

export const address = (path: string, pairs: Pairs): string =>
  pairs.length === 0 ? path : `${path}?${pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}`;

/** What only the pages know; the API has no such parameters. */
const PAGE_ONLY = ['view'];
const PAGING = ['page', 'limit'];

/** A page has hundreds of links to records: a longer view is left out of them. */
const MAX_VIEW_LENGTH = 2048;

/** The addresses of a view's records; they differ in their ids only. */
export function recordAddresses(collection: string, pairs: Pairs): (id: unknown) => string {
  const whole = address('', pairs);
  const view = whole.length > MAX_VIEW_LENGTH ? '' : whole;
  return (id) => `/${collection}/${encode(String(id))}${view}`;
}

export const recordAddress = (collection: string, id: unknown, pairs: Pairs): string =>
  recordAddresses(collection, pairs)(id);

/** Names the link to a record on its list's page, where the way back from the record leads. */
export const hitId = (id: unknown): string => `hit-${String(id)}`;

export const apiAddress = (collection: string, pairs: Pairs): string => {
  const isSearch = pairs.some(([name]) => name === 'q');
  return address(`/api/${collection}${isSearch ? '/search' : ''}`, without(pairs, ...PAGE_ONLY));
};

/** The whole view as a file. */
export const exportAddress = (collection: string, pairs: Pairs, format: string): string =>
  address(`/api/export/${collection}`, [...without(pairs, ...PAGE_ONLY, ...PAGING), ['format', format]]);
