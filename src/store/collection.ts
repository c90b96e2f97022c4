/**
 * What is kept of the records of a collection?
 * Takes: record batches.
 * Gives: a frozen `Collection` of records, sort orders and indexes. Rows are numbered in snapshot order; a record that replaces an
 * earlier one of the same id takes its row. To read some rows never takes a scan of all.
 * Skip: the inside of each part (`src/README.md` has its form and its bytes a record).
 */
import { type ColumnBuilder, cellOf, type RecordBatch } from '../batch.js';
import { hasTextValues, isOrdered } from '../field-kinds.js';
import type { CollectionModel, Field } from '../model.js';
import type { SearchIndex } from '../search/search.js';
import { type IdIndex, IdIndexBuilder } from './ids.js';
import { createMissingRowsBuilder, type MissingRows } from './missing.js';
import { createNumberColumnBuilder, hasDistinctNumbers, type NumberColumn } from './number-column.js';
import type { RecordText, StoredText } from './record-text.js';
import { createRecordTextBuilder } from './record-text-builder.js';
import type { SortOrder } from './sort-order.js';
import { createTextColumnBuilder, type TextColumn } from './text-column.js';
import { isUnique, type ValueIndex } from './value-index.js';
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

/** The indexes over texts: of the values of fields, and the orders of texts. */
export type TextIndexes = Pick<Collection, 'values' | 'textColumns' | 'orders'>;

const isUrl = ({ kind }: Field): boolean => kind === 'url';
const hasTextColumn = (field: Field): boolean => field.role === 'title' || isUrl(field);
export const hasValueIndex = (field: Field): boolean =>
  hasTextValues(field) && (isUrl(field) ? field.filter !== undefined : field.role !== 'title');

/** A share of the work on a collection, which one thread does: columns of numbers, indexes of values, or columns of whole texts. */
export type StorePart = 'columns' | 'values' | 'textColumns';
export const STORE_PARTS: readonly StorePart[] = ['columns', 'values', 'textColumns'];

/** Builds the indexes over texts that are among `parts`. */
export function createTextIndexesBuilder(model: CollectionModel, parts: readonly StorePart[]) {
  const values = parts.includes('values') ? buildersFor(model, hasValueIndex, createValueIndexBuilder) : [];
  const textColumns = parts.includes('textColumns') ? buildersFor(model, hasTextColumn, createTextColumnBuilder) : [];
  const all = [...values, ...textColumns];
  return {
    /** Sets the texts of rows to those of a batch's records. There are `size` rows afterwards. */
    setAll: (rows: Int32Array, size: number, batch: RecordBatch): void => setFields(all, rows, size, batch),
    finish(size: number): TextIndexes {
      const indexes = { values: finishAll(values, size), textColumns: finishAll(textColumns, size) };
      const orders = new Map<string, SortOrder>();
      for (const [name, { order }] of [...indexes.values, ...indexes.textColumns])
        if (order !== null) orders.set(name, order);
      return { ...indexes, orders };
    },
  };
}

/** A store with indexes over the texts of more of its fields. */
export function withTextIndexes(store: RecordStore, more: TextIndexes): RecordStore {
  const values = new Map([...store.values, ...more.values]);
  const textColumns = new Map([...store.textColumns, ...more.textColumns]);
  const orders = new Map([...store.orders, ...more.orders]);
  return { ...store, model: withKeys({ ...store, values }), orders, values, textColumns };
}

interface AddedRecords {
  readonly rows: Int32Array;
  readonly size: number;
  readonly replacedIds: readonly number[];
}

/** The store has the records, and `parts`. One without any is compared with the next dump, and let go of. */
export function createRecordStoreBuilder(model: CollectionModel, parts = STORE_PARTS) {
  const ids = new IdIndexBuilder();
  const text = createRecordTextBuilder(model, parts.length === 0);
  const texts = createTextIndexesBuilder(model, parts);
  const columns = parts.includes('columns') ? buildersFor(model, isOrdered, createNumberColumnBuilder) : [];
  const missing = buildersFor(model, ({ required }) => !required, createMissingRowsBuilder);
  const followers = [...columns, ...missing];
  return {
    /** Adds the records of a batch; returns their rows, how many rows there are then, and the ids of records that replaced others. */
    addBatch(batch: RecordBatch): AddedRecords {
      const { rows, replacedIds } = ids.addBatch(batch);
      setFields(followers, rows, ids.size, batch);
      texts.setAll(rows, ids.size, batch);
      text.setAll(rows, ids.size, batch);
      return { rows, size: ids.size, replacedIds };
    },
    finish(): RecordStore {
      const { size } = ids;
      const recordText = text.finish(size);
      const finishedColumns = finishAll(columns, size);
      const store: RecordStore = {
        model,
        size,
        text: recordText,
        ids: ids.finish(),
        columns: finishedColumns,
        orders: new Map([...finishedColumns].map(([name, { order }]) => [name, order])),
        values: new Map(),
        textColumns: new Map(),
        missing: finishAll(missing, size),
      };
      return withTextIndexes(store, texts.finish(size));
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
