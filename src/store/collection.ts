/**
 * What is kept of the records of a collection?
 * Takes: record batches.
 * Gives: a frozen `Collection` of records, sort orders and indexes. Rows are numbered in snapshot order; a record that replaces an
 * earlier one of the same id takes its row. To read some rows never takes a scan of all.
 * Skip: the inside of each part (`src/README.md` has its form and its bytes a record).
 */
import { type ColumnBuilder, cellOf, type RecordBatch } from '../batch.js';
import { hasTextValues, isCurrency, isCurrencyColumn, isOrdered, isPricedBeside } from '../field-kinds.js';
import type { CollectionModel, Field } from '../model.js';
import type { SearchIndex } from '../search/search.js';
import { type IdIndex, IdIndexBuilder } from './ids.js';
import { createMissingRowsBuilder, type MissingRows } from './missing.js';
import { createNumberColumnBuilder, hasDistinctNumbers, type NumberColumn } from './number-column.js';
import type { RecordText, StoredText } from './record-text.js';
import { createRecordTextBuilder } from './record-text-builder.js';
import type { SortOrder } from './sort-order.js';
import { createTextColumnBuilder, type TextColumn } from './text-column.js';
import { isUnique, type ValueIndex, valueAtCode, valueCount } from './value-index.js';
import { createValueIndexBuilder } from './value-index-builder.js';

export interface Collection {
  readonly model: CollectionModel;
  readonly size: number;
  readonly text: RecordText;
  readonly ids: IdIndex;
  /** Per field with numbers or dates that queries compare. */
  readonly columns: ReadonlyMap<string, NumberColumn>;
  /** Per field that records are sorted by. */
  readonly orders: ReadonlyMap<string, SortOrder>;
  /** Per field whose values are counted; of addresses that lists are narrowed by, their hosts. */
  readonly values: ReadonlyMap<string, ValueIndex>;
  /** Per field of titles or addresses: the whole texts. */
  readonly textColumns: ReadonlyMap<string, TextColumn>;
  /** Per field that a record may lack. */
  readonly missing: ReadonlyMap<string, MissingRows>;
  readonly search: SearchIndex;
}

/** A collection without its search index, which is built from the same records elsewhere. */
export type ServedStore = Omit<Collection, 'search'>;

/** The records of a dump, whose texts are stored. */
export interface RecordStore extends ServedStore {
  readonly text: StoredText;
}

const isUrl = ({ kind }: Field): boolean => kind === 'url';
const hasTextColumn = (field: Field): boolean => field.role === 'title' || isUrl(field);
export const hasValueIndex = (field: Field): boolean =>
  hasTextValues(field) && (isUrl(field) ? field.filter !== undefined : field.role !== 'title');

/** Builds the indexes of values, which another thread may do than the one that builds the store. */
export function createValuesBuilder(model: CollectionModel) {
  const values = buildersFor(model, hasValueIndex, createValueIndexBuilder);
  return {
    /** Sets the values of rows to those of a batch's records. There are `size` rows afterwards. */
    setAll: (rows: Int32Array, size: number, batch: RecordBatch): void => setFields(values, rows, size, batch),
    finish: (size: number): Collection['values'] => finishAll(values, size),
  };
}

/** The store with the indexes of its values. */
export const withValues = (store: RecordStore, values: Collection['values']): RecordStore => ({
  ...store,
  model: withPriceCurrency({ ...store, values, model: withKeys({ ...store, values }) }),
  orders: new Map([...store.orders, ...ordersOf(values)]),
  values,
});

/** The orders of fields that records are sorted by. */
export const ordersOf = (
  parts: ReadonlyMap<string, { readonly order: SortOrder | null }>,
): readonly (readonly [field: string, order: SortOrder])[] =>
  [...parts].flatMap(([field, { order }]) => (order === null ? [] : [[field, order] as const]));

interface AddedRecords {
  readonly rows: Int32Array;
  readonly size: number;
  readonly replacedIds: readonly number[];
}

