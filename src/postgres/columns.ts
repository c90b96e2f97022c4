/**
 * The table of a collection. Each field has a column of its kind, under its own name, and what queries compare beside it: texts are
 * folded and sort keys made here, by the rules of memory, so that the database compares bytes. A record's JSON stands in three columns,
 * so that a list does not read long texts: `:item` has what lists show, `:rest` what only details show, `:more` what is left out unless
 * `fields` asks for it:
 *
 *     brand  brand:folded   size  size:folded  size:sort   :item                  :rest                 :words
 *     Acmé   acme           A10   a10          \x6130023130   {"id":7,"title":"Tea"}  {"content":"A tea."}  'tea':1A
 */
import { createHash } from 'node:crypto';
import { cellOf, contentsAt, hasText, isBlank, type RecordBatch, textOf } from '../batch.js';
import { type CollectionModel, type Field, hasTextValues, ID_FIELD, isList, isLongText, isOrdered } from '../model.js';
import { naturalKey } from '../store/natural-order.js';
import { createRecordWriter } from '../store/record-writer.js';
import { oddSite, siteIn } from '../store/sites.js';
import { valuesOfCell } from '../store/value-index.js';
import { fold } from '../text.js';
import { arrayText, cellJson, copyText, foldedKey, NULL_CELL, storable } from './copy-text.js';
import { titleKey } from './title-key.js';
import type { WordsWriter } from './words.js';

/** A name within SQL. */
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const MAX_NAME_BYTES = 50;
/** The database would cut a name of more than 63 bytes: a long one is a digest. No field or collection has a colon in its name. */
const shortIdentifier = (name: string): string =>
  Buffer.byteLength(name) > MAX_NAME_BYTES ? `:${digestOf(name)}` : name;
export const columnName = (field: string, part = ''): string => shortIdentifier(field) + part;
export const columnOfField = ({ name }: Pick<Field, 'name'>, part = ''): string => quotedName(columnName(name, part));
export const tableName = (collection: string, part = ''): string => shortIdentifier(collection) + part;
export const tableOfCollection = (schema: string, collection: string, part = ''): string =>
  `${quotedName(schema)}.${quotedName(tableName(collection, part))}`;

/** Whether a record has several values of a field: a list, or the parts of one text. */
export const hasSeveralValues = ({ kind, splitBy }: Field): boolean => isList(kind) || splitBy !== undefined;
/** Whether lists are narrowed by the hosts of a field's addresses. */
export const hasSite = ({ kind, filter }: Field): boolean => kind === 'url' && filter !== undefined;

/**
 * Entries of a b-tree have at most 2,704 bytes: indexes and sort keys have the first characters of a text, and a value in a list that
 * is longer has a digest behind them.
 */
const MAX_INDEXED_CHARACTERS = 600;
const MAX_KEY_BYTES = 2000;
const MAX_TITLE_CHARACTERS = 250;
export const indexedBeginning = (expression: string): string => `left(${expression}, ${MAX_INDEXED_CHARACTERS})`;
export const listSortKey = (folded: string): string =>
  folded.length <= MAX_INDEXED_CHARACTERS ? folded : `${folded.slice(0, MAX_INDEXED_CHARACTERS)}…${digestOf(folded)}`;

/** Long texts are compared as a whole by a digest. */
export const digestOf = (folded: string): string =>
  createHash('sha256').update(folded).digest('base64url').slice(0, 22);

/** A column: its definition, and its value for a record in the text format of COPY. */
interface TableColumnSql {
  readonly sql: string;
  readonly textOf: (batch: RecordBatch, record: number) => string;
}

/** A moment as the database reads it: it calls the year 0 1 BC. Other years than ours, 0 to 9999, are in bounds of filters only. */
export function momentText(timeMs: number): string {
  if (timeMs < FIRST_MS) return '-infinity';
  if (timeMs > LAST_MS) return 'infinity';
  const text = new Date(timeMs).toISOString();
  return text.startsWith('0000') ? `0001${text.slice(4)} BC` : text;
}
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Types of columns that are compared by size; null for a kind that is not. */
const ORDERED_TYPES: Readonly<Record<Field['kind'], string | null>> = {
  integer: 'bigint',
  number: 'float8',
  date: 'timestamptz',
  text: null,
  code: null,
  url: null,
  boolean: null,
  texts: null,
  codes: null,
  json: null,
};
const COLUMN_TEXT_TYPE = 'text COLLATE "C"';

