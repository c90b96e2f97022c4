/**
 * A log of changes → the collection of changes, the newest dump's first. Numbers, dates and names are columns and indexes as in any
 * collection. A change's text is written when it is read, from the texts of the log. What is made of the texts of all changes is built
 * when it is first asked for: by a search, and by a filter or an order of titles.
 */

import { createHash } from 'node:crypto';
import { firstWhere, float64, uint32 } from '../../arrays.js';
import {
  BATCH_RECORDS,
  BOOLEAN,
  cellOf,
  ESCAPED_TEXT,
  endOfString,
  hasText,
  isBlank,
  LIST,
  NULL,
  NUMBER,
  RAW,
  type RecordBatch,
  TEXT,
} from '../../batch.js';
import { countBits, createBits, setBit } from '../../bits.js';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  COMMA,
  LETTER_F,
  LETTER_T,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from '../../kernels/ascii.js';
import { createTablesBuilder } from '../../search/build/builder.js';
import { type OpenIndex, openIndex } from '../../search/index.js';
import type { SearchIndex } from '../../search/search.js';
import type { IndexTables } from '../../search/tables.js';
import { canonicalDate } from '../../text.js';
import { COPY_SLACK_BYTES } from '../chunks.js';
import { type Collection, createTextIndexesBuilder, type TextIndexes } from '../collection.js';
import { searchColumns, searchFields } from '../documents.js';
import { type MissingRows, missingIn } from '../missing.js';
import { columnOf, type NumberColumn, numberAtRow } from '../number-column.js';
import { NULL_TEXT, type WrittenText } from '../record-text.js';
import type { TextColumn } from '../text-column.js';
import {
  CHANGED,
  changeCount,
  type DumpChanges,
  isDoubtful,
  kindOfChange,
  type LoggedChanges,
  NO_STATE,
  NO_TEXT_CODE,
} from './change-log.js';
import {
  CHANGE_DATE,
  type Comparison,
  changeFields,
  changeKinds,
  changesModel,
  differenceOf,
  percentOf,
} from './changes.js';

/** The plain values of which the collection of changes is built: they can be handed to another thread. */
export interface ChangesSource {
  readonly log: LoggedChanges;
  /** By subject: the record's id in the newest dump, NaN for none. */
  readonly recordIds: Float64Array;
}

/** The columns and indexes of changes, as plain values. */
export interface ChangesParts {
  readonly columns: ReadonlyMap<string, NumberColumn>;
  /** The indexes of kinds and fields. */
  readonly names: TextIndexes;
  readonly missing: ReadonlyMap<string, MissingRows>;
  /** A hash of the changes. */
  readonly hash: string;
}

/** The index of the words of all changes, and the column of their titles, as plain values. */
export interface ChangesTexts {
  readonly titles: TextColumn;
  readonly tables: IndexTables;
}

/** A dump in the order of the collection: its change i is row `firstRow + i`. */
interface PlacedDump extends DumpChanges {
  readonly firstRow: number;
}

function newestFirst({ dumps }: LoggedChanges): readonly PlacedDump[] {
  let firstRow = 0;
  return dumps.toReversed().map((dump) => {
    const placed = { ...dump, firstRow };
    firstRow += dump.subjects.length;
    return placed;
  });
}

/** JSON texts as cells of a batch: text c is the cell c. */
function cellsOf({ bytes, offsets }: DumpChanges['texts']): RecordBatch {
  const size = offsets.length - 1;
  const cells = {
    size,
    bytes: bufferOf(bytes),
    kinds: new Uint8Array(size),
    starts: new Int32Array(size),
    ends: new Int32Array(size),
    numbers: float64(size).fill(Number.NaN),
  };
  for (let code = 0; code < size; code++) {
    const [from, to] = [offsets[code]!, offsets[code + 1]!];
    const kind = from === to ? NULL : kindOfJson(cells.bytes, from, to);
    const quoteBytes = hasText(kind) ? 1 : 0;
    cells.kinds[code] = kind;
    cells.starts[code] = from + quoteBytes;
    cells.ends[code] = to - quoteBytes;
    if (kind === NUMBER) cells.numbers[code] = Number(cells.bytes.toString('latin1', from, to));
  }
  return cells;
}

function kindOfJson(bytes: Buffer, from: number, to: number): number {
  const first = bytes[from];
  if (first === QUOTE) return bytes.subarray(from, to).includes(BACKSLASH) ? ESCAPED_TEXT : TEXT;
  if (first === OPEN_ARRAY) return isListOfTexts(bytes, from) ? LIST : RAW;
  if (first === OPEN_OBJECT) return RAW;
  return first === LETTER_T || first === LETTER_F ? BOOLEAN : NUMBER;
}

