/** Record batches of plain values, and plain values of record batches. */

import { cellOf, endOfString, LIST, NUMBER, type RecordBatch, stringAt, textOf } from '../../src/batch.js';
import { type CollectionModel, collections, type Value } from '../../src/model.js';
import { createNumberColumnBuilder, type NumberColumn } from '../../src/store/number-column.js';
import type { RecordValues } from './batch-writer.js';
import { BatchWriter, inBatches } from './batch-writer.js';

/** A collection of one field, a text. */
export const titles: CollectionModel = { name: 'titles', singular: 'Title', fields: [collections[0].fields[1]] };

/** A batch of one record, whose one cell, the first, has such a value. */
export function cellWith(value: Value): RecordBatch {
  const batch = new BatchWriter(titles);
  batch.add([value]);
  return batch;
}

/** A column of these numbers, NaN where a row has none. */
export function columnOf(numbers: ArrayLike<number>): NumberColumn {
  const builder = createNumberColumnBuilder();
  const model = {
    name: 'numbers',
    singular: 'Number',
    fields: [{ name: 'n', kind: 'number', description: '' }],
  } as const;
  const records = Array.from(numbers, (number): RecordValues => [Number.isNaN(number) ? null : number]);
  let size = 0;
  inBatches(model, records, (batch) => {
    const rows = Int32Array.from({ length: batch.size }, (_, i) => size + i);
    size += batch.size;
    builder.setAll(rows, size, batch, 0);
  });
  return builder.finish(size);
}

export function recordsIn({ fields }: CollectionModel, batch: RecordBatch): readonly RecordValues[] {
  return Array.from({ length: batch.size }, (_, i) => fields.map((_, field) => valueAt(batch, cellOf(field, i))));
}

function valueAt(batch: RecordBatch, cell: number): Value {
  const kind = batch.kinds[cell];
  if (kind === NUMBER) return batch.numbers[cell] ?? null;
  return kind === LIST ? listOf(batch, cell) : textOf(batch, cell);
}

/** The strings of a cell that is a list. */
export function listOf(batch: RecordBatch, cell: number): string[] {
  const { bytes, starts, ends } = batch;
  const list: string[] = [];
  for (let start = starts[cell]! + 1; start < ends[cell]!; ) {
    const end = endOfString(bytes, start);
    list.push(stringAt(bytes, start, end));
    start = end + 1;
  }
  return list;
}
