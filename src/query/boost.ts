/** What lifts records of a search: their place among the values of a number or a date. */
import { type Boost, MAX_BOOST } from '../search/search.js';
import type { Collection } from '../store/collection.js';

/**
 * Multiplies by 1 at the least value to `MAX_BOOST` at the greatest, in equal steps, whatever lies between the values, and by 1
 * where there is none. Ratings of 1, 4 and 5 multiply by 1, 1.25 and 1.5.
 */
export function boostBy({ columns }: Collection, field: string): Boost {
  const column = columns.get(field);
  if (column === undefined) throw new Error(`${field} has no column`);
  const { keys } = column.order;
  const missing = column.values.length - 1;
  const step = (MAX_BOOST - 1) / Math.max(1, missing - 1);
  return { key: field, factorOf: (row) => (keys[row] === missing ? 1 : 1 + keys[row]! * step) };
}
