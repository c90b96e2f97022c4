/**
 * The download of a collection, or of a query's rows. It is made in chunks as the client reads, one in memory at a time.
 * A reload does not affect a running download: it reads the dataset that it began with.
 */
import type { CollectionModel } from '../../../model.js';
import type { ArrivingRecords, StoredRecords } from '../../../query/engine.js';
import { joinedJson } from '../../../query/memory.js';
import type { ExportFormat } from '../../../query/parameters.js';
import type { CsvForm } from '../../../query/request.js';
import { Projection } from '../../../store/projection.js';
import {
  copyRecord,
  type Extent,
  isWritten,
  RECORD_SEPARATOR,
  type RecordText,
  recordBytes,
  recordJson,
  separatedJson,
  sideBySide,
} from '../../../store/record-text.js';
import { type RecordValues, recordReader } from '../../../store/record-values.js';
import { keptIn, memoize } from '../../memoize.js';
import type { Download } from '../../response.js';
import { inTurns, type NextTurn } from '../../semantics/turns.js';
import { isWholeRecord, shownRecords } from '../list.js';
import { csvFraming, csvText, type Framing, formats } from './formats.js';

/** The records and fields of an export. */
export interface Export extends StoredRecords {
  /** Null for whole records. */
  readonly fields: readonly string[] | null;
}

const recordCount = ({ collection, rows }: Export): number => rows?.length ?? collection.size;
const rowAt = ({ rows }: Export, i: number): number => (rows === null ? i : rows[i]!);

/** Bytes of a piece that is copied: half a millisecond of work, ten times the fixed cost of a chunk. */
const COPIED_BYTES = 1 << 17;
/** Bytes of a chunk that is sent without a copy. */
const VIEW_BYTES = 1 << 18;
/** Records whose lengths are added up in one turn. */
const MAX_RUN_RECORDS = 1 << 16;

export async function recordsDownload(
  exported: Export,
  format: ExportFormat,
  form: CsvForm,
  nextTurn: NextTurn,
): Promise<Download> {
  const { collection, fields } = exported;
  const hasAll = fields !== null && isWholeRecord(collection.model, fields);
  const { framing } = formats[format];
  if (framing === null) return csvRecords(exported, form);
  const isProjected = fields !== null && !hasAll;
  const writer = isProjected
    ? projectedRecords(exported, fields)
    : wholeRecords(exported, extentOf(collection, hasAll));
  const makePieces = () => measuredPieces(exportPieces(exported, writer, framing), nextTurn);
  const isKept = exported.rows === null && !isProjected;
  return fileOf(
    await (isKept ? keptIn(keptPieces(collection.text)[writer.extent], framing, makePieces) : makePieces()),
  );
}

/** How the records of a file are written. */
interface RecordWriter {
  /** How much of each record is read. */
  readonly extent: 'default' | 'whole';
  readonly isProjected: boolean;
  readonly lengthOf: (row: number) => number;
  /** Writes a row's record at an offset; returns the end. */
  readonly write: (row: number, target: Buffer, at: number) => number;
}

const wholeRecords = ({ collection: { text } }: Export, extent: 'default' | 'whole'): RecordWriter => ({
  extent,
  isProjected: false,
  lengthOf: (row) => recordBytes(text, row, extent),
  write: (row, target, at) => copyRecord(text, row, extent, target, at),
});

/** Records with some fields only. Their lengths are told by where the fields stand. */
function projectedRecords({ collection: { model, text } }: Export, fields: readonly string[]): RecordWriter {
  const projection = new Projection(model, fields);
  return {
    extent: 'whole',
    isProjected: true,
    lengthOf: (row) => projection.lengthOf(recordJson(text, row, 'whole')),
    write: (row, target, at) => projection.write(recordJson(text, row, 'whole'), target, at),
  };
}

/** Bytes of the records of whole collections, without what stands between them. */
const wholeBytes = memoize((_text: RecordText) => new Map<Extent, number>());

