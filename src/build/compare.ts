/** Compares what was loaded with what had been loaded before it, a collection at a time: the served dataset, or an earlier dump. */
import type { Worker } from 'node:worker_threads';
import type { LoadFailed, SnapshotLoadOptions } from '../load/load.js';
import type { LoadReport, SnapshotFault } from '../load/report/report.js';
import { isDirectory } from '../load/source/folder.js';
import { collectionOf } from '../model.js';
import { changesParts, type IndexTexts } from '../store/changes/change-collection.js';
import { changeCount, type LoggedChanges } from '../store/changes/change-log.js';
import {
  type Comparison,
  type ComparisonSummary,
  remarksOf,
  type Since,
  wholeChanges,
} from '../store/changes/changes.js';
import { CollectionHistory, type PendingComparison, withChanges, withHistoryFields } from '../store/changes/history.js';
import type { ServedStore } from '../store/collection.js';
import type { Dataset, RecordStores } from '../store/dataset.js';
import { isWritten } from '../store/record-text.js';
import { grouped } from '../text.js';
import { type DatedPaths, dateOfPaths } from './dated.js';
import { buildCompared } from './parts.js';
import { runInSlices } from './slices.js';
import { folderState } from './watch.js';
import { buildChangesInWorker, buildStoresInWorker, indexTextsInWorker } from './worker-jobs.js';

export type Comparisons = ReadonlyMap<string, Comparison>;
type PendingComparisons = ReadonlyMap<string, PendingComparison>;

/** Comparisons with or without their changes. */
export type Summaries = ReadonlyMap<string, ComparisonSummary>;

/** A loaded dump with its time and name. */
export interface DatedDump {
  readonly stores: RecordStores;
  readonly report: LoadReport;
  readonly since: Since;
}

/** Compares dumps, the earliest first, of which only the changes are kept. */
export class DumpHistory {
  readonly #maxChanges: number | undefined;
  readonly #histories = new Map<string, CollectionHistory>();
  /** The collections that are named by their files. */
  #ownNames: readonly string[] = [];

  constructor(maxChanges?: number) {
    this.#maxChanges = maxChanges;
  }

  /** The history that goes on from the served dump. */
  static *from(served: ServedDump, maxChanges?: number): Generator<void, DumpHistory> {
    const history = new DumpHistory(maxChanges);
    const { report, since } = served;
    const { collections, comparisons } = served.dataset;
    const uncompared = new Map([...collections].filter(([name]) => !comparisons.has(name)));
    const dump = { stores: storesOf(uncompared), report, since };
    history.#rename(ownNames(collections));
    for (const name of collections.keys()) {
      const comparison = comparisons.get(name);
      if (comparison === undefined) yield* history.#addTo(name, dump);
      else history.#histories.set(name, CollectionHistory.from(comparison, since, maxChanges));
    }
    return history;
  }

  /** Whether the served dump proves incomplete by the one that was added after it, for which it is too late: it was compared. */
  get isServedIncomplete(): boolean {
    return [...this.#histories.values()].some(({ isServedIncomplete }) => isServedIncomplete);
  }

  /** Adds the collections that a dump has a file of. */
  *add(dump: DatedDump): Generator<void, void> {
    this.#rename(ownNames(dump.stores));
    for (const name of collectionsIn(dump.report)) yield* this.#addTo(name, dump);
  }

  /**
   * Adds the last dump; returns the comparison of each of its collections that earlier dumps have as well. Their collections of
   * changes are left to `withAllChanges`.
   */
  *compare(dump: DatedDump): Generator<void, ComparedDump> {
    this.#rename(ownNames(dump.stores));
    const comparisons = new Map<string, PendingComparison>();
    const turnovers = new Map<string, Turnover>();
    for (const [name, history] of this.#histories) {
      const earlier = history.records;
      if (dump.stores.has(name)) yield* this.#addTo(name, dump);
      const comparison = dump.stores.has(name) ? yield* history.compare() : null;
      if (comparison?.dumps.every(({ records }) => records === 0)) continue;
      if (comparison !== null) comparisons.set(name, comparison);
      if (comparison !== null) turnovers.set(name, turnoverOf(comparison));
      else if (earlier > 0) turnovers.set(name, { earlier, lost: earlier, added: 0 });
    }
    return { comparisons, turnovers };
  }

  *#addTo(name: string, { stores, report, since }: DatedDump): Generator<void, void> {
    const history = this.#histories.get(name) ?? new CollectionHistory(this.#maxChanges);
    this.#histories.set(name, history);
    const store = collectionOf(stores, name);
    yield* history.add({ store, hasOwnIds: idsAreOwn(report, name), since });
  }

