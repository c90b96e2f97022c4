/**
 * One resource, frozen: everything a request needs, built once. Rows are numbered in snapshot order; a record that
 * replaces an earlier one of the same id takes its row. Nothing in here scans all rows to answer for some.
 */
import { type CollectionModel, type Field, fieldIndex, type RecordValues, type Value } from '../model.js';
import type { FieldText, SearchIndex, SearchIndexBuilder } from '../search/search.js';
import { int32, withRoom } from './growable.js';
import { createIdIndexBuilder, type IdIndex } from './ids.js';
import { createRecordTextBuilder, type RecordText } from './record-text.js';
import { orderByNumber, orderByText, type SortOrder } from './sort-order.js';
import { createValueIndexBuilder, type ValueIndex } from './value-index.js';

export interface Collection {
  readonly model: CollectionModel;
  readonly size: number;
  readonly text: RecordText;
  readonly ids: IdIndex;
  /** Per sortable field. */
  readonly orders: ReadonlyMap<string, SortOrder>;
  /** Per field that records are listed by. */
  readonly values: ReadonlyMap<string, ValueIndex>;
  readonly search: SearchIndex;
}

export interface CollectionBuilder {
  add(values: RecordValues): 'added' | 'replaced';
  finish(): Collection;
}

/** Follows one field of the records while they arrive, and becomes a part of the collection. */
interface FieldBuilder<Part> {
  readonly name: string;
  readonly index: number;
  set(row: number, value: Value): void;
  finish(size: number): Part;
}

export function createCollectionBuilder(model: CollectionModel, search: SearchIndexBuilder): CollectionBuilder {
  const idField = fieldIndex(model, 'id');
  const ids = createIdIndexBuilder();
  const text = createRecordTextBuilder();
  const serialise = recordSerialiser(model);
  const orders = model.fields.flatMap((field, index) => (field.sortable ? [sortOrderBuilder(field, index)] : []));
  const values = model.fields.flatMap((field, index) => (field.listedByPath ? [valueBuilder(field, index)] : []));
  const searched = model.fields.flatMap((field, index) => (field.searchWeight ? [index] : []));
  let documentRows = int32(0);
  let documents = 0;
  let size = 0;

  return {
    add(record) {
      const row = ids.rowFor(Number(record[idField]));
      const outcome = row < size ? 'replaced' : 'added';
      size = Math.max(size, row + 1);
      const { item, rest } = serialise(record);
      text.set(row, item, rest);
      for (const order of orders) order.set(row, record[order.index] ?? null);
      for (const value of values) value.set(row, record[value.index] ?? null);
      search.add(searched.map((index) => fieldText(record[index] ?? null)));
      documentRows = withRoom(documentRows, documents + 1, int32);
      documentRows[documents++] = row;
      return outcome;
    },
    finish: () => ({
      model,
      size,
      text: text.finish(size),
      ids: ids.finish(),
      orders: new Map(orders.map((order) => [order.name, order.finish(size)])),
      values: new Map(values.map((value) => [value.name, value.finish(size)])),
      search: search.finish(lastDocuments(documentRows.subarray(0, documents), size)),
    }),
  };
}

/** Serialises a record in two parts: the list item without its closing brace, and the rest. */
function recordSerialiser(model: CollectionModel): (record: RecordValues) => { item: string; rest: string } {
  const fields = model.fields.map((field, index) => ({ ...field, index, key: `${JSON.stringify(field.name)}:` }));
  const inItem = fields.filter((field) => !field.detailOnly);
  const inDetail = fields.filter((field) => field.detailOnly);
  return (record) => {
    let item = '';
    for (const field of inItem) item += `${item === '' ? '{' : ','}${field.key}${JSON.stringify(record[field.index])}`;
    let rest = '';
    for (const field of inDetail) {
      const value = record[field.index] ?? null;
      // A list that a record lacks is left out; any other missing value is null.
      if (value !== null || field.kind !== 'tags') rest += `,${field.key}${JSON.stringify(value)}`;
    }
    return { item, rest: `${rest}}` };
  };
}

function sortOrderBuilder(field: Field, index: number): FieldBuilder<SortOrder> {
  if (field.kind === 'text') {
    const texts: (string | null)[] = [];
    return {
      name: field.name,
      index,
      set: (row, value) => {
        texts[row] = typeof value === 'string' ? value : null;
      },
      finish: () => orderByText(texts),
    };
  }
  const toNumber = field.kind === 'date' ? dateNumber : plainNumber;
  let column = new Float64Array(0);
  return {
    name: field.name,
    index,
    set: (row, value) => {
      column = withRoom(column, row + 1, (length) => new Float64Array(length));
      column[row] = toNumber(value);
    },
    finish: (size) => orderByNumber(column.subarray(0, size)),
  };
}

const plainNumber = (value: Value): number => (typeof value === 'number' ? value : Number.NaN);
const dateNumber = (value: Value): number => (typeof value === 'string' ? Date.parse(value) : Number.NaN);

function valueBuilder(field: Field, index: number): FieldBuilder<ValueIndex> {
  const builder = createValueIndexBuilder();
  return {
    name: field.name,
    index,
    set: (row, value) => builder.set(row, typeof value === 'string' ? value : null),
    finish: builder.finish,
  };
}

const fieldText = (value: Value): FieldText => (typeof value === 'number' ? String(value) : value);

/** Document → row, but -1 for documents whose row a later document took. */
function lastDocuments(rows: Int32Array, size: number): Int32Array {
  const last = new Int32Array(size);
  for (let document = 0; document < rows.length; document++) last[rows[document]!] = document;
  return rows.map((row, document) => (last[row] === document ? row : -1));
}
