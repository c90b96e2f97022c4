/** Writes the texts of records one after the other, each composed of its cells: see `record-text.ts`. */

import { float64, narrowed, uint32, withRoom } from '../arrays.js';
import type { RecordBatch } from '../batch.js';
import type { CollectionModel, Field } from '../model.js';
import { addressesOf, type ChunkSource, Chunks, sourceOf } from './chunks.js';
import { RECORD_SEPARATOR, type StoredText } from './record-text.js';
import { maxRecordBytes, recordForm, writeRecord } from './record-writer.js';

interface RecordTextBuilder {
  /**
   * Sets the text of `rows[i]` to that of the i-th record of a batch. Each row is an earlier row or the next one; `size` is the
   * number of rows afterwards.
   */
  setAll(rows: Int32Array, size: number, batch: RecordBatch): void;
  finish(size: number): StoredText;
}

/** `isReturned`: the texts are let go of soon. */
export function createRecordTextBuilder(model: CollectionModel, isReturned = false): RecordTextBuilder {
  const { fields } = model;
  const names = fields.map(({ name }) => name);
  const form = recordForm(model, names, RECORD_SEPARATOR);
  // An item has the fields before the first that only a detail shows, a detail those before the first that a request must name.
  const defaultFieldCount = firstOf(fields, ({ onRequest }) => onRequest === true);
  const itemFieldCount = Math.min(
    firstOf(fields, ({ detailOnly }) => detailOnly === true),
    defaultFieldCount,
  );
  const fieldEnds = float64(fields.length);
  const chunks = new Chunks(isReturned);
  let starts = float64(0);
  let itemLengths = uint32(0);
  let defaultLengths = uint32(0);
  let lengths = uint32(0);
  let longest = 0;

  /** Writes the text of the batch's i-th record, and notes where it stands and where each extent of it ends. */
  function setText(row: number, source: ChunkSource, batch: RecordBatch, i: number): void {
    chunks.reserve(maxRecordBytes(form, batch, i));
    const begin = chunks.used;
    chunks.used = writeRecord(form, source, batch, i, chunks.view, begin, fieldEnds);
    const length = chunks.used - begin - RECORD_SEPARATOR.length;
    starts[row] = chunks.start + begin;
    itemLengths[row] = fieldEnds[itemFieldCount - 1]! - begin;
    defaultLengths[row] = fieldEnds[defaultFieldCount - 1]! - begin;
    lengths[row] = length;
    longest = Math.max(longest, length);
  }

  return {
    setAll(rows, size, batch) {
      starts = withRoom(starts, size, float64);
      itemLengths = withRoom(itemLengths, size, uint32);
      defaultLengths = withRoom(defaultLengths, size, uint32);
      lengths = withRoom(lengths, size, uint32);
      const source = sourceOf(batch.bytes);
      for (let i = 0; i < rows.length; i++) setText(rows[i]!, source, batch, i);
    },
    finish(size) {
      const text = {
        chunks: chunks.all,
        starts: addressesOf(chunks, starts.subarray(0, size)),
        itemLengths: narrowed(itemLengths.subarray(0, size), longest),
        defaultLengths: defaultFieldCount < fields.length ? narrowed(defaultLengths.subarray(0, size), longest) : null,
        lengths: narrowed(lengths.subarray(0, size), longest),
      };
      starts = float64(0);
      itemLengths = uint32(0);
      defaultLengths = uint32(0);
      lengths = uint32(0);
      return text;
    },
  };
}

/** The index of the first field that meets a condition; the number of fields if none does. */
function firstOf(fields: readonly Field[], meets: (field: Field) => boolean): number {
  const index = fields.findIndex(meets);
  return index === -1 ? fields.length : index;
}
