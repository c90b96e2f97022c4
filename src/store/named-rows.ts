/**
 * Records by what stands for them: an id, a key, a code, or a value of a field. Ids and codes are looked up, and no look-up goes through
 * all rows.
 */
import type { CollectionModel, Field } from '../model.js';
import type { ServedStore } from './collection.js';
import { rowOfId } from './ids.js';
import { numberAtRow, placeFrom } from './number-column.js';
import { positionOfKey } from './sort-order.js';
import { codeOfValue, rowsOfCode } from './value-index.js';

/** A record that a segment of a path names. */
interface NamedRow {
  readonly row: number;
  /** Whether a key names it, and not its id. */
  readonly isByKey: boolean;
}

/** The record that a segment of a path names: by its id where a record has it, else by the first key that has the value. */
export function rowNamed(store: Omit<ServedStore, 'text'>, segment: string): NamedRow | undefined {
  const { ids, model } = store;
  const id = /^-?\d+$/.test(segment) ? Number(segment) : Number.NaN;
  const row = mayBeId(model, segment) ? rowOfId(ids, id) : -1;
  if (row >= 0) return { row, isByKey: false };
  for (const key of model.keys ?? []) {
    const [row] = rowsWithCode(store, key, segment);
    if (row !== undefined) return { row, isByKey: true };
  }
  return undefined;
}

/** Whether a segment of a path may be an id: a canonical integer, or any integer in a collection without keys. */
export const mayBeId = ({ keys = [] }: CollectionModel, segment: string): boolean =>
  keys.length === 0 || /^(?:0|-?[1-9]\d*)$/.test(segment);

/** The rows that have a text as the value of a field, ascending. */
function rowsWithCode({ values, columns }: Omit<ServedStore, 'text'>, field: string, text: string): Uint32Array {
  const index = values.get(field);
  const column = columns.get(field);
  if (index !== undefined) {
    const code = codeOfValue(index, text);
    return code < 0 ? NO_ROWS : rowsOfCode(index, code);
  }
  if (column === undefined || !/^-?\d+$/.test(text)) return NO_ROWS;
  const row = column.order.rows[positionOfKey(column.order, placeFrom(column, Number(text)))];
  return row !== undefined && numberAtRow(column, row) === Number(text) ? Uint32Array.of(row) : NO_ROWS;
}

const NO_ROWS = new Uint32Array(0);

/** The rows of the records that have a code, whole and case aside: in a field of codes, or as a key. */
export function rowsOfCodeIn({ text: _, ...store }: ServedStore): (code: string) => Uint32Array {
  const { fields, keys = [] } = store.model;
  const isSearched = ({ name, kind }: Field): boolean => kind === 'code' || kind === 'codes' || keys.includes(name);
  const names = fields.filter(isSearched).map(({ name }) => name);
  return (code) => {
    const rowLists = names.map((name) => rowsWithCode(store, name, code)).filter((rows) => rows.length > 0);
    return rowLists.length === 1 && rowLists[0]
      ? rowLists[0]
      : Uint32Array.from(new Set(rowLists.flatMap((rows) => [...rows]))).sort();
  };
}
