/**
 * What do the first records of a file say of it?
 * Takes: a file whose records are located: an array of JSON, the rows of a CSV table.
 * Gives: its plan, and whether its records have ids of their own.
 * Skip: how records are located (`locate-records.ts` and `place/`).
 */
import { ID_FIELD } from '../model.js';
import type { Mapping } from './fields/columns.js';
import { createPlan, type FilePlan, type LaterValues, NOTHING_LATER } from './fields/plan.js';
import type { FileLayout, OpenOptions } from './locate-records.js';
import { SAMPLE_RECORDS, wantedOf } from './profile/sample.js';
import type { SnapshotFile } from './source/folder.js';

export interface OpenedFile {
  readonly source: SnapshotFile;
  readonly mapping: Mapping;
  readonly plan: FilePlan;
  readonly layout: FileLayout;
  /** At least half of the sampled records have an integer id; else ids are given by position. */
  readonly hasIds: boolean;
  readonly later: LaterValues;
}

/** Plans a file by its layout. `later`: what records behind the sample have shown since it was planned before. */
export function openFile(
  source: SnapshotFile,
  options: OpenOptions,
  layout: FileLayout,
  later: LaterValues = NOTHING_LATER,
): OpenedFile {
  const { mapping } = options;
  const isCsv = source.format === 'csv';
  const heldNames = 'heldNames' in layout ? layout.heldNames : undefined;
  const plan = createPlan({ ...options, isCsv, heldNames }, layout.sample, later);
  const records = Math.min(SAMPLE_RECORDS, wantedOf(plan.model, layout.sample, plan.types).length);
  const id = plan.model.fields[ID_FIELD]!;
  const ids = plan.profileOf(id)?.readAs(id, isCsv).count('integers') ?? 0;
  return { source, mapping, plan, layout, later, hasIds: ids > 0 && 2 * ids >= records };
}
