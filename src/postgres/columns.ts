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
import { isLongText } from '../field-kinds.js';
import type { Language } from '../languages.js';
import { type CollectionModel, type Field, type FieldKind, ID_FIELD, isList } from '../model.js';
import { naturalKey } from '../store/natural-order.js';
import { createRecordWriter } from '../store/record-writer.js';
import { siteOf } from '../store/sites.js';
import { valuesOfCell } from '../store/value-index.js';
import { fold } from '../text.js';
import { arrayText, cellJson, copyText, foldedKey, NULL_CELL, storable } from './copy-text.js';
import { titleKey } from './title-key.js';
import { WordsWriter } from './words.js';

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
  return isLongKey(key) ? `${key.slice(0, MAX_INDEXED_CHARACTERS)}…${digestOf(key)}` : key;
}
const isLongKey = (key: string): boolean => key.length > MAX_INDEXED_CHARACTERS;
/** The whole key of a text whose key is too long for an index; null for any other. */
function longKey(text: string): string | null {
  const key = foldedKey(text);
  return isLongKey(key) ? key : null;
}
const MAX_INDEXED_CHARACTERS = 600;
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

/** A column of a field: the end of its name, its value for a cell, which is null where the cell gives none, and its index. */
interface FieldColumn {
  readonly part: string;
  readonly type: string;
  readonly valueIn: (batch: RecordBatch, cell: number) => string | null;
  readonly index?: (column: string) => string;
}

/** An index of a sort key is read in both directions. */
const tree = (column: string): string => `(${column}, ":row")`;
const inverted = (column: string): string => `USING gin (${column}) WITH (fastupdate = off)`;

/** Types of columns that are compared by size. */
const ORDERED_TYPES: Readonly<Partial<Record<FieldKind, string>>> = {
  integer: 'bigint',
  number: 'float8',
  date: 'timestamptz',
};

function columnsOfField(field: Field): readonly FieldColumn[] {
  const { kind, role } = field;
  const orderedType = ORDERED_TYPES[kind];
  if (orderedType !== undefined) {
    const spell = kind === 'date' ? momentText : String;
    const numberText = (number: number): string | null => (Number.isNaN(number) ? null : spell(number));
    const numberIn = ({ numbers }: RecordBatch, cell: number) => numberText(numbers[cell] ?? Number.NaN);
    return [{ part: '', type: orderedType, valueIn: numberIn, index: tree }];
  }
  if (isLongText(field)) return [textColumn(':folded', 'text', (text) => digestOf(fold(text)), tree)];
  if (kind === 'json') return [textColumn('', 'text', storable)];
  if (hasSeveralValues(field)) return columnsOfValues(field);
  return [
    textColumn('', kind === 'boolean' ? 'boolean' : 'text', storable),
    textColumn(':folded', 'text', textKey, tree),
    textColumn(':long', 'text', longKey),
    ...(kind === 'code' ? [textColumn(':sort', 'bytea', codeKey, tree)] : []),
    ...(role === 'title' ? [textColumn(':sort', 'text', titleSortKey, tree)] : []),
    ...(hasSite(field) ? [textColumn(':site', 'text', siteOf, tree)] : []),
  ];
}

/** The columns of a field with several values, which are read from the JSON of a cell. A text in parts is sorted by the first one. */
function columnsOfValues(field: Field): readonly FieldColumn[] {
  const column = (
    part: string,
    type: string,
    ofValues: (values: readonly string[]) => string | null,
    index?: FieldColumn['index'],
  ): FieldColumn => textColumn(part, type, (json) => ofValues(distinctTexts(json, field)), index, cellJson);
  const firstKey = ([first]: readonly string[]): string | null => (first === undefined ? null : textKey(first));
  return [
    column('', 'text[]', (values) => arrayText(values.map(storable))),
    column(':folded', 'text[]', (values) => arrayText(values.map(textKey)), inverted),
    ...(isList(field.kind) ? [] : [column(':sort', 'text', firstKey, tree)]),
  ];
}

/** A column of what `ofText` makes of a cell's text. */
const textColumn = (
  part: string,
  type: string,
  ofText: (text: string) => string | null,
  index?: FieldColumn['index'],
  textIn = cellText,
): FieldColumn => ({
  part,
  type,
  valueIn: (batch, cell) => (isBlank(batch, cell) ? null : ofText(textIn(batch, cell))),
  ...(index && { index }),
});
const cellText = (batch: RecordBatch, cell: number): string => textOf(batch, cell) ?? cellJson(batch, cell);

const titleSortKey = (title: string): string => titleKey(title.slice(0, MAX_TITLE_CHARACTERS));
const codeKey = (code: string): string =>
  `\\x${Buffer.from(naturalKey(fold(code)).subarray(0, MAX_KEY_BYTES)).toString('hex')}`;

/** The values of a cell, those of equal folded text once. */
function distinctTexts(json: string, { splitBy }: Field): readonly string[] {
  const values = new Map<string, string>();
  for (const value of valuesOfCell(json, splitBy ?? null)) if (!values.has(fold(value))) values.set(fold(value), value);
  return [...values.values()];
}

/** The column that records are sorted by, which has an index, and its type. */
export function sortKeyOf(field: Field): { readonly expression: string; readonly type: string } {
  const columns = columnsOfField(field);
  const key = columns.find(({ part }) => part === ':sort') ?? columns.find(({ index }) => index === tree);
  if (key === undefined) throw new Error(`records are not sorted by ${field.name}`);
  return { expression: columnOfField(field, key.part), type: key.type };
}

/** The columns of a collection's table. */
export function tableColumns({ fields }: CollectionModel, isPartitioned: boolean): readonly string[] {
  // Texts that have an index are compared by their bytes.
  const definition = (field: Field, { part, type, index }: FieldColumn): string =>
    `${columnOfField(field, part)} ${type}${index && type.startsWith('text') ? ' COLLATE "C"' : ''}`;
  return [
    '":row" bigint NOT NULL',
    ...(isPartitioned ? ['":part" smallint NOT NULL'] : []),
    ...fields.flatMap((field) => columnsOfField(field).map((column) => definition(field, column))),
    '":item" text NOT NULL',
    '":rest" text',
    '":more" text',
    '":words" tsvector NOT NULL',
  ];
}

/** The statements that index a table: whatever is filtered or sorted by. */
export function indexesOf({ fields }: CollectionModel, table: string): readonly string[] {
  const indexes = fields
    .slice(ID_FIELD + 1)
    .flatMap((field) =>
      columnsOfField(field).flatMap(({ part, index }) => (index ? [index(columnOfField(field, part))] : [])),
    );
  return [
    `CREATE UNIQUE INDEX ON ${table} (id)`,
    ...['(":row")', ...indexes, inverted('":words"')].map((index) => `CREATE INDEX ON ${table} ${index}`),
  ];
}

/** Writes records as lines of COPY; those of a batch by the partition that holds their ids. */
export function createLineWriter(model: CollectionModel, language: Language, partitions: number) {
  const words = new WordsWriter(model, language);
  const columns = model.fields.flatMap((field, index) =>
    columnsOfField(field).map(({ valueIn }) => ({ index, valueIn })),
  );
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
    /** How many records had more words than fit. */
    cut: (): number => words.cut,
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
          ...columns.map(({ index, valueIn }) => copiedCell(valueIn(batch, cellOf(index, i)))),
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
const copiedCell = (value: string | null): string => (value === null ? NULL_CELL : copyText(value));

/** The partition of an id. */
export const partOf = (id: number, partitions: number): number => ((id % partitions) + partitions) % partitions;
