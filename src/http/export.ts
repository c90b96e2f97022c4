/**
 * A collection, or what a query finds in it, as a download, made in chunks when the client asks for more: one chunk is
 * in memory at a time, and the dataset that the export began on serves it to its end.
 */
import { copyRecord, recordBytes, recordView } from '../store/record-text.js';
import type { Download } from './answer.js';
import { csvLines } from './csv.js';
import { type Export, lengthOf, rowAt } from './export-rows.js';
import { closing, jsonLayout, OPENING, type Position, positionAt, SEPARATOR } from './json-layout.js';
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
      let at: Position = positionAt(asked, layout, range.from);
      while (at.byte < range.to) {
        const to = chunkEnd(asked, at.record);
        const chunk = recordsChunk(asked, at.record, to);
        yield chunk.subarray(Math.max(0, range.from - at.byte), Math.min(chunk.length, range.to - at.byte));
        at = { record: to, byte: at.byte + chunk.length };
      }
    },
  };
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

function recordsChunk(asked: Export, from: number, to: number): Buffer<ArrayBuffer> {
  const { text } = asked.collection;
  const start = opening(from);
  const end = ending(to, lengthOf(asked));
  let bytes = start.length + end.length;
  for (let i = from; i < to; i++) bytes += recordBytes(text, rowAt(asked, i)) + (i > 0 ? SEPARATOR.length : 0);
  const chunk = Buffer.allocUnsafe(bytes);
  let at = chunk.write(start, 'latin1');
  for (let i = from; i < to; i++) {
    if (i > 0) at += chunk.write(SEPARATOR, at, 'latin1');
    at = copyRecord(text, rowAt(asked, i), chunk, at);
  }
  chunk.write(end, at, 'latin1');
  return chunk;
}

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