  /**
   * A dump with one collection that is named by its file goes on with the one of the dump before: `old.json` and `new.json` hold
   * the same collection.
   */
  #rename(names: readonly string[]): void {
    const [earlierName = ''] = this.#ownNames;
    const [laterName = ''] = names;
    const isRenamed = this.#ownNames.length === 1 && names.length === 1 && earlierName !== laterName;
    const history = this.#histories.get(earlierName);
    if (isRenamed && history !== undefined) {
      this.#histories.delete(earlierName);
      this.#histories.set(laterName, history);
    }
    if (names.length > 0) this.#ownNames = names;
  }
}

/** A dump compared with the one before it. */
export interface ComparedDump {
  readonly comparisons: PendingComparisons;
  readonly turnovers: ReadonlyMap<string, Turnover>;
}

/** The served dataset, with how it was loaded. */
interface ServedDump extends Omit<DatedDump, 'stores'> {
  readonly dataset: Dataset;
}

/**
 * Fewer changes are built on this thread, in less time than another needs to start. Of more, the steps that sort a column would keep
 * this thread from requests.
 */
const MIN_WORKER_CHANGES = 4000;

const isWorthAThread = (log: LoggedChanges): boolean => changeCount(log) >= MIN_WORKER_CHANGES;

const indexTexts: IndexTexts = (log) => (isWorthAThread(log) ? indexTextsInWorker(log) : null);

/**
 * The comparisons with their collections of changes. Where the last dump is no new one (`isNewDump`), a collection whose records are
 * as they were keeps its earlier comparison, if it has one, which goes on from the newer records all the same: the same values may be
 * written otherwise, in another order of columns, or `1.0` as `1`.
 */
export async function withAllChanges(
  pending: PendingComparisons,
  earlier: Comparisons = new Map(),
  isNewDump = true,
): Promise<Comparisons> {
  const comparisons = new Map<string, Comparison>();
  for (const [name, comparison] of pending) {
    const { source, continuation, last } = comparison;
    const earlierComparison = earlier.get(name);
    if (!last.isSame || isNewDump) {
      const parts = await (isWorthAThread(source.log)
        ? buildChangesInWorker(source)
        : runInSlices(changesParts(source)));
      comparisons.set(name, withChanges(name, comparison, parts, indexTexts));
    } else if (earlierComparison !== undefined) comparisons.set(name, { ...earlierComparison, continuation });
  }
  return comparisons;
}

/** The stores of collections as they were loaded, which are compared. */
export const storesOf = (collections: Dataset['collections']): RecordStores =>
  new Map(
    [...collections].map(([name, { text, ...collection }]) => {
      if (isWritten(text)) throw new Error(`${name} has the fields of a history`);
      return [name, { ...collection, text }];
    }),
  );

/** The dataset with its comparisons, whose collections have the fields of their history. */
export async function withComparisons(
  dataset: Dataset,
  ...pending: Parameters<typeof withAllChanges>
): Promise<Dataset> {
  const comparisons = await withAllChanges(...pending);
  const collections = new Map(dataset.collections);
  for (const [name, { continuation }] of comparisons) {
    const collection = collectionOf(dataset.collections, name);
    const store = await runInSlices(withHistoryFields(collection, continuation.layer));
    collections.set(name, { ...store, search: collection.search });
  }
  return { ...dataset, collections, comparisons };
}

/** Whether no record of a collection was given its id by position. */
const idsAreOwn = ({ files }: LoadReport, name: string): boolean =>
  files.every(({ collection, idsAssigned }) => collection !== name || idsAssigned === 0);

/** `3 added, 1 removed, 12 changed`, of all collections. */
export function countsText(comparisons: Summaries): string {
  const counts = [...comparisons.values()].map(({ last }) => last.counts);
  const kinds = ['added', 'removed', 'changed'] as const;
  return kinds.map((kind) => `${grouped(counts.reduce((sum, count) => sum + count[kind], 0))} ${kind}`).join(', ');
}

