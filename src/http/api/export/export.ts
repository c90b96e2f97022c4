/**
 * A collection, or what a query finds in it, as a download, made in chunks when the client asks for more: one chunk is
 * in memory at a time, and the dataset that the export began on serves it to its end.
 */
import type { Collection } from '../../../store/collection.js';
import { copySeparated, recordBytes, recordView, SEPARATOR, separatedView } from '../../../store/record-text.js';
import type { Download } from '../../response.js';
import type { NextTurn } from '../../semantics/turns.js';
import { projectJson } from '../project.js';
import { csvLines } from './csv.js';
import { closing, type JsonLayout, jsonLayout, OPENING, positionAt } from './layout.js';
import { type Export, lengthOf, rowAt } from './rows.js';

/** To make as much takes half a millisecond, and ten times as long as what a chunk costs besides. */
const CHUNK_BYTES = 1 << 17;
/** Of what is only sent. */
const VIEW_BYTES = 1 << 18;

/** One JSON array, one record a line. */
export const exportJson = async (asked: Export, nextTurn: NextTurn): Promise<Download> =>
  asked.fields === null
    ? wholeRecords(asked, await jsonLayout(asked, nextTurn))
    : projectedRecords(asked, asked.fields);

/** Any part of the bytes can be made without those before it. */
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
  yield* asked.rows === null ? stored(asked.collection, runs, from) : copied(asked, from);
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
    for (let i = from; i < to; i++) bytes += recordBytes(text, rowAt(asked, i)) + SEPARATOR.length;
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

/** What stands before the first record, and after the last. */
const opening = (from: number): string => (from === 0 ? OPENING : '');
const ending = (to: number, length: number): string => (to === length ? closing(length) : '');

function projectedRecords(asked: Export, fields: readonly string[]): Download {
  const { model, text } = asked.collection;
  return byChunks(asked, (from, to) => {
    let chunk = opening(from);
    for (let i = from; i < to; i++) {
      chunk += `${i > 0 ? SEPARATOR : ''}${projectJson(model, recordView(text, rowAt(asked, i)), fields)}`;
    }
    return chunk + ending(to, lengthOf(asked));
  });
}

/** One record a line and nothing else, as bulk loaders of search engines read it. */
export function exportNdjson(asked: Export): Download {
  const { fields, collection } = asked;
  const { model, text } = collection;
  const lineOf = (record: Buffer): string => (fields === null ? record.toString() : projectJson(model, record, fields));
  return byChunks(asked, (from, to) => {
    let chunk = '';
    for (let i = from; i < to; i++) chunk += `${lineOf(recordView(text, rowAt(asked, i)))}\n`;
    return chunk;
  });
}

/** By this mark spreadsheets know that a CSV file is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** RFC 4180 with a header row; a text cell that a spreadsheet would run as a formula is guarded by an apostrophe. */
export function exportCsv(asked: Export, withMark: boolean): Download {
  const { model, text } = asked.collection;
  const columns = asked.fields ?? model.fields.map((field) => field.name);
  const header = `${withMark ? BYTE_ORDER_MARK : ''}${csvLines(columns, [], true)}`;
  return byChunks(asked, (from, to) => {
    const records = Array.from({ length: to - from }, (_, i) => recordView(text, rowAt(asked, from + i)));
    return `${from === 0 ? header : ''}${records.length > 0 ? csvLines(columns, records, false) : ''}`;
  });
}

/** A download of unknown length: records `from` to `to`, the latter excluded, at a time. */
const byChunks = (asked: Export, write: (from: number, to: number) => string): Download => ({
  size: null,
  *chunks() {
    let from = 0;
    do {
      const to = chunkEnd(asked, from);
      yield Buffer.from(write(from, to));
      from = to;
    } while (from < lengthOf(asked));
  },
});
