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
  sideBySide,
  wholeText,
} from '../../../store/record-text.js';
import { parseRecord } from '../../../store/record-values.js';
import type { Download } from '../../response.js';
import type { NextTurn } from '../../semantics/turns.js';
import { isWholeRecord, projectJson } from '../list.js';
import { downloadOf, type Framing, framings, type ItemFormat } from './formats.js';

/** The records and fields of an export. */
export interface Export {
  readonly collection: Collection;
  /** The exported rows in their order; null for every row in snapshot order. */
  readonly rows: Uint32Array | null;
  /** Null for whole records. */
  readonly fields: readonly string[] | null;
}

const lengthOf = ({ collection, rows }: Export): number => rows?.length ?? collection.size;
const rowAt = ({ rows }: Export, i: number): number => (rows === null ? i : rows[i]!);

/** Bytes of a piece: half a millisecond of work where it is copied, ten times the fixed cost of a piece. */
const EXPORT_PIECE_BYTES = 1 << 17;
/** Pieces whose lengths are added up in one turn. */
const PIECES_PER_TURN = 64;

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
  return storedRecords(stored, framings[format], nextTurn);
}

/** A part of a file: its bytes are made when they are sent. */
interface Piece {
  readonly length: number;
  readonly make: () => Buffer<ArrayBuffer>;
}

/** Records as the store has them, one a line. Pieces outside of a requested range are not made. */
async function storedRecords(exported: Export, framing: Framing, nextTurn: NextTurn): Promise<Download> {
  let size = 0;
  let count = 0;
  for (const { length } of exportPieces(exported, framing)) {
    size += length;
    if (++count % PIECES_PER_TURN === 0) await nextTurn();
  }
  return {
    size,
    *chunks(range = { from: 0, to: size }) {
      let at = 0;
      for (const { length, make } of exportPieces(exported, framing)) {
        const from = Math.max(0, range.from - at);
        const to = Math.min(length, range.to - at);
        if (from < to) yield make().subarray(from, to);
        at += length;
        if (at >= range.to) return;
      }
    },
  };
}

function* exportPieces(exported: Export, { opening, separator, closing }: Framing): Iterable<Piece> {
  const { text } = exported.collection;
  const length = lengthOf(exported);
  // Records in snapshot order lie side by side in the store, and are sent from there.
  const isView = exported.rows === null && text.defaultLengths === null && separator === SEPARATOR;
  yield textPiece(opening);
  for (let from = 0; from < length; ) {
    const first = from;
    const fitting = pieceEnd(exported, first);
    const to = isView ? sideBySide(text, first, fitting) : fitting;
    let bytes = 0;
    for (let i = first; i < to; i++) bytes += defaultBytes(text, rowAt(exported, i)) + separator.length;
    const make = () => (isView ? separatedView(text, first, to) : copyOf(exported, first, to, separator, bytes));
    // No separator follows the last record.
    const size = to === length ? bytes - separator.length : bytes;
    yield { length: size, make: () => make().subarray(0, size) };
    from = to;
  }
  yield textPiece(closing(length));
}

const textPiece = (text: string): Piece => ({ length: text.length, make: () => Buffer.from(text) });

/** The end of the piece that begins with record `from`: one record, and further ones while they fit. */
function pieceEnd(exported: Export, from: number): number {
  const length = lengthOf(exported);
  const bytesAt = (i: number): number => recordBytes(exported.collection.text, rowAt(exported, i));
  let bytes = 0;
  let to = from;
  while (to < length && (to === from || bytes + bytesAt(to) <= EXPORT_PIECE_BYTES)) bytes += bytesAt(to++);
  return to;
}

function copyOf(exported: Export, from: number, to: number, separator: string, bytes: number): Buffer<ArrayBuffer> {
  const { text } = exported.collection;
  // The store's separator is copied with a record, and written over.
  const copy = Buffer.allocUnsafe(bytes + SEPARATOR.length);
  let at = 0;
  for (let i = from; i < to; i++) {
    const end = copySeparated(text, 1, () => rowAt(exported, i), copy, at) - SEPARATOR.length;
    at = end + copy.write(separator, end, 'latin1');
  }
  return copy;
}

/** Records with some fields only, or in another format than the store's. */
function readRecords(exported: Export, format: ExportFormat, withMark: boolean): Download {
  const { fields, collection } = exported;
  const { model, text } = collection;
  const columns = fields ?? model.fields.filter(({ onRequest }) => !onRequest).map(({ name }) => name);
  const view = fields === null ? defaultView : recordView;
  const jsonNames = new Set(model.fields.filter(({ kind }) => kind === 'json').map(({ name }) => name));
  const content: ItemFormat<Buffer> = {
    json: (record) => (fields === null ? record.toString() : projectJson(model, record, fields)),
    columns,
    rows: (record) => [cells(record, columns, jsonNames)],
  };
  function* chunks(): Iterable<readonly Buffer[]> {
    for (let from = 0; from < lengthOf(exported); ) {
      const to = pieceEnd(exported, from);
      yield Array.from({ length: to - from }, (_, i) => view(text, rowAt(exported, from + i)));
      from = to;
    }
  }
  return downloadOf(format, content, chunks, withMark);
}

/** A record's cells in column order; a list is its JSON text, in one cell, and so is a value that has no other form. */
function cells(record: Buffer, columns: readonly string[], jsonNames: ReadonlySet<string>): unknown[] {
  const values = parseRecord(record);
  return columns.map((name) => {
    const value = values[name];
    const isJson = Array.isArray(value) || (jsonNames.has(name) && value !== null && value !== undefined);
    return isJson ? JSON.stringify(value) : value;
  });
}
