/**
 * The names of a CSV table's columns, from the row that holds them and the rows behind it. Where that row has a fault of its own, or the
 * file has no such row, the names are those that its rows need, and a note says so.
 *
 *     name,price,stock     Tea,4.20,5        as they stand there
 *     name,"price,stock    Tea,4.20,5        a stray quote belongs to no name
 *     Tea,4.20,5           Rye,3.90,7        no names at all: column 1, column 2, column 3
 */
import { count, quote } from '../../text.js';
import { SAMPLE_RECORDS } from '../profile/sample.js';
import {
  emptyTailOf,
  type HeaderNames,
  isValue,
  isWebAddress,
  lineEnd,
  lookLikeNames,
  numberColumns,
  ROWS_OF_NUMBERS,
  widthOf,
} from './csv-dialect.js';
import { type CsvDialect, type CsvRows, QUOTED, rowsOfTable } from './csv-rows.js';

export interface ColumnNames {
  /** All names. One that stands in the file twice has a number the second time: `name`, `price`, `name2`. */
  readonly names: readonly string[];
  /** The cells of the row of names, as they stand in the file. Where files are appended to one another, it comes again. */
  readonly texts: readonly string[];
  /** Empty cells that most rows have behind the last column. */
  readonly tail: number;
  /** All names stand in quotes: then the file quotes every cell, and a quoted empty cell is a missing value. */
  readonly allQuoted: boolean;
  /** Where the first row behind the names begins, and on which line. */
  readonly rowsAt: number;
  readonly rowsLine: number;
  /** On which lines the names stand, where these are several. */
  readonly placeNote: string | undefined;
  /** Whether the file has none, so that columns are called by their places. */
  readonly areMadeUp: boolean;
  /** Why the names are others than those that stand there. */
  readonly note: string | undefined;
}

/** Bytes that begin with the row of names, and how their rows are written. `isWhole`: no byte follows. */
export interface TableBytes {
  readonly bytes: Buffer;
  readonly line: number;
  readonly dialect: CsvDialect;
  readonly isWhole: boolean;
}

/** How names of columns are told, and what they say of their values. */
export interface NameTests extends HeaderNames {
  /** Whether a field of texts goes by exactly this name. */
  readonly isTextName: (name: string) => boolean;
}

/** The names, or why there are none: the fault of their row, or that no row ends in the bytes. */
type ReadNames = ColumnNames | { readonly problem: string; readonly line: number } | 'no row ends';

/** Reads the names in the first rows of a table. Where the first row is a record, they are made up: `column 1`, `column 2`, … */
export function readColumnNames(table: TableBytes, tests: NameTests): ReadNames {
  const rows = tableRows(table);
  const isRow = rows.next();
  if (!isRow || rows.problem !== undefined) {
    const mended = namesWithoutQuotes(table);
    if (mended !== undefined) return mended;
    return isRow ? { problem: rows.problem ?? '', line: rows.line } : 'no row ends';
  }
  if (holdsARecord(rows, table, tests)) return madeUpNames(rows.cellCount, table);
  const firstLine = rows.line;
  const texts = namesOnRows(rows, table);
  const placeNote =
    rows.line === firstLine
      ? undefined
      : `the column names stand on lines ${firstLine} to ${rows.line}, one below the other`;
  const allQuoted = rows.flags.subarray(0, rows.cellCount).every((flags) => (flags & QUOTED) !== 0);
  const at = table.bytes.length - rows.unread;
  const behind = behindIn(table, at, rows.nextLine);
  const tail = emptyTailOf(tableRows(behind), texts.length);
  const fitted = tail > 0 ? { names: texts, note: tailNote(texts.length, tail) } : fittedNames(texts, behind, tests);
  const { names, note: placesNote } = namesByPlace(fitted.names, behind);
  const note = [fitted.note, placesNote].filter((text) => text !== undefined).join('; ') || undefined;
  return {
    ...{ names: withoutRepeats(names), texts, tail, allQuoted },
    ...{ rowsAt: at, rowsLine: rows.nextLine, placeNote, note, areMadeUp: false },
  };
}

const nameOfPlace = (column: number): string => `column ${column + 1}`;

/**
 * A name for each column that has values and none of its own, by its place. A first column of texts, or of numbers that rise, is an index,
 * which needs none.
 *
 *     ,title,,price        ,title
 *     0,Tea,green,4.20     9.5,Tea
 *     1,Rye,dark,3.90      4.5,Rye
 *
 *     title, column 3, price      column 1, title
 */
