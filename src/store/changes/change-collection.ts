/**
 * A log of changes → the collection of changes, the newest dump's first. Numbers, dates and names are columns and indexes as in any
 * collection. A change's text is written when it is read, from the texts of the log. What is made of the texts of all changes is built
 * when it is first asked for: by a search, and by a filter or an order of titles.
 */

import { createHash } from 'node:crypto';
import { firstWhere, float64, type Narrow } from '../../arrays.js';
import {
  BATCH_RECORDS,
  BOOLEAN,
  cellOf,
  ESCAPED_TEXT,
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
import { ByteTable } from '../../byte-table.js';
import { BACKSLASH, LETTER_F, LETTER_T, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../../kernels/ascii.js';
import { createTablesBuilder } from '../../search/build/builder.js';
import { type OpenIndex, openIndex } from '../../search/index.js';
import type { SearchIndex } from '../../search/search.js';
import type { IndexTables } from '../../search/tables.js';
import { canonicalDate } from '../../text.js';
import { type Collection, ordersOf } from '../collection.js';
import { searchColumns, searchFields } from '../documents.js';
import { type MissingRows, missingIn } from '../missing.js';
import { columnOf, type NumberColumn, numberAtRow } from '../number-column.js';
import { NULL_TEXT, type WrittenText } from '../record-text.js';
import { createTextColumnBuilder, type TextColumn } from '../text-column.js';
import { indexOfValues } from '../value-index-builder.js';
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
  readonly values: Collection['values'];
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
  if (first === OPEN_ARRAY) return areTexts(JSON.parse(bytes.toString('utf8', from, to))) ? LIST : RAW;
  if (first === OPEN_OBJECT) return RAW;
  return first === LETTER_T || first === LETTER_F ? BOOLEAN : NUMBER;
}

const areTexts = (list: readonly unknown[]): boolean =>
  list.length > 0 && list.every((element) => typeof element === 'string');

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
  return { columns, values: indexesOfNames(log, dumps), missing, hash: hash.digest('base64url').slice(0, 16) };
}

/** The indexes of kinds and fields, whose names are the pieces of one table. */
function indexesOfNames(log: LoggedChanges, dumps: readonly PlacedDump[]): Collection['values'] {
  const names = new ByteTable();
  for (const name of [...changeKinds, ...log.fields]) {
    const contents = Buffer.from(JSON.stringify(name)).subarray(1, -1);
    names.add(contents, 0, contents.length);
  }
  const [kinds, fields] = [new Int32Array(changeCount(log)), new Int32Array(changeCount(log)).fill(-1)];
  for (const dump of dumps)
    for (let i = 0, row = dump.firstRow; i < dump.subjects.length; i++, row++) {
      kinds[row] = kindOfChange(dump, i);
      if (kinds[row] === CHANGED) fields[row] = changeKinds.length + dump.fields[i]!;
    }
  return new Map([
    ['kind', indexOfValues(names, kinds, { kind: 'text' })],
    ['field', indexOfValues(names, fields, { kind: 'text' })],
  ]);
}

/** The fields of a change whose texts are codes. */
const TEXTS_MODEL = {
  ...changesModel(''),
  fields: changeFields.filter(({ name }) => ['title', 'from', 'to'].includes(name)),
};

/** Builds the index of the words of changes, and the order of their titles: a second for each 100,000. */
export function changesTexts(log: LoggedChanges): ChangesTexts {
  const titles = createTextColumnBuilder({ role: 'title' });
  const tables = createTablesBuilder(searchFields(TEXTS_MODEL));
  for (const dump of newestFirst(log)) {
    const cells = cellsOf(dump.texts);
    for (let first = 0; first < dump.subjects.length; first += BATCH_RECORDS) {
      const size = Math.min(BATCH_RECORDS, dump.subjects.length - first);
      const rows = new Int32Array(size).map((_, i) => dump.firstRow + first + i);
      const batch = batchOf(cells, [dump.titles, dump.from, dump.to], first, size);
      titles.setAll(rows, dump.firstRow + first + size, batch, 0);
      tables.addBatch(batch, searchColumns(TEXTS_MODEL));
    }
  }
  const size = changeCount(log);
  return { titles: titles.finish(size), tables: tables.finish(new Int32Array(size).map((_, row) => row)) };
}

