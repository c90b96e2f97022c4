/**
 * The dialect of a CSV file, decided once from its first bytes: separator, quotes, and the line of the column names.
 * Quotes other than RFC 4180's are chosen only where more rows can be read with them: our own exports always keep to the RFC.
 */
import { CARRIAGE_RETURN, LINE_FEED } from '../../kernels/ascii.js';
import { count } from '../../text.js';
import { type CsvDialect, type CsvRows, QUOTED, rowsOfTable } from './csv-rows.js';

export interface CsvLayout {
  readonly dialect: CsvDialect;
  /** Where the row of column names begins. */
  readonly headerAt: number;
  readonly headerLine: number;
  /** Decisions that the user should know, a line each. */
  readonly notes: readonly string[];
}

/** How names of columns are told. */
export interface HeaderNames {
  /** Whether a field goes by this name, or may be guessed from one of its words. */
  readonly isFieldName: (name: string) => boolean;
  /** Whether a field goes by exactly this name. */
  readonly isExactName: (name: string) => boolean;
}

const DELIMITERS = [',', ';', '\t', '|'];
const DELIMITER_LINE = /^"?sep=([\x20-\x7e\t])"?[,;\t]*$/i;
/** Where column names are searched for: lines of the file, cells of a line and bytes of a line. */
const MAX_HEADER_LINE = 20;
const MAX_HEADER_CELLS = 10_000;
const MAX_CSV_HEADER_BYTES = 1 << 16;
/** Rows that decide about quotes and decimal signs. */
const MAX_EXAMINED_ROWS = 1000;

/** `head`: the first bytes of the file; `isWhole`: all of them. */
export function findLayout(head: Buffer, isWhole: boolean, fieldNames: HeaderNames): CsvLayout {
  const { at: headerAt, line: headerLine, delimiter, isSpaced, note } = findHeader(head, fieldNames);
  const rows = head.subarray(headerAt);
  const quotes = findQuotes(rows, isWhole, delimiter);
  const dialect = {
    delimiter,
    quotes,
    ...((isSpaced || hasSpacedQuotes(rows, isWhole, { delimiter, quotes })) && { isSpaced: true }),
  };
  const notes = [
    note,
    delimiter === ' ' && 'spaces separate the cells of this file',
    quotes === 'backslash' && 'a backslash escapes quotes in this file: \\" is read as a quote',
    quotes === 'single' && "cells of this file stand in single quotes: ' is read as a quote",
    quotes === 'none' && 'quotes are text in this file: they stand around no cell',
  ];
  return { dialect, headerAt, headerLine, notes: notes.filter((text) => typeof text === 'string') };
}

/** A line of the file's opening, read as a row of column names. */
interface HeaderLine {
  readonly at: number;
  readonly line: number;
  readonly delimiter: string;
  /** Cells that are names of fields, and those that are exactly so. */
  readonly fieldNames: number;
  readonly exactNames: number;
  readonly cells: number;
  readonly filledCells: number;
  readonly looksLikeNames: boolean;
  /** Some cell is a value, as no name is. */
  readonly holdsValues: boolean;
  /** All cells are different ones, as names mostly are. */
  readonly isDistinct: boolean;
}

/**
 * The line of the column names: the first for which one of these holds, tried in this order. Blank lines do not count.
 *
 *     1. its cells are names of fields, all of them and at least two; or one is, and rows of its width follow
 *     2. two of its cells are names of fields
 *     3. it stands below titles, lines of one text, and over rows of its width with numbers
 *     4. one is, and the line is wider than all before it
 *     5. it is the first line
 *
 * A first line that may hold the names of the rows behind it gives way only to one with more exact names of fields: texts hold words
 * such as `content` too. A line in the middle of a row holds no names, and neither does one with values, such as `3,28/01/2018,$74.69`.
 */