const isPrice = ({ role }: Field): boolean => role === 'price';

/** Builds a store without its indexes of values. One that is only compared with the next dump, and let go of, has no column but that of prices. */
export function createRecordStoreBuilder(model: CollectionModel, isOnlyCompared = false) {
  const ids = new IdIndexBuilder();
  const text = createRecordTextBuilder(model, isOnlyCompared);
  const columns = buildersFor(model, isOnlyCompared ? isPrice : isOrdered, createNumberColumnBuilder);
  const textColumns = isOnlyCompared ? [] : buildersFor(model, hasTextColumn, createTextColumnBuilder);
  const missing = buildersFor(model, ({ required }) => !required, createMissingRowsBuilder);
  const followers = [...columns, ...missing, ...textColumns];
  return {
    /** Adds the records of a batch; returns their rows, how many rows there are then, and the ids of records that replaced others. */
    addBatch(batch: RecordBatch): AddedRecords {
      const { rows, replacedIds } = ids.addBatch(batch);
      setFields(followers, rows, ids.size, batch);
      text.setAll(rows, ids.size, batch);
      return { rows, size: ids.size, replacedIds };
    },
    finish(): RecordStore {
      const { size } = ids;
      const recordText = text.finish(size);
      const finishedColumns = finishAll(columns, size);
      const finishedTexts = finishAll(textColumns, size);
      return {
        model,
        size,
        text: recordText,
        ids: ids.finish(),
        columns: finishedColumns,
        orders: new Map([...ordersOf(finishedColumns), ...ordersOf(finishedTexts)]),
        values: new Map(),
        textColumns: finishedTexts,
        missing: finishAll(missing, size),
      };
    },
  };
}

/** The model with its keys: the fields that may be some, and whose values are each in one record only. */
function withKeys({ model, values, columns }: Pick<RecordStore, 'model' | 'values' | 'columns'>): CollectionModel {
  const { keys: _, ...keyless } = model;
  const isKey = ({ name, mayBeKey }: Field): boolean =>
    mayBeKey === true && (isUnique(values.get(name)) || hasDistinctNumbers(columns.get(name)));
  const keys = model.fields.filter(isKey).map(({ name }) => name);
  return keys.length === 0 ? keyless : { ...keyless, keys };
}

/** The model whose price has the currency of the column beside it, where that is the same in all records: `EUR`. */
function withPriceCurrency({ model, values, missing }: RecordStore): CollectionModel {
  const column = model.fields.find(isCurrencyColumn)?.name ?? '';
  const index = values.get(column);
  if (index === undefined || valueCount(index) !== 1 || missing.get(column)?.count !== 0) return model;
  const currency = valueAtCode(index, 0);
  const hasCurrency = model.fields.some((field) => field.currency !== undefined || field.part === 'currency');
  if (hasCurrency || !isCurrency(currency)) return model;
  return { ...model, fields: model.fields.map((field) => (isPricedBeside(field) ? { ...field, currency } : field)) };
}

/** The builder of one field's part of a collection. */
interface FieldBuilder<Part> {
  readonly name: string;
  readonly index: number;
  readonly builder: ColumnBuilder<Part>;
}

const buildersFor = <Part>(
  { fields }: CollectionModel,
  isWanted: (field: Field) => boolean,
  create: (field: Field) => ColumnBuilder<Part>,
): readonly FieldBuilder<Part>[] =>
  fields.flatMap((field, index) => (isWanted(field) ? [{ name: field.name, index, builder: create(field) }] : []));

function setFields(fields: readonly FieldBuilder<unknown>[], rows: Int32Array, size: number, batch: RecordBatch): void {
  for (const { index, builder } of fields) builder.setAll(rows, size, batch, cellOf(index, 0));
}

const finishAll = <Part>(builders: readonly FieldBuilder<Part>[], size: number) =>
  new Map(builders.map(({ name, builder }) => [name, builder.finish(size)]));
