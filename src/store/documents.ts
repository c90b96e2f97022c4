/**
 * Documents are records as they arrive, those that a later one replaces among them. What search is given of them, and
 * which row each becomes.
 */

import { int32, roomFor, sharedInt32, withRoom } from '../growable.js';
import type { CollectionModel, RecordValues, Value } from '../model.js';
import {
  ESCAPED_TEXT,
  hasText,
  isList,
  LIST,
  listOf,
  NUMBER,
  PLAIN_TEXT,
  type RawBatch,
  type RawCells,
  type RawRecords,
  RESPELT_LIST,
  RESPELT_NUMBER,
  textOf,
} from '../raw.js';
import type { TextBatch } from '../search/cell-words.js';
import type { FieldText, SearchField } from '../search/search.js';

/** The searched fields of a collection, with their weights. */
export const searchFields = ({ fields }: CollectionModel): readonly SearchField[] =>
  fields.flatMap(({ name, searchWeight }) => (searchWeight ? [{ name, weight: searchWeight }] : []));

/** The texts of a record's searched fields. */
export interface SearchedTexts {
  of(values: RecordValues): FieldText[];
  /** Those of one record. */
  ofRaw(raw: RawRecords): FieldText[];
  /** Those of all its records. */
  ofBatch(batch: RawBatch): TextBatch;
}

const textKinds = { plain: PLAIN_TEXT, escaped: ESCAPED_TEXT, lists: (1 << LIST) | (1 << RESPELT_LIST) };

export function createSearchedTexts({ fields }: CollectionModel): SearchedTexts {
  const searched = fields.flatMap((field, i) => (field.searchWeight ? [i] : []));
  return {
    of: (values) => searched.map((field) => fieldText(values[field] ?? null)),
    ofRaw: (raw) => searched.map((field) => cellText(raw, raw.columns[field]!)),
    ofBatch(batch) {
      const cells = searched.map((field) => batch.columns[field]!);
      const textsOf = (i: number) => cells.map((cell) => cellText(batch, cell + i));
      const { memory, free, kinds, starts, ends, elements, elementsFrom, elementsTo } = batch;
      return { memory, free, textKinds, kinds, starts, ends, elements, elementsFrom, elementsTo, cells, textsOf };
    },
  };
}

function cellText(raw: RawCells, cell: number): FieldText {
  const kind = raw.kinds[cell]!;
  if (hasText(kind)) return textOf(raw, cell);
  if (isList(kind)) return listOf(raw, cell);
  return kind === NUMBER || kind === RESPELT_NUMBER ? String(raw.numbers[cell]) : null;
}

const fieldText = (value: Value): FieldText => (typeof value === 'number' ? String(value) : value);

/** The row that each document got. */
export class DocumentRows {
  private rows = int32(0);
  private documents = 0;

  add(row: number): void {
    this.rows = withRoom(this.rows, this.documents + 1, int32);
    this.rows[this.documents++] = row;
  }

  addAll(rows: Int32Array): void {
    this.rows = withRoom(this.rows, this.documents + rows.length, int32);
    this.rows.set(rows, this.documents);
    this.documents += rows.length;
  }

  /** Document → row, but -1 for documents whose row a later one took, in memory that threads can share. There are `size` rows. */
  finish(size: number): Int32Array {
    const rows = this.rows.subarray(0, this.documents);
    const last = int32(roomFor(size, 4));
    rows.forEach((row, document) => {
      last[row] = document;
    });
    const rowOf = sharedInt32(this.documents).subarray(0, this.documents);
    rows.forEach((row, document) => {
      rowOf[document] = last[row] === document ? row : -1;
    });
    return rowOf;
  }
}