function isListOfTexts(bytes: Buffer, from: number): boolean {
  let at = from + 1;
  while (bytes[at] === QUOTE) {
    at = endOfString(bytes, at);
    if (bytes[at] === CLOSE_ARRAY) return true;
    if (bytes[at++] !== COMMA) return false;
  }
  return false;
}

/** Builds the columns and indexes of changes. The longest steps are those of a column: a quarter of a second for each million. */
export function* changesParts({ log, recordIds }: ChangesSource): Generator<void, ChangesParts> {
  const size = changeCount(log);
  const dumps = newestFirst(log);
  const noNumbers = (): Float64Array => float64(size).fill(Number.NaN);
  const numbers = {
    id: float64(size).map((_, row) => log.dropped + size - row),
    record: noNumbers(),
    from: noNumbers(),
    to: noNumbers(),
    difference: noNumbers(),
    percent: noNumbers(),
    [CHANGE_DATE]: noNumbers(),
  };
  const blank = { title: createBits(size), field: createBits(size), from: createBits(size), to: createBits(size) };
  for (const dump of dumps) {
    const cells = cellsOf(dump.texts);
    const areBlank = cells.kinds.map((_, code) => (isBlank(cells, code) ? 1 : 0));
    for (let i = 0, row = dump.firstRow; i < dump.subjects.length; i++, row++) {
      const [from, to] = [cells.numbers[dump.from[i]!]!, cells.numbers[dump.to[i]!]!];
      numbers.record[row] = recordIds[dump.subjects[i]!]!;
      numbers.from[row] = from;
      numbers.to[row] = to;
      numbers.difference[row] = differenceOf(from, to);
      numbers.percent[row] = isDoubtful(dump, i) ? Number.NaN : percentOf(from, to);
      numbers.date[row] = dump.timeMs;
      if (areBlank[dump.titles[i]!] === 1) setBit(blank.title, row);
      if (areBlank[dump.from[i]!] === 1) setBit(blank.from, row);
      if (areBlank[dump.to[i]!] === 1) setBit(blank.to, row);
      if (kindOfChange(dump, i) !== CHANGED) setBit(blank.field, row);
      if (i % BATCH_RECORDS === 0) yield;
    }
  }
  const hash = createHash('sha256')
    .update(`${log.dropped} ${JSON.stringify(log.fields)}`)
    .update(numbers.record);
  for (const { timeMs, kinds, fields, titles, from, to, texts } of dumps) {
    hash.update(`${timeMs}`);
    for (const part of [kinds, fields, titles, from, to, texts.bytes, texts.offsets]) hash.update(part);
    yield;
  }
  const columns = new Map<string, NumberColumn>();
  for (const [name, ofRows] of Object.entries(numbers)) {
    columns.set(name, columnOf(ofRows));
    yield;
  }
  const { record, difference, percent } = numbers;
  const missing = new Map([
    ...Object.entries({ record, difference, percent }).map(([name, ofRows]) => [name, missingIn(ofRows)] as const),
    ...Object.entries(blank).map(([name, bits]) => [name, { bits, count: countBits(bits) }] as const),
  ]);
  const names = yield* nameIndexes(log, dumps);
  return { columns, names, missing, hash: hash.digest('base64url').slice(0, 16) };
}

/** The model of some fields of a change, whose cells a batch has. */
const modelOf = (...names: readonly string[]) => ({
  ...changesModel(''),
  fields: changeFields.filter(({ name }) => names.includes(name)),
});

const NAMES_MODEL = modelOf('kind', 'field');

function* nameIndexes(log: LoggedChanges, dumps: readonly PlacedDump[]): Generator<void, TextIndexes> {
  const builder = createTextIndexesBuilder(NAMES_MODEL, () => true);
  const texts = [...changeKinds, ...log.fields].map((name) => Buffer.from(JSON.stringify(name)));
  const offsets = uint32(texts.length + 1);
  for (const [code, { length }] of texts.entries()) offsets[code + 1] = offsets[code]! + length;
  const cells = cellsOf({ bytes: Buffer.concat([...texts, Buffer.alloc(COPY_SLACK_BYTES)]), offsets });
  const codesOf = (dump: DumpChanges) => {
    const kindAt = (i: number): number => kindOfChange(dump, i);
    return {
      cells,
      codes: [kindAt, (i: number) => (kindAt(i) === CHANGED ? changeKinds.length + dump.fields[i]! : -1)],
    };
  };
  for (const { batch, rows } of changeBatches(dumps, codesOf)) {
    builder.setAll(rows, rows[rows.length - 1]! + 1, batch);
    yield;
  }
  return builder.finish(changeCount(log));
}

