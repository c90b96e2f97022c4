/**
 * Looks ahead in files, for what a record alone cannot tell: whether a file has ids of its own, the largest of them, and
 * whether the dates of a column are month/day or day/month. Each is a pass of its own, made only where it is needed, by the
 * reader that loads the file, for a collection that has no other fields.
 */
import { cellOf, NULL, type RecordBatch, textOf } from '../batch.js';
import type { CollectionModel, Field } from '../model.js';
import { BatchFiller } from './batch-filler.js';
import type { BatchMemory, BatchRooms } from './batch-memory.js';
import { createColumnFinder } from './columns.js';
import { type DateOrder, provenOrder } from './dates.js';
import { createDecoder } from './decode.js';
import type { OpenedFile } from './open-file.js';
import { planFor } from './plan.js';
import { readFile } from './read-file.js';
import type { SnapshotFault } from './report.js';
import { NO_SUSPICIONS } from './suspicions.js';
import { createTally } from './tally.js';

/** The first date that proves each order, if there is one. */
export interface DateSurvey {
  readonly proofs: ReadonlyMap<DateOrder, { readonly line: number; readonly raw: string }>;
}

export interface Surveyor {
  hasIds(opened: OpenedFile): Promise<boolean | SnapshotFault>;
  /** The largest id that a record has itself; 0 where all are smaller. */
  largestId(opened: OpenedFile): Promise<number | SnapshotFault>;
  dateOrder(opened: OpenedFile): Promise<DateSurvey | SnapshotFault>;
}

export function createSurveyor(model: CollectionModel, rooms: BatchRooms): Surveyor {
  const ids = { ...model, fields: model.fields.filter(({ name }) => name === 'id').map(optional) };
  const dateFields = model.fields.filter(({ kind }) => kind === 'date').map(optional);
  const dates: CollectionModel = { ...model, fields: dateFields.map((field) => ({ ...field, kind: 'text' })) };

  /** Reads a file's records of some fields; `look` returns false where it has seen enough. */
  async function survey(opened: OpenedFile, fields: CollectionModel, look: (batch: BatchMemory) => boolean) {
    let isStopped = false;
    const filler = new BatchFiller({
      model: fields,
      rooms,
      tally: createTally(fields, NO_SUSPICIONS),
      firstId: undefined,
      onFinding() {},
      take(batch) {
        isStopped ||= !look(batch);
      },
    });
    filler.context = { isCsv: opened.source.format === 'csv', dateOrder: undefined };
    const fault = await readFile(opened, {
      columns: createColumnFinder(planFor(opened.plan, fields), () => {}),
      filler,
      decoder: createDecoder(),
      isStopped: () => isStopped,
      // Dates are read as texts here.
      onDates: async () => undefined,
    });
    filler.batch.release();
    return fault;
  }

  return {
    async hasIds(opened) {
      let has = false;
      const fault = await survey(opened, ids, (batch) => {
        for (let i = 0; i < batch.size; i++) has ||= batch.kinds[cellOf(0, i)]! > NULL;
        return !has;
      });
      return fault ?? has;
    },
    async largestId(opened) {
      let largest = 0;
      const fault = await survey(opened, ids, (batch) => {
        for (let i = 0; i < batch.size; i++) largest = Math.max(largest, batch.numbers[cellOf(0, i)]! || 0);
        return true;
      });
      return fault ?? largest;
    },
    async dateOrder(opened) {
      const proofs = new Map<DateOrder, { line: number; raw: string }>();
      const fault = await survey(opened, dates, (batch) => {
        for (let i = 0; i < batch.size; i++) {
          for (const field of dates.fields.keys()) lookForProof(batch, cellOf(field, i), batch.lines[i]!, proofs);
        }
        return proofs.size < 2;
      });
      return fault ?? { proofs };
    },
  };
}

function optional({ required: _, ...field }: Field): Field {
  return field;
}

function lookForProof(
  batch: RecordBatch,
  cell: number,
  line: number,
  proofs: Map<DateOrder, { line: number; raw: string }>,
) {
  const raw = textOf(batch, cell);
  const order = raw === null ? undefined : provenOrder(raw);
  if (raw !== null && order && !proofs.has(order)) proofs.set(order, { line, raw });
}
