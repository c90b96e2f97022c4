/** A CSV file → its records: the first row names the fields, every other row is a record of as many cells. */
import { count, grouped, unguardFormula } from '../text.js';
import { readBytes } from './bytes.js';
import { type CsvRow, CsvRows, findDelimiter } from './csv-rows.js';
import type { Reading } from './reading.js';
import type { SnapshotFault } from './report.js';
import { fill, refused, type SourceRecord } from './source-record.js';

interface Header {
  readonly names: readonly string[];
  /** All of its cells stand in quotes: then a quoted empty cell says no more than an empty one. */
  readonly allQuoted: boolean;
}

/** No quoted cell is this long: a quote is missing. */
const MAX_ROW_CHARS = 64 << 20;
/** Rows are handed on in small pieces: what they hold dies young. */
const PIECE_CHARS = 1 << 15;
const MAX_NAMED = 8;
const CUT_OFF = 'the file ends here, without a line break: the download was probably cut off';

export async function readCsv(reading: Reading): Promise<SnapshotFault | undefined> {
  const { source, columns, filler, decoder, isStopped, onDates, onRead } = reading;
  const cut = createLineCutter();
  let rows: CsvRows | undefined;
  let header: Header | undefined;
  let fault: SnapshotFault | undefined;
  let stopped = false;
  let unread = 0;

  const takeRows = async (found: readonly CsvRow[], cutOff?: CsvRow): Promise<boolean> => {
    const [first] = found;
    if (first === undefined) return true;
    const isHeader = header === undefined;
    header ??= headerOf(first);
    fault = isHeader ? headerFault(reading, header, first.line) : undefined;
    if (fault) return false;
    const { names, allQuoted } = header;
    for (const row of isHeader ? found.slice(1) : found) {
      const record = toRecord(row, names, allQuoted, row === cutOff);
      if (filler.isFull) filler.flush();
      if (fill(record, columns, filler)) continue;
      filler.cancel();
      filler.flush();
      fault = await onDates();
      if (fault) return false;
      fill(record, columns, filler);
    }
    filler.flush();
    stopped = isStopped();
    return !stopped;
  };

  const takeBytes = async (bytes: Buffer): Promise<boolean> => {
    if (bytes.length === 0) return true;
    const text = decoder.lines(bytes);
    if (rows === undefined) {
      const firstLine = /^[^\r\n]*/.exec(text)?.[0] ?? '';
      // A cell of a scrape may hold a NUL, its column names do not.
      const column = firstLine.indexOf('\0') + 1;
      if (column > 0) {
        fault = { file: source.file, line: 1, column, message: 'expected text, found NUL bytes: this is no text file' };
        return false;
      }
      rows = new CsvRows(findDelimiter(firstLine));
    }
    for (let at = 0; at < text.length; at += PIECE_CHARS) {
      const found = rows.feed(text.slice(at, at + PIECE_CHARS));
      unread = found.length === 0 ? unread + PIECE_CHARS : 0;
      if (unread > MAX_ROW_CHARS) fault = openQuote(source.file, rows.line);
      if (fault || !(await takeRows(found))) return false;
    }
    return true;
  };

  const failed = await readBytes(source, (chunk) => takeBytes(cut.feed(chunk)), onRead);
  if (failed || fault || stopped) return failed ?? fault;
  await takeBytes(cut.rest());
  if (fault || stopped) return fault;
  const last = rows?.finish();
  if (rows && last?.open) return openQuote(source.file, rows.line);
  // A row that no line break ends may not be whole.
  await takeRows(last?.rows ?? [], last?.rows.at(-1));
  if (fault || header !== undefined) return fault;
  return { file: source.file, line: 1, column: 1, message: 'the file is empty: expected a row of column names' };
}

const openQuote = (file: string, line: number): SnapshotFault => ({
  file,
  line,
  message:
    'the file ends inside a quoted cell of the row that begins here: a closing quote is missing, or the download was cut off',
});

const headerOf = ({ cells, quoted }: CsvRow): Header => ({
  names: cells.map((cell) => cell ?? ''),
  allQuoted: quoted === cells.length,
});

function headerFault({ source, knowsAny }: Reading, { names }: Header, line: number): SnapshotFault | undefined {
  if (knowsAny(names)) return undefined;
  const found = names.slice(0, MAX_NAMED).map((name) => JSON.stringify(name.slice(0, 40)));
  const more = names.length > MAX_NAMED ? ', …' : '';
  const message = `expected a row of column names, found none that is known: ${found.join(', ')}${more}; ${source.collection}.mapping.json can name them`;
  return { file: source.file, line, message };
}

function toRecord(row: CsvRow, names: readonly string[], allQuoted: boolean, mayBeCutOff: boolean): SourceRecord {
  const { line, cells, problem } = row;
  if (problem !== undefined) return refused(line, problem);
  const isEven =
    cells.length === names.length ||
    (cells.length > names.length && cells.slice(names.length).every((cell) => cell === null));
  if (!isEven) {
    const reason = `expected ${count(names.length, 'cell')}, found ${grouped(cells.length)}`;
    return refused(line, mayBeCutOff && cells.length < names.length ? `${reason}: ${CUT_OFF}` : reason);
  }
  return {
    line,
    names,
    cells: cells.map((cell) => (cell === null || (allQuoted && cell === '') ? null : unguardFormula(cell))),
  };
}

/** Cuts chunks behind their last line break, so that no character is cut in two. */
function createLineCutter() {
  let held: Buffer[] = [];
  return {
    feed(chunk: Buffer): Buffer {
      const end = chunk.lastIndexOf(10) + 1;
      // A chunk is only lent.
      const rest = Buffer.from(chunk.subarray(end));
      if (end === 0) {
        held.push(rest);
        return Buffer.alloc(0);
      }
      const whole = Buffer.concat([...held, chunk.subarray(0, end)]);
      held = [rest];
      return whole;
    },
    rest: (): Buffer => Buffer.concat(held),
  };
}
