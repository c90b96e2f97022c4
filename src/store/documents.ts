/**
 * What search is given of the records: the searched fields of each as one document, in the order in which they arrive,
 * and at the end which row each document is. Rows are assigned as the record store assigns them, so that the two can
 * be built apart, each from its own reading of the same files.
 */

import { int32, roomFor, withRoom } from '../growable.js';
import { type CollectionModel, fieldIndex, type RecordValues, type Value } from '../model.js';
import {
  hasText,
  LIST,
  listOf,
  NUMBER,
  type RawBatch,
  type RawCells,
  type RawRecord,
  RESPELT_LIST,
  RESPELT_NUMBER,
  textOf,
} from '../raw.js';
import type { FieldText, SearchField } from '../search/search.js';
import { createIdIndexBuilder } from './ids.js';

/** The searched fields of a collection, with their weights. */
export const searchFields = ({ fields }: CollectionModel): readonly SearchField[] =>
  fields.flatMap(({ name, searchWeight }) => (searchWeight ? [{ name, weight: searchWeight }] : []));

export interface DocumentFeed {
  add(values: RecordValues): 'added' | 'replaced';
  addRaw(raw: RawRecord): 'added' | 'replaced';
  /** Returns how many records replaced others. */
  addBatch(batch: RawBatch): number;
  /** Document → row, but -1 for documents whose row a later document took. */
  rowOf(): Int32Array;
}

export function createDocumentFeed(
  model: CollectionModel,
  index: { add(texts: readonly FieldText[]): void },
): DocumentFeed {
  const searched = model.fields.flatMap((field, i) => (field.searchWeight ? [i] : []));
  const idField = fieldIndex(model, 'id');
  const ids = createIdIndexBuilder();
  let rows = int32(0);
  let documents = 0;
  function place(id: number): 'added' | 'replaced' {
    const { size } = ids;
    const row = ids.rowFor(id);
    rows = withRoom(rows, documents + 1, int32);
    rows[documents++] = row;
    return row < size ? 'replaced' : 'added';
  }

  return {
    add(values) {
      index.add(searched.map((field) => fieldText(values[field] ?? null)));
      return place(Number(values[idField]));
    },
    addRaw(raw) {
      index.add(searched.map((field) => rawFieldText(raw, field)));
      return place(raw.numbers[idField]!);
    },
    addBatch(batch) {
      const ids = batch.columns[idField]!;
      let replaced = 0;
      for (let i = 0; i < batch.size; i++) {
        index.add(searched.map((field) => cellText(batch, batch.columns[field]! + i)));
        if (place(batch.numbers[ids + i]!) === 'replaced') replaced++;
      }
      return replaced;
    },
    rowOf() {
      const last = int32(roomFor(ids.size, 4));
      for (let document = 0; document < documents; document++) last[rows[document]!] = document;
      return rows.subarray(0, documents).map((row, document) => (last[row] === document ? row : -1));
    },
  };
}

function rawFieldText(raw: RawRecord, field: number): FieldText {
  const kind = raw.kinds[field]!;
  return kind === LIST || kind === RESPELT_LIST ? listOf(raw, field) : cellText(raw, field);
}

function cellText(raw: RawCells, cell: number): FieldText {
  const kind = raw.kinds[cell]!;
  if (hasText(kind)) return textOf(raw, cell);
  return kind === NUMBER || kind === RESPELT_NUMBER ? String(raw.numbers[cell]) : null;
}

const fieldText = (value: Value): FieldText => (typeof value === 'number' ? String(value) : value);
