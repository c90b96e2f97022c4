/** Compares what was loaded with what had been loaded before it, a collection at a time: the served dataset, or an earlier dump. */
import type { LoadFailed, LoadOptions } from '../load/load.js';
import type { LoadReport, SnapshotFault } from '../load/report/report.js';
import { type Changes, type Comparison, looksIncomplete, type Since, wholeChanges } from '../store/changes/changes.js';
import { compareCollections } from '../store/changes/compare.js';
import type { RecordStores } from '../store/dataset.js';
import { count, grouped } from '../text.js';
import { buildFrom, createStoresBuilder } from './parts.js';
import { runInSlices } from './slices.js';
import { folderState } from './watch.js';

/** Records, and how they were loaded. */
export interface Loaded {
  readonly stores: RecordStores;
  readonly report: LoadReport;
}

export type Comparisons = ReadonlyMap<string, Comparison>;

/** Compares each collection with the earlier one of its name. Yields after every few records. */
export function* compareLoaded(
  before: Loaded & { readonly since: Since },
  after: Loaded,
): Generator<void, Comparisons> {
  const comparisons = new Map<string, Comparison>();
  for (const [name, store] of after.stores) {
    const earlier = before.stores.get(name);
    if (earlier === undefined) continue;
    const hasOwnIds = [before.report, after.report].every((report) => idsAreOwn(report, name));
    const changes = yield* compareCollections(earlier, store, hasOwnIds);
    comparisons.set(name, { since: before.since, changes });
  }
  return comparisons;
}

/** Whether no record of a collection was given its id by position. */
const idsAreOwn = ({ files }: LoadReport, name: string): boolean =>
  files.every(({ collection, idsAssigned }) => collection !== name || idsAssigned === 0);

/** `3 added, 1 removed, 12 changed`, of all collections. */
export function countsText(comparisons: Comparisons): string {
  const counts = [...comparisons.values()].map(({ changes }) => changes.counts);
  const kinds = ['added', 'removed', 'changed'] as const;
  return kinds.map((kind) => `${grouped(counts.reduce((sum, count) => sum + count[kind], 0))} ${kind}`).join(', ');
}

/** A line for each dump that looks incomplete, each column that is new or gone, and each collection in which titles that repeat made pairs. */
export const remarksOn = (comparisons: Comparisons): readonly string[] =>
  [...comparisons].flatMap(([name, { changes }]) =>
    [...incompleteText(changes), ...columnTexts(changes), ...repeatedTitleLines(changes)].map(
      (text) => `${name}: ${text}`,
    ),
  );

function incompleteText({ counts }: Changes): readonly string[] {
  if (!looksIncomplete(counts)) return [];
  const before = counts.removed + counts.changed + counts.unchanged;
  return [`the new dump looks incomplete, ${grouped(counts.removed)} of ${grouped(before)} records are gone`];
}

const columnTexts = ({ columns }: Changes): readonly string[] =>
  columns.map(({ field, is, records }) => `the column ${field} is ${is} (${count(records, 'record')})`);

const repeatedTitleLines = ({ pairing }: Changes): readonly string[] =>
  pairing.by === 'names' && pairing.repeated > 0
    ? [`${count(pairing.repeated, 'pair')} of titles that repeat may be others, and have no percentages`]
    : [];

/** How many records of an earlier collection are gone, and how many are new. */
export interface Turnover {
  readonly earlier: number;
  readonly lost: number;
  readonly added: number;
}

/** By collection of the earlier records: one that is gone itself has lost all of them. */
export function turnovers(earlier: RecordStores, comparisons: Comparisons): ReadonlyMap<string, Turnover> {
  const result = new Map<string, Turnover>();
  for (const [name, { size }] of earlier) {
    const counts = comparisons.get(name)?.changes.counts;
    if (counts !== undefined) result.set(name, { earlier: size, lost: counts.removed, added: counts.added });
    else if (size > 0) result.set(name, { earlier: size, lost: size, added: 0 });
  }
  return result;
}

