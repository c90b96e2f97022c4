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
import { type Content, downloadOf, type Framing, framings } from './formats.js';
import { isStored, type Layout, layoutOf, positionAt, sizeOf } from './layout.js';
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
  format === 'csv' || asked.fields !== null
    ? readRecords(asked, format, withMark)
    : wholeRecords(asked, await layoutOf(asked, nextTurn), framings[format]);

/** Records as the store has them, one a line. Any part of the bytes can be made without those before it. */
function wholeRecords(asked: Export, layout: Layout, framing: Framing): Download {
  const size = sizeOf(asked, layout, framing);
  return {
    size,
    *chunks(range = { from: 0, to: size }) {
      const start = positionAt(asked, layout, framing, range.from);
      let { byte } = start;
      for (const piece of pieces(asked, layout, framing, start.record)) {
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
function* pieces(
  asked: Export,
  { runs }: Layout,
  { opening, separator, closing }: Framing,
  from: number,
): Iterable<Buffer<ArrayBuffer>> {
  if (from === 0) yield Buffer.from(opening);
  const isAsStored = isStored(asked) && separator === SEPARATOR;
  yield* isAsStored ? stored(asked.collection, runs, from) : copied(asked, separator, from);
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

function* copied(asked: Export, separator: string, first: number): Iterable<Buffer<ArrayBuffer>> {
  const { text } = asked.collection;
  const length = lengthOf(asked);
  for (let from = first; from < length; ) {
    const to = chunkEnd(asked, from);
    let bytes = SEPARATOR.length;
    for (let i = from; i < to; i++) bytes += defaultBytes(text, rowAt(asked, i)) + separator.length;
    const piece = Buffer.allocUnsafe(bytes);
    let at = 0;
    // The store's separator is copied with a record, and written over.
    for (let i = from; i < to; i++) {
      const end = copySeparated(text, 1, () => rowAt(asked, i), piece, at) - SEPARATOR.length;
      at = end + piece.write(separator, end, 'latin1');
    }
    yield piece.subarray(0, to === length ? at - separator.length : at);
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
