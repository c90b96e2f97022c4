/**
 * Where in a CSV file the table stands, how its rows are written, and what its columns are called. It is decided by the
 * file's first lines, whose rows are also the sample from which the file's plan is made.
 */

import { count } from '../../text.js';
import { SAMPLE_RECORDS, type SampleRecord } from '../profile/sample.js';
import type { SnapshotFault } from '../report/report.js';
import { readOpening } from '../source/bytes.js';
import { createDecoder } from '../source/decode.js';
import { mappingNameOf, type SnapshotFile } from '../source/folder.js';
import { type CsvLayout, emptyTailOf, findLayout, type HeaderNames, lookLikeNames, widthOf } from './csv-dialect.js';
import { type CsvDialect, type CsvRows, QUOTED, rowsOfTable } from './csv-rows.js';
import { MARKUP_ADVICE, NUL_ADVICE } from './json-fault.js';

export interface CsvTable extends Pick<CsvLayout, 'dialect' | 'hasDecimalCommas' | 'notes'> {
  readonly header: CsvHeader;
  /** Where the first row behind the column names begins, in bytes of UTF-8, and on which line. */
  readonly rowsAt: number;
  readonly rowsLine: number;
  readonly sample: readonly SampleRecord[];
}

export interface CsvHeader {
  /** All column names. One that stands in the file twice has a number the second time: `name`, `price`, `name2`. */
  readonly names: readonly string[];
  /** The cells of the row of names, as they stand in the file. Where files are appended to one another, it comes again. */
  readonly texts: readonly string[];
  /** Empty cells that most rows have behind the last column. */
  readonly tail: number;
  /** The columns whose cells have digits in them, mostly. */
  readonly numbers: readonly number[];
  /** The columns that have a name. A column without one is an index, or empty. */
  readonly named: readonly number[];
  /** All column names stand in quotes: then the file quotes every cell, and a quoted empty cell is a missing value. */
  readonly allQuoted: boolean;
}

/** No row is this long: a quote is missing. */
export const MAX_ROW_BYTES = 64 << 20;
/** Bytes of the opening: the longer one is read where no row ends in the shorter one. */
const CSV_OPENING_BYTES = [1 << 20, MAX_ROW_BYTES];
/** Columns that are sampled. Further columns feed a field by their name only. */
const MAX_SAMPLED_COLUMNS = 256;
/** Column names that a message shows. */
const SHOWN_NAMES = 8;

/** How a row of column names is told. */
export interface NameTests extends HeaderNames {
  /** Whether a row may hold the column names of a table, though no field goes by any of them. */
  readonly mayBeNames: (cells: readonly string[]) => boolean;
}

export async function findCsvTable(source: SnapshotFile, tests: NameTests): Promise<CsvTable | SnapshotFault> {
  for (const maxBytes of CSV_OPENING_BYTES) {
    const opening = await readOpening(source, maxBytes);
    if ('message' in opening) return opening;
    const isWhole = opening.length < maxBytes;
    const end = isWhole ? opening.length : opening.lastIndexOf('\n') + 1 || opening.lastIndexOf('\r') + 1;
    const lines = createDecoder().lines(opening.subarray(0, end));
    const table = tableIn(source, lines, isWhole, isWhole || maxBytes === MAX_ROW_BYTES, tests);
    if (table) return table;
  }
  throw new Error('the longest opening decides');
}

/**
 * The table whose first lines these are, all of its lines where `isWhole`. Undefined where a longer opening may show a row of it;
 * `isEnough`: there is no longer opening.
 */
