/** What is known of a file before it is read: where its records stand, and its plan. Made once a file. */
import { type CollectionModel, type Field, fieldIndex, roleIndex } from '../model.js';
import { createRank, type Mapping } from './columns.js';
import type { CsvTable } from './csv-table.js';
import type { SnapshotFile } from './folder.js';
import { guessRank } from './guesses.js';
import { findJsonLayout, type JsonLayout } from './json-layout.js';
import { TITLE_SCORE } from './json-outline.js';
import { createPlan, type Plan } from './plan.js';
import type { SnapshotFault } from './report.js';
import type { SampleRecord } from './sample.js';

export interface OpenedFile {
  readonly source: SnapshotFile;
  readonly mapping: Mapping;
  readonly plan: Plan;
  readonly layout: JsonLayout | CsvTable;
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
  return { source, mapping: options.mapping, plan: planOf(layout.sample), layout };
}

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
