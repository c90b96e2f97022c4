/**
 * The table of a collection. Each field has a column of its kind, under its own name, and what queries compare beside it: texts are
 * folded and sort keys made here, by the rules of memory, so that the database compares bytes. A record's JSON stands in three columns,
 * so that a list does not read long texts: `:item` has what lists show, `:rest` what only details show, `:more` what is left out unless
 * `fields` asks for it:
 *
 *     brand  brand:folded   size  size:folded  size:sort   :item                  :rest                 :words
 *     Acmé   acme           A10   a10          \x6130023130   {"id":7,"title":"Tea"}  {"content":"A tea."}  'tea':1A
 *
 * `brand:long` has the folded text where that is too long for an index.
 */
import { createHash } from 'node:crypto';
import { cellOf, isBlank, type RecordBatch, textOf } from '../batch.js';
import { type CollectionModel, type Field, type FieldKind, ID_FIELD, isList, isLongText, isOrdered } from '../model.js';
import { naturalKey } from '../store/natural-order.js';
import { createRecordWriter } from '../store/record-writer.js';
import { siteOf } from '../store/sites.js';
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
 * A text as queries compare it. Entries of a b-tree have at most 2,704 bytes: a long text has its first characters and a digest of it all.
 * An index of whole keys answers what counts records without reading them.
 */
export function textKey(text: string): string {
  const key = foldedKey(text);
  return isLongKey(key) ? `${key.slice(0, MAX_KEY_CHARACTERS)}…${digestOf(key)}` : key;
}
const isLongKey = (key: string): boolean => key.length > MAX_KEY_CHARACTERS;
const MAX_KEY_CHARACTERS = 600;
const MAX_KEY_BYTES = 2000;
const MAX_TITLE_CHARACTERS = 250;

/** Long texts are compared as a whole by a digest. */
export const digestOf = (folded: string): string =>
  createHash('sha256').update(folded).digest('base64url').slice(0, 22);

/** A moment as the database reads it: it calls the year 0 1 BC. Other years than ours, 0 to 9999, are in bounds of filters only. */
export function momentText(timeMs: number): string {
  if (timeMs < FIRST_MS) return '-infinity';
  if (timeMs > LAST_MS) return 'infinity';
  const text = new Date(timeMs).toISOString();
  return text.startsWith('0000') ? `0001${text.slice(4)} BC` : text;
}
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Types of columns that are compared by size. */
const ORDERED_TYPES: Readonly<Partial<Record<FieldKind, string>>> = {
  integer: 'bigint',
  number: 'float8',
  date: 'timestamptz',
};

/** A column: its definition, and its value for a record as COPY reads it. */
interface TableColumnSql {
  readonly sql: string;
  readonly textOf: (batch: RecordBatch, record: number) => string;
}

/** The columns of a field. */
function columnsOfField(field: Field, index: number): readonly TableColumnSql[] {
  const column = (
    [part, type]: readonly [string, string],
    textIn: (batch: RecordBatch, cell: number) => string | null,
  ): TableColumnSql => ({
    sql: `${columnOfField(field, part)} ${type}`,
    textOf: (batch, record) => textIn(batch, cellOf(index, record)) ?? NULL_CELL,
  });
  const type = ORDERED_TYPES[field.kind];
  if (type !== undefined)
    return [
      column(['', `${type}${field.required ? ' NOT NULL' : ''}`], ({ numbers }, cell) => {
        const number = numbers[cell] ?? Number.NaN;
        if (Number.isNaN(number)) return null;
        return field.kind === 'date' ? momentText(number) : String(number);
      }),
    ];
  const jsonOrText = hasSeveralValues(field) ? cellJson : cellText;
  return textColumnsOf(field).map(([part, columnType, valueIn]) =>
    column([part, columnType], (batch, cell) => {
      const value = isBlank(batch, cell) ? null : valueIn(jsonOrText(batch, cell));
      return value && copyText(value);
    }),
  );
}

const cellText = (batch: RecordBatch, cell: number): string => textOf(batch, cell) ?? cellJson(batch, cell);

/** A column of texts: the end of its name, its type, its value for a text (null where that gives none), and its index. */
type TextIndexColumn = readonly [
  part: string,
  type: string,
  valueIn: (text: string) => string | null,
  index?: (column: string) => string,
];

/** An index of a sort key is read in both directions. */
const tree = (column: string): string => `(${column}, ":row")`;
const inverted = (column: string): string => `USING gin (${column}) WITH (fastupdate = off)`;

