/** A CSV file → its records. Every row behind the column names is a record, and has a cell for each name. */

import { TEXT } from '../../kernels/json-layout.js';
import { count } from '../../text.js';
import type { SnapshotFault } from '../report/report.js';
import { type OnBytesRead, readBytes } from '../source/bytes.js';
import type { Decoder } from '../source/decode.js';
import type { SnapshotFile } from '../source/folder.js';
import type { CellWriter } from '../values/cell-writer.js';
import { type FooterRow, MAX_FOOTER_ROWS, TableFooter } from './csv-footer.js';
import { cellTexts } from './csv-names.js';
import { CsvRows, ESCAPED, NOT_JSON } from './csv-rows.js';
import { type CsvTable, createRefusal, endlessRow, MAX_ROW_BYTES, NAMES_AGAIN } from './csv-table.js';
import { BARE_TEXT, type FileReading, NOTHING, SourceRow } from './source-row.js';

const CUT_OFF_IN_QUOTES =
  'the file ends inside a quoted cell of the row that begins here: the download was probably cut off, or a closing quote is missing';
const ROW_CUT_OFF = 'the file ends here, without a line break: the download was probably cut off';

/** A row that may be no record, with its texts; null of a cell without any. */
interface HeldRow extends FooterRow {
  readonly line: number;
  readonly texts: readonly (string | null)[];
}

export const readCsv = (reading: FileReading, table: CsvTable): Promise<SnapshotFault | undefined> =>
  new CsvReader(reading, table).read();

class CsvReader {
  readonly #reading: FileReading;
  readonly #header: CsvTable['header'];
  readonly #rows: CsvRows;
  /** The row as a record, of whichever row it is. */
  readonly #record: SourceRow;
  readonly #refusalOf: (rows: CsvRows) => string | undefined;
  readonly #footer: TableFooter;
  /** Rows that stand below the table, unless a record follows. */
  #heldRows: HeldRow[] = [];
  /** The lines of those that were read as records, and of notes, which were left out. */
  readonly #servedLines: number[] = [];
  readonly #noteLines: number[] = [];
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
    this.#footer = new TableFooter(header.names.length);
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
    if (isLast && this.#fault === undefined) {
      this.#endTable();
      this.#reading.onFooter?.({ served: this.#servedLines, notes: this.#noteLines });
    }
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
      else if (!this.#isHeld()) {
        if (this.#heldRows.length > 0) this.#releaseHeld();
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
    // Where runs were appended, each with its names, the table of one ends before those of the next.
    if (reason === NAMES_AGAIN) this.#endTable();
    this.#readCount++;
    this.#reading.binder.refuse(line, isLastRow && isShort ? `${reason}: ${ROW_CUT_OFF}` : reason);
  }

  /** Whether the row may stand below the table: then it is held back. */
  #isHeld(): boolean {
    const rows = this.#rows;
    const footerRow = this.#footer.rowOf(rows);
    if (footerRow === undefined || this.#heldRows.length === MAX_FOOTER_ROWS) return false;
    const texts = cellTexts(rows).map((text, i) => (rows.isEmpty(i) ? null : text));
    this.#heldRows.push({ ...footerRow, line: rows.line, texts });
    return true;
  }

  /** Takes the rows that were held back as records, since one follows them. */
  #releaseHeld(): void {
    this.#footer.release(this.#heldRows);
    for (const row of this.#heldRows) this.#bindHeld(row);
    this.#heldRows = [];
  }

  /** Leaves out the notes below the table. A row that is not surely one is a record, which the report tells. */
  #endTable(): void {
    const { binder } = this.#reading;
    if (this.#readCount === 0) this.#releaseHeld();
    for (const row of this.#heldRows)
      if (row.isSure) this.#noteLines.push(row.line);
      else {
        // Totals are compared with the records that were handed on.
        binder.flush();
        this.#bindHeld(row, row.kind === 'totals');
        if (binder.cells.memory.size > 0) this.#servedLines.push(row.line);
      }
    binder.flush();
    this.#heldRows = [];
  }

  #bindHeld({ line, texts }: HeldRow, mayBeTotals = false): void {
    for (const [member, cell] of this.#header.named.entries()) {
      const text = texts[cell] ?? null;
      if (text === null) this.#record.set(member, NOTHING, 0, 0);
      else this.#record.set(member, BARE_TEXT, ...this.#reading.binder.cells.write(text));
    }
    this.#bind(line, mayBeTotals);
  }

  #bind(line: number, mayBeTotals = false): void {
    const { binder } = this.#reading;
    this.#readCount++;
    binder.bind(this.#record, line, mayBeTotals);
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
