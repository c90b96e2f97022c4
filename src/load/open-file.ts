/** Opens a file: its first records decide where all records stand, and by which plan they are read. Done once a file. */
import { type CollectionModel, type Field, type FieldRole, fieldOf, ID_FIELD, isNumeric } from '../model.js';
import { type Columns, createRank, findColumns, type Mapping } from './fields/columns.js';
import { guessRank, wordsOfName } from './fields/guesses.js';
import { createPlan, type FilePlan, type LaterValues, NOTHING_LATER } from './fields/plan.js';
import { lookLikeNames } from './place/csv-dialect.js';
import { type CsvTable, findCsvTable } from './place/csv-table.js';
import { findJsonLayout, type JsonLayout } from './place/json-layout.js';
import { TITLE_SCORE } from './place/json-outline.js';
import { factOf } from './profile/facts.js';
import { SAMPLE_RECORDS, type SampleRecord, wantedOf } from './profile/sample.js';
import type { SnapshotFault } from './report/report.js';
import type { SnapshotFile } from './source/folder.js';
import { valueAtPath } from './values/paths.js';
import { readCell } from './values/values.js';

export type FileLayout = JsonLayout | CsvTable;

export interface OpenedFile {
  readonly source: SnapshotFile;
  readonly mapping: Mapping;
  readonly plan: FilePlan;
  readonly layout: FileLayout;
  /** The number of sampled records, and of those that have an integer id. */
  readonly sampled: { readonly records: number; readonly ids: number };
  /** At least half of the sampled records have an integer id; else ids are given by position. */
  readonly hasIds: boolean;
  /** Per documented field of numbers or dates, by its name, the values that are planned by. */
  readonly values: ReadonlyMap<string, readonly unknown[]>;
  readonly later: LaterValues;
}

export interface OpenOptions {
  readonly model: CollectionModel;
  readonly mapping: Mapping;
  readonly keepsHtml: boolean;
  readonly baseUrl?: string | undefined;
  /** Where the records stand in a JSON file: `threads[].posts[]`. Undefined: the file shows it. */
  readonly place?: string | undefined;
}

/** Finds where the records of a file stand. */
export const locateRecords = (source: SnapshotFile, options: OpenOptions): Promise<FileLayout | SnapshotFault> =>
  source.format === 'csv' ? csvTableOf(source, options) : jsonLayoutOf(source, options);

/** Plans a file whose records stand so. `later`: what records behind the sample have shown since it was planned before. */
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
): Pick<OpenedFile, 'sampled' | 'hasIds' | 'values'> {
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
  const hasIds = ids > 0 && 2 * ids >= records.length;
  return { sampled: { records: records.length, ids }, hasIds, values };
}

async function csvTableOf(source: SnapshotFile, { model, mapping }: OpenOptions): Promise<CsvTable | SnapshotFault> {
  const rank = createRank(model, mapping);
  const isExactName = (name: string): boolean => model.fields.some((field) => rank(field, name) !== undefined);
  // The answers are remembered: any of the first lines may have the names, so their cells are looked up several times.
  const answersByName = new Map<string, boolean>();
  const isFieldName = (name: string): boolean => {
    const isKnown = answersByName.get(name);
    if (isKnown !== undefined) return isKnown;
    const words = wordsOfName(name);
    const isName = isExactName(name) || model.fields.some((field) => guessRank(field, name, words) !== undefined);
    answersByName.set(name, isName);
    return isName;
  };
  const mayBeNames = (cells: readonly string[]): boolean => model.isOwn === true && lookLikeNames(cells);
  return findCsvTable(source, { isFieldName, isExactName, mayBeNames });
}

function jsonLayoutOf(source: SnapshotFile, options: OpenOptions): Promise<JsonLayout | SnapshotFault> {
  const { model, place } = options;
  const planOf = factOf(
    (sample: readonly SampleRecord[]): FilePlan => createPlan({ ...options, isCsv: false }, sample),
  );
  const [title, content] = [fieldOf(model, 'title')?.name, fieldOf(model, 'body')?.name];
  const score = (sample: readonly SampleRecord[]): number => {
    const { fed } = planOf(sample);
    // Guesses by values do not count: any list of objects may have a column that looks like a title.
    const fedFields = [...fed.values()].filter(({ guess }) => guess === undefined || guess.stage === 'words');
    // Content gives a title too, by its first words: posts have no title, while lists of tags beside them have names.
    const isTitled = fedFields.some(
      ({ field, guess }) => field === title || (field === content && guess === undefined),
    );
    return fedFields.length + (isTitled ? TITLE_SCORE : 0);
  };
  const groupFields = new Set(
    model.fields.filter((field, i) => i === ID_FIELD || isOfGroups(field)).map(({ name }) => name),
  );
  const isGroup = (sample: readonly SampleRecord[]): boolean =>
    [...planOf(sample).fed.keys()].every((name) => groupFields.has(name));
  const fieldsOfRecords = new Set(model.fields.filter(isOfRecords).map(({ name }) => name));
  const mayHold = (sample: readonly SampleRecord[]): boolean =>
    [...planOf(sample).fed.values()].every(({ field, guess }) => guess !== undefined || !fieldsOfRecords.has(field));
  return findJsonLayout({ source, model, judge: { score, isGroup, mayHold }, place });
}

/** Whether a group of records, such as a department, has such a field too. */
const isOfGroups = ({ role }: Field): boolean => role !== undefined && ROLES_OF_GROUPS.includes(role);

/** Whether only a record has such a field, and nothing that holds records. */
const isOfRecords = ({ role }: Field): boolean => role === 'price' || role === 'body';

const ROLES_OF_GROUPS: readonly FieldRole[] = ['title', 'link', 'image', 'category', 'tags'];
