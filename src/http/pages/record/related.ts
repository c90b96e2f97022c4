/**
 * Records that have to do with one: those like it, and those that share a value with it, of which those that share most come
 * first, then those that stand nearest in the snapshot.
 */
import { firstWhere } from '../../../binary-search.js';
import type { Field } from '../../../model.js';
import { similarTo } from '../../../query/similar.js';
import type { Collection } from '../../../store/collection.js';
import { codesOfRow, rowsOfCode, valueAt } from '../../../store/value-index.js';

export interface Related {
  readonly field: Field;
  readonly rows: readonly number[];
  /** The values that are shared, with how many other records have each. */
  readonly values: readonly { readonly name: string; readonly others: number }[];
}

const SHOWN = 6;
/** Values of one field that are looked at. */
const MAX_VALUES = 20;
/** Records looked at on each side for each value. */
const REACH = 500;

export const rowsLike = (collection: Collection, row: number): readonly number[] => similarTo(collection, row, SHOWN);

/** One entry for each field that is filtered by value and that other records share. */
export function relatedTo(collection: Collection, row: number): readonly Related[] {
  return collection.model.fields.flatMap((field) => {
    const index = collection.values.get(field.name);
    if (index === undefined) return [];
    const codes = [...codesOfRow(index, row).subarray(0, MAX_VALUES)];
    const shared = new Map<number, number>();
    for (const code of codes) {
      for (const other of nearby(rowsOfCode(index, code), row)) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    const rows = [...shared]
      .sort(([a, sharedA], [b, sharedB]) => sharedB - sharedA || Math.abs(a - row) - Math.abs(b - row) || a - b)
      .slice(0, SHOWN)
      .map(([other]) => other);
    const values = codes
      .filter((code) => code < index.counted)
      .map((code) => ({ name: valueAt(index, code), others: rowsOfCode(index, code).length - 1 }))
      .filter(({ others }) => others > 0);
    return rows.length === 0 ? [] : [{ field, rows, values }];
  });
}

/** Those of ascending rows that stand next to `row`, without itself. */
function nearby(rows: Uint32Array, row: number): readonly number[] {
  const place = firstWhere(0, rows.length, (at) => rows[at]! >= row);
  return [...rows.subarray(Math.max(0, place - REACH), place + REACH)].filter((other) => other !== row);
}
