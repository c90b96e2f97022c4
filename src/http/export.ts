/**
 * A collection, or what a query finds in it, as a download, made in chunks when the client asks for more: one chunk is
 * in memory at a time, and the dataset that the export began on serves it to its end.
 */
import { copySeparated, recordBytes, recordView, SEPARATOR, separatedView, sideBySide } from '../store/record-text.js';
import type { Download } from './answer.js';
import { csvLines } from './csv.js';
import { type Export, lengthOf, rowAt } from './export-rows.js';
import { closing, jsonLayout, OPENING, positionAt } from './json-layout.js';
import { projectJson } from './project.js';

/** Enough to keep a fast client busy, little enough to make between two other requests. */
const CHUNK_BYTES = 1 << 16;

/** One JSON array, one record a line. */
export const exportJson = (asked: Export): Download =>
  asked.fields === null ? wholeRecords(asked) : projectedRecords(asked, asked.fields);

/** Any part of the bytes can be made without those before it. */
function wholeRecords(asked: Export): Download {
  const layout = jsonLayout(asked);
  return {
    size: layout.size,
    *chunks(range = { from: 0, to: layout.size }) {
      const start = positionAt(asked, layout, range.from);
      let { byte } = start;
      for (const piece of pieces(asked, start.record)) {
        const end = byte + piece.length;
        if (end > range.from)
          yield piece.subarray(Math.max(0, range.from - byte), Math.min(piece.length, range.to - byte));
        if (end >= range.to) return;
        byte = end;
      }
    },
  };
}

/** The export from a record on. The last record's separator is the one that is not sent. */
function* pieces(asked: Export, from: number): Iterable<Buffer<ArrayBuffer>> {
  const length = lengthOf(asked);
  if (from === 0) yield Buffer.from(OPENING);
  for (let i = from; i < length; ) {
    const { to, piece } = asked.rows === null ? stored(asked, i) : copied(asked, i);
    yield to === length ? piece.subarray(0, piece.length - SEPARATOR.length) : piece;
    i = to;
  }
  yield Buffer.from(closing(length));
}

interface Piece {
  readonly to: number;
  readonly piece: Buffer<ArrayBuffer>;
}

/** In snapshot order records lie side by side, so that nothing is copied. */
function stored({ collection: { text, size } }: Export, from: number): Piece {
  const to = sideBySide(text, from, size, CHUNK_BYTES);
  return { to, piece: separatedView(text, from, to) };
}

function copied(asked: Export, from: number): Piece {
  const { text } = asked.collection;
  const to = chunkEnd(asked, from);
  let bytes = 0;
  for (let i = from; i < to; i++) bytes += recordBytes(text, rowAt(asked, i)) + SEPARATOR.length;
  const piece = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (let i = from; i < to; i++) at = copySeparated(text, rowAt(asked, i), piece, at);
  return { to, piece };
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

/** By this mark spreadsheets know that a CSV file is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

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
