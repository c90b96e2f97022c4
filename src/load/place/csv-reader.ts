/** A CSV file → its records. Every row behind the column names is a record, and has a cell for each name. */

import { TEXT } from '../../kernels/json-layout.js';
import { count } from '../../text.js';
import type { SnapshotFault } from '../report/report.js';
import { type OnBytesRead, readBytes } from '../source/bytes.js';
import type { Decoder } from '../source/decode.js';
import type { SnapshotFile } from '../source/folder.js';
import type { CellWriter } from '../values/cell-writer.js';
import { type FooterRow, MAX_FOOTER_ROWS, NOTE_BELOW, TableFooter } from './csv-footer.js';
import { cellTexts } from './csv-names.js';
import { CsvRows, ESCAPED, NOT_JSON } from './csv-rows.js';
import { type CsvTable, createRefusal, endlessRow, MAX_ROW_BYTES } from './csv-table.js';
import { BARE_TEXT, type FileReading, NOTHING, SourceRow } from './source-row.js';

const CUT_OFF_IN_QUOTES =
  'the file ends inside a quoted cell of the row that begins here: the download was probably cut off, or a closing quote is missing';
const ROW_CUT_OFF = 'the file ends here, without a line break: the download was probably cut off';

/** A row that may be no record, with its texts; null of a cell without any. */
interface HeldRow extends FooterRow {
  readonly line: number;
  readonly texts: readonly (string | null)[];
}

export async function readCsv(reading: FileReading, table: CsvTable): Promise<SnapshotFault | undefined> {
  const { source, binder, decoder, onRead } = reading;
  const { cells } = binder;
  const { memory } = cells;
  const { header } = table;
  let readCount = 0;
  const roomFor = (bytes: number): Buffer => {
    cells.openWindow(bytes);
    return memory.bytes;
  };
  const rows = new CsvRows(table.dialect, roomFor, table.rowsLine);
  const record = new SourceRow(memory);
  record.names = header.named.map((cell) => header.names[cell]!);
  record.size = record.names.length;
  let fault: SnapshotFault | undefined;
  let leftToSkip = table.rowsAt;

  const refusalOf = createRefusal(header);
  const footer = new TableFooter(header.names.length);
  let heldRows: HeldRow[] = [];

  const bind = (line: number, mayBeTotals = false): void => {
    readCount++;
    binder.bind(record, line, mayBeTotals);
    rows.moveTo(memory.bytes);
    if (cells.isFull) binder.flush();
  };

  const bindHeld = ({ line, texts }: HeldRow, mayBeTotals = false): void => {
    for (const [member, cell] of header.named.entries()) {
      const text = texts[cell] ?? null;
      if (text === null) record.set(member, NOTHING, 0, 0);
      else record.set(member, BARE_TEXT, ...cells.write(text));
    }
    bind(line, mayBeTotals);
  };

  /** Takes the rows that were held back as records, since one follows them. */
  const releaseHeld = (): void => {
    footer.release(heldRows);
    for (const row of heldRows) bindHeld(row);
    heldRows = [];
  };

  /** Refuses what stands below the table; a row that is none for sure is a record, and told. */
  const endTable = (): void => {
    if (readCount === 0) releaseHeld();
    const servedLines: number[] = [];
    for (const row of heldRows)
      if (row.isSure) binder.refuse(row.line, NOTE_BELOW);
      else {
        // Totals are compared with the records that were handed on.
        binder.flush();
        bindHeld(row, row.kind === 'totals');
        if (memory.size > 0) servedLines.push(row.line);
      }
    binder.flush();
    reading.onFooter?.(servedLines);
  };

  /** Reads all whole rows; false ends the reading of the file. */
  const takeRows = (isCutOff: boolean): void => {
    while (fault === undefined && rows.next()) {
      const reason = refusalOf(rows);
      const isShort = rows.problem === undefined && rows.cellCount < header.names.length;
      const isLastRow = isCutOff && rows.unread === 0;
      if (rows.isBlank) continue;
      if (rows.isUnclosed && isCutOff && reading.isPartial !== true) {
        const advice = readCount > 0 ? `; --partial serves the ${count(readCount, 'record')} before it` : '';
        fault = { file: source.file, line: rows.line, message: `${CUT_OFF_IN_QUOTES}${advice}` };
        break;
      }
      const footerRow = reason === undefined ? footer.rowOf(rows) : undefined;
      if (footerRow !== undefined && heldRows.length < MAX_FOOTER_ROWS) {
        heldRows.push({
          ...footerRow,
          line: rows.line,
          texts: cellTexts(rows).map((text, i) => (rows.isEmpty(i) ? null : text)),
        });
        continue;
      }
      if (heldRows.length > 0 && reason === undefined) releaseHeld();
      if (reason === undefined) {
        fillRecord(record, rows, header, cells);
        bind(rows.line);
      } else {
        readCount++;
        binder.refuse(rows.line, isLastRow && isShort ? `${reason}: ${ROW_CUT_OFF}` : reason);
      }
    }
    binder.flush();
  };

  const take: TakeLines = (lines, isLast, heldBytes) => {
    const skipped = Math.min(leftToSkip, lines.length);
    leftToSkip -= skipped;
    rows.feed(lines.subarray(skipped));
    if (isLast) rows.finish();
    // The last row has no line break behind it: it may be cut off.
    takeRows(isLast && lines.length > 0);
    if (isLast && fault === undefined) endTable();
    if (!isLast && rows.unread + heldBytes > MAX_ROW_BYTES) fault = endlessRow(source.file, rows.line);
    return fault === undefined;
  };

  return (await readLines(source, decoder, take, onRead)) ?? fault;
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
