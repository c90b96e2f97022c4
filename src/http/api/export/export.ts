/**
 * A collection, or what a query finds in it, as a download, made in chunks when the client asks for more: one chunk is
 * in memory at a time, and the dataset that the export began on serves it to its end.
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
} from '../../../store/record-text.js';
import { parseRecord } from '../../../store/record-values.js';
import type { Download } from '../../response.js';
import type { NextTurn } from '../../semantics/turns.js';
import { projectJson } from '../project.js';
import { type Content, closing, downloadOf, OPENING } from './formats.js';
import { isStored, type JsonLayout, jsonLayout, positionAt } from './layout.js';
import { type Export, lengthOf, rowAt } from './rows.js';

/** To make as much takes half a millisecond, and ten times as long as what a chunk costs besides. */
const CHUNK_BYTES = 1 << 17;
/** Of what is only sent. */
const VIEW_BYTES = 1 << 18;

export const recordsDownload = async (
  asked: Export,
  format: ExportFormat,
  withMark: boolean,
  nextTurn: NextTurn,
): Promise<Download> =>
  format === 'json' && asked.fields === null
    ? wholeRecords(asked, await jsonLayout(asked, nextTurn))
    : readRecords(asked, format, withMark);

/** One JSON array, one record a line. Any part of the bytes can be made without those before it. */
function wholeRecords(asked: Export, layout: JsonLayout): Download {
  return {
    size: layout.size,
    *chunks(range = { from: 0, to: layout.size }) {
      const start = positionAt(asked, layout, range.from);
      let { byte } = start;
      for (const piece of pieces(asked, layout, start.record)) {
        const end = byte + piece.length;
        if (end > range.from)
          yield piece.subarray(Math.max(0, range.from - byte), Math.min(piece.length, range.to - byte));
        if (end >= range.to) return;
        byte = end;
      }
    },
  };
}

/** The export from a record on, in pieces of bytes. The last record's separator is the one that is not sent. */
function* pieces(asked: Export, { runs }: JsonLayout, from: number): Iterable<Buffer<ArrayBuffer>> {
  if (from === 0) yield Buffer.from(OPENING);
  yield* isStored(asked) ? stored(asked.collection, runs, from) : copied(asked, from);
  yield Buffer.from(closing(lengthOf(asked)));
}

/** In snapshot order records lie side by side, so that nothing is copied, and a piece may end within a record. */
function* stored({ text, size }: Collection, runs: readonly number[], from: number): Iterable<Buffer<ArrayBuffer>> {
  for (const [i, first] of runs.entries()) {
    const to = runs[i + 1] ?? size;
    if (to <= from || first === size) continue;
    const run = separatedView(text, Math.max(first, from), to);
    const end = to === size ? run.length - SEPARATOR.length : run.length;
    for (let at = 0; at < end; at += VIEW_BYTES) yield run.subarray(at, Math.min(at + VIEW_BYTES, end));
  }
}

function* copied(asked: Export, first: number): Iterable<Buffer<ArrayBuffer>> {
  const { text } = asked.collection;
  const length = lengthOf(asked);
  for (let from = first; from < length; ) {
    const to = chunkEnd(asked, from);
    let bytes = 0;
    for (let i = from; i < to; i++) bytes += defaultBytes(text, rowAt(asked, i)) + SEPARATOR.length;
    const piece = Buffer.allocUnsafe(bytes);
    copySeparated(text, to - from, (i) => rowAt(asked, from + i), piece, 0);
    yield to === length ? piece.subarray(0, bytes - SEPARATOR.length) : piece;
    from = to;
  }
}

/** Where the chunk that begins with record `from` ends: at least one record, then as many as fit. */
function chunkEnd(asked: Export, from: number): number {
  const length = lengthOf(asked);
  const bytesAt = (i: number): number => recordBytes(asked.collection.text, rowAt(asked, i));
  let bytes = 0;
  let to = from;
  while (to < length && (to === from || bytes + bytesAt(to) <= CHUNK_BYTES)) bytes += bytesAt(to++);
  return to;
}

/** Records of which some fields are asked for, or in another format than the store's. */
function readRecords(asked: Export, format: ExportFormat, withMark: boolean): Download {
  const { fields, collection } = asked;
  const { model, text } = collection;
  const columns = fields ?? model.fields.filter(({ onRequest }) => !onRequest).map(({ name }) => name);
  const view = fields === null ? defaultView : recordView;
  const content: Content<Buffer> = {
    json: (record) => (fields === null ? record.toString() : projectJson(model, record, fields)),
    columns,
    rows: (record) => [cells(record, columns)],
  };
  function* chunks(): Iterable<readonly Buffer[]> {
    for (let from = 0; from < lengthOf(asked); ) {
      const to = chunkEnd(asked, from);
      yield Array.from({ length: to - from }, (_, i) => view(text, rowAt(asked, from + i)));
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