/** A batch of changes, whose cells are those of their codes. */
function batchOf(cells: RecordBatch, codesByField: readonly Narrow[], first: number, size: number): RecordBatch {
  const cellCount = BATCH_RECORDS * codesByField.length;
  const [kinds, starts, ends] = [new Uint8Array(cellCount), new Int32Array(cellCount), new Int32Array(cellCount)];
  for (const [field, codes] of codesByField.entries())
    for (let i = 0; i < size; i++) {
      const [cell, code] = [cellOf(field, i), codes[first + i]!];
      kinds[cell] = cells.kinds[code]!;
      starts[cell] = cells.starts[code]!;
      ends[cell] = cells.ends[code]!;
    }
  return { ...cells, size, kinds, starts, ends };
}

/** Composed texts of changes that are remembered: those of the longest page. */
const MAX_COMPOSED = 1000;

/**
 * Composes the texts of changes: of the texts of their dumps, and of their numbers. They are strings of a character for each byte,
 * as those of their parts are, so that their bytes are never decoded.
 */
function changesText(log: LoggedChanges, columns: ChangesParts['columns']): WrittenText {
  const dumps = newestFirst(log).map((dump) => ({
    ...dump,
    date: canonicalDate(dump.timeMs),
    json: jsonByCode(dump.texts),
  }));
  const fields = log.fields.map((field) => Buffer.from(JSON.stringify(field)).toString('latin1'));
  const [id, record, difference, percent] = (['id', 'record', 'difference', 'percent'] as const).map((name) =>
    numberJsonIn(columns.get(name)),
  );
  // A record is measured, then written: it is composed once.
  const composed = new Map<number, string>();
  function jsonOf(row: number): string {
    const earlierJson = composed.get(row);
    if (earlierJson !== undefined) return earlierJson;
    const dump = dumps[firstWhere(0, dumps.length, (place) => dumps[place]!.firstRow > row) - 1];
    if (dump === undefined) throw new RangeError(`there is no change ${row}`);
    const i = row - dump.firstRow;
    const kind = kindOfChange(dump, i);
    const field = kind === CHANGED ? fields[dump.fields[i]!] : NULL_TEXT;
    const values = `"from":${dump.json(dump.from[i]!)},"to":${dump.json(dump.to[i]!)}`;
    const numbers = `"difference":${difference?.(row)},"percent":${percent?.(row)}`;
    const json = `{"id":${id?.(row)},"record":${record?.(row)},"title":${dump.json(dump.titles[i]!)},"kind":"${changeKinds[kind]}","field":${field},${values},${numbers},"date":"${dump.date}"}`;
    if (composed.size === MAX_COMPOSED) composed.clear();
    composed.set(row, json);
    return json;
  }
  return {
    bytesOf: (row) => jsonOf(row).length,
    write: (row, _, target, at) => at + target.write(jsonOf(row), at, 'latin1'),
  };
}

/** Reads the number of a row as JSON: `String` takes longer for numbers that hardly repeat. */
const numberJsonIn =
  (column: NumberColumn | undefined) =>
  (row: number): string => {
    const number = column === undefined ? Number.NaN : numberAtRow(column, row);
    return Number.isNaN(number) ? NULL_TEXT : JSON.stringify(number);
  };

/** The JSON of each code, a character for each byte. */
function jsonByCode({ bytes, offsets }: DumpChanges['texts']): (code: number) => string {
  const buffer = bufferOf(bytes);
  return (code) => (code === NO_TEXT_CODE ? NULL_TEXT : buffer.toString('latin1', offsets[code]!, offsets[code + 1]!));
}

/** Shared memory is read as a buffer of its own. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Narrow): Buffer => Buffer.from(buffer, byteOffset, byteLength);

/** Builds the texts of changes on another thread; null where they are so few that this one builds them as soon. */
export type IndexTexts = (log: LoggedChanges) => Promise<ChangesTexts> | null;

/** The collection of changes. It costs next to nothing; `indexTexts` builds what it has of texts, else the first that asks for them does. */
export function openChanges(
  name: string,
  log: LoggedChanges,
  { columns, values, missing }: ChangesParts,
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
  const title = titlesOnDemand(() => texts().titles, size - (missing.get('title')?.count ?? 0));
  let index: OpenIndex | null = null;
  const changes: Collection = {
    model,
    size,
    text: changesText(log, columns),
    ids: { size, first: log.dropped + size, step: -1, table: null },
    columns,
    orders: new Map([...ordersOf(columns), ...ordersOf(values), ['title', title.order]]),
    values,
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

/** The titles, of which `valued` rows have one, and which are made by the first that reads them. */
const titlesOnDemand = (titles: () => TextColumn, valued: number): TextColumn => ({
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
    valued,
  },
});

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
