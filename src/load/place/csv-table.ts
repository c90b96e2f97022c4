/**
 * Where in a CSV file the table stands, how its rows are written, and what its columns are called. It is decided by the
 * file's first lines, whose rows are also the sample from which the file's plan is made.
 */

import { quote, words } from '../../text.js';
import { SAMPLE_RECORDS, type SampleRecord } from '../profile/sample.js';
import type { SnapshotFault } from '../report/report.js';
import { decideByOpening } from '../source/bytes.js';
import { createDecoder } from '../source/decode.js';
import { mappingNameOf, type SnapshotFile } from '../source/folder.js';
import { isNullWord } from '../values/texts.js';
import { type CsvLayout, findLayout, lookLikeNames, numberColumns, ROWS_OF_NUMBERS } from './csv-dialect.js';
import { TableFooter } from './csv-footer.js';
import {
  behindIn,
  type ColumnNames,
  cellTexts,
  firstCells,
  type NameTests,
  readColumnNames,
  type TableBytes,
  tableRows,
} from './csv-names.js';
import { type CsvRows, QUOTED } from './csv-rows.js';
import { MARKUP_ADVICE, NUL_ADVICE } from './json-fault.js';

export interface CsvTable extends Pick<CsvLayout, 'dialect' | 'notes'> {
  readonly header: CsvHeader;
  /** Where the first row behind the column names begins, in bytes of UTF-8, and on which line. */
  readonly rowsAt: number;
  readonly rowsLine: number;
  /** Why the columns have other names than those in the file, where they have. */
  readonly nameNote: string | undefined;
  readonly sample: readonly SampleRecord[];
  /** Why the first of the rows that hold no record holds none, and on which line. */
  readonly refusal: { readonly line: number; readonly reason: string } | undefined;
}

