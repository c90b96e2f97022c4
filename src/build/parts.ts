/**
 * What is built of a dump in one reading?
 * Takes: record batches: loading opens each collection here, and hands over each of its batches.
 * Gives: record stores, and search tables and indexes of texts, whose batches go to a function or to a second thread.
 * Skip: what is made of texts (`text-parts.ts`).
 */
import { isAllocationFailure } from '../arrays.js';
import {
  type LoadFailed,
  type LoadResult,
  loadSnapshots,
  type OpenCollection,
  type SnapshotLoadOptions,
} from '../load/load.js';
import type { LoadReport } from '../load/report/report.js';
import { collectionOf } from '../model.js';
import type { Engine } from '../search/search.js';
import type { IndexTables } from '../search/tables.js';
import { isIndexLimit } from '../search/work-memory.js';
import { createRecordStoreBuilder, withValues } from '../store/collection.js';
import { type RecordStores, versionOf } from '../store/dataset.js';
import { IdIndexBuilder } from '../store/ids.js';
import { createTextPartsBuilder, type TextPartsBuilder, type TextPartsByName } from './text-parts.js';

type SearchTables = ReadonlyMap<string, IndexTables>;

/** Takes the record batches of collections, each of which begins anew when it is opened once more; `finish` returns what they make. */
interface PartBuilder<Made> {
  readonly openCollection: OpenCollection;
  finish(): Made;
}

export interface BuildOptions extends Omit<SnapshotLoadOptions, 'onCollection'> {
  /** Processors to use; those of the machine if not given. */
  readonly threads?: number;
  /** Undefined: our own engine. Others are built from the stores. */
  readonly engine?: Engine;
}

/** All of a dataset as plain values, which can move to another thread. */
export interface BuiltParts extends VersionedStores {
  readonly ok: true;
  readonly tables: SearchTables;
  readonly report: LoadReport;
  /** When the newest of the folder's files was modified. */
  readonly modifiedAt: Date;
  /** The signature of the folder before it was read. */
  readonly signature: string;
  /** Milliseconds of reading, and of all that came after it. */
  readonly timing?: { readonly readMs: number; readonly indexMs: number };
}

export type Built<Made> =
  | {
      readonly ok: true;
      readonly made: Made;
      readonly report: LoadReport;
      readonly readMs: number;
    }
  | LoadFailed;

/** Reads the snapshots into a builder. More than an index, or the memory, can hold is a fault of the folder. */
export async function buildFrom<Made>(
  options: Omit<SnapshotLoadOptions, 'onCollection'>,
  { openCollection, finish }: PartBuilder<Made | Promise<Made>>,
): Promise<Built<Made>> {
  try {
    const begunAt = performance.now();
    const loaded = await loadSnapshots({ ...options, onCollection: openCollection });
    const readMs = performance.now() - begunAt;
    if (!loaded.ok) return loaded;
    return { ok: true, made: await finish(), report: loaded.report, readMs };
  } catch (error) {
    const fault = (message: string): LoadFailed => ({ ok: false, fault: { file: options.dir, message }, others: [] });
    if (isIndexLimit(error)) return fault(error.message);
    if (isAllocationFailure(error)) return fault(`there is not enough memory for the records: ${error.message}`);
    throw error;
  }
}

export interface VersionedStores {
  readonly version: string;
  readonly stores: RecordStores;
}

const versioned = (stores: RecordStores): VersionedStores => ({ version: versionOf(stores), stores });

/** All that is built of a folder. */
export interface Whole extends VersionedStores {
  readonly tables: SearchTables;
}

/** Builds stores, and hands each batch on to `texts` with the rows that its records have in the store. */
function createBuilder<Texts, Made>(
  texts: TextPartsBuilder<Texts>,
  join: (finishStores: () => VersionedStores, texts: Texts) => Made,
  areOnlyCompared = false,
): PartBuilder<Made> {
  const builders = new Map<string, ReturnType<typeof createRecordStoreBuilder>>();
  return {
    openCollection(model, language) {
      const store = createRecordStoreBuilder(model, areOnlyCompared);
      builders.set(model.name, store);
      const addTexts = texts.openCollection(model, language);
      return (batch) => {
        const { rows, size, replacedIds } = store.addBatch(batch);
        addTexts(batch, rows, size);
        return replacedIds;
      };
    },
    finish: () => {
      const finishStores = (): RecordStores => new Map([...builders].map(([name, store]) => [name, store.finish()]));
      return join(() => versioned(finishStores()), texts.finish());
    },
  };
}

/** A builder that makes nothing of texts, for callers that need the stores alone. */
const noTexts: TextPartsBuilder<null> = { openCollection: () => () => {}, finish: () => null };

/** Builds the stores alone. */
export const createStoresBuilder = (areOnlyCompared = false): PartBuilder<VersionedStores> =>
  createBuilder(noTexts, (finish) => finish(), areOnlyCompared);

/** Builds no more of a dump than a comparison reads. */
export const buildCompared = (place: Omit<SnapshotLoadOptions, 'onCollection'>): Promise<Built<VersionedStores>> =>
  buildFrom(place, createStoresBuilder(true));

/** Builds everything on one thread. */
export const createWholeBuilder = (): PartBuilder<Whole> =>
  createBuilder(createTextPartsBuilder(), (finish, texts) => withTexts(finish(), texts));

/** Builds the stores on this thread, while `texts` builds its part on another. */
export const createParallelBuilder = (texts: TextPartsBuilder<Promise<TextPartsByName>>): PartBuilder<Promise<Whole>> =>
  createBuilder(texts, async (finish, pending) => {
    // Where the stores fail, nobody awaits the other thread, whose end must not count as unhandled.
    pending.catch(() => undefined);
    const stores = finish();
    return withTexts(stores, await pending);
  });

/** The stores with what was built of their texts. */
const withTexts = ({ version, stores }: VersionedStores, texts: TextPartsByName): Whole => ({
  version,
  stores: new Map([...stores].map(([name, store]) => [name, withValues(store, collectionOf(texts, name).values)])),
  tables: new Map([...texts].map(([name, { tables }]) => [name, tables])),
});

/** Reads and checks snapshots, and keeps nothing but the report. */
export const checkSnapshots = (options: BuildOptions): Promise<LoadResult> =>
  loadSnapshots({
    ...options,
    onCollection() {
      const ids = new IdIndexBuilder();
      return (batch) => ids.addBatch(batch).replacedIds;
    },
  });