/** The size of a file that is shown before it is made, by the lengths of its records; null of CSV, of some fields only, and of changes, whose texts are made with it. */
export function exportBytes(exported: Export, format: ExportFormat): number | null {
  const { collection, rows, fields } = exported;
  const { framing } = formats[format];
  const hasAll = fields !== null && isWholeRecord(collection.model, fields);
  if (framing === null || (fields !== null && !hasAll) || collection.model.changesOf !== undefined) return null;
  const extent = extentOf(collection, hasAll);
  const length = recordCount(exported);
  const sum = (): number => {
    let bytes = 0;
    for (let i = 0; i < length; i++) bytes += recordBytes(collection.text, rowAt(exported, i), extent);
    return bytes;
  };
  const records = rows === null ? keptIn(wholeBytes(collection.text), extent, sum) : sum();
  const { opening, separator, closing } = framing;
  return opening.length + records + Math.max(0, length - 1) * separator.length + closing(length === 0).length;
}

const extentOf = ({ model }: Export['collection'], hasAll: boolean): 'default' | 'whole' =>
  hasAll || !model.fields.some(({ onRequest }) => onRequest) ? 'whole' : 'default';

/** A part of a file, whose bytes are made when they are sent: the first `length` bytes that `make` returns. */
interface ExportPiece {
  readonly length: number;
  readonly make: () => Buffer<ArrayBuffer>;
}

/** The pieces of whole collections, which are kept: a client that reads a file in ranges needs them for each. */
const keptPieces = memoize((_text: RecordText) => ({
  default: new Map<Framing, Promise<readonly ExportPiece[]>>(),
  whole: new Map<Framing, Promise<readonly ExportPiece[]>>(),
}));

async function measuredPieces(pieces: Iterable<ExportPiece>, nextTurn: NextTurn): Promise<readonly ExportPiece[]> {
  const all: ExportPiece[] = [];
  for await (const piece of inTurns(pieces, nextTurn)) all.push(piece);
  return all;
}

/** The file that the pieces make. Those outside of a requested range are not made. */
function fileOf(pieces: readonly ExportPiece[]): Download {
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  return {
    size,
    *chunks(range = { from: 0, to: size }) {
      let at = 0;
      for (const { length, make } of pieces) {
        const from = Math.max(0, range.from - at);
        const to = Math.min(length, range.to - at);
        if (from < to) yield* slicesOf(make().subarray(from, to));
        at += length;
        if (at >= range.to) return;
      }
    },
  };
}

/** The bytes in slices of `VIEW_BYTES`, which share their memory. */
function* slicesOf(bytes: Buffer<ArrayBuffer>): Iterable<Buffer<ArrayBuffer>> {
  for (let at = 0; at < bytes.length; at += VIEW_BYTES) yield bytes.subarray(at, at + VIEW_BYTES);
}

/** Pieces of records: runs that stand side by side in the store, which are sent from there, or copies. */
function* exportPieces(
  exported: Export,
  { extent, isProjected, lengthOf, write }: RecordWriter,
  { opening, separator, closing }: Framing,
): Iterable<ExportPiece> {
  const { text } = exported.collection;
  const length = recordCount(exported);
  const separatorBytes = Buffer.from(separator);
  // Records in snapshot order lie side by side in the store, and are sent from there.
  const isStored = exported.rows === null && extent === 'whole' && !isProjected && separator === RECORD_SEPARATOR;
  const stored = isStored && !isWritten(text) ? text : null;
  yield textPiece(opening);
  for (let from = 0; from < length; ) {
    const first = from;
    const to = stored
      ? sideBySide(stored, first, Math.min(length, first + MAX_RUN_RECORDS))
      : pieceEnd(exported, first, extent);
    // No separator follows the last record.
    let bytes = (to - first - (to === length ? 1 : 0)) * separator.length;
    for (let i = first; i < to; i++) bytes += lengthOf(rowAt(exported, i));
    const copy = (): Buffer<ArrayBuffer> => {
      const piece = Buffer.allocUnsafe(bytes);
      let at = 0;
      for (let i = first; i < to; i++) {
        at = write(rowAt(exported, i), piece, at);
        if (i < length - 1) at += separatorBytes.copy(piece, at);
      }
      return piece;
    };
    yield { length: bytes, make: stored ? () => separatedJson(stored, first, to) : copy };
    from = to;
  }
  yield textPiece(closing(length === 0));
}

const textPiece = (text: string): ExportPiece => ({ length: text.length, make: () => Buffer.from(text) });