/** The same for an earlier dump that was compared with a later one. */
export const turnoversSince = (dump: LoadedDump, after: Loaded, comparisons: Comparisons) =>
  turnovers(namedAlike(dump, after).stores, comparisons);

export const hasChanges = (comparisons: Comparisons): boolean =>
  [...comparisons.values()].some(({ changes }) => wholeChanges(changes.counts) > 0);

/** The newer comparisons, and the earlier ones of collections that are as they were. */
export function keepingSame(earlier: Comparisons, newer: Comparisons): Comparisons {
  const merged = new Map(newer);
  for (const [name, { changes }] of newer) {
    if (!changes.isSame) continue;
    const before = earlier.get(name);
    if (before === undefined) merged.delete(name);
    else merged.set(name, before);
  }
  return merged;
}

export interface LoadedDump extends Loaded {
  readonly ok: true;
  readonly since: Since;
}

export type DumpOptions = Partial<Omit<LoadOptions, 'onCollection'>>;

/** Loads an earlier dump, only to be compared with: files and folders of any name, without a search index. */
export async function loadDump(paths: readonly string[], options: DumpOptions = {}): Promise<LoadedDump | LoadFailed> {
  const place = { ...options, dir: paths.map((path) => options.fetched?.[path] ?? path).join(', '), paths };
  const { modifiedAt } = await folderState(place);
  const built = await buildCompared(place);
  if (!built.ok) return built;
  if (built.report.files.length === 0) return { ok: false, fault: emptyDump(place.dir, built.report), others: [] };
  const { made, report } = built;
  return { ok: true, stores: made.stores, report, since: { version: made.version, modifiedAt, name: place.dir } };
}

/** Builds no more of a dump than a comparison reads: of indexes over texts, the order of titles. */
export const buildCompared = (place: Omit<LoadOptions, 'onCollection'>) =>
  buildFrom(
    place,
    createStoresBuilder(({ role }) => role === 'title'),
  );

/** Reads the dump that comes before a served one, as that one is read, but for the time of the scrape, which is another. */
export const loadPrevious = (paths: readonly string[], { scrapedAtMs: _, ...options }: DumpOptions) =>
  loadDump(paths, options);

/** How many ignored files a fault names, each with the reason. */
const MAX_NAMED_FILES = 3;

const emptyDump = (dir: string, { ignored }: LoadReport): SnapshotFault => ({
  file: dir,
  message: [
    'expected a file of records in JSON, NDJSON or CSV, found none',
    ...ignored.slice(0, MAX_NAMED_FILES).map((text) => `ignored: ${text}`),
  ].join('; '),
});

/** How a dataset differs from an earlier dump, in the collections that the dump has a file of. */
export function compareWithDump(dump: LoadedDump, after: Loaded): Promise<Comparisons> {
  const before = namedAlike(dump, after);
  const names = collectionsIn(before.report);
  const stores = new Map([...before.stores].filter(([name]) => names.has(name)));
  return runInSlices(compareLoaded({ ...before, stores }, after));
}

/** The message for two dumps that have no collection in common. */
export const nothingComparedText = ({ report, since }: LoadedDump, later: LoadReport): string =>
  `nothing is compared: ${since.name} holds ${collectionNames(report)}, the later dump ${collectionNames(later)}; --as NAME reads both as one collection`;

const collectionNames = (report: LoadReport): string => [...collectionsIn(report)].join(' and ') || 'no records';

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

/** The collections that a dump has a file of. */
const collectionsIn = ({ files }: LoadReport): ReadonlySet<string> =>
  new Set(files.map(({ collection }) => collection));

const ownNames = ({ stores }: Loaded): readonly string[] =>
  [...stores.values()].filter(({ model }) => model.isOwn).map(({ model }) => model.name);