const TEXTS_MODEL = modelOf('title', 'from', 'to');

/** Builds the index of the words of changes, and the order of their titles: a second for each 100,000. */
export function changesTexts(log: LoggedChanges): ChangesTexts {
  const indexes = createTextIndexesBuilder(TEXTS_MODEL, ({ role }) => role === 'title');
  const tables = createTablesBuilder(searchFields(TEXTS_MODEL));
  const codesOf = (dump: DumpChanges) => ({
    cells: cellsOf(dump.texts),
    codes: [dump.titles, dump.from, dump.to].map((codes) => (i: number) => codes[i]!),
  });
  for (const { batch, rows } of changeBatches(newestFirst(log), codesOf)) {
    indexes.setAll(rows, rows[rows.length - 1]! + 1, batch);
    tables.addBatch(batch, searchColumns(TEXTS_MODEL));
  }
  const size = changeCount(log);
  const titles = indexes.finish(size).textColumns.get('title');
  if (titles === undefined) throw new Error('changes have titles');
  return { titles, tables: tables.finish(new Int32Array(size).map((_, row) => row)) };
}

/** The changes of dumps in batches, with their rows. `codesOf` gives the cells of a dump, and by field the code of change i; -1 for none. */
function* changeBatches(
  dumps: readonly PlacedDump[],
  codesOf: (dump: DumpChanges) => { readonly cells: RecordBatch; readonly codes: readonly ((i: number) => number)[] },
): Generator<{ readonly batch: RecordBatch; readonly rows: Int32Array }> {
  for (const dump of dumps) {
    const { cells, codes } = codesOf(dump);
    const cellCount = BATCH_RECORDS * codes.length;
    const { bytes, numbers } = cells;
    const [kinds, starts, ends] = [new Uint8Array(cellCount), new Int32Array(cellCount), new Int32Array(cellCount)];
    for (let first = 0; first < dump.subjects.length; first += BATCH_RECORDS) {
      const size = Math.min(BATCH_RECORDS, dump.subjects.length - first);
      for (const [field, codeAt] of codes.entries()) {
        for (let i = 0; i < size; i++) {
          const code = codeAt(first + i);
          const cell = cellOf(field, i);
          kinds[cell] = code < 0 ? NULL : cells.kinds[code]!;
          starts[cell] = cells.starts[code] ?? 0;
          ends[cell] = cells.ends[code] ?? 0;
        }
      }
      const rows = new Int32Array(size).map((_, i) => dump.firstRow + first + i);
      yield { batch: { size, bytes, kinds, starts, ends, numbers }, rows };
    }
  }
}

/** Composed texts of changes that are remembered: those of the longest page. */
const MAX_COMPOSED = 1000;

/** Composes the texts of changes: of the texts of their dumps, and of their numbers. */
function changesText(log: LoggedChanges, columns: ChangesParts['columns']): WrittenText {
  const dumps = newestFirst(log).map((dump) => ({
    ...dump,
    date: canonicalDate(dump.timeMs),
    json: jsonByCode(dump.texts),
  }));
  const middle = (kind: string, field: string | null): Buffer =>
    Buffer.from(`,"kind":"${kind}","field":${JSON.stringify(field)},"from":`);
  const middles = changeKinds.map((kind) => middle(kind, null));
  const middlesOfFields = log.fields.map((field) => middle(changeKinds[CHANGED], field));
  const [idAt, recordAt, differenceAt, percentAt] = (['id', 'record', 'difference', 'percent'] as const).map((name) =>
    numberJsonIn(columns.get(name)),
  );
  // A record is measured, then written: its pieces are composed once.
  const composed = new Map<number, readonly (string | Buffer)[]>();
  function piecesOf(row: number): readonly (string | Buffer)[] {
    const earlierPieces = composed.get(row);
    if (earlierPieces !== undefined) return earlierPieces;
    const dump = dumps[firstWhere(0, dumps.length, (place) => dumps[place]!.firstRow > row) - 1];
    if (dump === undefined) throw new RangeError(`there is no change ${row}`);
    const i = row - dump.firstRow;
    const kind = kindOfChange(dump, i);
    const pieces = [
      `{"id":${idAt?.(row)},"record":${recordAt?.(row)},"title":`,
      dump.json(dump.titles[i]!),
      (kind === CHANGED ? middlesOfFields[dump.fields[i]!] : middles[kind]) ?? '',
      dump.json(dump.from[i]!),
      ',"to":',
      dump.json(dump.to[i]!),
      `,"difference":${differenceAt?.(row)},"percent":${percentAt?.(row)},"date":"${dump.date}"}`,
    ];
    if (composed.size === MAX_COMPOSED) composed.clear();
    composed.set(row, pieces);
    return pieces;
  }
  return {
    // Texts among the pieces are ASCII.
    bytesOf: (row) => piecesOf(row).reduce((bytes, { length }) => bytes + length, 0),
    write(row, _, target, at) {
      let end = at;
      for (const piece of piecesOf(row))
        end += typeof piece === 'string' ? target.write(piece, end, 'latin1') : piece.copy(target, end);
      return end;
    },
  };
}

