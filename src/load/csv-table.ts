/**
 * Where in a CSV file the table stands, how its rows are written, and what its columns are called. It is decided by the
 * file's first lines, whose rows are also the sample from which the file's plan is made.
 */
import { readOpening } from './bytes.js';
import { type CsvLayout, findLayout, type IsFieldName, tailOf } from './csv-dialect.js';
import { type CsvRows, QUOTED, rowsOf } from './csv-rows.js';
import { createDecoder } from './decode.js';
import { mappingNameOf, type SnapshotFile } from './folder.js';
import { MARKUP_ADVICE, NUL_ADVICE } from './json-fault.js';
import type { SnapshotFault } from './report.js';
import { SAMPLE_RECORDS, type SampleRecord } from './sample.js';

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
export interface NameTests {
  readonly isFieldName: IsFieldName;
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
  { isFieldName, mayBeNames }: NameTests,
): CsvTable | SnapshotFault | undefined {
  const { file } = source;
  const fault = nulFault(file, bytes) ?? markupFault(file, bytes);
  if (fault) return fault;
  const { headerAt, headerLine, ...layout } = findLayout(bytes, isWhole, isFieldName);
  const rows = rowsOf(bytes.subarray(headerAt), layout.dialect, headerLine);
  if (isWhole) rows.finish();
  if (!rows.next()) return isEnough ? unendedRow(file, rows, isWhole) : undefined;
  if (rows.problem !== undefined)
    return { file, line: rows.line, message: `the row of column names cannot be read: ${rows.problem}` };
  const header = csvHeaderOf(rows, tailOf(bytes.subarray(bytes.length - rows.unread), layout.dialect, rows.cellCount));
  if (!header.names.some(isFieldName) && !mayBeNames(header.names))
    return unknownNames(source, rows.line, header.names);
  const { unread, nextLine } = rows;
  const sample = sampleRows(rows, header);
  if (sample.length === 0 && !isEnough) return undefined;
  return { ...layout, header, rowsAt: bytes.length - unread, rowsLine: nextLine, sample };
}

function csvHeaderOf(rows: CsvRows, tail: number): CsvHeader {
  const cells = Array.from({ length: rows.cellCount }, (_, cell) => cell);
  const texts = cells.map((cell) => rows.text(cell));
  const names = numbered(texts);
  return {
    names,
    texts,
    tail,
    named: cells.filter((cell) => names[cell]!.trim() !== ''),
    allQuoted: cells.every((cell) => (rows.flags[cell]! & QUOTED) !== 0),
  };
}

/** The names, each only once: `name`, `price`, `name` become `name`, `price`, `name2`. */
function numbered(texts: readonly string[]): readonly string[] {
  const taken = new Set(texts);
  const seen = new Set<string>();
  return texts.map((text) => {
    if (text.trim() === '' || !seen.has(text)) {
      seen.add(text);
      return text;
    }
    let n = 2;
    while (taken.has(`${text}${n}`)) n++;
    taken.add(`${text}${n}`);
    return `${text}${n}`;
  });
}

function sampleRows(rows: CsvRows, { names: all, texts, tail, named, allQuoted }: CsvHeader): readonly SampleRecord[] {
  const columns = named.slice(0, MAX_SAMPLED_COLUMNS);
  const names = columns.map((column) => all[column]!);
  const isMissing = (cell: number) => rows.isEmpty(cell) || (allQuoted && rows.starts[cell] === rows.ends[cell]);
  const sample: SampleRecord[] = [];
  while (sample.length < SAMPLE_RECORDS && rows.next())
    if (!rows.isBlank && rows.faultAsOneOf(all.length, tail) === undefined && !rows.spells(texts))
      sample.push({ names, cells: columns.map((cell) => (isMissing(cell) ? null : rows.text(cell))) });
  return sample;
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
