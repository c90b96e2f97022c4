/** Snapshot folder → dataset: runs the loader into the store and the search index. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type LoadOptions, type LoadResult, loadSnapshots, type RecordSink } from './load/load.js';
import type { LoadReport, SnapshotFault } from './load/report.js';
import { type CollectionName, collections, fieldIndex } from './model.js';
import { createSearchBuilder } from './search/minisearch.js';
import { createDatasetBuilder, type Dataset } from './store/dataset.js';

export type BuildResult =
  | { readonly ok: true; readonly dataset: Dataset; readonly report: LoadReport; readonly modifiedAt: Date }
  | { readonly ok: false; readonly fault: SnapshotFault };

export type BuildOptions = Omit<LoadOptions, 'onRecord'>;

export async function buildDataset(options: BuildOptions): Promise<BuildResult> {
  const builder = createDatasetBuilder(createSearchBuilder);
  const loaded = await loadSnapshots({ ...options, onRecord: builder.add });
  if (!loaded.ok) return loaded;
  const { report } = loaded;
  return { ok: true, dataset: builder.finish(), report, modifiedAt: await newestOf(options.dir, report) };
}

/** When the newest of the files that were read was modified; a file that has gone since does not count. */
async function newestOf(dir: string, { files }: LoadReport): Promise<Date> {
  const times = files.map(({ file }) =>
    stat(join(dir, file)).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    ),
  );
  return new Date(Math.max(0, ...(await Promise.all(times))));
}

/** Reads and checks a snapshot folder, and keeps nothing but the report. */
export const checkSnapshots = (options: BuildOptions): Promise<LoadResult> =>
  loadSnapshots({ ...options, onRecord: countReplaced() });

/** A sink that only remembers which ids it has seen. */
function countReplaced(): RecordSink {
  const seen = new Map<CollectionName, { readonly idField: number; readonly ids: Set<unknown> }>(
    collections.map((model) => [model.name, { idField: fieldIndex(model, 'id'), ids: new Set() }]),
  );
  return (name, values) => {
    const collection = seen.get(name);
    const id = values[collection?.idField ?? 0];
    if (collection?.ids.has(id)) return 'replaced';
    collection?.ids.add(id);
    return 'added';
  };
}