/** Reads the number of a row as JSON. */
const numberJsonIn =
  (column: NumberColumn | undefined) =>
  (row: number): string => {
    const number = column === undefined ? Number.NaN : numberAtRow(column, row);
    return Number.isNaN(number) ? NULL_TEXT : JSON.stringify(number);
  };

/** The JSON of each code. */
function jsonByCode({ bytes, offsets }: DumpChanges['texts']): (code: number) => Buffer | string {
  const buffer = bufferOf(bytes);
  return (code) => (code === NO_TEXT_CODE ? NULL_TEXT : buffer.subarray(offsets[code], offsets[code + 1]));
}

/** Shared memory is read as a buffer of its own. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Builds the texts of changes on another thread; null where they are so few that this one builds them as soon. */
export type IndexTexts = (log: LoggedChanges) => Promise<ChangesTexts> | null;

/** The collection of changes. It costs next to nothing; `indexTexts` builds what it has of texts, else the first that asks for them does. */
export function openChanges(
  name: string,
  log: LoggedChanges,
  { columns, names, missing }: ChangesParts,
  indexTexts: IndexTexts = () => null,
): Pick<Comparison, 'changes' | 'indexTexts'> {
  const model = changesModel(name);
  const size = changeCount(log);
  let builtTexts: ChangesTexts | null = null;
  let building: Promise<void> | null = null;
  const texts = (): ChangesTexts => {
    builtTexts ??= changesTexts(log);
    return builtTexts;
  };
  const titles = (): TextColumn => texts().titles;
  const title: TextColumn = {
    get texts() {
      return titles().texts;
    },
    get hashes() {
      return titles().hashes;
    },
    order: {
      get rows() {
        return titles().order.rows;
      },
      get keys() {
        return titles().order.keys;
      },
      valued: size - (missing.get('title')?.count ?? 0),
    },
  };
  const orders = new Map([...columns].map(([field, { order }]) => [field, order]));
  let index: OpenIndex | null = null;
  const changes: Collection = {
    model,
    size,
    text: changesText(log, columns),
    ids: { size, first: log.dropped + size, step: -1, table: null },
    columns,
    orders: new Map([...orders, ...names.orders, ['title', title.order]]),
    values: names.values,
    textColumns: new Map([['title', title]]),
    missing,
    search: searchedOnDemand(() => {
      index ??= openIndex(texts().tables, searchFields(model));
      return index;
    }),
  };
  return {
    changes,
    indexTexts() {
      if (builtTexts !== null) return null;
      building ??=
        indexTexts(log)
          ?.then((built) => {
            builtTexts ??= built;
          })
          .finally(() => {
            building = null;
          }) ?? null;
      return building;
    },
  };
}

/** An index that is made by the first search. */
const searchedOnDemand = (index: () => OpenIndex): SearchIndex => ({
  engine: 'bm25f',
  language: 'english',
  search: (...search) => index().search(...search),
  matching: (...search) => index().matching(...search),
  withPartOfWord: (...part) => index().withPartOfWord(...part),
  similar: (...texts) => index().similar(...texts),
  finder: (...search) => index().finder(...search),
  suggestion: (...search) => index().suggestion(...search),
});

/** The collections of changes where nothing was compared, by collection. */
const emptyCollections = new Map<string, Collection>();

export function emptyChanges(name: string): Collection {
  const earlierCollection = emptyCollections.get(name);
  if (earlierCollection !== undefined) return earlierCollection;
  const steps = changesParts({ log: NO_STATE, recordIds: float64(0) });
  for (;;) {
    const step = steps.next();
    if (!step.done) continue;
    const { changes } = openChanges(name, NO_STATE, step.value);
    emptyCollections.set(name, changes);
    return changes;
  }
}
