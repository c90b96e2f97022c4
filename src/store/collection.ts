/**
 * One resource, frozen: everything a request needs, built once. Rows are numbered in snapshot order; a record that
 * replaces an earlier one of the same id takes its row. Nothing in here scans all rows to answer for some.
 */

import { float64, withRoom } from '../growable.js';
import { type CollectionModel, type Field, fieldIndex, type RecordValues, type Value } from '../model.js';
import type { RawBatch, RawCells, RawRecords } from '../raw.js';
import type { SearchIndex } from '../search/search.js';
import { BatchCells, type BatchRows } from './batch-cells.js';
import { DocumentRows } from './documents.js';
import { createIdIndexBuilder, type IdIndex } from './ids.js';
import { buildNumberColumn, type NumberColumn } from './number-column.js';
import { type RecordText, textInRecord } from './record-text.js';
import { createRecordTextBuilder } from './record-text-builder.js';
import type { SortOrder } from './sort-order.js';
import { createTextOrderBuilder } from './text-order.js';
import { createValueIndexBuilder, type ValueIndex } from './value-index.js';

export interface Collection {
  readonly model: CollectionModel;
  readonly size: number;
  readonly text: RecordText;
  readonly ids: IdIndex;
  /** Per field with numbers or dates that queries compare. */
  readonly columns: ReadonlyMap<string, NumberColumn>;
  /** Per sortable field and per field with a column. */
  readonly orders: ReadonlyMap<string, SortOrder>;
  /** Per field that is filtered by value. */
  readonly values: ReadonlyMap<string, ValueIndex>;
  readonly search: SearchIndex;
}

/** A collection without its search index, which is built from the same records elsewhere. */
export type RecordStore = Omit<Collection, 'search'>;

export interface RecordStoreBuilder {
  add(values: RecordValues): 'added' | 'replaced';
  /** Adds one record. */
  addRaw(raw: RawRecords): 'added' | 'replaced';
  /** Returns how many records replaced others. */
  addBatch(batch: RawBatch): number;
  /** Document → row, as `DocumentRows` tells it; all documents were added. */
  rowOf(): Int32Array;
  /** Calls `onLeft` wherever much memory was left behind that the next part would add to. */
  finish(onLeft?: () => void): RecordStore;
}

/** Of fewer rows too little is left behind. */
const MANY_ROWS = 1 << 17;

/** Follows one field of the records while they arrive, and becomes a part of the collection. */
interface FieldBuilder<Part> {
  readonly name: string;
  readonly index: number;
  set(row: number, value: Value): void;
  setRaw(row: number, raw: RawCells, cell: number): void;
  /** The same for the cells from `cell` on, one for each of `rows`. */
  setCells(rows: BatchRows, cells: BatchCells, cell: number): void;
  finish(size: number, text: RecordText): Part;
}

