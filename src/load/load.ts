/** A folder of snapshot files → valid records, handed to a sink one by one, and a report of what was found. */
import { type CollectionModel, type CollectionName, collections, type RecordValues } from '../model.js';
import type { RawBatch, RawRecords } from '../raw.js';
import { quote } from '../text.js';
import { BatchReader } from './batch-reader.js';
import { createRank, type Mapping } from './columns.js';
import { type Folder, listFolder, mappingName } from './folder.js';
import { planIds } from './ids.js';
import { readJson } from './json-reader.js';
import { loadFile } from './load-file.js';
import { readMapping } from './mapping.js';
import type { RawSinks } from './raw-intake.js';
import type { Reading, RecordLikeness } from './reading.js';
import type { FileReport, LoadReport, SnapshotFault } from './report.js';
import { createSurveyor } from './survey.js';

/** Takes one valid record; tells whether it replaced an earlier one of the same id. */
export type RecordSink = (collection: CollectionName, values: RecordValues) => 'added' | 'replaced';

/** The same for one record that is lent as the bytes that it is. */
export type RawSink = (collection: CollectionName, raw: RawRecords) => 'added' | 'replaced';

/** The same for many at once: tells how many of them replaced earlier ones. */
export type BatchSink = (collection: CollectionName, batch: RawBatch) => number;

export interface LoadOptions {
  readonly dir: string;
  readonly onRecord: RecordSink;
  /** Where it is given, it gets all records that need not be taken apart. */
  readonly onRaw?: RawSink;
  /** Where it is given beside `onRaw`, it gets those of them that can be read many at once. */
  readonly onBatch?: BatchSink;
  /** Called now and then while a file is read. */
  readonly onProgress?: (file: string, doneBytes: number, totalBytes: number) => void;
  /**
   * Asked now and then while a collection is read; where it says so, the rest is left unread, and missing in the report.
   * Where it is given, nothing suspicious is looked for.
   */
  readonly isEnough?: (collection: CollectionName) => boolean;
  /** Makes the first record that is refused or repaired a fault. */
  readonly strict?: boolean;
  /** Dates later than this are reported as suspicious. */
  readonly nowMs?: number;
}

export type LoadResult =
  | { readonly ok: true; readonly report: LoadReport }
  | { readonly ok: false; readonly fault: SnapshotFault };

export async function loadSnapshots(options: LoadOptions): Promise<LoadResult> {
  const folder = await listFolder(options.dir);
  if ('message' in folder) return { ok: false, fault: folder };
  const files: FileReport[] = [];
  const warnings = [...folderWarnings(folder, options.dir)];
  for (const model of collections) {
    const loaded = await loadCollection(model, folder, options);
    if ('message' in loaded) return { ok: false, fault: loaded };
    files.push(...loaded.reports);
    warnings.push(...loaded.warnings);
  }
  return { ok: true, report: { files, ignored: folder.ignored, warnings } };
}

const unmetWarning = (collection: CollectionName, names: readonly string[]): string =>
  `${mappingName(collection)}: no record has a value named ${names.map((name) => quote(name)).join(', ')}`;

function folderWarnings({ missing, files }: Folder, dir: string): readonly string[] {
  if (missing) return [`there is no folder ${dir}: nothing is served`];
  return files.length === 0
    ? [
        `no file in ${dir} is a snapshot, whose name begins with articles or products and ends in .json, .ndjson, .jsonl or .csv (or .gz after that): nothing is served`,
      ]
    : [];
}

interface CollectionLoad {
  readonly reports: readonly FileReport[];
  readonly warnings: readonly string[];
}

async function loadCollection(
  model: CollectionModel & { readonly name: CollectionName },
  folder: Folder,
  options: LoadOptions,
): Promise<CollectionLoad | SnapshotFault> {
  const files = folder.files.filter(({ collection }) => collection === model.name);
  const mappingPath = folder.mappings.get(model.name);
  const mapping = mappingPath === undefined ? new Map() : await readMapping(model, mappingPath);
  if ('message' in mapping) return mapping;

  const read = createReader(model, mapping);
  const surveyor = createSurveyor(model, mapping);
  const ids = await planIds(files, surveyor, (source) => (take) => read({ source, take }));
  if ('message' in ids) return ids;

  let batches: BatchReader | undefined;
  const batchReader = (): BatchReader => {
    batches ??= new BatchReader(model);
    return batches;
  };
  const reports: FileReport[] = [];
  const warnings: string[] = [];
  // Names in the mapping that no record has.
  const unmet = new Set(files.length > 0 ? mapping.keys() : []);
  let nextId = ids.largest + 1;
  for (const source of files) {
    const byPosition = ids.byPosition.has(source);
    const { onProgress, isEnough } = options;
    const report = await loadFile({
      source,
      model,
      mapping,
      firstId: byPosition ? nextId : undefined,
      nowMs: options.nowMs ?? Date.now(),
      strict: options.strict ?? false,
      suspects: isEnough === undefined,
      onNames: (names) => {
        for (const name of names) unmet.delete(name);
      },
      sink: (values) => options.onRecord(model.name, values),
      warn: (text) => warnings.push(`${source.file}: ${text}`),
      batchReader,
      ...sinksOf(model.name, options),
      read: (reading) => read({ source, ...reading, ...(isEnough && { isEnough: () => isEnough(model.name) }) }),
      surveyDates: () => surveyor.dateOrder((take) => read({ source, take })),
      ...(onProgress && { onRead: (done: number) => onProgress(source.file, done, source.bytes) }),
    });
    if ('message' in report) return report;
    if (byPosition) nextId += report.records;
    reports.push(report);
  }
  if (unmet.size > 0) warnings.push(unmetWarning(model.name, [...unmet]));
  return { reports, warnings };
}

function sinksOf(name: CollectionName, { onRaw, onBatch }: LoadOptions): { sinks?: RawSinks } {
  if (onRaw === undefined) return {};
  const take: RawSinks['take'] = (raw) => onRaw(name, raw);
  return { sinks: onBatch ? { take, takeBatch: (batch) => onBatch(name, batch) } : { take } };
}

/** Reads any file of a collection. */
function createReader(model: CollectionModel, mapping: Mapping) {
  const rank = createRank(model, mapping);
  const knows = (names: readonly string[]) => (field: CollectionModel['fields'][number]) =>
    names.some((name) => rank(field, name) !== undefined);
  const likeness = (names: readonly string[]): RecordLikeness => {
    const required = model.fields.filter((field) => field.required);
    if (required.every(knows(names))) return 'whole';
    return required.some((field) => field.name !== 'id' && knows(names)(field)) ? 'partly' : 'none';
  };
  const knowsAny = (names: readonly string[]) => model.fields.some(knows(names));
  return async (reading: Omit<Reading, 'likeness' | 'knowsAny'>) => {
    // Most dumps are JSON: they do not wait for the code that reads CSV.
    const read = reading.source.format === 'csv' ? (await import('./csv-reader.js')).readCsv : readJson;
    return read({ ...reading, likeness, knowsAny });
  };
}
