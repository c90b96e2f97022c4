/** The rows that a filter finds, from the numbers, values and texts of a collection. */
import { addAll, type Bits, complementOf, createBits, inAscendingOrder, setAll } from '../bits.js';
import { isLongText, isOrdered } from '../field-kinds.js';
import type { Field } from '../model.js';
import { inAll, RowSet } from '../row-set.js';
import type { Match } from '../search/search.js';
import type { Collection } from '../store/collection.js';
import { type NumberColumn, placeAbove, placeFrom } from '../store/number-column.js';
import { textsWithPart } from '../store/part-search.js';
import { positionOfKey } from '../store/sort-order.js';
import { rowsByText } from '../store/text-column.js';
import { codesOfValue, rowsOfCode, type ValueIndex, valueCount } from '../store/value-index.js';
import { rowsOfLongText } from './long-texts.js';
import { boundsOf, type Finds, fieldNamed, intervalOf, operatorIn } from './operators.js';
import type { Interval, QueryFilter } from './query.js';

function numberColumnOf({ columns }: Collection, { name }: Field): NumberColumn {
  const column = columns.get(name);
  if (column === undefined) throw new Error(`${name} has no column`);
  return column;
}

function valueIndexOf({ values }: Collection, { name }: Field): ValueIndex {
  const index = values.get(name);
  if (index === undefined) throw new Error(`${name} is not indexed by value`);
  return index;
}

/** The rows that a filter lets pass. */
export function rowsOfFilter(collection: Collection, filter: QueryFilter): RowSet {
  const { model, size } = collection;
  const operator = operatorIn(filter);
  if (operator !== undefined) {
    const rows = rowsFound(operator.finds, collection, fieldNamed(model, filter.field), filter);
    return operator.isNegated ? allBut(rows, size) : rows;
  }
  const missing = collection.missing.get(filter.field);
  return missing === undefined ? RowSet.ofRows(new Uint32Array(0), size) : RowSet.ofBits(missing.bits, missing.count);
}

function rowsFound(finds: Finds, collection: Collection, field: Field, { values, match }: QueryFilter): RowSet {
  switch (finds.by) {
    case 'interval':
      return rowsInRange(numberColumnOf(collection, field), boundsOf(field, finds.of, values));
    case 'values':
      return rowsWithValues(collection, field, values, match);
    case 'site':
      return rowsOfValues(valueIndexOf(collection, field), values, match, collection.size);
    case 'part':
      return inAny(
        values.map((part) => rowsWithPart(collection, field, part)),
        collection.size,
      );
  }
}

function rowsWithPart(collection: Collection, field: Field, part: string): RowSet {
  if (isLongText(field)) return collection.search.withPartOfWord(field.name, part);
  const column = collection.textColumns.get(field.name);
  if (column !== undefined) return RowSet.ofRows(textsWithPart(column.texts, part), collection.size);
  const index = valueIndexOf(collection, field);
  return rowsOfCodes(index, textsWithPart(index.names, part), collection.size);
}

function rowsWithValues(collection: Collection, field: Field, values: readonly string[], match: Match): RowSet {
  if (isOrdered(field)) {
    const column = numberColumnOf(collection, field);
    const sets = values.map((value) => rowsInRange(column, intervalOf(field, value)));
    return inAny(sets, collection.size);
  }
  if (isLongText(field))
    return inAny(
      values.map((value) => rowsOfLongText(collection, field, value)),
      collection.size,
    );
  const column = collection.textColumns.get(field.name);
  if (column !== undefined) {
    const rows = [...rowsByText(column, values).values()].flat();
    return RowSet.ofRows(inAscendingOrder(Uint32Array.from(rows), collection.size), collection.size);
  }
  return rowsOfValues(valueIndexOf(collection, field), values, match, collection.size);
}

function rowsOfValues(index: ValueIndex, values: readonly string[], match: Match, size: number): RowSet {
  const sets = distinctCodes(index, values).map((codes) => rowsWith(index, codes, size));
  return match === 'all' ? inAll(sets, size) : inAny(sets, size);
}

/** The rows whose number is in an interval: their keys are a run of numbers, and the rows are a run of the sort order. */
function rowsInRange(column: NumberColumn, { min, max }: Interval): RowSet {
  const { order } = column;
  const { keys } = order;
  const first = placeFrom(column, min);
  const keyCount = Math.max(0, placeAbove(column, max) - first);
  const from = positionOfKey(order, first);
  const to = positionOfKey(order, first + keyCount);
  const has = (row: number): boolean => (keys[row]! - first) >>> 0 < keyCount;
  const bits = (): Bits => {
    const bitsOfRun = createBits(keys.length);
    setAll(bitsOfRun, order.rows.subarray(from, to));
    return bitsOfRun;
  };
  const rows = (): Uint32Array => inAscendingOrder(order.rows.subarray(from, to), keys.length);
  return new RowSet(keys.length, to - from, { bits, rows, has });
}

/** The union of row sets. */
function inAny(sets: readonly RowSet[], size: number): RowSet {
  const [only, ...others] = sets;
  if (only !== undefined && others.length === 0) return only;
  const bits = createBits(size);
  for (const set of sets) {
    if (set.isSparse) setAll(bits, set.rows);
    else addAll(bits, set.bits);
  }
  return RowSet.ofBits(bits);
}

/** The rows that are not in a set. */
const allBut = (set: RowSet, size: number): RowSet =>
  new RowSet(size, size - set.count, { bits: () => complementOf(set.bits, size) });

/** The codes of each value, which may be a whole text of several; those of equal values once. */
function distinctCodes(index: ValueIndex, values: readonly string[]): readonly (readonly number[])[] {
  const byKey = new Map(values.map((value) => codesOfValue(index, value)).map((codes) => [codes.join(), codes]));
  return [...byKey.values()];
}

/** The rows that have all of these codes; none where an unknown value has no code. */
function rowsWith(index: ValueIndex, codes: readonly number[], size: number): RowSet {
  const sets = codes.map((code) => RowSet.ofRows(rowsOfCode(index, code), size));
  return sets.length === 0 ? RowSet.ofRows(new Uint32Array(0), size) : inAll(sets, size);
}

/** The rows that have any of these codes. */
function rowsOfCodes(index: ValueIndex, codes: Uint32Array, size: number): RowSet {
  if (codes.length === 1) return RowSet.ofRows(rowsOfCode(index, codes[0]!), size);
  const bits = createBits(size);
  if (codes.length === valueCount(index)) setAll(bits, index.rows);
  else for (const code of codes) setAll(bits, rowsOfCode(index, code));
  return RowSet.ofBits(bits);
}