export function createRecordStoreBuilder(model: CollectionModel): RecordStoreBuilder {
  const idField = fieldIndex(model, 'id');
  const ids = createIdIndexBuilder();
  const text = createRecordTextBuilder(model);
  const serialise = recordSerialiser(model);
  const columns = model.fields.flatMap((field, index) => (hasColumn(field) ? [columnBuilder(field, index)] : []));
  const texts = model.fields.flatMap((field, index) =>
    field.sortable && field.kind === 'text' ? [textOrderBuilder(field, index)] : [],
  );
  const values = model.fields.flatMap((field, index) =>
    field.filter?.kind === 'value' ? [valueBuilder(field, index)] : [],
  );
  const followers = [...columns, ...texts, ...values];
  const documents = new DocumentRows();
  let batchRows = new Int32Array(0);
  let cells: BatchCells | undefined;

  return {
    add(record) {
      const { size } = ids;
      const row = ids.rowFor(Number(record[idField]));
      const { item, rest } = serialise(record);
      text.set(row, item, rest);
      for (const follower of followers) follower.set(row, record[follower.index] ?? null);
      documents.add(row);
      return row < size ? 'replaced' : 'added';
    },
    addRaw(raw) {
      const { size } = ids;
      const row = ids.rowFor(raw.numbers[raw.columns[idField]!]!);
      for (const follower of followers) follower.setRaw(row, raw, raw.columns[follower.index]!);
      text.copy(row, raw);
      documents.add(row);
      return row < size ? 'replaced' : 'added';
    },
    addBatch(batch) {
      if (batchRows.length < batch.size) batchRows = new Int32Array(batch.size);
      const rows = batchRows.subarray(0, batch.size);
      const first = batch.columns[idField]!;
      const replaced = ids.rowsFor(batch.numbers, first, first + batch.size, rows);
      const known = { rows, areNew: replaced === 0 };
      cells = BatchCells.of(batch, cells);
      for (const follower of followers) follower.setCells(known, cells, batch.columns[follower.index]!);
      text.copyBatch(known, batch);
      documents.addAll(rows);
      return replaced;
    },
    rowOf: () => documents.finish(ids.size),
    finish(onLeft = () => {}) {
      const { size } = ids;
      const left = size < MANY_ROWS ? () => {} : onLeft;
      const finishedText = text.finish(size);
      const finishedColumns = finishAll(columns, size, finishedText);
      left();
      const finishedTexts = finishAll(texts, size, finishedText);
      left();
      return {
        model,
        size,
        text: finishedText,
        ids: ids.finish(),
        columns: finishedColumns,
        orders: new Map([...[...finishedColumns].map(([name, { order }]) => [name, order] as const), ...finishedTexts]),
        values: finishAll(values, size, finishedText),
      };
    },
  };
}

const finishAll = <Part>(builders: readonly FieldBuilder<Part>[], size: number, text: RecordText) =>
  new Map(builders.map((builder) => [builder.name, builder.finish(size, text)]));

const hasColumn = ({ kind, sortable, filter }: Field): boolean =>
  (kind === 'integer' || kind === 'number' || kind === 'date') && (sortable === true || filter?.kind === 'range');

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

function textOrderBuilder({ name }: Field, index: number): FieldBuilder<SortOrder> {
  const order = createTextOrderBuilder();
  const field = { index, nameInRecord: Buffer.from(`${JSON.stringify(name)}:`) };
  return {
    name,
    index,
    set: (row, value) => order.set(row, typeof value === 'string' ? value : null),
    setRaw: (row, raw, cell) => order.setRaw(row, raw, cell),
    setCells: (rows, cells, cell) => order.setCells(rows, cells, cell),
    finish: (size, text) => order.finish(size, (row) => textInRecord(text, row, field)),
  };
}

function columnBuilder({ name, kind }: Field, index: number): FieldBuilder<NumberColumn> {
  const toNumber = kind === 'date' ? dateNumber : plainNumber;
  let column = float64(0);
  const set = (row: number, number: number): void => {
    column = withRoom(column, row + 1, float64);
    column[row] = number;
  };
  return {
    name,
    index,
    set: (row, value) => set(row, toNumber(value)),
    setRaw: (row, raw, cell) => set(row, raw.numbers[cell]!),
    setCells({ rows, areNew }, { batch }, cell) {
      const numbers = batch.numbers.subarray(cell, cell + rows.length);
      if (areNew) {
        column = withRoom(column, rows[0]! + rows.length, float64);
        column.set(numbers, rows[0]!);
      } else for (let i = 0; i < rows.length; i++) set(rows[i]!, numbers[i]!);
    },
    finish(size) {
      const numbers = column.subarray(0, size);
      column = float64(0);
      return buildNumberColumn(numbers);
    },
  };
}

const plainNumber = (value: Value): number => (typeof value === 'number' ? value : Number.NaN);
const dateNumber = (value: Value): number => (typeof value === 'string' ? Date.parse(value) : Number.NaN);

const valueBuilder = ({ name }: Field, index: number): FieldBuilder<ValueIndex> => ({
  name,
  index,
  ...createValueIndexBuilder(),
});
