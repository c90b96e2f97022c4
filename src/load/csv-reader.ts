/** A CSV file → its records: every row behind the column names is one, of as many cells. */
import { readLines, type TakeLines } from './csv-lines.js';
import { CsvRecords } from './csv-records.js';
import { CsvRows } from './csv-rows.js';
import { type CsvTable, MAX_ROW_BYTES, unendedRow } from './csv-table.js';
import type { Reading } from './reading.js';
import type { SnapshotFault } from './report.js';

export async function readCsv(reading: Reading, table: CsvTable): Promise<SnapshotFault | undefined> {
  const { source, filler, decoder, isStopped, onDates, onRead } = reading;
  filler.context = { ...filler.context, hasDecimalCommas: table.hasDecimalCommas };
  const roomFor = (bytes: number): Buffer => {
    filler.openWindow(bytes);
    return filler.batch.bytes;
  };
  const rows = new CsvRows(table.dialect, roomFor, table.rowsLine);
  const records = new CsvRecords(reading, rows, table);
  let fault: SnapshotFault | undefined;
  let leftToSkip = table.rowsAt;

  /** Reads the rows that are whole; false where that is all of the file that is to be read. */
  const takeRows = async (isCutOff: boolean): Promise<boolean> => {
    while (rows.next()) {
      const mayBeCutOff = isCutOff && rows.unread === 0;
      if (!records.fill(mayBeCutOff)) {
        filler.cancel();
        filler.flush();
        fault = await onDates();
        if (fault) return false;
        records.fill(mayBeCutOff);
      }
      if (!filler.isFull) continue;
      filler.flush();
      if (isStopped()) return false;
    }
    filler.flush();
    return !isStopped();
  };

  const take: TakeLines = async (lines, isLast, heldBytes) => {
    const skipped = Math.min(leftToSkip, lines.length);
    leftToSkip -= skipped;
    rows.feed(lines.subarray(skipped));
    if (isLast) rows.finish();
    // No line break ends the last row, which may not be whole.
    const goesOn = await takeRows(isLast && lines.length > 0);
    const isUnended = goesOn && (isLast ? rows.unread > 0 : rows.unread + heldBytes > MAX_ROW_BYTES);
    if (isUnended) fault = unendedRow(source.file, rows, isLast);
    return goesOn && !isUnended;
  };

  return (await readLines(source, decoder, take, onRead)) ?? fault;
}