/** The columns of a field whose values are texts. A text of several values is the JSON of its cell. */
function textColumnsOf(field: Field): readonly TextIndexColumn[] {
  if (isLongText(field)) return [[':folded', 'text', (text) => digestOf(fold(text)), tree]];
  if (field.kind === 'json') return [['', 'text', storable]];
  if (!hasSeveralValues(field))
    return [
      ['', field.kind === 'boolean' ? 'boolean' : 'text', storable],
      [':folded', COLLATED_BY_BYTES, textKey, tree],
      [':long', 'text', (text) => (isLongKey(foldedKey(text)) ? foldedKey(text) : null)],
      ...(field.kind === 'code' ? [NATURAL_KEY] : []),
      ...(field.role === 'title' ? [TITLE_KEY] : []),
      ...(hasSite(field) ? [SITE] : []),
    ];
  const keysOf = (json: string): readonly string[] => distinctTexts(json, field).map(textKey);
  const first: TextIndexColumn = [':sort', COLLATED_BY_BYTES, (json) => keysOf(json)[0] ?? null, tree];
  return [
    ['', 'text[]', (json) => arrayText(distinctTexts(json, field).map(storable))],
    [':folded', 'text[] COLLATE "C"', (json) => arrayText(keysOf(json)), inverted],
    ...(isList(field.kind) ? [] : [first]),
  ];
}

const COLLATED_BY_BYTES = 'text COLLATE "C"';
const NATURAL_KEY: TextIndexColumn = [
  ':sort',
  'bytea',
  (text) => `\\x${Buffer.from(naturalKey(fold(text)).subarray(0, MAX_KEY_BYTES)).toString('hex')}`,
  tree,
];
const TITLE_KEY: TextIndexColumn = [
  ':sort',
  COLLATED_BY_BYTES,
  (text) => titleKey(text.slice(0, MAX_TITLE_CHARACTERS)),
  tree,
];
const SITE: TextIndexColumn = [':site', COLLATED_BY_BYTES, siteOf, tree];

/** The values of a cell, those of equal folded text once. */
function distinctTexts(json: string, { splitBy }: Field): readonly string[] {
  const values = new Map<string, string>();
  for (const value of valuesOfCell(json, splitBy ?? null)) if (!values.has(fold(value))) values.set(fold(value), value);
  return [...values.values()];
}

/** The expression that records are sorted by, which has an index, and its type. */
export function sortKeyOf(field: Field): { readonly expression: string; readonly type: string } {
  const type = ORDERED_TYPES[field.kind];
  if (type !== undefined) return { expression: columnOfField(field), type };
  const key = textColumnsOf(field).find(([part]) => part === ':sort');
  return {
    expression: columnOfField(field, key === undefined ? ':folded' : ':sort'),
    type: key === NATURAL_KEY ? 'bytea' : 'text',
  };
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

/** The statements that index a table: whatever is filtered or sorted by. */
export function indexesOf({ fields }: CollectionModel, table: string): readonly string[] {
  const indexes = fields.slice(ID_FIELD + 1).flatMap((field) => {
    if (isOrdered(field)) return [tree(columnOfField(field))];
    return textColumnsOf(field).flatMap(([part, , , index]) => (index ? [index(columnOfField(field, part))] : []));
  });
  return [
    `CREATE UNIQUE INDEX ON ${table} (id)`,
    ...['(":row")', ...indexes, inverted('":words"')].map((index) => `CREATE INDEX ON ${table} ${index}`),
  ];
}

/** Writes records as lines of COPY; those of a batch by the partition that holds their ids. */
export function createLineWriter(model: CollectionModel, words: WordsWriter, partitions: number) {
  const columns = model.fields.flatMap((field, index) => columnsOfField(field, index));
  const partsOfRecords = [
    ({ detailOnly, onRequest }: Field) => !detailOnly && !onRequest,
    ({ detailOnly, onRequest }: Field) => detailOnly === true && !onRequest,
    ({ onRequest }: Field) => onRequest === true,
  ].map((isWanted) => {
    const names = model.fields.filter(isWanted).map(({ name }) => name);
    return createRecordWriter(model, names, '\n');
  });
  const hash = createHash('sha256');
  let row = 0;
  let writtenBytes = 0;
  return {
    hash,
    /** How many records were written, and the bytes of their JSON. */
    records: (): number => row,
    bytes: (): number => writtenBytes,
    linesOf(batch: RecordBatch): readonly string[] {
      const parts = partsOfRecords.map((write) => {
        const bytes = write(batch, false);
        hash.update(bytes);
        writtenBytes += bytes.length;
        return bytes.toString().split('\n');
      });
      const lines = Array.from({ length: Math.max(1, partitions) }, () => '');
      for (let i = 0; i < batch.size; i++) {
        const part = partitions === 0 ? 0 : partOf(batch.numbers[cellOf(ID_FIELD, i)] ?? 0, partitions);
        const line = [
          row++,
          ...(partitions === 0 ? [] : [part]),
          ...columns.map((column) => column.textOf(batch, i)),
          ...parts.map((texts) => (texts[i] === NO_MEMBERS ? NULL_CELL : copyText(texts[i] ?? ''))),
          words.textOf(batch, i),
        ];
        lines[part] += `${line.join('\t')}\n`;
      }
      return lines;
    },
  };
}
const NO_MEMBERS = '{}';

/** The partition of an id. */
export const partOf = (id: number, partitions: number): number => ((id % partitions) + partitions) % partitions;