function findHeader(head: Buffer, names: HeaderNames) {
  const lines: HeaderLine[] = [];
  let table: HeaderLine | undefined;
  let rowLines: ReadonlySet<number> = new Set();
  let minExactNames = 0;
  for (const line of headerLines(head, names)) {
    const [first] = lines;
    // Below names stand types of values perhaps, `text,number,number`.
    const isBelowNames = first?.looksLikeNames === true && first.isDistinct && !line.isDistinct;
    const isRecord = (line.holdsValues && line.exactNames === 0) || isBelowNames;
    if (lines.length > 0 && (isRecord || !rowLines.has(line.line) || line.exactNames < minExactNames)) continue;
    lines.push(line);
    const isAllNames = line.fieldNames > 1 && line.fieldNames === line.cells;
    if (isAllNames || (line.fieldNames > 0 && isTable(head.subarray(line.at), line.delimiter))) table = line;
    if (table) break;
    if (lines.length > 1) continue;
    rowLines = linesOfRows(head, line);
    if (line.looksLikeNames && (line.exactNames > 0 || isWidthOfRows(head, line))) minExactNames = line.exactNames + 1;
  }
  const [first = NO_HEADER] = lines;
  const isWider = (line: HeaderLine, i: number) => lines.slice(0, i).every(({ cells }) => cells < line.cells);
  const header =
    table ??
    lines.find(({ fieldNames }) => fieldNames > 1) ??
    (first.exactNames === 0 ? lineBelowTitles(head, lines) : undefined) ??
    lines.find((line, i) => line.fieldNames > 0 && isWider(line, i)) ??
    first;
  const rows = head.subarray(header.at);
  const rare = header.cells === 1 ? rareSeparator(rows, names) : undefined;
  const delimiter =
    rare?.delimiter ?? (header.cells > 1 ? separatorOfRows(rows, header) : undefined) ?? header.delimiter;
  const before = header.line - first.line;
  const note =
    before > 0
      ? `the column names stand on line ${header.line}; ${count(before, 'line')} before them left out`
      : undefined;
  return { ...header, delimiter, isSpaced: rare?.isSpaced === true, note };
}

/** The first line with several names below lines of one text each, if rows of its width with numbers follow. */
function lineBelowTitles(head: Buffer, lines: readonly HeaderLine[]): HeaderLine | undefined {
  const at = lines.findIndex(({ filledCells }) => filledCells > 1);
  const line = lines[at];
  if (at < 1 || line === undefined || !line.looksLikeNames || !line.isDistinct || line.holdsValues) return undefined;
  const rows = openedRows(head, line);
  rows.next();
  const isOverNumbers = numberColumns(rows, line.cells).length > 0;
  return isOverNumbers && isTable(head.subarray(line.at), line.delimiter) ? line : undefined;
}

const NO_HEADER: HeaderLine = {
  at: 0,
  line: 1,
  delimiter: ',',
  fieldNames: 0,
  exactNames: 0,
  cells: 0,
  filledCells: 0,
  looksLikeNames: false,
  holdsValues: false,
  isDistinct: true,
};

const openedRows = (head: Buffer, { at, delimiter, line }: HeaderLine): CsvRows =>
  rowsOfTable(head.subarray(at), { delimiter, quotes: 'doubled' }, false, line);

/** The lines on which a row begins, of those that may hold the names. */
function linesOfRows(head: Buffer, first: HeaderLine): ReadonlySet<number> {
  const rows = openedRows(head, first);
  const lines = new Set<number>();
  rows.finish();
  while (rows.line <= MAX_HEADER_LINE && rows.next()) lines.add(rows.line);
  return lines;
}

/** Whether the width of most rows is that of a line, give or take one cell: the line itself may have a fault. */
function isWidthOfRows(head: Buffer, line: HeaderLine): boolean {
  const rows = openedRows(head, line);
  rows.next();
  return Math.abs(widthOf(rows).width - line.cells) <= 1;
}

/** The commonest number of cells of the following rows, and whether most of them have it. */
export function widthOf(rows: CsvRows): { readonly width: number; readonly isOfMost: boolean } {
  const { number, isOfMost } = commonestIn(rows, () => rows.cellCount);
  return { width: number, isOfMost };
}

/** The commonest number of the following rows, and whether most of them have it; undefined stands for a row without a number. */
function commonestIn(rows: CsvRows, numberOfRow: () => number | undefined) {
  const rowsByNumber = new Map<number, number>();
  let examinedRows = 0;
  while (examinedRows < MAX_EXAMINED_ROWS && rows.next()) {
    if (rows.isBlank || rows.problem !== undefined) continue;
    examinedRows++;
    const number = numberOfRow();
    if (number !== undefined) rowsByNumber.set(number, (rowsByNumber.get(number) ?? 0) + 1);
  }
  const [number, times] = [...rowsByNumber].reduce((best, other) => (other[1] > best[1] ? other : best), [0, 0]);
  return { number, isOfMost: 2 * times > examinedRows };
}

