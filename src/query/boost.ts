/** A boost of search results by a number or a date: the higher a record's rank among the values, the greater its factor. */
import { type Boost, MAX_BOOST } from '../search/search.js';
import type { Collection } from '../store/collection.js';

/**
 * The factor ascends by equal steps, from 1 at the least value to `MAX_BOOST` at the greatest; a missing value has 1. Only
 * the rank of a value counts: ratings of 1, 4 and 5 multiply by 1, 1.25 and 1.5.
 */
export function boostBy({ columns }: Collection, field: string): Boost {
  const column = columns.get(field);
  if (column === undefined) throw new Error(`${field} has no column`);
  const { keys } = column.order;
  const missing = column.values.length - 1;
  const step = (MAX_BOOST - 1) / Math.max(1, missing - 1);
  return { key: field, factorOf: (row) => (keys[row] === missing ? 1 : 1 + keys[row]! * step) };
}
