/** How many records have a value of a field. */
import { countBits, intersect } from '../bits.js';
import type { Field } from '../model.js';
import type { Collection } from '../store/collection.js';
import type { Conditions } from './conditions.js';

export function valuedAmong(collection: Collection, { name }: Field, { all }: Conditions): number {
  const missing = collection.missing.get(name);
  if (all === null) return collection.size - (missing?.count ?? 0);
  return missing === undefined ? all.count : all.count - countBits(intersect(all.bits, missing.bits));
}
