/** A CSV file → its records: the first row names the fields, every other row is a record of as many cells. */
import { readBytes } from './bytes.js';
import { findLayout } from './csv-dialect.js';
import { type CsvHeader, CsvRecords, headerOf } from './csv-records.js';
import { CsvRows } from './csv-rows.js';
import { mappingNameOf } from './folder.js';
import { at, valueAdvice } from './json-messages.js';
import type { Reading } from './reading.js';
import type { SnapshotFault } from './report.js';

/** What the dialect is decided from. */
const HEAD_BYTES = 1 << 20;
/** No row is this long: a quote is missing. */
const MAX_ROW_BYTES = 64 << 20;
const MAX_NAMED = 8;

export async function readCsv(reading: Reading): Promise<SnapshotFault | undefined> {
  const { source, onRead, decoder } = reading;
  const cut = createLineCutter();
  const rows = createRowTaker(reading);
  let fault: SnapshotFault | undefined;
  let isStopped = false;
  const failed = await readBytes(
    source,
    async (chunk) => {
      const taken = await rows.take(decoder.lines(cut.feed(chunk)), cut.heldBytes());
      if (typeof taken === 'object') fault = taken;
      else if (rows.unreadBytes() + cut.heldBytes() > MAX_ROW_BYTES) fault = endlessRow(source.file, rows.line());
      isStopped = fault !== undefined || taken === 'stopped';
      return !isStopped;
    },
    onRead,
  );
  if (failed || isStopped) return failed ?? fault;
  return rows.finish(decoder.lines(cut.rest()));
}

type Taken = 'more' | 'stopped' | SnapshotFault;

/** Takes whole lines: the first of them until the dialect is known, all others row by row. */
function createRowTaker(reading: Reading) {
  const { source, columns, filler, isStopped, onDates, onDialectNote, knowsAny } = reading;
  const { file } = source;
  let head: Buffer[] = [];
  let headBytes = 0;
  let hasBackslashes = false;
  let rows: CsvRows | undefined;
  let records: CsvRecords | undefined;

  const roomFor = (bytes: number): Buffer => {
    filler.openWindow(bytes);
    return filler.batch.bytes;
  };

  /** Decides the dialect. */
  const begin = (isWhole: boolean): CsvRows | SnapshotFault => {
    const bytes = Buffer.concat(head);
    head = [];
    const fault = nulFault(file, bytes) ?? markupFault(file, bytes);
    if (fault) return fault;
    const { dialect, headerAt, headerLine, hasDecimalCommas, notes } = findLayout(bytes, isWhole, knowsAny);
    for (const note of notes) onDialectNote?.(note);
    filler.context = { ...filler.context, hasDecimalCommas };
    hasBackslashes = dialect.quotes === 'backslash';
    rows = new CsvRows(dialect, roomFor, headerLine);
    rows.feed(bytes.subarray(headerAt));
    return rows;
  };

  /** `isCutOff`: no line break ends the last row, which may not be whole. */
  const takeRows = async (found: CsvRows, isCutOff: boolean): Promise<Taken> => {
    if (records === undefined) {
      if (!found.next()) return 'more';
      if (found.problem !== undefined)
        return { file, line: found.line, message: `the row of column names cannot be read: ${found.problem}` };
      const header = headerOf(found);
      const fault = headerFault(reading, header);
      if (fault) return fault;
      records = new CsvRecords({ columns, filler, rows: found, header, hasBackslashes });
    }
    while (found.next()) {
      const mayBeCutOff = isCutOff && found.unread === 0;
      if (!records.fill(mayBeCutOff)) {
        filler.cancel();
        filler.flush();
        const fault = await onDates();
        if (fault) return fault;
        records.fill(mayBeCutOff);
      }
      if (!filler.isFull) continue;
      filler.flush();
      if (isStopped()) return 'stopped';
    }
    filler.flush();
    return isStopped() ? 'stopped' : 'more';
  };

  return {
    unreadBytes: (): number => rows?.unread ?? headBytes,
    line: (): number => rows?.line ?? 1,
    /** `heldBytes` of the file follow that are no whole line. */
    async take(lines: Buffer, heldBytes: number): Promise<Taken> {
      if (rows) {
        rows.feed(lines);
        return takeRows(rows, false);
      }
      head.push(lines);
      headBytes += lines.length;
      if (headBytes === 0 || headBytes + heldBytes < HEAD_BYTES) return 'more';
      const begun = begin(false);
      return 'message' in begun ? begun : takeRows(begun, false);
    },
    async finish(rest: Buffer): Promise<SnapshotFault | undefined> {
      if (rows) rows.feed(rest);
      else head.push(rest);
      const last = rows ?? begin(true);
      if ('message' in last) return last;
      last.finish();
      const taken = await takeRows(last, rest.length > 0);
      if (taken !== 'more') return taken === 'stopped' ? undefined : taken;
      if (last.unread > 0) return openQuote(file, last.line);
      if (records) return undefined;
      return { file, line: 1, column: 1, message: 'the file is empty: expected a row of column names' };
    },
  };
}

/** A cell of a scrape may hold a NUL, its column names do not. */
function nulFault(file: string, head: Buffer): SnapshotFault | undefined {
  const column = head.indexOf(0) + 1;
  const isInFirstLine = column > 0 && !/[\r\n]/.test(head.toString('latin1', 0, column));
  const message = 'expected text, found NUL bytes: this is no text file, or one in UTF-16, to be saved as UTF-8';
  return isInFirstLine ? { file, line: 1, column, message } : undefined;
}

/** A row of column names may hold any word, and so may a line of HTML. */
function markupFault(file: string, head: Buffer): SnapshotFault | undefined {
  const first = head.findIndex((byte) => byte > 32);
  if (head[first] !== at('<')) return undefined;
  return { file, line: 1, message: `expected a row of column names, found \`<\`${valueAdvice(at('<'))}` };
}

const openQuote = (file: string, line: number): SnapshotFault => ({
  file,
  line,
  message:
    'the file ends inside a quoted cell of the row that begins here: a closing quote is missing, or the download was cut off',
});

const endlessRow = (file: string, line: number): SnapshotFault => ({
  file,
  line,
  message: `the row that begins here does not end within ${MAX_ROW_BYTES >> 20} MB: a closing quote is missing`,
});

function headerFault({ source, knowsAny }: Reading, { names, line }: CsvHeader): SnapshotFault | undefined {
  if (knowsAny(names)) return undefined;
  const found = names.slice(0, MAX_NAMED).map((name) => JSON.stringify(name.slice(0, 40)));
  const more = names.length > MAX_NAMED ? ', …' : '';
  const message = `expected a row of column names, found none that is known: ${found.join(', ')}${more}; put names such as id,title above the records, or say in ${mappingNameOf(source)} what these are`;
  return { file: source.file, line, message };
}

/** Cuts chunks behind their last line break, so that no character is cut in two. */
function createLineCutter() {
  let held: Buffer[] = [];
  let heldBytes = 0;
  return {
    feed(chunk: Buffer): Buffer {
      const end = chunk.lastIndexOf('\n') + 1 || chunk.lastIndexOf('\r') + 1;
      const lines = end === 0 ? Buffer.alloc(0) : Buffer.concat([...held, chunk.subarray(0, end)]);
      if (end > 0) {
        held = [];
        heldBytes = 0;
      }
      // A chunk is only lent.
      held.push(Buffer.from(chunk.subarray(end)));
      heldBytes += chunk.length - end;
      return lines;
    },
    rest: (): Buffer => Buffer.concat(held),
    heldBytes: (): number => heldBytes,
  };
}