function namesByPlace(names: readonly string[], behind: TableBytes) {
  const unnamed = names.flatMap((name, column) => (name.trim() === '' ? [column] : []));
  const labels = unnamed[0] === 0 ? firstCells(tableRows(behind), names.length) : [];
  const isIndex = areRising(labels) || labels.some((text) => /\p{L}/u.test(text));
  const filledColumns = unnamed.length === 0 ? [] : filledIn(tableRows(behind), unnamed);
  const called = filledColumns.filter((column) => column > 0 || !isIndex);
  const list = called.map(nameOfPlace).join(', ');
  return {
    names: names.map((name, column) => (called.includes(column) ? nameOfPlace(column) : name)),
    note:
      called.length === 0
        ? undefined
        : `${called.length === 1 ? 'a column has' : `${called.length} columns have`} no name: called ${list}`,
  };
}

/** Whether these are whole numbers that rise, as an index does; where files were appended to one another, it begins anew. */
function areRising(texts: readonly string[]): boolean {
  const filledTexts = texts.filter((text) => text.trim() !== '');
  const numbers = filledTexts.map((text) => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN));
  return numbers.every((number, i) => number <= 1 || number > (i === 0 ? -1 : numbers[i - 1]!));
}

/** The columns among these that have a value in the first rows. */
function filledIn(rows: CsvRows, columns: readonly number[]): readonly number[] {
  const columnsWithValues = new Set<number>();
  for (let read = 0; read < SAMPLE_RECORDS && columnsWithValues.size < columns.length && rows.next(); read++)
    for (const column of columns)
      if (column < rows.cellCount && rows.text(column).trim() !== '') columnsWithValues.add(column);
  return columns.filter((column) => columnsWithValues.has(column));
}

export const cellTexts = (rows: CsvRows): readonly string[] =>
  Array.from({ length: rows.cellCount }, (_, cell) => rows.text(cell));

/** The rows of a table from the row of its names on. */
export const tableRows = ({ bytes, line, dialect, isWhole }: TableBytes): CsvRows =>
  rowsOfTable(bytes, dialect, isWhole, line);

/** The table from the byte `at` on, which begins a row on that line. */
export const behindIn = (table: TableBytes, at: number, line: number): TableBytes => ({
  ...table,
  bytes: table.bytes.subarray(at),
  line,
});

const tailNote = (names: number, tail: number): string =>
  `the row of names has ${count(names, 'cell')}, most rows have ${names + tail}: empty cells at their end are no columns`;

/**
 * The names in a line whose quotes part it wrongly, if it then has a name for each cell of the rows behind it. Separators inside of
 * names are not looked for: there would be no telling them from others.
 */
function namesWithoutQuotes(table: TableBytes): ColumnNames | undefined {
  const { bytes, dialect, line } = table;
  const at = lineEnd(bytes);
  if (at > MAX_NAMES_BYTES) return undefined;
  const behind = behindIn(table, at, line + 1);
  const texts = bytes.toString('utf8', 0, at).trimEnd().split(dialect.delimiter);
  const names = texts.map((text) => text.replaceAll(dialect.quotes === 'single' ? "'" : '"', '').trim());
  const { width, isOfMost } = widthOf(tableRows(behind));
  const tail = emptyTailOf(tableRows(behind), names.length);
  if (!isOfMost || width !== names.length + tail || !lookLikeNames(names)) return undefined;
  const note = 'a quote is missing in the row of names, or one too many: its quotes are left out';
  return {
    ...{ names: withoutRepeats(names), texts, tail, allQuoted: false },
    ...{ rowsAt: at, rowsLine: line + 1, placeNote: undefined, note, areMadeUp: false },
  };
}

/** A longer first line is not mended. */
const MAX_NAMES_BYTES = 1 << 16;

/** Rows with which the first one is compared, to see whether it is a record too. */
const COMPARED_ROWS = 50;

/**
 * Whether the first row is a record, and no row of names: it holds a value, and most rows below have values of the same shape in its
 * place. Columns may be called 2024-01, while a column whose values are all dates holds a date in the first row too.
 */