/** Years and months are names of columns too. */
const YEAR = /^(?:19|20)\d\d(?:[-/.]\d\d?)?$/;
/** A longer text is no name, nor one that ends as a sentence does. */
const MAX_NAME_CHARS = 60;

const isName = (text: string): boolean =>
  /\p{L}/u.test(text) && text.length <= MAX_NAME_CHARS && !/[\p{L}]{2}[.!?]$/u.test(text);

/** Whether cells may be the names of columns: `rooms,city,rent`, `,city,rooms`, `RUN,2019,2020`, and not `1,Graz`. */
export function lookLikeNames(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim()).filter((name) => name !== '');
  return cells.length > 1 && names.length > 0 && names.every((name, i) => isName(name) || (i > 0 && YEAR.test(name)));
}

/** Whether a cell alone in its row may be the name of a list, as `city` is. A line of a text has more words. */
export const isNameOfList = ([name, ...others]: readonly string[]): boolean =>
  name !== undefined &&
  others.length === 0 &&
  isName(name.trim()) &&
  !isWebAddress(name) &&
  name.trim().split(/\s+/).length <= MAX_LIST_NAME_WORDS;

const MAX_LIST_NAME_WORDS = 3;

export const isWebAddress = (cell: string): boolean => /^\s*https?:\/\//.test(cell);

/** Whether a cell is a value, and no name: `28/01/2018`, `$74.69`, `00:15`, an address, a long text. A year may be a name. */
export function isValue(cell: string): boolean {
  const text = cell.trim();
  const isNumber = /\d/.test(text) && !/\p{L}/u.test(text) && !YEAR.test(text);
  return isNumber || isWebAddress(text) || text.length > MAX_NAME_CHARS;
}

/** The first lines, without blank ones and without a line such as `sep=;`. */
function* headerLines(head: Buffer, names: HeaderNames): Generator<HeaderLine> {
  let statedDelimiter: string | undefined;
  for (const { text, at, line } of openingLines(head)) {
    if (text.trim() === '') continue;
    const delimiter = statedDelimiter === undefined ? DELIMITER_LINE.exec(text)?.[1] : undefined;
    if (delimiter === undefined) yield { ...readHeader(text, statedDelimiter, names), at, line };
    else statedDelimiter = delimiter;
  }
}

/** Rows that show which columns hold numbers. */
export const ROWS_OF_NUMBERS = 50;

/** The columns of which most cells have digits. */
export function numberColumns(rows: CsvRows, columns: number): readonly number[] {
  const counts = Array.from({ length: columns }, () => ({ filled: 0, withDigits: 0 }));
  for (let read = 0; read < ROWS_OF_NUMBERS && rows.next(); read++) {
    if (rows.cellCount !== columns || rows.problem !== undefined) continue;
    for (const [column, cellCounts] of counts.entries()) {
      if (rows.isEmpty(column)) continue;
      cellCounts.filled++;
      if (/\d/.test(rows.text(column))) cellCounts.withDigits++;
    }
  }
  return counts.flatMap(({ filled, withDigits }, column) => (2 * withDigits > filled ? [column] : []));
}

/** Separators that hardly any file has: spaces, and signs that texts have too. */
const RARE_DELIMITERS = [' ', ':', '^', '~', '#', '!', '\u0001', '\u001f'];
/** The fewest cells of rows that these separate, unless names of fields show it: a text of two words is no such row, nor is a time of day. */
const MIN_RARE_CELLS = 3;

/**
 * The rare separator of the cells, if all rows have the same number of them, if most rows have a cell for each of several names of fields, and
 * numbers among them, or if most rows have cells in quotes between such separators. Columns that stand below one another have several spaces between them.
 *
 *     name price      city rent note
 *     Tea 3           Graz 700 "near the river"
 *     Green tea 4     Bad Ischl 650 "quiet"
 */