interface CsvHeader extends Pick<ColumnNames, 'names' | 'texts' | 'tail' | 'allQuoted' | 'areMadeUp'> {
  /** The columns whose cells have digits in them, mostly. */
  readonly numbers: readonly number[];
  /** The columns that have a name, and a first one without a name that labels its rows: `,price` above `tea,3`. All others are an index, or empty. */
  readonly named: readonly number[];
  /** Whether rows that begin with `#` are comments, as all lines above the names are. */
  readonly hasComments: boolean;
  /** The line of the first row, where it describes the columns. */
  readonly descriptionLine: number | undefined;
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
interface TableTests extends NameTests {
  /** Whether a row may hold the column names of a table, though no field goes by any of them. */
  readonly mayBeNames: (cells: readonly string[]) => boolean;
}

export const findCsvTable = (source: SnapshotFile, tests: TableTests): Promise<CsvTable | SnapshotFault> =>
  decideByOpening(source, CSV_OPENING_BYTES, (opening, isWhole, isLongest) => {
    const end = isWhole ? opening.length : opening.lastIndexOf('\n') + 1 || opening.lastIndexOf('\r') + 1;
    return tableIn(source, createDecoder().lines(opening.subarray(0, end)), isWhole, isLongest, tests);
  });

/**
 * The table whose first lines these are, all of its lines where `isWhole`. Undefined where a longer opening may show a row of it;
 * `isEnough`: there is no longer opening.
 */
function tableIn(
  source: SnapshotFile,
  bytes: Buffer,
  isWhole: boolean,
  isEnough: boolean,
  tests: TableTests,
): CsvTable | SnapshotFault | undefined {
  const { file } = source;
  const fault = nulFault(file, bytes) ?? markupFault(file, bytes);
  if (fault) return fault;
  const { headerAt, headerLine, ...layout } = findLayout(bytes, isWhole, tests);
  const table = { bytes: bytes.subarray(headerAt), line: headerLine, dialect: layout.dialect, isWhole };
  const columns = readColumnNames(table, tests);
  if (columns === 'no row ends') {
    if (isWhole) return { file, line: 1, column: 1, message: 'the file is empty: expected a row of column names' };
    return isEnough ? endlessRow(file, headerLine) : undefined;
  }
  if ('problem' in columns)
    return { file, line: columns.line, message: `the row of column names cannot be read: ${columns.problem}` };
  const { names, rowsAt, rowsLine, placeNote, note } = columns;
  const isKnown = columns.areMadeUp || names.some(tests.isFieldName);
  if (!isKnown && !tests.mayBeNames(names)) return unknownNames(source, headerLine, names);
  const behind = behindIn(table, rowsAt, rowsLine);
  const header = csvHeaderOf(columns, behind, bytes.toString('utf8', 0, headerAt));
  const rows = tableRows(behind);
  const { sample, refusal } = sampleRows(rows, header, isWhole);
  if (sample.length === 0 && !isEnough) return undefined;
  // The names of a file that has nothing else tell its collection all the same.
  const areNamesAlone = isWhole && sample.length === 0 && refusal === undefined;
  return {
    ...layout,
    notes: placeNote === undefined ? layout.notes : [...layout.notes, placeNote],
    nameNote: note ?? (areNamesAlone ? 'the file has column names and no row' : isKnown ? undefined : listNote(names)),
    header,
    rowsAt: headerAt + rowsAt,
    rowsLine,
    sample: areNamesAlone && isKnown ? [{ names, cells: names.map(() => null) }] : sample,
    refusal,
  };
}

function csvHeaderOf(
  { names, texts, tail, allQuoted, areMadeUp }: ColumnNames,
  behind: TableBytes,
  above: string,
): CsvHeader {
  const linesAbove = above.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const areComments = linesAbove.length > 0 && linesAbove.every((line) => line.startsWith('#'));
  const isUnnamed = names[0]?.trim() === '';
  const labels = areComments || isUnnamed ? firstCells(tableRows(behind), names.length) : [];
  const labelsRows = isUnnamed && labels.some((text) => /\p{L}/u.test(text));
  const numbers = numberColumns(tableRows(behind), names.length);
  return {
    ...{ names, texts, tail, allQuoted, areMadeUp, numbers },
    hasComments: areComments && 2 * labels.filter((text) => text.startsWith('#')).length <= labels.length,
    descriptionLine: descriptionLineOf(tableRows(behind), numbers),
    named: names.flatMap((name, column) => (name.trim() !== '' || (column === 0 && labelsRows) ? [column] : [])),
  };
}

const listNote = ([name, ...others]: readonly string[]): string | undefined =>
  others.length > 0 ? undefined : `the first row, ${quote(name)}, is read as the name of the only column`;

/** Columns of numbers over which a row holds no values: a text over one alone may be `sold out`. */
const MIN_NUMBER_COLUMNS = 2;
const TYPE_WORDS = new Set(
  words(
    'string text str char varchar int integer bigint float double decimal number numeric date datetime boolean bool',
  ),
);

/**
 * The line of the first row, where it says what the columns hold and is no record: all columns of numbers have texts there, which are
 * different ones, or types, and which no other row repeats.
 *
 *     city,rent,area      city,rent,area      name,price,weight
 *     Stadt,Miete,Fläche  text,number,number  ,EUR,kg
 *     Graz,700,50         Graz,700,50         Tea,4.20,100
 */
function descriptionLineOf(rows: CsvRows, numbers: readonly number[]): number | undefined {
  if (numbers.length < MIN_NUMBER_COLUMNS || !rows.next()) return undefined;
  const { line } = rows;
  const texts = cellTexts(rows).map((text) => text.trim());
  const filledTexts = texts.filter((text) => text !== '');
  const areTypes = filledTexts.every((text) => TYPE_WORDS.has(text.toLowerCase()));
  const areOverNumbers = numbers.every((column) => isWord(texts[column] ?? ''));
  if (!areOverNumbers || (!areTypes && new Set(filledTexts).size < filledTexts.length)) return undefined;
  for (let read = 0; read < ROWS_OF_NUMBERS && rows.next(); read++)
    if (numbers.some((column) => rows.text(column).trim() === texts[column])) return undefined;
  return line;
}

/** Whether a text has letters and no digits, and stands for no missing value. */
const isWord = (text: string): boolean => /^\D*\p{L}\D*$/u.test(text) && !isNullWord(text);

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

/** The first records. Of a file that is sampled to its end, rows that may be no records of its table are left out. */
function sampleRows(rows: CsvRows, header: CsvHeader, isWhole: boolean): Pick<CsvTable, 'sample' | 'refusal'> {
  const { names: all, named, allQuoted } = header;
  const refusalOf = createRefusal(header);
  const footer = new TableFooter();
  const columns = named.slice(0, MAX_SAMPLED_COLUMNS);
  const names = columns.map((column) => all[column]!);
  const isMissing = (cell: number) => rows.isEmpty(cell) || (allQuoted && rows.starts[cell] === rows.ends[cell]);
  const sample: SampleRecord[] = [];
  let refusal: CsvTable['refusal'];
  while (sample.length < SAMPLE_RECORDS && rows.next()) {
    const reason = refusalOf(rows);
    if (reason !== undefined) refusal ??= { line: rows.line, reason };
    else if (!rows.isBlank) {
      footer.add(rows);
      sample.push({ names, cells: columns.map((cell) => (isMissing(cell) ? null : rows.text(cell))) });
    }
  }
  const records = sample.slice(0, sample.length - footer.lines.length);
  return { sample: isWhole && records.length > 0 ? records : sample, refusal };
}

const NAMES_AGAIN = 'the row holds the column names once more';
const COMMENT = 'the row is a comment: it begins with #, as all lines above the column names do';
const COMMENT_SIGN = 0x23;
const RULE_ROW = 'the row holds lines in place of values';
const DESCRIBES_COLUMNS = 'the row describes the columns: it has texts where all others have numbers';

/** Says why a row is no record of the table; undefined where it is one, or blank. The rows of a file are given one after the other. */
export function createRefusal(header: CsvHeader): (rows: CsvRows) => string | undefined {
  const otherTables = new OtherTables(header);
  return (rows) => {
    const otherTable = otherTables.reasonFor(rows);
    if (rows.isBlank) return undefined;
    if (otherTable !== undefined) return otherTable;
    const isBare = (rows.flags[0]! & QUOTED) === 0;
    if (header.hasComments && isBare && rows.bytes[rows.starts[0]!] === COMMENT_SIGN) return COMMENT;
    const reason = rows.faultAsOneOf(header.names.length, header.tail);
    if (reason !== undefined) return reason;
    if (rows.spells(header.texts)) return NAMES_AGAIN;
    if (rows.line === header.descriptionLine) return DESCRIBES_COLUMNS;
    return rows.isRule ? RULE_ROW : undefined;
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

/** The fault of a row that does not end within `MAX_ROW_BYTES`. */
export const endlessRow = (file: string, line: number): SnapshotFault => ({
  file,
  line,
  message: `the row that begins here does not end within ${MAX_ROW_BYTES >> 20} MB: a closing quote is missing`,
});

function unknownNames(source: SnapshotFile, line: number, names: readonly string[]): SnapshotFault {
  const examples = names.slice(0, SHOWN_NAMES).map((name) => JSON.stringify(name.slice(0, 40)));
  const ellipsis = names.length > SHOWN_NAMES ? ', …' : '';
  const message = `expected a row of column names, found none that is known: ${examples.join(', ')}${ellipsis}; put names such as id,title above the records, or say in ${mappingNameOf(source)} what these are`;
  return { file: source.file, line, message, isForeign: true };
}
