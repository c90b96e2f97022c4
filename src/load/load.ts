/** A folder of snapshot files → valid records, handed to a sink one by one, and a report of what was found. */
import { type CollectionModel, type CollectionName, collections, type RecordValues } from '../model.js';
import { listFolder, type SnapshotFile } from './folder.js';
import { readJson } from './json-reader.js';
import { createNormaliser } from './normalise.js';
import type { FileReport, LoadReport, Refusal, SnapshotFault } from './report.js';
import type { SourceRecord } from './source-record.js';

/** Takes one valid record; tells whether it replaced an earlier one of the same id. */
export type RecordSink = (collection: CollectionName, values: RecordValues) => 'added' | 'replaced';

export interface LoadOptions {
  readonly dir: string;
  readonly onRecord: RecordSink;
  /** Called now and then while a file is read. */
  readonly onProgress?: (file: string, doneBytes: number, totalBytes: number) => void;
}

export type LoadResult =
  | { readonly ok: true; readonly report: LoadReport }
  | { readonly ok: false; readonly fault: SnapshotFault };

const MAX_EXAMPLES = 10;

export async function loadSnapshots(options: LoadOptions): Promise<LoadResult> {
  const folder = await listFolder(options.dir);
  if ('message' in folder) return { ok: false, fault: folder };
  const warnings: string[] = [];
  if (folder.missing) warnings.push(`there is no folder ${options.dir}: nothing is served`);
  else if (folder.files.length === 0)
    warnings.push(`no file in ${options.dir} begins with articles or products: nothing is served`);
  const files: FileReport[] = [];
  for (const source of folder.files) {
    const report = await loadFile(source, options);
    if ('message' in report) return { ok: false, fault: report };
    files.push(report);
  }
  return { ok: true, report: { files, ignored: folder.ignored, warnings } };
}

async function loadFile(source: SnapshotFile, options: LoadOptions): Promise<FileReport | SnapshotFault> {
  const { collection, file, bytes, format } = source;
  if (format === 'csv') return { file, message: 'CSV is not read yet' };
  const startedAt = performance.now();
  const normaliser = createNormaliser(modelOf(collection));
  const refusals: Refusal[] = [];
  let records = 0;
  let accepted = 0;
  let replaced = 0;

  const takeOne = (record: SourceRecord): void => {
    records++;
    const result = normaliser.normalise(record);
    if (result.ok) {
      accepted++;
      if (options.onRecord(collection, result.values) === 'replaced') replaced++;
    } else if (refusals.length < MAX_EXAMPLES)
      refusals.push({ record: records, line: record.line, reason: result.reason });
  };

  const fault = await readJson({
    source,
    isRecord: (names) => names.includes('id') && names.includes('title'),
    take: (batch) => {
      for (const record of batch) takeOne(record);
      return true;
    },
    ...(options.onProgress && { onRead: (done: number) => options.onProgress?.(file, done, bytes) }),
  });
  if (fault) return fault;
  const tookMs = performance.now() - startedAt;
  return { file, collection, bytes, tookMs, records, accepted, refused: records - accepted, replaced, refusals };
}

export function modelOf(name: CollectionName): CollectionModel {
  const model = collections.find((collection) => collection.name === name);
  if (model === undefined) throw new Error(`no collection ${name}`);
  return model;
}
