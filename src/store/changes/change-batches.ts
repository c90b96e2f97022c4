/** Logged changes → record batches, and these → the collection of changes. */
import {
  BATCH_RECORDS,
  BOOLEAN,
  cellOf,
  ESCAPED_TEXT,
  LIST,
  NULL,
  NUMBER,
  RAW,
  type RecordBatch,
  TEXT,
} from '../../batch.js';
import { BACKSLASH, LETTER_F, LETTER_N, LETTER_T, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../../kernels/ascii.js';
import { createTablesBuilder } from '../../search/build/builder.js';
import { openIndex } from '../../search/index.js';
import type { IndexTables } from '../../search/tables.js';
import { type Collection, createRecordStoreBuilder, type RecordStore } from '../collection.js';
import { DocumentRows, searchColumns, searchFields } from '../documents.js';
import { rowsOfCodeIn } from '../named-rows.js';
import { ChangeLog, changeCount, type LoggedChange, type LoggedChanges, newestFirst } from './change-log.js';
import { changeKinds, changesModel, differenceOf, percentOf } from './changes.js';

/** A byte stands behind each text, where readers may write. */
const GAP_BYTES = 1;

const NULL_BYTES = Buffer.from('null');

/** Bytes of a batch before it grows. */
const FIRST_BATCH_BYTES = 1 << 17;

/** Collects records of one model as cells. */
class BatchWriter {
  size = 0;
  #bytes = Buffer.alloc(FIRST_BATCH_BYTES);
  #used = 0;
  readonly #kinds: Uint8Array;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #numbers: Float64Array;

  constructor(fields: number) {
    const cells = fields * BATCH_RECORDS;
    this.#kinds = new Uint8Array(cells);
    this.#starts = new Int32Array(cells);
    this.#ends = new Int32Array(cells);
    this.#numbers = new Float64Array(cells);
  }

  get batch(): RecordBatch {
    const [kinds, starts, ends, numbers] = [this.#kinds, this.#starts, this.#ends, this.#numbers];
    return { size: this.size, bytes: this.#bytes, kinds, starts, ends, numbers };
  }

  clear(): void {
    this.size = 0;
    this.#used = 0;
  }

  number(field: number, number: number | null): void {
    if (number === null || Number.isNaN(number)) this.#set(field, NULL, NULL_BYTES, Number.NaN);
    else this.#setAscii(field, NUMBER, JSON.stringify(number), number);
  }

  /** A text of ASCII without characters that JSON escapes. */
  asciiText(field: number, text: string | null, number = Number.NaN): void {
    if (text === null) this.#set(field, NULL, NULL_BYTES, number);
    else this.#setAscii(field, TEXT, text, number);
  }

  /** A value as JSON; no bytes stand for none. Returns its number, NaN where it is none. */
  json(field: number, json: Buffer, isList: boolean): number {
    const [first] = json;
    if (first === undefined || first === LETTER_N) this.#set(field, NULL, NULL_BYTES, Number.NaN);
    else if (first === QUOTE)
      this.#set(field, json.includes(BACKSLASH) ? ESCAPED_TEXT : TEXT, json.subarray(1, -1), Number.NaN);
    else if (first === OPEN_OBJECT || first === OPEN_ARRAY) this.#set(field, isList ? LIST : RAW, json, Number.NaN);
    else if (first === LETTER_T || first === LETTER_F) this.#set(field, BOOLEAN, json, Number.NaN);
    else {
      const number = Number(json.toString('latin1'));
      this.#set(field, NUMBER, json, number);
      return number;
    }
    return Number.NaN;
  }

  #set(field: number, kind: number, bytes: Buffer, number: number): void {
    this.#reserve(bytes.length);
    this.#endCell(field, kind, bytes.copy(this.#bytes, this.#used), number);
  }

  #setAscii(field: number, kind: number, text: string, number: number): void {
    this.#reserve(text.length);
    this.#endCell(field, kind, this.#bytes.write(text, this.#used, 'latin1'), number);
  }

  #reserve(length: number): void {
    if (this.#used + length + GAP_BYTES + SLACK <= this.#bytes.length) return;
    const larger = Buffer.alloc(2 * this.#bytes.length + length + SLACK);
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }

  #endCell(field: number, kind: number, length: number, number: number): void {
    const cell = cellOf(field, this.size);
    this.#kinds[cell] = kind;
    this.#starts[cell] = this.#used;
    this.#ends[cell] = this.#used + length;
    this.#used += length + GAP_BYTES;
    this.#numbers[cell] = number;
  }
}

/** Bytes that readers of four bytes at a time may read behind the last cell. */
const SLACK = 8;

/** The places of the fields in `changesModel`. */
const [ID, RECORD_ID, TITLE, KIND, CHANGED_FIELD, FROM, TO, DIFFERENCE, PERCENT, DATE] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const;

/** `2026-11-02T00:00:00Z`. */
export const isoTime = (timeMs: number): string => new Date(timeMs).toISOString().replace('.000Z', 'Z');

/** The plain values of which the collection of changes is built: they can move to another thread. */
export interface ChangesSource {
  readonly log: LoggedChanges;
  /** By subject: the record's id in the newest dump, NaN for none. */
  readonly recordIds: Float64Array;
}

/** The collection of changes as plain values. */
export interface ChangesParts {
  readonly store: RecordStore;
  readonly tables: IndexTables;
  /** By row: the subject of the change. */
  readonly subjects: Uint32Array;
}

/** Builds the changes of a collection. Yields after every few changes; the last two steps sort and index all of them. */
export function* changesParts(name: string, { log, recordIds }: ChangesSource): Generator<void, ChangesParts> {
  const model = changesModel(name);
  const store = createRecordStoreBuilder(model);
  const tables = createTablesBuilder(searchFields(model));
  const columns = searchColumns(model);
  const documents = new DocumentRows();
  const writer = new BatchWriter(model.fields.length);
  const subjects = new Uint32Array(changeCount(log));
  const times = new Map<number, string>();
  const flush = (): void => {
    const { rows } = store.addBatch(writer.batch);
    documents.addAll(rows);
    tables.addBatch(writer.batch, columns);
    writer.clear();
  };
  let row = 0;
  for (const change of newestFirst(log)) {
    subjects[row++] = change.subject;
    const time = times.get(change.timeMs) ?? isoTime(change.timeMs);
    times.set(change.timeMs, time);
    writeChange(writer, change, recordIds[change.subject] ?? Number.NaN, time);
    if (writer.size === BATCH_RECORDS) flush();
    if (row % STEP_CHANGES === 0) yield;
  }
  if (writer.size > 0) flush();
  yield;
  const finished = store.finish();
  yield;
  return { store: finished, tables: tables.finish(documents.finish(finished.size)), subjects };
}

/** The collection of changes. It costs next to nothing: the index is opened, not built. */
export const openChanges = ({ store, tables }: Omit<ChangesParts, 'subjects'>): Collection => ({
  ...store,
  search: openIndex(tables, searchFields(store.model), rowsOfCodeIn(store)),
});

/** Changes between two yields. */
const STEP_CHANGES = 256;

function writeChange(writer: BatchWriter, change: LoggedChange, record: number, time: string): void {
  const { number, kind, field, isDoubtful, title, timeMs } = change;
  writer.number(ID, number);
  writer.number(RECORD_ID, record);
  writer.json(TITLE, title, false);
  writer.asciiText(KIND, changeKinds[kind] ?? null);
  if (field === null) writer.number(CHANGED_FIELD, null);
  else writer.json(CHANGED_FIELD, Buffer.from(JSON.stringify(field.name)), false);
  const from = writer.json(FROM, change.from, field?.isList === true);
  const to = writer.json(TO, change.to, field?.isList === true);
  writer.number(DIFFERENCE, differenceOf(from, to));
  writer.number(PERCENT, isDoubtful ? null : percentOf(from, to));
  writer.asciiText(DATE, time, timeMs);
  writer.size++;
}

/** The collections of changes where nothing was compared, by collection. */
const emptyCollections = new Map<string, Collection>();

export function emptyChanges(name: string): Collection {
  const earlierCollection = emptyCollections.get(name);
  if (earlierCollection !== undefined) return earlierCollection;
  const steps = changesParts(name, { log: new ChangeLog().changes, recordIds: new Float64Array(0) });
  for (;;) {
    const step = steps.next();
    if (!step.done) continue;
    const changes = openChanges(step.value);
    emptyCollections.set(name, changes);
    return changes;
  }
}