function tableIn(
  source: SnapshotFile,
  bytes: Buffer,
  isWhole: boolean,
  isEnough: boolean,
  tests: NameTests,
): CsvTable | SnapshotFault | undefined {
  const { file } = source;
  const fault = nulFault(file, bytes) ?? markupFault(file, bytes);
  if (fault) return fault;
  const { headerAt, headerLine, ...layout } = findLayout(bytes, isWhole, tests);
  const rows = rowsOfTable(bytes.subarray(headerAt), layout.dialect, headerLine);
  if (isWhole) rows.finish();
  if (!rows.next()) return isEnough ? unendedRow(file, rows, isWhole) : undefined;
  if (rows.problem !== undefined)
    return { file, line: rows.line, message: `the row of column names cannot be read: ${rows.problem}` };
  const firstLine = rows.line;
  const texts = namesOnRows(rows, bytes, layout.dialect);
  const rowsNote =
    rows.line === firstLine
      ? []
      : [`the column names stand on lines ${firstLine} to ${rows.line}, one below the other`];
  const { unread, nextLine } = rows;
  const behind = bytes.subarray(bytes.length - unread);
  const { header, note } = csvHeaderOf(rows, texts, behind, layout.dialect, isWhole);
  if (!header.names.some(tests.isFieldName) && !tests.mayBeNames(header.names))
    return unknownNames(source, rows.line, header.names);
  const notes = [...layout.notes, ...rowsNote, ...(note === undefined ? [] : [note])];
  const sample = sampleRows(rows, header);
  if (sample.length === 0 && !isEnough) return undefined;
  return { ...layout, notes, header, rowsAt: bytes.length - unread, rowsLine: nextLine, sample };
}

const cellTexts = (rows: CsvRows): readonly string[] =>
  Array.from({ length: rows.cellCount }, (_, cell) => rows.text(cell));

/** Rows behind the first row of names that may hold names too. */
const MAX_FURTHER_NAME_ROWS = 2;
/** Values that show whether a column holds numbers. */
const SHOWN_VALUES = 20;

/**
 * The names, where they stand one below the other; goes to the last of their rows. A row has names too if it fills all gaps of the row
 * above it, and stands over numbers.
 *
 *     date,,price
 *     ,city,net
 *     2024-01-02,Graz,4.50
 */
function namesOnRows(rows: CsvRows, bytes: Buffer, dialect: CsvDialect): readonly string[] {
  let names = cellTexts(rows);
  for (let further = 0; further < MAX_FURTHER_NAME_ROWS; further++) {
    const next = rowsOfTable(bytes.subarray(bytes.length - rows.unread), dialect);
    if (!next.next() || next.cellCount !== names.length) return names;
    const below = cellTexts(next);
    const hasGap = names.some((name, i) => i > 0 && name.trim() === '');
    const fillsGaps = names.every((name, i) => name.trim() !== '' || below[i]!.trim() !== '');
    if (!hasGap || !fillsGaps || !lookLikeNames(below) || !standsOverNumbers(below, next)) return names;
    names = names.map((name, i) => [name, below[i]!].filter((text) => text.trim() !== '').join(' '));
    rows.next();
  }
  return names;
}

/** Whether some name has only numbers below it. */
function standsOverNumbers(names: readonly string[], rows: CsvRows): boolean {
  const areNumbers = names.map((name) => name.trim() !== '');
  let count = 0;
  for (; count < SHOWN_VALUES && rows.next(); count++)
    for (let cell = 0; cell < names.length; cell++)
      areNumbers[cell] &&= cell < rows.cellCount && /^[\d.,-]+$/.test(rows.text(cell).trim());
  return count > 0 && areNumbers.includes(true);
}

function csvHeaderOf(rows: CsvRows, texts: readonly string[], behind: Buffer, dialect: CsvDialect, isWhole: boolean) {
  const rowsBehind = (): CsvRows => {
    const next = rowsOfTable(behind, dialect);
    if (isWhole) next.finish();
    return next;
  };
  const tail = emptyTailOf(rowsBehind(), texts.length);
  const fitted = tail > 0 ? { names: texts } : fittedNames(texts, rowsBehind);
  const names = withoutRepeats(fitted.names);
  const hasLabels =
    names[0]?.trim() === '' && firstCells(rowsBehind(), names.length).some((text) => /\p{L}/u.test(text));
  const header: CsvHeader = {
    names,
    texts,
    tail,
    numbers: numberColumns(rowsBehind(), names.length),
    named: names.flatMap((name, column) => (name.trim() !== '' || (column === 0 && hasLabels) ? [column] : [])),
    allQuoted: rows.flags.subarray(0, rows.cellCount).every((flags) => (flags & QUOTED) !== 0),
  };
  return { header, note: fitted.note };
}

