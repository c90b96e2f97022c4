/** A folder of snapshot files → valid records, handed to a sink in batches, and a report of what was found. */
import type { RecordBatch } from '../batch.js';
import { type CollectionModel, type CollectionName, collections, type Field, keepingFields } from '../model.js';
import { quote } from '../text.js';
import { type Folder, listFolder, mappingName } from './folder.js';
import { planIds } from './ids.js';
import { loadFile } from './load-file.js';
import { readMapping } from './mapping.js';
import { type OpenedFile, openFile } from './open-file.js';
import { createFileReader } from './read-file.js';
import type { FileReport, LoadReport, SnapshotFault } from './report.js';
import { createSurveyor } from './survey.js';

/** Takes a batch, which is only lent; returns how many of its records replaced earlier ones of the same id. */
export type RecordSink = (collection: CollectionName, batch: RecordBatch) => number;

export interface LoadOptions {
  readonly dir: string;
  readonly onBatch: RecordSink;
  /** Called now and then while a file is read. */
  readonly onProgress?: (file: string, doneBytes: number, totalBytes: number) => void;
  /** Makes the first record that is refused or repaired a fault. */
  readonly strict?: boolean;
  /** Which fields batches have; all if it is not given. The id and what a record requires are among them. */
  readonly keeps?: (field: Field) => boolean;
  /** Whether to look for what may be a mistake; a reader that drops the report does not. */
  readonly suspects?: boolean;
  /** Dates later than this are reported as suspicious. */
  readonly nowMs?: number;
  /** Whether HTML stays as it is. */
  readonly keepsHtml?: boolean;
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

  const openOptions = { model, mapping, keepsHtml: options.keepsHtml ?? false };
  const opened: OpenedFile[] = [];
  for (const source of files) {
    const file = await openFile(source, openOptions);
    if ('message' in file) return file;
    opened.push(file);
  }
  const read = createFileReader(openOptions);
  const surveyor = createSurveyor(model, read);
  const ids = await planIds(opened, surveyor);
  if ('message' in ids) return ids;

  const reports: FileReport[] = [];
  const warnings: string[] = [];
  // Names in the mapping that no record has.
  const unmet = new Set(files.length > 0 ? mapping.keys() : []);
  let nextId = ids.largest + 1;
  for (const file of opened) {
    const { source, plan } = file;
    const byPosition = ids.byPosition.has(file);
    const { onProgress } = options;
    for (const path of plan.metPaths) unmet.delete(path);
    const report = await loadFile({
      opened: file,
      model: options.keeps === undefined ? model : keepingFields(model, options.keeps),
      firstId: byPosition ? nextId : undefined,
      nowMs: options.nowMs ?? Date.now(),
      strict: options.strict ?? false,
      suspects: options.suspects ?? true,
      onNames: (names) => {
        for (const name of names) unmet.delete(name);
      },
      sink: (batch) => options.onBatch(model.name, batch),
      warn: (text) => warnings.push(`${source.file}: ${text}`),
      read,
      surveyDates: () => surveyor.dateOrder(file),
      ...(onProgress && { onRead: (done: number) => onProgress(source.file, done, source.bytes) }),
    });
    if ('message' in report) return report;
    if (byPosition) nextId += report.records;
    reports.push(report);
  }
  if (unmet.size > 0) warnings.push(unmetWarning(model.name, [...unmet]));
  return { reports, warnings };
}