/** The remarks on all comparisons, each with its collection. */
export const remarksOn = (comparisons: Summaries): readonly string[] =>
  [...comparisons].flatMap(([name, comparison]) => remarksOf(comparison).map((text) => `${name}: ${text}`));

/** How many records of an earlier collection are gone, and how many are new. */
export interface Turnover {
  readonly earlier: number;
  readonly lost: number;
  readonly added: number;
}

const turnoverOf = ({ last: { counts } }: ComparisonSummary): Turnover => ({
  earlier: counts.removed + counts.changed + counts.unchanged,
  lost: counts.removed,
  added: counts.added,
});

/** Whether most records of a dump are in the one before too, told by ids or by values that differ in each. */
const repeatsRecords = (comparisons: Summaries): boolean =>
  comparisons.size > 0 &&
  [...comparisons.values()].every(({ last: { pairing, counts } }) => {
    const common = counts.changed + counts.unchanged;
    return pairing.by !== 'names' && 2 * common >= Math.min(common + counts.added, common + counts.removed);
  });

export const hasChanges = (comparisons: Summaries): boolean =>
  [...comparisons.values()].some(({ last }) => wholeChanges(last.counts) > 0);

export interface LoadedDump extends DatedDump {
  readonly ok: true;
}

export interface DumpOptions extends Partial<Omit<SnapshotLoadOptions, 'onCollection'>> {
  readonly timeMs?: number;
  /** The thread that loads the dump while this one serves, or whose garbage goes with it. */
  readonly worker?: Worker | undefined;
}

/**
 * Loads an earlier dump, only to be compared with: files and folders of any name, without a search index. Its date is `timeMs`,
 * else that of its name, else its time.
 */
export async function loadDump(
  paths: readonly string[],
  { timeMs, worker, ...options }: DumpOptions = {},
): Promise<LoadedDump | LoadFailed> {
  const place = { ...options, dir: paths.map((path) => options.fetched?.[path] ?? path).join(', '), paths };
  const { modifiedAt } = await folderState(place);
  const built = await (worker === undefined ? buildCompared(place) : buildStoresInWorker(place, worker));
  if (!built.ok) return built;
  if (built.report.files.length === 0) return { ok: false, fault: emptyDump(place.dir, built.report), others: [] };
  const { made, report } = built;
  const date = timeMs === undefined ? (dateOfPaths(paths) ?? modifiedAt) : new Date(timeMs);
  return { ok: true, stores: made.stores, report, since: { version: made.version, modifiedAt: date, name: place.dir } };
}

/** Reads the dump before a served one, with the options of the served one except `scrapedAtMs`: it was scraped at another time. */
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

/** How a dump differs from an earlier one, in the collections that both have. */
export function compareWithDump(before: DatedDump, after: DatedDump, maxChanges?: number): Promise<ComparedDump> {
  return runInSlices(compareDumps());

  function* compareDumps(): Generator<void, ComparedDump> {
    const history = new DumpHistory(maxChanges);
    yield* history.add(before);
    return yield* history.compare(after);
  }
}

/** Whether dated files repeat one another's records, as the first two say; dated folders are dumps whatever they hold. */
export async function areDumpsOfHistory(
  [first, second]: readonly DatedPaths[],
  load: (dump: DatedPaths) => Promise<LoadedDump | LoadFailed>,
): Promise<boolean> {
  if (first === undefined || second === undefined) return false;
  if (first.paths.every(isDirectory)) return true;
  const before = await load(first);
  const after = await load(second);
  return before.ok && after.ok && repeatsRecords((await compareWithDump(before, after, 1)).comparisons);
}

/** The message for two dumps that have no collection in common. */
export const nothingComparedText = ({ report, since }: LoadedDump, later: LoadReport): string =>
  `nothing is compared: ${since.name} holds ${collectionNames(report)}, the later dump ${collectionNames(later)}; --as NAME reads both as one collection`;

const collectionNames = (report: LoadReport): string => [...collectionsIn(report)].join(' and ') || 'no records';

/** The collections that a dump has a file of. */
const collectionsIn = ({ files }: LoadReport): ReadonlySet<string> =>
  new Set(files.map(({ collection }) => collection));

const ownNames = (collections: ReadonlyMap<string, Pick<ServedStore, 'model'>>): readonly string[] =>
  [...collections.values()].filter(({ model }) => model.isOwn).map(({ model }) => model.name);
