/** A CSV file → its records. Every row behind the column names is a record, and has a cell for each name. */

import { TEXT } from '../../kernels/json-layout.js';
import { count } from '../../text.js';
import type { SnapshotFault } from '../report/report.js';
import { type OnBytesRead, readBytes } from '../source/bytes.js';
import type { Decoder } from '../source/decode.js';
import type { SnapshotFile } from '../source/folder.js';
import type { CellWriter } from '../values/cell-writer.js';
import { TableFooter } from './csv-footer.js';
import { CsvRows, ESCAPED, NOT_JSON } from './csv-rows.js';
import { type CsvTable, createRefusal, endlessRow, MAX_ROW_BYTES } from './csv-table.js';
import { BARE_TEXT, type FileReading, NOTHING, SourceRow } from './source-row.js';

const CUT_OFF_IN_QUOTES =
  'the file ends inside a quoted cell of the row that begins here: the download was probably cut off, or a closing quote is missing';
const ROW_CUT_OFF = 'the file ends here, without a line break: the download was probably cut off';

export const readCsv = (reading: FileReading, table: CsvTable): Promise<SnapshotFault | undefined> =>
  new CsvReader(reading, table).read();

class CsvReader {
  readonly #reading: FileReading;
  readonly #header: CsvTable['header'];
  readonly #rows: CsvRows;
  /** The row as a record, of whichever row it is. */
  readonly #record: SourceRow;
  readonly #refusalOf: (rows: CsvRows) => string | undefined;
  readonly #footer = new TableFooter();
  #readCount = 0;
  /** Bytes before the first row. */
  #leftToSkip: number;
  #fault: SnapshotFault | undefined;

  constructor(reading: FileReading, { header, dialect, rowsAt, rowsLine }: CsvTable) {
    const { cells } = reading.binder;
    const roomFor = (bytes: number): Buffer => {
      cells.openWindow(bytes);
      return cells.memory.bytes;
    };
    this.#reading = reading;
    this.#header = header;
    this.#rows = new CsvRows(dialect, roomFor, rowsLine);
    this.#record = new SourceRow(cells.memory);
    this.#record.names = header.named.map((cell) => header.names[cell]!);
    this.#record.size = header.named.length;
    this.#refusalOf = createRefusal(header);
    this.#leftToSkip = rowsAt;
  }

  async read(): Promise<SnapshotFault | undefined> {
    const { source, decoder, onRead } = this.#reading;
    const take: TakeLines = (lines, isLast, heldBytes) => this.#take(lines, isLast, heldBytes);
    return (await readLines(source, decoder, take, onRead)) ?? this.#fault;
  }

  #take(lines: Buffer, isLast: boolean, heldBytes: number): boolean {
    const rows = this.#rows;
    const skipped = Math.min(this.#leftToSkip, lines.length);
    this.#leftToSkip -= skipped;
    rows.feed(lines.subarray(skipped));
    if (isLast) rows.finish();
    // The last row has no line break behind it: it may be cut off.
    this.#takeRows(isLast && lines.length > 0);
    if (isLast && this.#readCount > this.#footer.lines.length) this.#reading.onFooter?.(this.#footer.lines);
    const isEndless = !isLast && rows.unread + heldBytes > MAX_ROW_BYTES;
    if (isEndless) this.#fault = endlessRow(this.#reading.source.file, rows.line);
    return this.#fault === undefined;
  }

  /** Takes all whole rows, up to a fault of the file. */
  #takeRows(isCutOff: boolean): void {
    const rows = this.#rows;
    while (this.#fault === undefined && rows.next()) {
      const reason = this.#refusalOf(rows);
      if (rows.isBlank) continue;
      if (rows.isUnclosed && isCutOff && this.#reading.isPartial !== true) this.#fault = this.#cutOffFault();
      else if (reason !== undefined) this.#refuse(reason, isCutOff && rows.unread === 0);
      else {
        this.#footer.add(rows);
        fillRecord(this.#record, rows, this.#header, this.#reading.binder.cells);
        this.#bind(rows.line);
      }
    }
    this.#reading.binder.flush();
  }

  #cutOffFault(): SnapshotFault {
    const advice = this.#readCount > 0 ? `; --partial serves the ${count(this.#readCount, 'record')} before it` : '';
    return { file: this.#reading.source.file, line: this.#rows.line, message: `${CUT_OFF_IN_QUOTES}${advice}` };
  }

  #refuse(reason: string, isLastRow: boolean): void {
    const { problem, cellCount, line } = this.#rows;
    const isShort = problem === undefined && cellCount < this.#header.names.length;
    this.#readCount++;
    this.#reading.binder.refuse(line, isLastRow && isShort ? `${reason}: ${ROW_CUT_OFF}` : reason);
  }

  #bind(line: number): void {
    const { binder } = this.#reading;
    this.#readCount++;
    binder.bind(this.#record, line);
    this.#rows.moveTo(binder.cells.memory.bytes);
    if (binder.cells.isFull) binder.flush();
  }
}

/** Writes the cells of a row as the members of a record. */
function fillRecord(
  record: SourceRow,
  rows: CsvRows,
  { named, allQuoted }: CsvTable['header'],
  cells: CellWriter,
): void {
  const { starts, ends, flags } = rows;
  for (let member = 0; member < named.length; member++) {
    const cell = named[member]!;
    const start = starts[cell]!;
    const end = ends[cell]!;
    if (start === end && (flags[cell] === 0 || allQuoted)) record.set(member, NOTHING, start, end);
    else if ((flags[cell]! & ESCAPED) !== 0) {
      // Writing an earlier cell may have moved the bytes.
      rows.moveTo(cells.memory.bytes);
      record.set(member, BARE_TEXT, ...cells.write(rows.text(cell)));
    } else record.set(member, (flags[cell]! & NOT_JSON) === 0 ? TEXT : BARE_TEXT, start, end);
  }
}

/** `isLast`: the bytes behind the last line break. `heldBytes`: bytes that were read and begin the next line. Returning false ends the reading. */
type TakeLines = (lines: Buffer, isLast: boolean, heldBytes: number) => boolean | Promise<boolean>;

/** A file → its lines in UTF-8. Each chunk of the file hands over the lines that it ends, so that no character is cut in two. */
async function readLines(
  source: SnapshotFile,
  decoder: Decoder,
  take: TakeLines,
  onRead?: OnBytesRead,
): Promise<SnapshotFault | undefined> {
  let pendingChunks: Buffer[] = [];
  let heldBytes = 0;
  let isStopped = false;
  const fault = await readBytes(
    source,
    async (chunk) => {
      const end = chunk.lastIndexOf('\n') + 1 || chunk.lastIndexOf('\r') + 1;
      const lines = end === 0 ? [] : [...pendingChunks, chunk.subarray(0, end)];
      if (end > 0) {
        pendingChunks = [];
        heldBytes = 0;
      }
      pendingChunks.push(chunk.subarray(end));
      heldBytes += chunk.length - end;
      isStopped = !(await take(decoder.lines(Buffer.concat(lines)), false, heldBytes));
      return !isStopped;
    },
    onRead,
  );
  if (fault === undefined && !isStopped) await take(decoder.lines(Buffer.concat(pendingChunks)), true, 0);
  return fault;
}
