/** What is known of a file before it is read: where its records stand, and its plan. Made once a file. */
import { type CollectionModel, type Field, fieldIndex, roleIndex } from '../model.js';
import { createColumnFinder, createRank, type Mapping, valueIn } from './columns.js';
import type { CsvTable } from './csv-table.js';
import { type DateOrder, provenOrder } from './dates.js';
import type { SnapshotFile } from './folder.js';
import { guessRank } from './guesses.js';
import { findJsonLayout, type JsonLayout } from './json-layout.js';
import { TITLE_SCORE } from './json-outline.js';
import { createPlan, type Plan, planFor } from './plan.js';
import { wantedOf } from './record-types.js';
import type { SnapshotFault } from './report.js';
import { SAMPLE_RECORDS, type SampleRecord } from './sample.js';
import { readCell } from './values.js';

export interface OpenedFile {
  readonly source: SnapshotFile;
  readonly mapping: Mapping;
  readonly plan: Plan;
  readonly layout: JsonLayout | CsvTable;
  /** Of the sampled records how many there are, and how many of them have an integer id. */
  readonly sampled: { readonly records: number; readonly ids: number };
  readonly dates: SampledDates;
}

/** In which order the sample's dates have day and month. */
export interface SampledDates {
  readonly order: DateOrder;
  /** The first date that proves each order. */
  readonly dayFirst: string | undefined;
  readonly monthFirst: string | undefined;
  /** Whether a date could be either. */
  readonly areAmbiguous: boolean;
}

export interface OpenOptions {
  readonly model: CollectionModel;
  readonly mapping: Mapping;
  readonly keepsHtml: boolean;
  readonly baseUrl?: string | undefined;
}

export async function openFile(source: SnapshotFile, options: OpenOptions): Promise<OpenedFile | SnapshotFault> {
  const isCsv = source.format === 'csv';
  const planOf = (sample: readonly SampleRecord[]): Plan => createPlan({ ...options, isCsv }, sample);
  const layout = isCsv ? await findTable(source, options) : await findLayout(source, options, planOf);
  if ('message' in layout) return layout;
  const { mapping, model } = options;
  const plan = planOf(layout.sample);
  return { source, mapping, plan, layout, ...sampledValues(plan, model, layout.sample, mapping, isCsv) };
}

/** What the sampled records say of ids and dates. */
function sampledValues(
  plan: Plan,
  model: CollectionModel,
  sample: readonly SampleRecord[],
  { dayFirst: isDayFirst }: Mapping,
  isCsv: boolean,
): Pick<OpenedFile, 'sampled' | 'dates'> {
  const columns = createColumnFinder(planFor(plan, model), () => {});
  const context = { isCsv, dateOrder: undefined };
  const records = wantedOf(model, sample).slice(0, SAMPLE_RECORDS);
  let ids = 0;
  let areAmbiguous = false;
  const proofs = new Map<DateOrder, string>();
  for (const { names, cells } of records) {
    const found = columns.find(names);
    for (const [row, field] of model.fields.entries()) {
      const position = found.positions[row]!;
      if (position === -1 || (field.kind !== 'date' && row !== ID_FIELD)) continue;
      const raw = valueIn(found, row, cells[position]);
      const { how, value } = readCell(field, raw, context);
      if (row === ID_FIELD && typeof value === 'number') ids++;
      areAmbiguous ||= how === 'order';
      const order = field.kind === 'date' && typeof raw === 'string' ? provenOrder(raw) : undefined;
      if (order !== undefined && !proofs.has(order)) proofs.set(order, String(raw));
    }
  }
  const [dayFirst, monthFirst] = [proofs.get('day first'), proofs.get('month first')];
  const isProven = isDayFirst ?? (dayFirst !== undefined && monthFirst === undefined);
  const order: DateOrder = isProven ? 'day first' : 'month first';
  return { sampled: { records: records.length, ids }, dates: { order, dayFirst, monthFirst, areAmbiguous } };
}

/** The id is the first field of every collection. */
const ID_FIELD = 0;

async function findTable(source: SnapshotFile, { model, mapping }: OpenOptions): Promise<CsvTable | SnapshotFault> {
  // Guessing takes longer.
  const ranks = [createRank(model, mapping), guessRank];
  const { findCsvTable } = await import('./csv-table.js');
  return findCsvTable(source, (names) =>
    ranks.some((rank) => names.some((name) => model.fields.some((field) => rank(field, name) !== undefined))),
  );
}

function findLayout(
  source: SnapshotFile,
  { model }: OpenOptions,
  planOf: (sample: readonly SampleRecord[]) => Plan,
): Promise<JsonLayout | SnapshotFault> {
  const [title, content] = [fieldIndex(model, 'title'), roleIndex(model, 'body')];
  const score = (sample: readonly SampleRecord[]): number => {
    const { guesses, ...plan } = planOf(sample);
    // Any list of objects may have a column that looks like a title.
    const fedFields = plan.fedFields.filter(
      (fed) => !guesses.some(({ row, stage }) => row === fed && stage !== 'words'),
    );
    // A record without a title takes the first words of its content: posts have none, but lists of tags with names.
    const isTitled =
      fedFields.includes(title) || (fedFields.includes(content) && guesses.every(({ row }) => row !== content));
    return fedFields.length + (isTitled ? TITLE_SCORE : 0);
  };
  const isGroup = (sample: readonly SampleRecord[]): boolean =>
    planOf(sample).fedFields.every((row) => isOfGroups(model.fields[row]!));
  return findJsonLayout({ source, model, score: Object.assign(score, { isGroup }) });
}

/** Whether a category or department has such a field as well. */
const isOfGroups = ({ name, role }: Field): boolean =>
  ['id', 'title'].includes(name) || ['link', 'image', 'category', 'tags'].includes(role ?? '');
