/**
 * Looks ahead in files, for what a record alone cannot tell: whether a file has ids of its own, the largest of them, and
 * whether the dates of a column are month/day or day/month. Each is a pass of its own, made only where it is needed, by the
 * reader that loads the file, for a collection that has no other fields.
 */
import { cellOf, NULL, textOf } from '../batch.js';
import type { Field } from '../model.js';
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
export type DateProofs = ReadonlyMap<DateOrder, { readonly line: number; readonly raw: string }>;

export interface IdPlan {
  /** The files whose records are given ids by position. */
  readonly byPosition: ReadonlySet<OpenedFile>;
  /** The largest id that any record of the other files has; counted only where there are both kinds. */
  readonly largest: number;
  /** What is wrong with files that are neither. */
  readonly faults: readonly SnapshotFault[];
}

/** Which files of a collection have ids of their own, and from where on the others are numbered. */
export async function planIds(files: readonly OpenedFile[], rooms: BatchRooms): Promise<IdPlan> {
  const own: OpenedFile[] = [];
  const byPosition = new Set<OpenedFile>();
  const faults: SnapshotFault[] = [];
  for (const file of files) {
    const has = await hasIds(file, rooms);
    if (typeof has !== 'boolean') faults.push(has);
    else if (has) own.push(file);
    else byPosition.add(file);
  }
  let largest = 0;
  for (const file of byPosition.size > 0 ? own : []) {
    const found = await largestId(file, rooms);
    if (typeof found === 'number') largest = Math.max(largest, found);
    else faults.push(found);
  }
  return { byPosition, largest, faults };
}

async function hasIds(opened: OpenedFile, rooms: BatchRooms): Promise<boolean | SnapshotFault> {
  let has = false;
  const fault = await survey(opened, rooms, idOf(opened), (batch) => {
    for (let i = 0; i < batch.size; i++) has ||= batch.kinds[cellOf(0, i)]! > NULL;
    return !has;
  });
  return fault ?? has;
}

/** The largest id that a record has itself; 0 where all are smaller. */
async function largestId(opened: OpenedFile, rooms: BatchRooms): Promise<number | SnapshotFault> {
  let largest = 0;
  const fault = await survey(opened, rooms, idOf(opened), (batch) => {
    for (let i = 0; i < batch.size; i++) largest = Math.max(largest, batch.numbers[cellOf(0, i)]! || 0);
    return true;
  });
  return fault ?? largest;
}

export async function dateOrder(opened: OpenedFile, rooms: BatchRooms): Promise<DateProofs | SnapshotFault> {
  const proofs = new Map<DateOrder, { line: number; raw: string }>();
  const dates = opened.plan.model.fields.filter(({ kind }) => kind === 'date');
  const texts = dates.map((field) => ({ ...field, kind: 'text' as const }));
  const fault = await survey(opened, rooms, texts, (batch) => {
    for (let i = 0; i < batch.size; i++)
      for (const field of texts.keys()) {
        const raw = textOf(batch, cellOf(field, i));
        const order = raw === null ? undefined : provenOrder(raw);
        if (raw !== null && order && !proofs.has(order)) proofs.set(order, { line: batch.lines[i]!, raw });
      }
    return proofs.size < 2;
  });
  return fault ?? proofs;
}

const idOf = ({ plan: { model } }: OpenedFile): readonly Field[] => model.fields.filter(({ name }) => name === 'id');

/** Reads a file's records of some fields, which none of them need have; `look` returns false where it has seen enough. */
async function survey(
  opened: OpenedFile,
  rooms: BatchRooms,
  fields: readonly Field[],
  look: (batch: BatchMemory) => boolean,
): Promise<SnapshotFault | undefined> {
  const model = { ...opened.plan.model, fields: fields.map(({ required: _, ...field }) => field) };
  let isStopped = false;
  const filler = new BatchFiller({
    model,
    rooms,
    tally: createTally(model, NO_SUSPICIONS),
    firstId: undefined,
    take(batch) {
      isStopped ||= !look(batch);
    },
  });
  filler.context = { isCsv: opened.source.format === 'csv', dateOrder: undefined };
  const fault = await readFile(opened, {
    columns: createColumnFinder(planFor(opened.plan, model), () => {}),
    filler,
    decoder: createDecoder(),
    isStopped: () => isStopped,
    // Dates are read as texts here.
    onDates: async () => undefined,
  });
  filler.batch.release();
  return fault;
}
