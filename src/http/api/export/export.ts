/**
 * The download of a collection, or of a query's rows. It is made in chunks as the client reads, one in memory at a time.
 * A reload does not affect a running download: it reads the dataset that it began with.
 */
import type { ExportFormat } from '../../../query/parameters.js';
import type { Collection } from '../../../store/collection.js';
import {
  copySeparated,
  defaultBytes,
  defaultView,
  recordBytes,
  recordView,
  SEPARATOR,
  separatedView,
  wholeText,
} from '../../../store/record-text.js';
import { parseRecord } from '../../../store/record-values.js';
import type { Download } from '../../response.js';
import type { NextTurn } from '../../semantics/turns.js';
import { isWholeRecord, projectJson } from '../project.js';
import { type Content, downloadOf, type Framing, framings } from './formats.js';
import { type Export, isStored, type Layout, layoutOf, lengthOf, positionAt, rowAt, sizeOf } from './layout.js';

/** Bytes of a copied chunk: half a millisecond of work, ten times the fixed cost of a chunk. */
const CHUNK_BYTES = 1 << 17;
/** Bytes of a chunk that is sent from the store without a copy. */
const VIEW_BYTES = 1 << 18;

export async function recordsDownload(
  exported: Export,
  format: ExportFormat,
  withMark: boolean,
  nextTurn: NextTurn,
): Promise<Download> {
  const { collection, fields } = exported;
  const hasAll = fields !== null && isWholeRecord(collection.model, fields);
  if (format === 'csv' || (fields !== null && !hasAll)) return readRecords(exported, format, withMark);
  const stored = hasAll ? { ...exported, collection: { ...collection, text: wholeText(collection.text) } } : exported;
  return storedRecords(stored, await layoutOf(stored, nextTurn), framings[format]);
}

/** Records as the store has them, one a line. Any part of the bytes can be made without those before it. */
function storedRecords(exported: Export, layout: Layout, framing: Framing): Download {
  const size = sizeOf(exported, layout, framing);
  return {
    size,
    *chunks(range = { from: 0, to: size }) {
      const start = positionAt(exported, layout, framing, range.from);
      let { byte } = start;
      for (const piece of pieces(exported, layout, framing, start.record)) {
        const end = byte + piece.length;
        if (end > range.from)
          yield piece.subarray(Math.max(0, range.from - byte), Math.min(piece.length, range.to - byte));
        if (end >= range.to) return;
        byte = end;
      }
    },
  };
}

/** The export's bytes from a record on. No separator follows the last record. */
function* pieces(
  exported: Export,
  { runs }: Layout,
  { opening, separator, closing }: Framing,
  from: number,
): Iterable<Buffer<ArrayBuffer>> {
  if (from === 0) yield Buffer.from(opening);
  const isAsStored = isStored(exported) && separator === SEPARATOR;
  yield* isAsStored ? stored(exported.collection, runs, from) : copied(exported, separator, from);
  yield Buffer.from(closing(lengthOf(exported)));
}

/** Views into the store, where records in snapshot order lie side by side. A piece may end within a record. */
function* stored({ text, size }: Collection, runs: readonly number[], from: number): Iterable<Buffer<ArrayBuffer>> {
  for (const [i, first] of runs.entries()) {
    const to = runs[i + 1] ?? size;
    if (to <= from || first === size) continue;
    const run = separatedView(text, Math.max(first, from), to);
    const end = to === size ? run.length - SEPARATOR.length : run.length;
    for (let at = 0; at < end; at += VIEW_BYTES) yield run.subarray(at, Math.min(at + VIEW_BYTES, end));
  }
}

function* copied(exported: Export, separator: string, first: number): Iterable<Buffer<ArrayBuffer>> {
  const { text } = exported.collection;
  const length = lengthOf(exported);
  for (let from = first; from < length; ) {
    const to = chunkEnd(exported, from);
    let bytes = SEPARATOR.length;
    for (let i = from; i < to; i++) bytes += defaultBytes(text, rowAt(exported, i)) + separator.length;
    const piece = Buffer.allocUnsafe(bytes);
    let at = 0;
    // The store's separator is copied with a record, and written over.
    for (let i = from; i < to; i++) {
      const end = copySeparated(text, 1, () => rowAt(exported, i), piece, at) - SEPARATOR.length;
      at = end + piece.write(separator, end, 'latin1');
    }
    yield piece.subarray(0, to === length ? at - separator.length : at);
    from = to;
  }
}

/** The end of the chunk that begins with record `from`: one record, and further ones while they fit. */
function chunkEnd(exported: Export, from: number): number {
  const length = lengthOf(exported);
  const bytesAt = (i: number): number => recordBytes(exported.collection.text, rowAt(exported, i));
  let bytes = 0;
  let to = from;
  while (to < length && (to === from || bytes + bytesAt(to) <= CHUNK_BYTES)) bytes += bytesAt(to++);
  return to;
}

/** Records with some fields only, or in another format than the store's. */
function readRecords(exported: Export, format: ExportFormat, withMark: boolean): Download {
  const { fields, collection } = exported;
  const { model, text } = collection;
  const columns = fields ?? model.fields.filter(({ onRequest }) => !onRequest).map(({ name }) => name);
  const view = fields === null ? defaultView : recordView;
  const content: Content<Buffer> = {
    json: (record) => (fields === null ? record.toString() : projectJson(model, record, fields)),
    columns,
    rows: (record) => [cells(record, columns)],
  };
  function* chunks(): Iterable<readonly Buffer[]> {
    for (let from = 0; from < lengthOf(exported); ) {
      const to = chunkEnd(exported, from);
      yield Array.from({ length: to - from }, (_, i) => view(text, rowAt(exported, from + i)));
      from = to;
    }
  }
  return downloadOf(format, content, chunks, withMark);
}

/** A record's cells in column order; a list is its JSON text, in one cell. */
function cells(record: Buffer, columns: readonly string[]): unknown[] {
  const values = parseRecord(record);
  return columns.map((name) => (Array.isArray(values[name]) ? JSON.stringify(values[name]) : values[name]));
}