/** The columns of a field. */
function columnsOfField(field: Field, index: number): readonly TableColumnSql[] {
  const name = (part = ''): string => columnOfField(field, part);
  const column = (sql: string, textIn: (batch: RecordBatch, cell: number) => string | null): TableColumnSql => ({
    sql,
    textOf: (batch, record) => textIn(batch, cellOf(index, record)) ?? NULL_CELL,
  });
  const unlessBlank =
    (write: (batch: RecordBatch, cell: number) => string | null) => (batch: RecordBatch, cell: number) =>
      isBlank(batch, cell) ? null : write(batch, cell);
  if (isOrdered(field))
    return [
      column(`${name()} ${ORDERED_TYPES[field.kind]}${field.required ? ' NOT NULL' : ''}`, ({ numbers }, cell) => {
        const number = numbers[cell] ?? Number.NaN;
        if (Number.isNaN(number)) return null;
        return field.kind === 'date' ? momentText(number) : String(number);
      }),
    ];
  if (isLongText(field))
    return [
      column(
        `${name(':folded')} text`,
        unlessBlank((batch, cell) => digestOf(fold(cellText(batch, cell)))),
      ),
    ];
  if (field.kind === 'json')
    return [
      column(
        `${name()} text`,
        unlessBlank((batch, cell) => copyText(storable(cellText(batch, cell)))),
      ),
    ];
  if (hasSeveralValues(field)) {
    const values = (batch: RecordBatch, cell: number) => distinctTexts(cellJson(batch, cell), field.splitBy);
    const first = column(
      `${name(':sort')} ${COLUMN_TEXT_TYPE}`,
      unlessBlank((batch, cell) => {
        const [value] = values(batch, cell);
        return value === undefined ? null : copyText(foldedKey(value).slice(0, MAX_INDEXED_CHARACTERS));
      }),
    );
    return [
      column(
        `${name()} text[]`,
        unlessBlank((batch, cell) => copyText(arrayText(values(batch, cell).map(storable)))),
      ),
      column(
        `${name(':folded')} text[] COLLATE "C"`,
        unlessBlank((batch, cell) =>
          copyText(arrayText(values(batch, cell).map((value) => listSortKey(foldedKey(value))))),
        ),
      ),
      ...(isList(field.kind) ? [] : [first]),
    ];
  }
  const ofText = (write: (text: string) => string) => unlessBlank((batch, cell) => write(cellText(batch, cell)));
  return [
    column(
      `${name()} ${field.kind === 'boolean' ? 'boolean' : 'text'}`,
      ofText((text) => copyText(storable(text))),
    ),
    column(
      `${name(':folded')} ${COLUMN_TEXT_TYPE}`,
      ofText((text) => copyText(foldedKey(text))),
    ),
    ...(field.kind === 'code'
      ? [
          column(
            `${name(':sort')} bytea`,
            ofText((text) => `\\\\x${Buffer.from(naturalKey(fold(text)).subarray(0, MAX_KEY_BYTES)).toString('hex')}`),
          ),
        ]
      : []),
    ...(field.role === 'title'
      ? [
          column(
            `${name(':sort')} ${COLUMN_TEXT_TYPE}`,
            ofText((text) => titleKey(text.slice(0, MAX_TITLE_CHARACTERS))),
          ),
        ]
      : []),
    ...(hasSite(field)
      ? [
          column(
            `${name(':site')} ${COLUMN_TEXT_TYPE}`,
            unlessBlank((batch, cell) => siteCell(batch, cell)),
          ),
        ]
      : []),
  ];
}

const cellText = (batch: RecordBatch, cell: number): string => textOf(batch, cell) ?? cellJson(batch, cell);

/** The values of a cell, those of equal folded text once. */
function distinctTexts(json: string, splitBy: string | undefined): readonly string[] {
  const values = new Map<string, string>();
  for (const value of valuesOfCell(json, splitBy ?? null)) if (!values.has(fold(value))) values.set(fold(value), value);
  return [...values.values()];
}

function siteCell({ bytes, starts, ends, kinds }: RecordBatch, cell: number): string | null {
  const [start, end] = [starts[cell] ?? 0, ends[cell] ?? 0];
  const place = hasText(kinds[cell] ?? 0) ? siteIn(bytes, start, end) : null;
  const site = place === 'odd' ? oddSite(bytes, start, end).toString() : place && contentsAt(bytes, place[0], place[1]);
  return site === null || site === '' ? null : copyText(foldedKey(site));
}

const hasSortKey = ({ kind, role }: Field): boolean => kind === 'code' || role === 'title';

