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
export async function compareWithDump(dump: LoadedDump, after: Loaded): Promise<Comparisons> {
  const before = namedAlike(dump, after);
  const comparisons = await runInSlices(compareLoaded(before, after));
  return new Map([...comparisons].filter(([name]) => isIn(before.report, name)));
}

/** What to do where no collection of a dump is in the later one. */
export const nothingComparedText = ({ report, since }: LoadedDump): string =>
  `nothing is compared: ${since.name} holds ${[...new Set(report.files.map(({ collection }) => collection))].join(' and ')}, the later dump holds none; --as NAME reads both as one collection`;

/**
 * The earlier dump, whose collection goes by the later one's name where each has one that is named by its file: `old.json` and `new.json`
 * hold the same collection.
 */
function namedAlike(before: LoadedDump, after: Loaded): LoadedDump {
  const [earlierNames, laterNames] = [ownNames(before), ownNames(after)];
  const [earlier, later] = [earlierNames[0], laterNames[0]];
  if (earlierNames.length !== 1 || laterNames.length !== 1 || later === undefined) return before;
  const nameOf = (name: string): string => (name === earlier ? later : name);
  return {
    ...before,
    stores: new Map([...before.stores].map(([name, store]) => [nameOf(name), store])),
    report: {
      ...before.report,
      files: before.report.files.map((file) => ({ ...file, collection: nameOf(file.collection) })),
    },
  };
}

const ownNames = ({ stores }: Loaded): readonly string[] =>
  [...stores.values()].filter(({ model }) => model.isOwn).map(({ model }) => model.name);

const isIn = ({ files }: LoadReport, name: string): boolean => files.some(({ collection }) => collection === name);
