/**
 * The dialect of a CSV file, decided once from its first bytes: separator, quotes, decimal sign, and the line of the column names.
 * Quotes that are not RFC 4180's are chosen only where more rows are read with them: what our export wrote is read by its rules.
 */
import { count } from '../text.js';
import { type CsvDialect, rowsOf } from './csv-rows.js';

export interface CsvLayout {
  readonly dialect: CsvDialect;
  /** Where the row of column names begins. */
  readonly headerAt: number;
  readonly headerLine: number;
  /** `1.234` is a thousand and more, `12,345` is twelve and more. */
  readonly hasDecimalCommas: boolean;
  /** What whoever dropped the file should know. */
  readonly notes: readonly string[];
}

/** Whether any of these names is a field's. */
export type KnowsAny = (names: readonly string[]) => boolean;

const DELIMITERS = [',', ';', '\t', '|'];
const SEPARATOR_LINE = /^"?sep=([\x20-\x7e\t])"?[,;\t]*$/i;
/** Column names stand on one of so many lines, among the first so many cells. */
const MAX_HEADER_LINE = 20;
const MAX_HEADER_CELLS = 10_000;
const MAX_HEADER_BYTES = 1 << 16;
/** What quotes and decimal signs are decided from. */
const MAX_ROWS = 1000;

/** `head`: the first bytes of the file; `isWhole`: all of them. `knowsAny`: whether a field goes by one of these names. */
export function findLayout(head: Buffer, isWhole: boolean, knowsAny: KnowsAny): CsvLayout {
  const { at: headerAt, line: headerLine, delimiter, note } = findHeader(head, knowsAny);
  const rows = head.subarray(headerAt);
  const quotes = findQuotes(rows, isWhole, delimiter);
  const dialect = { delimiter, quotes };
  const hasDecimalCommas = delimiter !== ',' && showDecimalCommas(rows, dialect);
  const notes = [
    note,
    quotes === 'backslash' && 'a backslash escapes quotes in this file: \\" is read as a quote',
    quotes === 'none' && 'quotes are text in this file: they stand around no cell',
    hasDecimalCommas && 'numbers of this file have decimal commas: 1.234 is read as 1234',
  ];
  return { dialect, headerAt, headerLine, hasDecimalCommas, notes: notes.filter((text) => typeof text === 'string') };
}

/** One of the first lines, as a row of column names. */
interface HeaderLine {
  readonly at: number;
  readonly line: number;
  readonly delimiter: string;
  /** How many of its cells a field goes by. */
  readonly known: number;
  readonly cells: number;
}

/**
 * The first line of nothing but names of fields, or with one and with rows of its width behind it; else the first with two names;
 * else the first with one that is wider than all before it; else the first line. Blank lines are none.
 */
function findHeader(head: Buffer, knowsAny: KnowsAny): HeaderLine & { readonly note: string | undefined } {
  const lines: HeaderLine[] = [];
  let table: HeaderLine | undefined;
  for (const line of headerLines(head, knowsAny)) {
    lines.push(line);
    const isAllNames = line.known > 1 && line.known === line.cells;
    if (isAllNames || (line.known > 0 && isTable(head.subarray(line.at), line.delimiter))) table = line;
    if (table) break;
  }
  const [first = { at: 0, line: 1, delimiter: ',', known: 0, cells: 0 }] = lines;
  const isWider = (line: HeaderLine, i: number) => lines.slice(0, i).every(({ cells }) => cells < line.cells);
  const header =
    table ??
    lines.find(({ known }) => known > 1) ??
    lines.find((line, i) => line.known > 0 && isWider(line, i)) ??
    first;
  const before = header.line - first.line;
  const note =
    before > 0
      ? `the column names stand on line ${header.line}; ${count(before, 'line')} before them left out`
      : undefined;
  return { ...header, note };
}

/** The first lines, without blank ones and without one that tells the separator. */
function* headerLines(head: Buffer, knowsAny: KnowsAny): Generator<HeaderLine> {
  let told: string | undefined;
  for (const { text, at, line } of openingLines(head)) {
    if (text.trim() === '') continue;
    const separator = told === undefined ? SEPARATOR_LINE.exec(text)?.[1] : undefined;
    if (separator === undefined) yield { at, line, ...readHeader(text, told, knowsAny) };
    else told = separator;
  }
}

