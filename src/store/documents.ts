/**
 * Documents are records as they arrive, including those that a later one replaces. This file decides which of their fields are
 * searched, and maps documents to rows.
 */
import { int32, roomFor, withRoom } from '../arrays.js';
import type { CollectionModel } from '../model.js';
import type { FieldText, SearchField } from '../search/search.js';
import type { RecordStore } from './collection.js';
import { recordJson } from './record-text.js';
import { recordReader } from './record-values.js';

/** The searched fields of a collection, with their weights. */
export const searchFields = ({ fields }: CollectionModel): readonly SearchField[] =>
  fields.flatMap(({ name, searchWeight, filter }) =>
    searchWeight ? [{ name, weight: searchWeight, ...(filter?.kind === 'value' && { alias: filter.parameter }) }] : [],
  );

/** The columns of the searched fields in a batch. */
export const searchColumns = ({ fields }: CollectionModel): readonly number[] =>
  fields.flatMap(({ searchWeight }, column) => (searchWeight ? [column] : []));

/** The texts of each row, in the order of the searched fields. */
export function searchedTexts({ model, text }: RecordStore): (row: number) => readonly FieldText[] {
  const fields = searchFields(model);
  const readRecord = recordReader(fields.map(({ name }) => name));
  return (row) => {
    const record = readRecord(recordJson(text, row, 'whole'));
    return fields.map(({ name }) => fieldTextOf(record[name]));
  };
}

function fieldTextOf(value: unknown): FieldText {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? value : null;
}

/** The row that each document got. */
export class DocumentRows {
  private rows = int32(0);
  private documents = 0;

  addAll(rows: Int32Array): void {
    this.rows = withRoom(this.rows, this.documents + rows.length, int32);
    this.rows.set(rows, this.documents);
    this.documents += rows.length;
  }

  /** Document → row, but -1 for documents whose row a later one took. There are `size` rows. */
  finish(size: number): Int32Array {
    const rows = this.rows.subarray(0, this.documents);
    const last = int32(roomFor(size, 4));
    rows.forEach((row, document) => {
      last[row] = document;
    });
    const rowOf = new Int32Array(this.documents);
    rows.forEach((row, document) => {
      rowOf[document] = last[row] === document ? row : -1;
    });
    return rowOf;
  }
}
