/**
 * A whole collection as a download, made in chunks when the client asks for more: one chunk is in memory at a time,
 * and the dataset that the export began on serves it to its end.
 */
import Papa from 'papaparse';
import type { CollectionModel } from '../model.js';
import type { Collection } from '../store/collection.js';
import { copyRecord, recordBytes, recordView } from '../store/record-text.js';
import { FORMULA } from '../text.js';

/** Enough to keep a fast client busy, little enough to make between two other requests. */
const CHUNK_BYTES = 1 << 16;

/** Makes the next piece of an export: rows `from` to `to`, the latter excluded. */
type ChunkWriter = (from: number, to: number) => Uint8Array<ArrayBuffer>;

/** One JSON array, one record a line. */
export const exportJson = (collection: Collection): ReadableStream<Uint8Array> =>
  streamRows(collection, jsonWriter(collection));

/** RFC 4180 with a header row; a text cell that a spreadsheet would run as a formula is guarded by an apostrophe. */
export const exportCsv = (collection: Collection): ReadableStream<Uint8Array> =>
  streamRows(collection, csvWriter(collection));

function streamRows(collection: Collection, write: ChunkWriter): ReadableStream<Uint8Array> {
  let from = 0;
  let done = false;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (done) return controller.close();
        const to = chunkEnd(collection, from);
        controller.enqueue(write(from, to));
        from = to;
        done = to === collection.size;
      },
    },
    { highWaterMark: 0 },
  );
}

/** Where the chunk that begins with row `from` ends: at least one row, then as many as fit. */
function chunkEnd({ size, text }: Collection, from: number): number {
  let bytes = 0;
  let to = from;
  while (to < size && (to === from || bytes + recordBytes(text, to) <= CHUNK_BYTES)) bytes += recordBytes(text, to++);
  return to;
}

function jsonWriter({ size, text }: Collection): ChunkWriter {
  return (from, to) => {
    const opening = from === 0 ? '[\n' : '';
    const closing = to === size ? (size === 0 ? ']\n' : '\n]\n') : '';
    let bytes = opening.length + closing.length;
    for (let row = from; row < to; row++) bytes += recordBytes(text, row) + (row > 0 ? 2 : 0);
    const chunk = Buffer.allocUnsafe(bytes);
    let at = chunk.write(opening, 'latin1');
    for (let row = from; row < to; row++) {
      if (row > 0) at += chunk.write(',\n', at, 'latin1');
      at = copyRecord(text, row, chunk, at);
    }
    chunk.write(closing, at, 'latin1');
    return chunk;
  };
}

function csvWriter({ model, text }: Collection): ChunkWriter {
  const columns = model.fields.map((field) => field.name);
  return (from, to) => {
    const rows: unknown[][] = [];
    if (from === 0) rows.push(columns);
    for (let row = from; row < to; row++) rows.push(csvCells(model, recordView(text, row)));
    // An empty text is written "" and a missing one as nothing, so that reading the file back tells them apart.
    const csv = Papa.unparse(rows, { newline: '\r\n', escapeFormulae: FORMULA, quotes: (cell) => cell === '' });
    return Buffer.from(`${csv}\r\n`);
  };
}

/** A record's cells in column order; a list is its JSON text, in one cell. */
function csvCells(model: CollectionModel, record: Buffer): unknown[] {
  const values: Record<string, unknown> = JSON.parse(record.toString());
  return model.fields.map(({ name, kind }) => {
    const value = values[name];
    return kind === 'tags' && value !== undefined ? JSON.stringify(value) : value;
  });
}
