/** What is known of a file before it is read: where its records stand, and its plan. Made once a file. */
import { cellOf, textOf } from '../batch.js';
import type { CollectionModel, Field } from '../model.js';
import { BatchFiller } from './batch-filler.js';
import type { BatchRooms } from './batch-memory.js';
import { createRank, type Mapping } from './columns.js';
import { createDecoder } from './decode.js';
import type { SnapshotFile } from './folder.js';
import { guessRank } from './guesses.js';
import { findJsonLayout, type JsonLayout } from './json-layout.js';
import { TITLE_SCORE } from './json-outline.js';
import { createPlan, type Plan, SAMPLE_RECORDS, type SampleRecord } from './plan.js';
import type { SnapshotFault } from './report.js';
import { NO_SUSPICIONS } from './suspicions.js';
import { createTally } from './tally.js';

export interface OpenedFile {
  readonly source: SnapshotFile;
  readonly mapping: Mapping;
  readonly plan: Plan;
  /** Where the records of a JSON file stand. */
  readonly layout: JsonLayout | undefined;
  /** Whether any of a CSV file's names may be a field's. */
  readonly knowsAny: (names: readonly string[]) => boolean;
}

export interface OpenOptions {
  readonly model: CollectionModel;
  readonly mapping: Mapping;
  readonly keepsHtml: boolean;
  readonly rooms: BatchRooms;
}

export async function openFile(source: SnapshotFile, options: OpenOptions): Promise<OpenedFile | SnapshotFault> {
  const { model, mapping } = options;
  const knowsAny = createKnowsAny(options);
  if (source.format === 'csv') {
    const sample = await sampleCsv(source, options, knowsAny);
    if ('message' in sample) return sample;
    const plan = createPlan({ ...options, isCsv: true }, sample.records);
    return { source, mapping, plan, layout: undefined, knowsAny };
  }
  const planOptions = { ...options, isCsv: false };
  const title = model.fields.findIndex(({ name }) => name === 'title');
  const score = (records: readonly SampleRecord[]): number => {
    const { fedFields } = createPlan(planOptions, records);
    return fedFields.length + (fedFields.includes(title) ? TITLE_SCORE : 0);
  };
  const layout = await findJsonLayout({ source, model, score });
  if ('message' in layout) return layout;
  return { source, mapping, plan: createPlan(planOptions, layout.sample), layout, knowsAny };
}

function createKnowsAny({ model, mapping }: OpenOptions): OpenedFile['knowsAny'] {
  const rank = createRank(model, mapping);
  // Guessing takes longer.
  const ranks = [rank, guessRank];
  return (names) =>
    ranks.some((rankOf) => names.some((name) => model.fields.some((field) => rankOf(field, name) !== undefined)));
}

/** Columns of a CSV file that are looked at; any others feed no field but by name. */
const MAX_SAMPLED_COLUMNS = 256;

/** Reads the first records of a CSV file as texts, by the reader that loads it, for a collection whose fields are its columns. */
async function sampleCsv(
  source: SnapshotFile,
  options: OpenOptions,
  knowsAny: OpenedFile['knowsAny'],
): Promise<{ readonly records: readonly SampleRecord[] } | SnapshotFault> {
  const records: SampleRecord[] = [];
  let header: readonly string[] = [];
  const fields = Array.from({ length: MAX_SAMPLED_COLUMNS }, (_, i): Field => {
    return { name: `column ${i}`, kind: 'text', description: '', detailOnly: true };
  });
  const model: CollectionModel = { ...options.model, fields };
  const filler = new BatchFiller({
    model,
    rooms: options.rooms,
    tally: createTally(model, NO_SUSPICIONS),
    firstId: undefined,
    onFinding() {},
    take(batch) {
      const names = header.slice(0, MAX_SAMPLED_COLUMNS);
      for (let i = 0; i < batch.size && records.length < SAMPLE_RECORDS; i++)
        records.push({ names, cells: names.map((_, column) => textOf(batch, cellOf(column, i))) });
    },
  });
  filler.context = { isCsv: true, dateOrder: undefined };
  const { readCsv } = await import('./csv-reader.js');
  const fault = await readCsv({
    source,
    columns: {
      find(names) {
        header = names;
        const positions = fields.map((_, i) => (i < names.length ? i : -1));
        const paths = fields.map(() => []);
        return {
          names,
          positions,
          paths,
          areLists: fields.map(() => false),
          sources: fields.map(() => ''),
          spare: names.map(() => false),
          rivals: fields.map(() => false),
          passedOver: [],
          typePosition: -1,
          records: 0,
          absent: names.map(() => 0),
        };
      },
      known: () => [],
    },
    filler,
    decoder: createDecoder(),
    isStopped: () => records.length >= SAMPLE_RECORDS,
    onDates: async () => undefined,
    knowsAny,
  });
  filler.batch.release();
  return fault ?? { records };
}
