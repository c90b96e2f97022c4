/**
 * Tables in JSON: each row is a list of cells, whose names stand in the first row, or in a list beside the rows.
 *
 *     [["id","title"],[1,"Tea"]]
 *     {"columns":["id","title"],"data":[[1,"Tea"]]}
 *     {"meta":{"columns":[{"name":"id"},{"name":"title"}]},"data":[[1,"Tea"]]}
 */
import { words } from '../../text.js';
import { SAMPLE_RECORDS, type SampleRecord } from '../profile/sample.js';
import { isPlainObject, nameKey } from '../values/paths.js';
import type { PlaceStep } from './json-place.js';

/** Rows and their names, by the steps from the object that holds both. */
export interface NamedTable {
  readonly steps: readonly PlaceStep[];
  readonly header: readonly string[];
  readonly records: readonly SampleRecord[];
  /** The list beside the rows that has a label for each, as pandas writes its index; undefined where labels only count the rows. */
  readonly labels: string | undefined;
}

/** A list of the names of columns, by the steps to it from the object in which it was looked for. */
interface ColumnList {
  readonly steps: readonly PlaceStep[];
  readonly columns: readonly unknown[];
  readonly names: readonly string[];
}

/** A list of columns, and the tables that it names: none where the records beside it are objects. */
export interface NamedColumns extends Pick<ColumnList, 'steps'> {
  readonly tables: readonly NamedTable[];
}

/** Names of lists of columns. Any list of texts would name rows of pairs: `{"tags":["a","b"],"line":[[1,2],[3,4]]}`. */
const COLUMN_LISTS = new Set(
  words(
    'columns cols fields header headers head heading headings meta schema rowtype columnnames colnames fieldnames columnheaders columnlabels',
  ),
);
/** Names of lists that have columns where their elements are objects: texts in them may be values of a record. */
const OTHER_COLUMN_LISTS = new Set(words('features names keys labels attributes variables'));
/** The member with the name of a column, the first one that all columns have and no two share. */
const NAMES_OF_COLUMN = words('name columnname fieldname colname label field displayname title id key');
/** Objects inside of one another in which a list of columns is looked for: `meta.view.columns`. */
const MAX_COLUMN_LIST_DEPTH = 3;
/** Members of an object, and rows, that are looked at. */
const EXAMINED_MEMBERS = 200;
const EXAMINED_ROWS = 20;

/** The lists of columns in an object that name rows, or the members of objects, in a list of the object itself. */
export function namedColumnsIn(object: Readonly<Record<string, unknown>>): readonly NamedColumns[] {
  return columnListsIn(object, []).flatMap(({ steps, columns, names }) => {
    const lists = membersOf(object).flatMap(([name, list]) =>
      Array.isArray(list) && list !== columns && isNamedBy(list.slice(0, EXAMINED_ROWS), names) ? [{ name, list }] : [],
    );
    const tables = lists.flatMap(({ name, list }) =>
      tableOf(name, list, names).map((table) => ({ ...table, labels: labelsOf(list, columns, object) })),
    );
    return lists.length === 0 ? [] : [{ steps, tables }];
  });
}

const membersOf = (object: Readonly<Record<string, unknown>>) => Object.entries(object).slice(0, EXAMINED_MEMBERS);

function columnListsIn(object: Readonly<Record<string, unknown>>, way: readonly PlaceStep[]): readonly ColumnList[] {
  return membersOf(object).flatMap(([name, member]) => {
    const steps = [...way, { name }];
    if (isPlainObject(member)) return steps.length < MAX_COLUMN_LIST_DEPTH ? columnListsIn(member, steps) : [];
    const isColumnList =
      COLUMN_LISTS.has(nameKey(name)) ||
      (OTHER_COLUMN_LISTS.has(nameKey(name)) && Array.isArray(member) && isPlainObject(member[0]));
    const columns = Array.isArray(member) && isColumnList ? member : [];
    const names = namesOfColumns(columns);
    return names === undefined ? [] : [{ steps, columns, names }];
  });
}

/** The names in a list of columns, `["id","title"]` or `[{"name":"id"},{"name":"title"}]`; undefined where it is none. */
export function namesOfColumns(columns: readonly unknown[]): readonly string[] | undefined {
  const texts = columns.every(isPlainObject)
    ? NAMES_OF_COLUMN.map((key) => columns.map((column) => valueNamed(column, key)))
    : [columns];
  return texts.find(
    (names): names is readonly string[] =>
      names.length > 0 &&
      names.every((name) => typeof name === 'string' && name !== '') &&
      new Set(names).size === names.length,
  );
}

const valueNamed = (object: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.entries(object).find(([name]) => nameKey(name) === key)?.[1];

/** Whether most of these are rows with a cell for each name, or objects of which the first, or an object in it, has no member of another name. */
function isNamedBy(elements: readonly unknown[], names: readonly string[]): boolean {
  const rows = elements.filter((element) => Array.isArray(element) && element.length === names.length);
  const [first] = elements;
  const objects = [first, ...(isPlainObject(first) ? Object.values(first) : [])].filter(isPlainObject);
  const isNamed = (members: readonly string[]): boolean =>
    members.length > 1 && members.every((name) => names.includes(name));
  return 2 * rows.length > elements.length || objects.some((object) => isNamed(Object.keys(object)));
}

/** The list in an object with a scalar for each row. */
const labelsOf = (
  rows: readonly unknown[],
  columns: readonly unknown[],
  object: Readonly<Record<string, unknown>>,
): string | undefined =>
  membersOf(object).find(
    ([, labels]) =>
      Array.isArray(labels) &&
      labels !== columns &&
      labels.length === rows.length &&
      labels.every((label) => typeof label !== 'object') &&
      labels.some((label, i) => label !== i),
  )?.[0];

/** The table of rows, of which there is one at least; none where these are objects. */
function tableOf(
  name: string,
  list: readonly unknown[],
  header: readonly string[],
): readonly Omit<NamedTable, 'labels'>[] {
  const rows = list.slice(0, SAMPLE_RECORDS).filter((row) => Array.isArray(row));
  const records = rows.map((cells) => ({ names: header, cells }));
  return rows.length === 0 ? [] : [{ steps: [{ name }, 'each'], header, records }];
}

/** The names in the first row of a table. */
export const headerIn = (row: readonly unknown[]): readonly string[] | undefined =>
  row.length > 0 && row.every((cell): cell is string => typeof cell === 'string') ? row : undefined;