function rareSeparator(bytes: Buffer, { isExactName }: HeaderNames): CsvDialect | undefined {
  const dialects = RARE_DELIMITERS.map((delimiter): CsvDialect => ({ delimiter, quotes: 'doubled' }));
  return [...dialects, { delimiter: ' ', quotes: 'doubled' as const, isSpaced: true }].find((dialect) => {
    const first = rowsOfTable(bytes, dialect);
    first.next();
    const names = Array.from({ length: first.cellCount }, (_, cell) => first.text(cell));
    if (names.length < 2) return false;
    const { rows, even, quotedRows } = countRows(bytes, false, dialect);
    const areMany = names.length >= MIN_RARE_CELLS;
    const areNames = lookLikeNames(names) && new Set(names).size === names.length;
    // The name of a list may have two words, as its texts may: `author name` above `Ann Lee`.
    const haveNumbers = numberColumns(first, names.length).length > 0;
    const areOfFields = haveNumbers && (names.every(isExactName) || (areMany && names.some(isExactName)));
    if (areNames && ((areOfFields && 2 * even > rows) || (areMany && even > 0 && 2 * quotedRows > rows))) return true;
    return areMany && rows > 1 && even === rows;
  });
}

/** The separator of the rows behind the names, where these have another: `name;price` above `Tea,3`. */
function separatorOfRows(bytes: Buffer, { delimiter, cells }: HeaderLine): string | undefined {
  const widthBy = (sign: string) => {
    const rows = rowsOfTable(bytes, { delimiter: sign, quotes: 'doubled' });
    return rows.next() ? widthOf(rows) : { width: 0, isOfMost: false };
  };
  if (widthBy(delimiter).width !== 1) return undefined;
  return DELIMITERS.find((sign) => {
    const { width, isOfMost } = widthBy(sign);
    return width === cells && isOfMost;
  });
}

/** Whether most rows have the width of the first. */
function isTable(bytes: Buffer, delimiter: string): boolean {
  const { even, rows } = countRows(bytes, false, { delimiter, quotes: 'doubled' });
  return even > rows / 2;
}

function readHeader(
  text: string,
  statedDelimiter: string | undefined,
  { isFieldName, isExactName }: HeaderNames,
): Omit<HeaderLine, 'at' | 'line'> {
  let best = { ...NO_HEADER, fieldNames: -1 };
  const delimiters = statedDelimiter === undefined ? [findDelimiter(text), ...DELIMITERS] : [statedDelimiter];
  for (const delimiter of new Set(delimiters)) {
    const row = rowsOfTable(Buffer.from(text), { delimiter, quotes: 'doubled' }, true);
    row.next();
    const cells = Math.min(row.cellCount, MAX_HEADER_CELLS);
    const texts = Array.from({ length: cells }, (_, cell) => row.text(cell));
    const knownNames = texts.filter(isFieldName);
    if (knownNames.length <= best.fieldNames) continue;
    const exactNames = knownNames.filter(isExactName).length;
    best = {
      ...best,
      delimiter,
      fieldNames: knownNames.length,
      exactNames,
      cells,
      filledCells: texts.filter((text) => text.trim() !== '').length,
      looksLikeNames: lookLikeNames(texts),
      holdsValues: texts.some(isValue),
      isDistinct: new Set(texts).size === texts.length,
    };
  }
  return best;
}

/** The first lines, each with its first 64 kB. */
function* openingLines(head: Buffer) {
  let at = 0;
  for (let line = 1; line <= MAX_HEADER_LINE && at < head.length; line++) {
    const ends = [head.indexOf('\n', at), head.indexOf('\r', at)].filter((end) => end !== -1);
    const end = Math.min(head.length, ...ends);
    yield { text: head.toString('utf8', at, Math.min(end, at + MAX_CSV_HEADER_BYTES)), at, line };
    at = end + (head[end] === CARRIAGE_RETURN && head[end + 1] === LINE_FEED ? 2 : 1);
  }
}

