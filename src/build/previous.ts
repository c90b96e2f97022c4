/** Loads an earlier dump, only to be compared with: its records without a search index. */
import type { LoadFailed, LoadOptions } from '../load/load.js';
import type { LoadReport, SnapshotFault } from '../load/report.js';
import type { Since } from '../store/changes/changes.js';
import { type Comparisons, compareLoaded, type Loaded } from './compare.js';
import { folderState } from './folder-state.js';
import { buildFrom, createStoresBuilder } from './parts.js';
import { runInSlices } from './slices.js';

export interface LoadedDump extends Loaded {
  readonly ok: true;
  readonly since: Since;
}

export type DumpOptions = Partial<Omit<LoadOptions, 'onCollection'>>;

/** Reads files and folders of any name. */
export async function loadDump(paths: readonly string[], options: DumpOptions = {}): Promise<LoadedDump | LoadFailed> {
  const place = { ...options, dir: paths.join(', '), paths };
  const { modifiedAt } = await folderState(place);
  const built = await buildFrom({ ...place, suspects: false }, createStoresBuilder());
  if (!built.ok) return built;
  if (built.report.files.length === 0) return { ok: false, fault: emptyDump(place.dir), others: [] };
  const { made, report } = built;
  return { ok: true, stores: made.stores, report, since: { version: made.version, modifiedAt, name: place.dir } };
}

/** Reads the dump that comes before a served one, as that one is read, but for the time of the scrape, which is another. */
export const loadPrevious = (paths: readonly string[], { scrapedAtMs: _, ...options }: DumpOptions) =>
  loadDump(paths, options);

const emptyDump = (dir: string): SnapshotFault => ({ file: dir, message: 'no file there holds articles or products' });

/** How a dataset differs from an earlier dump, in the collections that the dump has a file of. */
export async function compareWithDump(before: LoadedDump, after: Loaded): Promise<Comparisons> {
  const comparisons = await runInSlices(compareLoaded(before, after));
  return new Map([...comparisons].filter(([name]) => isIn(before.report, name)));
}

const isIn = ({ files }: LoadReport, name: string): boolean => files.some(({ collection }) => collection === name);