/** Whether most rows have as many cells as the first. */
function isTable(bytes: Buffer, delimiter: string): boolean {
  const { even, rows } = countRows(bytes, false, { delimiter, quotes: 'doubled' });
  return even > rows / 2;
}

function readHeader(text: string, told: string | undefined, knowsAny: KnowsAny) {
  let best = { delimiter: ',', known: -1, cells: 0 };
  for (const delimiter of told === undefined ? [findDelimiter(text), ...DELIMITERS] : [told]) {
    const row = rowsOf(Buffer.from(text), { delimiter, quotes: 'doubled' });
    row.finish();
    row.next();
    let known = 0;
    const cells = Math.min(row.cellCount, MAX_HEADER_CELLS);
    for (let cell = 0; cell < cells; cell++) if (knowsAny([row.text(cell)])) known++;
    if (known > best.known) best = { delimiter, known, cells };
  }
  return best;
}

function* openingLines(head: Buffer) {
  let at = 0;
  for (let line = 1; line <= MAX_HEADER_LINE && at < head.length; line++) {
    const opening = head.toString('utf8', at, at + MAX_HEADER_BYTES);
    const [text = ''] = /^[^\r\n]*/.exec(opening) ?? [];
    yield { text, at, line };
    const end = text.length === opening.length ? endOfLine(head, at) : at + Buffer.byteLength(text);
    at = end + (head[end] === 13 && head[end + 1] === 10 ? 2 : 1);
  }
}

function endOfLine(head: Buffer, from: number): number {
  const ends = [head.indexOf('\n', from), head.indexOf('\r', from)].filter((end) => end !== -1);
  return Math.min(head.length, ...ends);
}

/** The separator that a header uses most: a comma, or what spreadsheets of other countries write. */
export function findDelimiter(header: string): string {
  const bare = header.replace(/"[^"]*"/g, '');
  const uses = (sign: string) => bare.split(sign).length;
  return DELIMITERS.reduce((best, sign) => (uses(sign) > uses(best) ? sign : best));
}

function findQuotes(rows: Buffer, isWhole: boolean, delimiter: string): CsvDialect['quotes'] {
  const counted = (quotes: CsvDialect['quotes']) => ({ quotes, ...countRows(rows, isWhole, { delimiter, quotes }) });
  const doubled = counted('doubled');
  if (!doubled.hasFaults) return 'doubled';
  const others: CsvDialect['quotes'][] = [];
  if (rows.includes('\\"')) others.push('backslash');
  // Tables with tabs often come without any quoting (IANA text/tab-separated-values).
  if (delimiter === '\t') others.push('none');
  return others.map(counted).reduce((best, other) => (other.even > best.even ? other : best), doubled).quotes;
}

/** How many rows follow on the first, how many of them have as many cells, and whether anything else is there. */
function countRows(bytes: Buffer, isWhole: boolean, dialect: CsvDialect) {
  const rows = rowsOf(bytes, dialect);
  if (isWhole) rows.finish();
  const width = rows.next() ? rows.cellCount : 0;
  let even = 0;
  let count = 0;
  for (; count < MAX_ROWS && rows.next(); count++) if (rows.problem === undefined && rows.cellCount === width) even++;
  // What is left of the whole file is a quote that does not close; else it is a row that goes on behind these bytes.
  const isOpen = isWhole && count < MAX_ROWS && rows.unread > 0;
  return { rows: count, even, hasFaults: even < count || isOpen };
}

const DECIMAL_COMMA = /^\D{0,4}\d{1,3}(?:\d*|(?:\.\d{3})*),\d{1,2}\D{0,4}$/;
/** Three digits behind a point may be thousands. */
const DECIMAL_POINT = /^\D{0,4}(?:\d[\d,]*\.(?:\d{1,2}|\d{4,})|0\.\d+)\D{0,4}$/;
const MAX_NUMBER_BYTES = 24;

/** Whether prices such as `12,50` come without any such as `12.50`. */
function showDecimalCommas(bytes: Buffer, dialect: CsvDialect): boolean {
  const rows = rowsOf(bytes, dialect);
  let hasCommas = false;
  for (let count = 0; count < MAX_ROWS && rows.next(); count++)
    for (let cell = 0; cell < rows.cellCount; cell++) {
      if (rows.ends[cell]! - rows.starts[cell]! > MAX_NUMBER_BYTES) continue;
      const text = rows.text(cell);
      if (DECIMAL_POINT.test(text)) return false;
      hasCommas ||= DECIMAL_COMMA.test(text);
    }
  return hasCommas;
}
