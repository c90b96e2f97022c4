/** A folder of snapshot files → valid records, handed to a sink one by one, and a report of what was found. */
import type { CollectionName, RecordValues } from '../model.js';
import type { LoadReport, SnapshotFault } from './report.js';

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

export async function loadSnapshots(_options: LoadOptions): Promise<LoadResult> {
  throw new Error('not built yet');
}