function holdsARecord(rows: CsvRows, table: TableBytes, { isExactName }: HeaderNames): boolean {
  const texts = cellTexts(rows);
  const isList = texts.length === 1 && !isWebAddress(texts[0]!);
  if (isList || !texts.some(isValue) || texts.some(isExactName)) return false;
  const shapes = texts.map((text) => (isValue(text) ? valueShape(text) : undefined));
  const matches = texts.map(() => 0);
  const below = tableRows(behindIn(table, table.bytes.length - rows.unread, rows.nextLine));
  let compared = 0;
  while (compared < COMPARED_ROWS && below.next()) {
    if (below.problem !== undefined || below.cellCount !== texts.length) continue;
    compared++;
    for (const [cell, shape] of shapes.entries())
      if (shape !== undefined && valueShape(below.text(cell)) === shape) matches[cell]!++;
  }
  return compared > 0 && matches.some((times) => 2 * times > compared);
}

/** The shape of a value, as `9/9/9` for `28/01/2018`; of all addresses and long texts one. */
const valueShape = (text: string): string => {
  const value = text.trim();
  if (!/\p{L}/u.test(value)) return value.replace(/\d+/g, '9');
  return isValue(value) ? 'a' : '';
};

function madeUpNames(columns: number, { line }: TableBytes): ColumnNames {
  const names = Array.from({ length: columns }, (_, column) => nameOfPlace(column));
  const called = columns === 1 ? 'its column is called' : `its columns are called ${names[0]} to`;
  const note = `the file has no row of column names: ${called} ${names.at(-1)}`;
  return {
    ...{ names, texts: names, tail: 0, allQuoted: false },
    ...{ rowsAt: 0, rowsLine: line, placeNote: undefined, note, areMadeUp: true },
  };
}

/** Rows behind the first row of names that may hold names too. */
const MAX_FURTHER_NAME_ROWS = 2;

/**
 * The names, where they stand one below the other; goes to the last of their rows. Rows have names together if these fill all gaps of the
 * first one, and stand over numbers.
 *
 *     date,,price              2023,,2024,               Flat,,Costs,
 *     ,city,net                rent,area,rent,area       city,district,rent,deposit
 *     2024-01-02,Graz,4.50     700,50,720,50             Graz,Geidorf,700,2100
 *
 *     date, city, price net    2023 rent, 2023 area, …   city, district, rent, deposit
 */
function namesOnRows(rows: CsvRows, { bytes, dialect }: TableBytes): readonly string[] {
  const first = cellTexts(rows);
  if (!haveGaps(first)) return first;
  const rowsBelow = (): CsvRows => rowsOfTable(bytes.subarray(bytes.length - rows.unread), dialect);
  const below = rowsBelow();
  const further: (readonly string[])[] = [];
  while (further.length < MAX_FURTHER_NAME_ROWS && below.next() && below.cellCount === first.length) {
    const texts = cellTexts(below);
    if (!lookLikeNames(texts)) break;
    further.push(texts);
  }
  for (; further.length > 0; further.pop()) {
    const names = joinedNames([first, ...further]);
    const values = rowsBelow();
    for (const _ of further) values.next();
    const last = further.at(-1) ?? [];
    const isOverNumbers = numberColumns(values, last.length).some((column) => last[column]?.trim() !== '');
    if (haveGaps(names) || !isOverNumbers) continue;
    for (const _ of further) rows.next();
    return names;
  }
  return first;
}

/** Whether a name is missing, or is there twice. A first column without a name is an index. */
const haveGaps = (names: readonly string[]): boolean =>
  names.some((name, i) => i > 0 && (name.trim() === '' || names.indexOf(name) < i));

/** A name for each column, of rows one below the other: the last row alone where it suffices, else with what stands above. */
function joinedNames(rows: readonly (readonly string[])[]): readonly string[] {
  const last = rows.at(-1) ?? [];
  if (!haveGaps(last) && last[0]?.trim() !== '') return last;
  const joined = (all: typeof rows) =>
    last.map((_, i) => all.flatMap((row) => (row[i]?.trim() === '' ? [] : [row[i]])).join(' '));
  const names = joined(rows);
  return haveGaps(names) ? joined([...rows.slice(0, -1).map(withSpans), last]) : names;
}

/** A head that stands over several columns, for each of them. */
function withSpans(heads: readonly string[]): readonly string[] {
  let head = '';
  return heads.map((text) => {
    if (text.trim() !== '') head = text;
    return head;
  });
}

/** The separators that may stand in a row of names by mistake; spaces only where no other separator does. */
const OTHER_SEPARATORS = /[,;\t|]/;

/**
 * The names, where other separators stand between them than between the cells of the rows; undefined unless each column then has one.
 *
 *     id,title,price        id title price
 *     1;Tea;4.20            1;Tea;4.20
 */