/** The end of the records from one on that are copied as one piece. */
function pieceEnd(exported: Export, from: number, extent: Extent): number {
  let bytes = 0;
  for (let to = from; to < recordCount(exported); to++) {
    bytes += recordBytes(exported.collection.text, rowAt(exported, to), extent);
    if (bytes > COPIED_BYTES && to > from) return to;
  }
  return recordCount(exported);
}

/**
 * Records as CSV: what guards, quotes and lists take is known only when they are written, and so is the length. A chunk's records are read
 * and written in one turn: what an export held while it waits would outlive young collections, and be marked again and again.
 */
function csvRecords(exported: Export, form: CsvForm): Download {
  const { fields, collection } = exported;
  const { columns, rows } = csvContent(collection.model, fields);
  const extent = fields === null ? 'default' : 'whole';
  return {
    size: null,
    *chunks() {
      yield Buffer.from(csvFraming(columns, form).opening);
      for (let from = 0; from < recordCount(exported); ) {
        const to = pieceEnd(exported, from, extent);
        const records = Array.from({ length: to - from }, (_, i) =>
          recordJson(collection.text, rowAt(exported, from + i), extent),
        );
        yield Buffer.from(csvText(records.flatMap(rows), form));
        from = to;
      }
    },
  };
}

/** The download of records that arrive in batches. The first of them shows whether the engine answers, before anything is sent. */
export async function arrivingDownload(
  model: CollectionModel,
  { batches }: ArrivingRecords,
  fields: readonly string[] | null,
  format: ExportFormat,
  form: CsvForm,
): Promise<Download> {
  const { shape } = shownRecords(model, fields, 'default');
  const csv = csvContent(model, fields);
  const jsonFraming = formats[format].framing;
  const framing = jsonFraming ?? csvFraming(csv.columns, form);
  // A text is parsed in less time than its bytes.
  const joined = (records: readonly Buffer[], before: string): Buffer<ArrayBuffer> =>
    jsonFraming === null
      ? Buffer.from(
          before +
            csvText(
              records.flatMap((json) => csv.rows(json.toString())),
              form,
            ),
        )
      : joinedJson(shape === undefined ? records : records.map(shape), before, '', framing.separator);
  const source = batches[Symbol.asyncIterator]();
  let batch: IteratorResult<readonly Buffer[]> | null = await source.next();
  const end = async (): Promise<void> => void (await source.return?.(undefined));
  let stage: 'first' | 'later' | 'ended' = 'first';
  async function next(): Promise<IteratorResult<Buffer<ArrayBuffer>, undefined>> {
    if (stage === 'ended') return { done: true, value: undefined };
    const { done, value } = batch ?? (await source.next());
    batch = null;
    const isFirst = stage === 'first';
    stage = done ? 'ended' : 'later';
    const separator = done ? '' : framing.separator;
    const before = isFirst ? framing.opening : separator;
    return { done: false, value: done ? Buffer.from(before + framing.closing(isFirst)) : joined(value, before) };
  }
  // A reader that leaves before its first chunk ends the export as well: a generator would not have begun.
  const iterator = { next, return: async () => end().then(() => ({ done: true as const, value: undefined })) };
  return { size: null, chunks: () => ({ [Symbol.asyncIterator]: () => iterator }), end };
}

/** The columns of a CSV file of records, and the cells of a record; null stands for the fields of whole records. */
export function csvContent(model: CollectionModel, fields: readonly string[] | null) {
  const columns = fields ?? model.fields.filter(({ onRequest }) => !onRequest).map(({ name }) => name);
  const readRecord = recordReader(columns);
  const areJson = columns.map((name) => model.fields.some((field) => field.name === name && field.kind === 'json'));
  return { columns, rows: (record: Buffer | string) => [cells(readRecord(record), columns, areJson)] };
}

/** A record's cells in column order; a list is its JSON text, in one cell, and so is a value that has no other form. */
const cells = (values: RecordValues, columns: readonly string[], areJson: readonly boolean[]): unknown[] =>
  columns.map((name, i) => {
    const value = values[name];
    const isJson = Array.isArray(value) || (areJson[i] && value !== null && value !== undefined);
    return isJson ? JSON.stringify(value) : value;
  });
