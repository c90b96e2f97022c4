/**
 * A collection, or what a query finds in it, as a download, made in chunks when the client asks for more: one chunk is
 * in memory at a time, and the dataset that the export began on serves it to its end.
 */
import Papa from 'papaparse';
import type { Collection } from '../store/collection.js';
import { copyRecord, recordBytes, recordView } from '../store/record-text.js';
import { FORMULA } from '../text.js';
import { parseRecord, projectJson } from './project.js';

export interface Export {
  readonly collection: Collection;
  /** What to export, in this order; null for every row in snapshot order. */
  readonly rows: Uint32Array | null;
  /** Null for whole records. */
  readonly fields: readonly string[] | null;
}

/** Enough to keep a fast client busy, little enough to make between two other requests. */
const CHUNK_BYTES = 1 << 16;

/** Makes the next piece of an export: positions `from` to `to`, the latter excluded. */
type ChunkWriter = (from: number, to: number) => Uint8Array<ArrayBuffer>;

/** One JSON array, one record a line. */
export const exportJson = (asked: Export): ReadableStream<Uint8Array> =>
  stream(asked, asked.fields === null ? wholeJsonWriter(asked) : projectedJsonWriter(asked, asked.fields));

/** RFC 4180 with a header row; a text cell that a spreadsheet would run as a formula is guarded by an apostrophe. */
export const exportCsv = (asked: Export): ReadableStream<Uint8Array> => stream(asked, csvWriter(asked));

const sizeOf = ({ collection, rows }: Export): number => rows?.length ?? collection.size;
const rowAt = ({ rows }: Export, position: number): number => (rows === null ? position : rows[position]!);

function stream(asked: Export, write: ChunkWriter): ReadableStream<Uint8Array> {
  const size = sizeOf(asked);
  let from = 0;
  let done = false;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (done) return controller.close();
        const to = chunkEnd(asked, from);
        controller.enqueue(write(from, to));
        from = to;
        done = to === size;
      },
    },
    { highWaterMark: 0 },
  );
}

/** Where the chunk that begins at `from` ends: at least one record, then as many as fit. */
function chunkEnd(asked: Export, from: number): number {
  const size = sizeOf(asked);
  const bytesAt = (position: number): number => recordBytes(asked.collection.text, rowAt(asked, position));
  let bytes = 0;
  let to = from;
  while (to < size && (to === from || bytes + bytesAt(to) <= CHUNK_BYTES)) bytes += bytesAt(to++);
  return to;
}

const opening = (from: number): string => (from === 0 ? '[\n' : '');
const closing = (to: number, size: number): string => (to < size ? '' : size === 0 ? ']\n' : '\n]\n');

function wholeJsonWriter(asked: Export): ChunkWriter {
  const { text } = asked.collection;
  const size = sizeOf(asked);
  return (from, to) => {
    let bytes = opening(from).length + closing(to, size).length;
    for (let i = from; i < to; i++) bytes += recordBytes(text, rowAt(asked, i)) + (i > 0 ? 2 : 0);
    const chunk = Buffer.allocUnsafe(bytes);
    let at = chunk.write(opening(from), 'latin1');
    for (let i = from; i < to; i++) {
      if (i > 0) at += chunk.write(',\n', at, 'latin1');
      at = copyRecord(text, rowAt(asked, i), chunk, at);
    }
    chunk.write(closing(to, size), at, 'latin1');
    return chunk;
  };
}

function projectedJsonWriter(asked: Export, fields: readonly string[]): ChunkWriter {
  const { model, text } = asked.collection;
  const size = sizeOf(asked);
  return (from, to) => {
    let chunk = opening(from);
    for (let i = from; i < to; i++) {
      chunk += `${i > 0 ? ',\n' : ''}${projectJson(model, recordView(text, rowAt(asked, i)), fields)}`;
    }
    return Buffer.from(chunk + closing(to, size));
  };
}

function csvWriter(asked: Export): ChunkWriter {
  const { model, text } = asked.collection;
  const columns = asked.fields ?? model.fields.map((field) => field.name);
  return (from, to) => {
    const rows: unknown[][] = from === 0 ? [[...columns]] : [];
    for (let i = from; i < to; i++) rows.push(csvCells(recordView(text, rowAt(asked, i)), columns));
    // An empty text is written "" and a missing one as nothing, so that reading the file back tells them apart.
    const csv = Papa.unparse(rows, { newline: '\r\n', escapeFormulae: FORMULA, quotes: (cell) => cell === '' });
    return Buffer.from(`${csv}\r\n`);
  };
}

/** A record's cells in column order; a list is its JSON text, in one cell. */
function csvCells(record: Buffer, columns: readonly string[]): unknown[] {
  const values = parseRecord(record);
  return columns.map((name) => (Array.isArray(values[name]) ? JSON.stringify(values[name]) : values[name]));
}