/** Rows that show which columns hold numbers. */
const ROWS_OF_NUMBERS = 50;

/** The columns of which most cells have digits. */
function numberColumns(rows: CsvRows, columns: number): readonly number[] {
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

/** Columns of numbers that have names in the first row of another table of the same width: one alone may be `sold out`. */
const MIN_NUMBER_COLUMNS = 2;

/**
 * Tells the rows of other tables in the file. They begin behind an empty line with names of their own, and another number of cells, or
 * names where this table has numbers.
 */
class OtherTables {
  readonly #header: CsvHeader;
  #nextLine = 0;
  #isBehindGap = false;
  #other: { readonly width: number; readonly reason: string } | undefined;

  constructor(header: CsvHeader) {
    this.#header = header;
  }

  /** Why a row is refused as one of another table; undefined where it is none. Takes every row, blank ones too. */
  reasonFor(rows: CsvRows): string | undefined {
    const { cellCount, line, problem } = rows;
    const { texts } = this.#header;
    const isBehindGap = this.#isBehindGap || (this.#nextLine > 0 && line > this.#nextLine);
    this.#nextLine = rows.nextLine;
    this.#isBehindGap = rows.isBlank;
    if (rows.isBlank) return undefined;
    if (problem === undefined && isBehindGap && this.#areNames(rows)) {
      const names = cellTexts(rows).slice(0, SHOWN_NAMES).join(', ');
      const reason = `another table begins on line ${line}, with the names ${names}: put it into a file of its own`;
      this.#other = { width: cellCount, reason };
    } else if (this.#other !== undefined) {
      const isOfThis = cellCount === texts.length && (this.#other.width !== cellCount || rows.spells(texts));
      if (isOfThis) this.#other = undefined;
    }
    return this.#other?.width === cellCount ? this.#other.reason : undefined;
  }

  #areNames(rows: CsvRows): boolean {
    const { texts, numbers } = this.#header;
    const cells = cellTexts(rows);
    if (!lookLikeNames(cells) || new Set(cells).size < cells.length) return false;
    if (cells.length !== texts.length) return true;
    const areOtherNames = numbers.length >= MIN_NUMBER_COLUMNS && !rows.spells(texts);
    return areOtherNames && numbers.every((column) => /^\D+$/.test(cells[column] ?? ''));
  }
}

/** The separators that may stand in a row of names by mistake. */
const OTHER_SEPARATORS = /[,;\t|]/;

/**
 * The names as the rows behind them need them, where their own row has more cells or fewer:
 *
 *     name,price,            Tea,3         an empty name is no column
 *     date,time;stock,price  …,10:00,3,4   another separator stands in a name
 *     cyl,disp               Mazda,6,160   rows begin with an index, as R writes it
 */
function fittedNames(
  texts: readonly string[],
  rowsBehind: () => CsvRows,
): { readonly names: readonly string[]; readonly note?: string } {
  const { width, isOfMost } = widthOf(rowsBehind());
  const excess = texts.length - width;
  const behind = `the row of names has ${count(texts.length, 'cell')}, most rows have ${width}`;
  if (!isOfMost || excess === 0) return { names: texts };
  if (excess > 0) {
    const isTailEmpty = texts.slice(-excess).every((text) => text.trim() === '');
    const names = isTailEmpty ? texts.slice(0, -excess) : texts.filter((text) => text.trim() !== '');
    return names.length === width ? { names, note: `${behind}: its empty cells are no columns` } : { names: texts };
  }
  const parts = texts.map((text) => text.split(OTHER_SEPARATORS));
  if (parts.flat().length === width && parts.flat().every((part) => part.trim() !== ''))
    return { names: parts.flat(), note: `${behind}: another separator parts names in it` };
  const index = firstCells(rowsBehind(), width);
  if (excess < -1 || index.length < 2 || new Set(index).size < index.length || index.some((text) => text.trim() === ''))
    return { names: texts };
  return { names: ['', ...texts], note: `${behind}: the first column is read as an index without a name` };
}

/** The first cells of the rows of a width. */
function firstCells(rows: CsvRows, width: number): readonly string[] {
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

function sampleRows(rows: CsvRows, header: CsvHeader): readonly SampleRecord[] {
  const { names: all, named, allQuoted } = header;
  const refusalOf = createRefusal(header);
  const columns = named.slice(0, MAX_SAMPLED_COLUMNS);
  const names = columns.map((column) => all[column]!);
  const isMissing = (cell: number) => rows.isEmpty(cell) || (allQuoted && rows.starts[cell] === rows.ends[cell]);
  const sample: SampleRecord[] = [];
  while (sample.length < SAMPLE_RECORDS && rows.next())
    if (refusalOf(rows) === undefined && !rows.isBlank)
      sample.push({ names, cells: columns.map((cell) => (isMissing(cell) ? null : rows.text(cell))) });
  return sample;
}

const NAMES_AGAIN = 'the row holds the column names once more';
const RULE_ROW = 'the row holds lines in place of values';

/** Says why a row is no record of the table; undefined where it is one, or blank. The rows of a file are given one after the other. */
export function createRefusal(header: CsvHeader): (rows: CsvRows) => string | undefined {
  const otherTables = new OtherTables(header);
  return (rows) => {
    const otherTable = otherTables.reasonFor(rows);
    if (rows.isBlank) return undefined;
    if (otherTable !== undefined) return otherTable;
    const reason = rows.faultAsOneOf(header.names.length, header.tail);
    if (reason !== undefined) return reason;
    return rows.spells(header.texts) ? NAMES_AGAIN : rows.isRule ? RULE_ROW : undefined;
  };
}

/** A NUL in the first line: cells of a scrape may hold one, column names do not. */
function nulFault(file: string, head: Buffer): SnapshotFault | undefined {
  const column = head.indexOf(0) + 1;
  const isInFirstLine = column > 0 && !/[\r\n]/.test(head.toString('latin1', 0, column));
  const message = `expected text, found NUL bytes${NUL_ADVICE}`;
  return isInFirstLine ? { file, line: 1, column, message } : undefined;
}

/** A line of HTML could pass for a row of column names, since these may hold any word. */
function markupFault(file: string, head: Buffer): SnapshotFault | undefined {
  const first = head.findIndex((byte) => byte > 32);
  if (head[first] !== LESS_THAN) return undefined;
  return { file, line: 1, message: `expected a row of column names, found \`<\`${MARKUP_ADVICE}` };
}

const LESS_THAN = 0x3c;

/** Why no row follows in the file, or none that ends within `MAX_ROW_BYTES`. */
export function unendedRow(file: string, { line, unread }: CsvRows, isWhole: boolean): SnapshotFault {
  if (!isWhole)
    return {
      file,
      line,
      message: `the row that begins here does not end within ${MAX_ROW_BYTES >> 20} MB: a closing quote is missing`,
    };
  if (unread === 0) return { file, line: 1, column: 1, message: 'the file is empty: expected a row of column names' };
  return {
    file,
    line,
    message:
      'the file ends inside a quoted cell of the row that begins here: a closing quote is missing, or the download was cut off',
  };
}

function unknownNames(source: SnapshotFile, line: number, names: readonly string[]): SnapshotFault {
  const examples = names.slice(0, SHOWN_NAMES).map((name) => JSON.stringify(name.slice(0, 40)));
  const ellipsis = names.length > SHOWN_NAMES ? ', …' : '';
  const message = `expected a row of column names, found none that is known: ${examples.join(', ')}${ellipsis}; put names such as id,title above the records, or say in ${mappingNameOf(source)} what these are`;
  return { file: source.file, line, message, isForeign: true };
}
