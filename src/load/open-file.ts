/**
 * What do the first records of a file say of it?
 * Takes: a file whose records are located: an array of JSON, the rows of a CSV table.
 * Gives: its plan, whether its records have ids of their own, and the texts of its numbers and dates.
 * Skip: how records are located (`locate-records.ts` and `place/`).
 */
import { ID_FIELD, isNumeric } from '../model.js';
import { type Columns, findColumns, type Mapping } from './fields/columns.js';
import { createPlan, type FilePlan, type LaterValues, NOTHING_LATER } from './fields/plan.js';
import type { FileLayout, OpenOptions } from './locate-records.js';
import { ColumnProfile } from './profile/column-profile.js';
import { SAMPLE_RECORDS, type SampleRecord, wantedOf } from './profile/sample.js';
import type { SnapshotFile } from './source/folder.js';
import { valueAtPath } from './values/paths.js';
import { readCell } from './values/values.js';

export interface OpenedFile {
  readonly source: SnapshotFile;
  readonly mapping: Mapping;
  readonly plan: FilePlan;
  readonly layout: FileLayout;
  /** The number of sampled records, and of those that have an integer id. */
  readonly sampled: { readonly records: number; readonly ids: number };
  /** At least half of the sampled records have an integer id; else ids are given by position. */
  readonly hasIds: boolean;
  /** Per documented field of numbers or dates, by its name, the profile of the texts that feed it. */
  readonly profiles: ReadonlyMap<string, ColumnProfile>;
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
  return { source, mapping, plan, layout, later, ...sampledValues(plan, layout.sample, later, isCsv) };
}

/** Counts the ids of the sampled records, and collects the numbers and dates of documented fields. */
function sampledValues(
  plan: FilePlan,
  sample: readonly SampleRecord[],
  later: LaterValues,
  isCsv: boolean,
): Pick<OpenedFile, 'sampled' | 'hasIds' | 'profiles'> {
  let columns: Columns | undefined;
  const context = { isCsv, dateOrder: undefined };
  const { model, types } = plan;
  const records = wantedOf(model, sample, types).slice(0, SAMPLE_RECORDS);
  let ids = 0;
  const values = new Map<string, unknown[]>();
  for (const [record, { names, cells }] of [...records, ...later.records].entries()) {
    if (columns?.names !== names) columns = findColumns(plan, model, names);
    for (const { field: index, position, path } of columns.fed) {
      const field = model.fields[index]!;
      if (field.kind !== 'date' && !isNumeric(field.kind)) continue;
      const raw = valueAtPath(cells[position], path);
      const isId = index === ID_FIELD;
      if (isId && record < records.length && typeof readCell(field, raw, context).value === 'number') ids++;
      if (isId || typeof raw !== 'string') continue;
      const columnValues = values.get(field.name);
      if (columnValues === undefined) values.set(field.name, [raw]);
      else columnValues.push(raw);
    }
  }
  const profiles = new Map([...values].map(([name, texts]) => [name, new ColumnProfile(texts)]));
  const hasIds = ids > 0 && 2 * ids >= records.length;
  return { sampled: { records: records.length, ids }, hasIds, profiles };
}