function partedNames(texts: readonly string[], columns: number): readonly string[] | undefined {
  const [line = '', ...others] = texts;
  const isNameOfEach = (parts: readonly string[]): boolean =>
    parts.length === columns && parts.every((part) => part !== '');
  const bySigns = texts.flatMap((text) => text.split(OTHER_SEPARATORS).map((part) => part.trim()));
  if (isNameOfEach(bySigns)) return bySigns;
  const bySpaces = line.split(' ').map((part) => part.replace(/^"(.*)"$/, '$1'));
  return others.length === 0 && isNameOfEach(bySpaces) ? bySpaces : undefined;
}

/**
 * The names as the rows behind them need them, where their own row has more cells or fewer:
 *
 *     name,price,            Tea,3         an empty name is no column
 *     date,time;stock,price  …,10:00,3,4   another separator stands in a name
 *     cyl,disp               Mazda,6,160   rows begin with an index, as R writes it
 *     name,price             Tea,1,50      a decimal comma cuts a number: the names stay, and no row fits
 */
function fittedNames(
  texts: readonly string[],
  behindNames: TableBytes,
  tests: NameTests,
): Pick<ColumnNames, 'names' | 'note'> {
  const { width, isOfMost } = widthOf(tableRows(behindNames));
  const excess = texts.length - width;
  const behind = `the row of names has ${count(texts.length, 'cell')}, most rows have ${width}`;
  if (!isOfMost || excess === 0) return { names: texts, note: undefined };
  if (excess > 0) {
    const isTailEmpty = texts.slice(-excess).every((text) => text.trim() === '');
    const names = isTailEmpty ? texts.slice(0, -excess) : texts.filter((text) => text.trim() !== '');
    return names.length === width
      ? { names, note: `${behind}: its empty cells are no columns` }
      : { names: texts, note: undefined };
  }
  const parts = partedNames(texts, width);
  if (parts !== undefined) return { names: parts, note: `${behind}: another separator parts names in it` };
  const index = firstCells(tableRows(behindNames), width);
  const cutNumber = excess === -1 ? cutNumberIn(tableRows(behindNames), texts, tests) : undefined;
  if (cutNumber !== undefined)
    return {
      names: texts,
      note: `${behind}: the comma of ${quote(cutNumber)} seems to be decimal, and needs quotes around the number`,
    };
  // An index has a text of its own in each row.
  const areTexts = index.length > 1 && index.every((text) => text.trim() !== '');
  if (excess < -1 || !areTexts || new Set(index).size < index.length) return { names: texts, note: undefined };
  return { names: ['', ...texts], note: `${behind}: the first column is read as an index without a name` };
}

/**
 * A number that a comma has cut in each row, by which a name of texts would stand over whole numbers if the first column were an index.
 *
 *     name,price,note
 *     Tea,1,50,green
 */
function cutNumberIn(rows: CsvRows, names: readonly string[], { isTextName }: NameTests): string | undefined {
  const table: (readonly string[])[] = [];
  while (table.length < ROWS_OF_NUMBERS && rows.next())
    if (rows.cellCount === names.length + 1) table.push(cellTexts(rows));
  const isCutAt = (cell: number): boolean =>
    table.every((cells) => /^-?\d+$/.test(cells[cell] ?? '') && /^\d\d?$/.test(cells[cell + 1] ?? ''));
  const cell = names.findIndex((name, i) => isTextName(name) && isCutAt(i + 1)) + 1;
  const [first] = table;
  return cell === 0 || first === undefined ? undefined : `${first[cell]},${first[cell + 1]}`;
}

/** The first cells of the rows of a width. */
export function firstCells(rows: CsvRows, width: number): readonly string[] {
  const texts: string[] = [];
  while (texts.length < SAMPLE_RECORDS && rows.next()) if (rows.cellCount === width) texts.push(rows.text(0));
  return texts;
}

/** The names, each only once: `name`, `price`, `name` become `name`, `price`, `name2`. */
function withoutRepeats(texts: readonly string[]): readonly string[] {
  const takenNames = new Set(texts);
  const earlierNames = new Set<string>();
  return texts.map((text) => {
    if (text.trim() === '' || !earlierNames.has(text)) {
      earlierNames.add(text);
      return text;
    }
    let n = 2;
    while (takenNames.has(`${text}${n}`)) n++;
    takenNames.add(`${text}${n}`);
    return `${text}${n}`;
  });
}
