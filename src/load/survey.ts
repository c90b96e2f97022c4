/**
 * Looks ahead in files, for what a record alone cannot tell: whether a file has ids of its own, the largest of them, and
 * whether the dates of a column are month/day or day/month. Each is a pass of its own, made only where it is needed.
 */
import { type CollectionModel, fieldIndex } from '../model.js';
import { createColumnFinder, createRank, type Mapping } from './columns.js';
import { type DateOrder, provenOrder } from './dates.js';
import type { SnapshotFault } from './report.js';
import type { SourceRecord, TakeRecords } from './source-record.js';
import { readCell } from './values.js';

/** Reads one file from its beginning. */
export type ReadRecords = (take: TakeRecords) => Promise<SnapshotFault | undefined>;

export interface Surveyor {
  firstRecordHasId(read: ReadRecords): Promise<boolean | SnapshotFault>;
  anyRecordHasId(read: ReadRecords): Promise<boolean | SnapshotFault>;
  /** The largest id that a record has itself; 0 where all are smaller. */
  largestId(read: ReadRecords): Promise<number | SnapshotFault>;
  dateOrder(read: ReadRecords): Promise<DateSurvey | SnapshotFault>;
}

/** The first date that proves each order, if there is one. */
export interface DateSurvey {
  readonly proofs: ReadonlyMap<DateOrder, { readonly line: number; readonly raw: string }>;
}

const CONTEXT = { isCsv: true, dateOrder: undefined };

export function createSurveyor(model: CollectionModel, mapping: Mapping): Surveyor {
  const columns = createColumnFinder(model, createRank(model, mapping), () => {});
  const idRow = fieldIndex(model, 'id');
  const dateRows = model.fields.flatMap(({ kind }, row) => (kind === 'date' ? [row] : []));

  const cellOf = ({ names, cells }: SourceRecord, row: number): unknown =>
    cells[columns.find(names).positions[row] ?? -1];
  const idOf = (record: SourceRecord): number | undefined => {
    const idField = model.fields[idRow];
    const cell = record.refusal === undefined ? cellOf(record, idRow) : undefined;
    const value = cell === undefined || idField === undefined ? null : readCell(idField, cell, CONTEXT).value;
    return typeof value === 'number' ? value : undefined;
  };

  return {
    async firstRecordHasId(read) {
      let has = false;
      const fault = await read(([first]) => {
        has = first !== undefined && idOf(first) !== undefined;
        return false;
      });
      return fault ?? has;
    },
    async anyRecordHasId(read) {
      let has = false;
      const fault = await read((records) => {
        has = records.some((record) => idOf(record) !== undefined);
        return !has;
      });
      return fault ?? has;
    },
    async largestId(read) {
      let largest = 0;
      const fault = await read((records) => {
        for (const record of records) largest = Math.max(largest, idOf(record) ?? 0);
        return true;
      });
      return fault ?? largest;
    },
    async dateOrder(read) {
      const proofs = new Map<DateOrder, { line: number; raw: string }>();
      const fault = await read((records) => {
        for (const record of records) {
          for (const row of dateRows) {
            const raw = record.refusal === undefined ? cellOf(record, row) : undefined;
            const order = typeof raw === 'string' ? provenOrder(raw) : undefined;
            if (order && typeof raw === 'string' && !proofs.has(order)) proofs.set(order, { line: record.line, raw });
          }
        }
        return proofs.size < 2;
      });
      return fault ?? { proofs };
    },
  };
}