/** The expression that records are sorted by; it has an index. */
export function sortExpression(field: Field): string {
  if (isOrdered(field)) return columnOfField(field);
  return hasSortKey(field) || hasSeveralValues(field)
    ? columnOfField(field, ':sort')
    : indexedBeginning(columnOfField(field, ':folded'));
}

/** The columns of a collection's table. */
export function tableColumns({ fields }: CollectionModel, isPartitioned: boolean): readonly string[] {
  const ofFields = fields.flatMap((field, index) => columnsOfField(field, index).map(({ sql }) => sql));
  return [
    '":row" bigint NOT NULL',
    ...(isPartitioned ? ['":part" smallint NOT NULL'] : []),
    ...ofFields,
    '":item" text NOT NULL',
    '":rest" text',
    '":more" text',
    '":words" tsvector NOT NULL',
  ];
}

/** The statements that index a table: whatever is filtered or sorted by. An index of a sort key is read in both directions. */
export function indexesOf(model: CollectionModel, table: string): readonly string[] {
  const ordered = model.fields
    .filter((field, i) => i !== ID_FIELD && isOrdered(field))
    .map((field) => columnOfField(field));
  const texts = model.fields.filter((field) => hasTextValues(field) && !hasSeveralValues(field));
  const several = model.fields.filter(hasSeveralValues);
  const trees = [
    '":row"',
    ...ordered.map((column) => `${column}, ":row"`),
    ...texts.map((field) => `${indexedBeginning(columnOfField(field, ':folded'))}, ":row"`),
    ...model.fields.filter(isLongText).map((field) => columnOfField(field, ':folded')),
    ...texts.filter(hasSortKey).map((field) => `${sortExpression(field)}, ":row"`),
    ...several.filter(({ kind }) => !isList(kind)).map((field) => `${sortExpression(field)}, ":row"`),
    ...model.fields.filter(hasSite).map((field) => `${columnOfField(field, ':site')}, ":row"`),
  ];
  const inverted = ['":words"', ...several.map((field) => columnOfField(field, ':folded'))];
  return [
    `CREATE UNIQUE INDEX ON ${table} (id)`,
    ...trees.map((columns) => `CREATE INDEX ON ${table} (${columns})`),
    ...inverted.map((column) => `CREATE INDEX ON ${table} USING gin (${column}) WITH (fastupdate = off)`),
  ];
}

/** Writes records as lines of COPY; those of a batch by the partition that holds their ids. */
export function createLineWriter(model: CollectionModel, words: WordsWriter, partitions: number) {
  const columns = model.fields.flatMap((field, index) => columnsOfField(field, index));
  const namesThat = (isWanted: (field: Field) => boolean): readonly string[] =>
    model.fields.filter(isWanted).map(({ name }) => name);
  const parts = [
    namesThat(({ detailOnly, onRequest }) => !detailOnly && !onRequest),
    namesThat(({ detailOnly, onRequest }) => detailOnly === true && !onRequest),
    namesThat(({ onRequest }) => onRequest === true),
  ].map((names) => (names.length === 0 ? null : createRecordWriter(model, names, '\n')));
  const hash = createHash('sha256');
  let row = 0;
  let writtenBytes = 0;
  return {
    hash,
    /** The bytes of all records' JSON. */
    bytes: (): number => writtenBytes,
    linesOf(batch: RecordBatch): readonly string[] {
      const texts = parts.map((write) => {
        const bytes = write?.(batch, false);
        if (bytes !== undefined) hash.update(bytes);
        writtenBytes += bytes?.length ?? 0;
        return bytes?.toString().split('\n');
      });
      const lines = Array.from({ length: Math.max(1, partitions) }, () => '');
      for (let i = 0; i < batch.size; i++) {
        const part = partitions === 0 ? 0 : partOf(batch.numbers[cellOf(ID_FIELD, i)] ?? 0, partitions);
        let line = partitions === 0 ? `${row}` : `${row}\t${part}`;
        row++;
        for (const column of columns) line += `\t${column.textOf(batch, i)}`;
        for (const text of texts) line += `\t${text === undefined ? NULL_CELL : copyText(text[i] ?? '')}`;
        lines[part] += `${line}\t${words.textOf(batch, i)}\n`;
      }
      return lines;
    },
  };
}

/** The partition of an id. */
export const partOf = (id: number, partitions: number): number => ((id % partitions) + partitions) % partitions;

/** The type of what a field is sorted by. */
export const sortTypeOf = (field: Field): string =>
  ORDERED_TYPES[field.kind] ?? (field.kind === 'code' && !hasSeveralValues(field) ? 'bytea' : 'text');