/** Where the first line of some bytes ends, with its line break. */
export function lineEnd(bytes: Buffer): number {
  const end = bytes.findIndex((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN);
  if (end === -1) return bytes.length;
  return bytes[end] === CARRIAGE_RETURN && bytes[end + 1] === LINE_FEED ? end + 2 : end + 1;
}

/** The separator that a header uses most: a comma, or a sign that spreadsheets of other countries write. */
export function findDelimiter(header: string): string {
  const unquoted = header.replace(/"[^"]*"/g, '');
  const uses = (sign: string) => unquoted.split(sign).length;
  return DELIMITERS.reduce((best, sign) => (uses(sign) > uses(best) ? sign : best));
}

function findQuotes(table: Buffer, isWhole: boolean, delimiter: string): CsvDialect['quotes'] {
  // Where a quote in the row of names never closes, the whole file is one cell: then the rows behind its first line tell.
  const names = rowsOfTable(table, { delimiter, quotes: 'doubled' }, isWhole);
  const rows = names.next() && !names.isUnclosed ? table : table.subarray(lineEnd(table));
  const counted = (quotes: CsvDialect['quotes']) => ({ quotes, ...countRows(rows, isWhole, { delimiter, quotes }) });
  const doubled = counted('doubled');
  const hasApostrophes = rows.includes("'");
  if (!doubled.hasFaults) {
    const single = hasApostrophes ? counted('single') : doubled;
    // Names and rows stand in single quotes, all of them.
    return single !== doubled && !single.hasFaults && single.rows > 0 && single.unquotedCells === 0
      ? 'single'
      : 'doubled';
  }
  const otherQuotes: CsvDialect['quotes'][] = [];
  if (rows.includes('\\"')) otherQuotes.push('backslash');
  if (hasApostrophes) otherQuotes.push('single');
  // Tables with tabs often come without any quoting (IANA text/tab-separated-values). One quote too many shows no such table.
  if (delimiter === '\t' && doubled.quotedRows === 0) otherQuotes.push('none');
  const counts = [doubled, ...otherQuotes.map(counted)];
  // Where no quotes give most rows the width of the row of names, that row has a fault.
  const hasWidthOfNames = counts.some(({ even, rows: all }) => 2 * even > all);
  const rightRows = (one: (typeof counts)[number]): number => (hasWidthOfNames ? one.even : one.alike);
  return counts.reduce((best, other) => (rightRows(other) > rightRows(best) ? other : best)).quotes;
}

/**
 * Whether spaces before quoted cells belong to the separator, `5, "short round"`: some cell of a whole row stands in quotes only then,
 * and no fewer rows can be read.
 */
function hasSpacedQuotes(bytes: Buffer, isWhole: boolean, dialect: CsvDialect): boolean {
  const quote = dialect.quotes === 'single' ? "'" : '"';
  if (dialect.quotes === 'none' || !bytes.includes(` ${quote}`)) return false;
  const plain = countRows(bytes, isWhole, dialect);
  const spaced = countRows(bytes, isWhole, { ...dialect, isSpaced: true });
  return spaced.quotedCells > plain.quotedCells && spaced.even >= plain.even;
}

/** The number of empty cells that most rows have behind the last of `columns` columns: 1 where a separator ends them. */
export function emptyTailOf(rows: CsvRows, columns: number): number {
  const { number, isOfMost } = commonestIn(rows, () => {
    let tail = 0;
    while (rows.cellCount - tail > columns && rows.isEmpty(rows.cellCount - 1 - tail)) tail++;
    return rows.cellCount - tail === columns ? tail : undefined;
  });
  return isOfMost ? number : 0;
}

/**
 * Counts the rows behind the first, those of its width (`even`), and those of the commonest width (`alike`), since the row of names may
 * have a fault of its own. Cells are those of rows with the width, the first one included. `quotedRows`: rows of any width with a cell in
 * quotes. `hasFaults`: some row has a fault, or another width.
 */
function countRows(bytes: Buffer, isWhole: boolean, dialect: CsvDialect) {
  const rows = rowsOfTable(bytes, dialect, isWhole);
  const counts = { rows: 0, even: 0, alike: 0, quotedRows: 0, quotedCells: 0, unquotedCells: 0, hasFaults: false };
  const rowsByWidth = new Map<number, number>();
  let width: number | undefined;
  while (counts.rows < MAX_EXAMINED_ROWS && rows.next()) {
    const isFirst = width === undefined;
    width ??= rows.cellCount;
    if (!isFirst && rows.isBlank) continue;
    if (!isFirst) counts.rows++;
    if (rows.problem !== undefined) continue;
    if (!isFirst) rowsByWidth.set(rows.cellCount, (rowsByWidth.get(rows.cellCount) ?? 0) + 1);
    let quotedCells = 0;
    let filledCells = 0;
    for (let cell = 0; cell < rows.cellCount; cell++) {
      if ((rows.flags[cell]! & QUOTED) !== 0) quotedCells++;
      if (!rows.isEmpty(cell)) filledCells++;
    }
    if (!isFirst && quotedCells > 0) counts.quotedRows++;
    if (rows.cellCount !== width) continue;
    counts.quotedCells += quotedCells;
    counts.unquotedCells += filledCells - quotedCells;
  }
  const even = rowsByWidth.get(width ?? 0) ?? 0;
  return { ...counts, even, alike: Math.max(0, ...rowsByWidth.values()), hasFaults: even < counts.rows };
}
