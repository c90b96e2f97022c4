/** Addresses of views. Parameters are those of the API, as decoded pairs in the order of the address. */

import { exportAddress, PAGE_ONLY } from '../../api/link.js';
import { asciiPath, namePath, percentEncode } from '../../semantics/percent.js';

export type NameAndValue = readonly [name: string, value: string];
export type Pairs = readonly NameAndValue[];

/** Encodes the apostrophe too, so that an address can be quoted in a shell. Most texts need no encoding. */
const encodeValue = (text: string): string =>
  /^[\w.~-]*$/.test(text) ? text : percentEncode(text).replaceAll("'", '%27');

export const without = (pairs: Pairs, ...names: readonly string[]): Pairs =>
  pairs.filter(([name]) => !names.includes(name));

/** The pairs without one value of a parameter that may have several. */
export const withoutValue = (pairs: Pairs, name: string, value: string): Pairs =>
  pairs.filter((pair) => pair[0] !== name || pair[1] !== value);

/** Replaces a parameter's values, or removes it where the new value is null. */
export const withValue = (pairs: Pairs, name: string, value: string | number | null): Pairs => [
  ...without(pairs, name),
  ...(value === null ? [] : [[name, String(value)] as const]),
];

export const address = (path: string, pairs: Pairs): string =>
  pairs.length === 0
    ? asciiPath(path)
    : `${asciiPath(path)}?${pairs.map(([name, value]) => `${encodeValue(name)}=${encodeValue(value)}`).join('&')}`;

/** Longer views are left out of links to records, of which a list has hundreds. */
const MAX_VIEW_LENGTH = 2048;

/** Makes the addresses of a view's records from their ids. */
export function recordAddresses(collection: string, pairs: Pairs): (id: unknown) => string {
  const viewQuery = address('', pairs);
  const view = viewQuery.length > MAX_VIEW_LENGTH ? '' : viewQuery;
  return (id) => `/${namePath(collection)}/${encodeValue(String(id))}${view}`;
}

export const recordAddress = (collection: string, id: unknown, pairs: Pairs): string =>
  recordAddresses(collection, pairs)(id);

/** The parameters of a list that narrow no records. */
const NOT_NARROWING = ['page', 'limit', 'sort', 'order', 'fields', 'boost', 'by', ...PAGE_ONLY];

/** The words and filters of a view. */
export const conditionsIn = (pairs: Pairs): Pairs => without(pairs, ...NOT_NARROWING);

/**
 * The list of those records of a view that have a value: the parameter replaces the view's own one. Null where this would find
 * others: records with several values (`isList`) are in the view for one value, and have another.
 */
export function narrowedAddress(
  collection: string,
  pairs: Pairs,
  [name, value]: NameAndValue,
  isList: boolean,
): string | null {
  const conditions = conditionsIn(pairs);
  if (isList && conditions.some(([other, chosen]) => other === name && chosen !== value)) return null;
  return address(`/${collection}`, [...without(conditions, name), [name, value]]);
}

/** The page of a field, of the records that the conditions of a view find. */
export const addressOfField = (collection: string, field: string, pairs: Pairs = []): string =>
  viewAddress(`/${percentEncode(collection)}/fields/${percentEncode(field)}`, conditionsIn(pairs));

/** The page of a field by another one: `fields` is the number that is summed up for each value of `by`; null for counts alone. */
export const addressOfGroups = (collection: string, by: string, fields: string | null, pairs: Pairs = []): string =>
  viewAddress(`/${percentEncode(collection)}/stats`, [
    ...conditionsIn(pairs),
    ['by', by],
    ...(fields === null ? [] : [['fields', fields] as const]),
  ]);

function viewAddress(path: string, pairs: Pairs): string {
  const target = address(path, pairs);
  return target.length > MAX_VIEW_LENGTH ? path : target;
}

/** The element id of a record's link in a list: the record's page links back to it. */
export const hitId = (id: unknown): string => `hit-${String(id)}`;

export const apiAddress = (collection: string, pairs: Pairs): string => {
  const isSearch = pairs.some(([name]) => name === 'q');
  return address(`/api/${collection}${isSearch ? '/search' : ''}`, without(pairs, ...PAGE_ONLY));
};

/** The whole view as a file; `path` is that of the view. */
export const fileAddress = (path: string, pairs: Pairs, format: string): string =>
  exportAddress(`/api/export${path}`, address('', pairs).slice(1), format);
