/**
 * The two halves of a dataset, each built from its own pass over the snapshot folder: the records, and the search
 * tables. Neither needs the other, so they can be built at the same time on two threads.
 */
import { type BatchSink, type LoadOptions, loadSnapshots, type RawSink, type RecordSink } from '../load/load.js';
import type { LoadReport, SnapshotFault } from '../load/report.js';
import { type CollectionName, collections } from '../model.js';
import { createTablesBuilder } from '../search/builder.js';
import { IndexLimitError } from '../search/limits.js';
import type { IndexTables } from '../search/tables.js';
import { createRecordStoreBuilder, type RecordStoreBuilder } from '../store/collection.js';
import { collectionOf, type RecordStores } from '../store/dataset.js';
import { createSearchedTexts, searchFields } from '../store/documents.js';
import { collectGarbage } from './garbage.js';

export interface BuildOptions extends Omit<LoadOptions, 'onRecord' | 'onRaw' | 'onBatch' | 'isEnough'> {
  /** Processors to use; those of the machine if not given. */
  readonly threads?: number;
  /** Nothing is served meanwhile. */
  readonly isStart?: boolean;
}

export type SearchTables = ReadonlyMap<CollectionName, IndexTables>;

/** Takes records, and becomes what is made of them. */
export interface Builder<Made> {
  readonly add: RecordSink;
  readonly addRaw: RawSink;
  readonly addBatch?: BatchSink;
  finish(): Made;
}

interface BatchBuilder<Made> extends Builder<Made> {
  readonly addBatch: BatchSink;
}

export interface Whole {
  readonly stores: RecordStores;
  readonly tables: SearchTables;
}

export interface StoresBuilder extends BatchBuilder<RecordStores> {
  /** Per collection, document → row; all documents were added. */
  rowOf(): ReadonlyMap<CollectionName, Int32Array>;
}

export function createStoresBuilder(): StoresBuilder {
  const builders = new Map<CollectionName, RecordStoreBuilder>(
    collections.map((model) => [model.name, createRecordStoreBuilder(model)]),
  );
  return {
    add: (name, values) => collectionOf(builders, name).add(values),
    addRaw: (name, raw) => collectionOf(builders, name).addRaw(raw),
    addBatch: (name, batch) => collectionOf(builders, name).addBatch(batch),
    rowOf: () => new Map([...builders].map(([name, builder]) => [name, builder.rowOf()])),
    finish: () => new Map([...builders].map(([name, builder]) => [name, builder.finish(collectGarbage)])),
  };
}

/** Builds both halves from one pass. */
export function createWholeBuilder(): BatchBuilder<Whole> {
  const stores = createStoresBuilder();
  const searches = new Map(
    collections.map((model) => {
      const texts = createSearchedTexts(model);
      return [model.name, { texts, tables: createTablesBuilder(searchFields(model)) }] as const;
    }),
  );
  return {
    add(name, values) {
      const { texts, tables } = collectionOf(searches, name);
      tables.add(texts.of(values));
      return stores.add(name, values);
    },
    addRaw(name, raw) {
      const { texts, tables } = collectionOf(searches, name);
      tables.add(texts.ofRaw(raw));
      return stores.addRaw(name, raw);
    },
    // The stores may write to the batch, so they come last.
    addBatch(name, batch) {
      const { texts, tables } = collectionOf(searches, name);
      tables.addBatch(texts.ofBatch(batch), batch.size);
      return stores.addBatch(name, batch);
    },
    finish() {
      const rowOf = stores.rowOf();
      return {
        stores: stores.finish(),
        tables: new Map([...searches].map(([name, { tables }]) => [name, tables.finish(collectionOf(rowOf, name))])),
      };
    },
  };
}

export interface Failed {
  readonly ok: false;
  readonly fault: SnapshotFault;
}

export type Built<Made> = { readonly ok: true; readonly made: Made; readonly report: LoadReport } | Failed;

/** Reads the folder into a builder. */
export async function buildFrom<Made>(
  options: Omit<LoadOptions, 'onRecord' | 'onRaw' | 'onBatch'>,
  builder: Builder<Made>,
): Promise<Built<Made>> {
  const { add: onRecord, addRaw: onRaw, addBatch: onBatch } = builder;
  const loaded = await loadSnapshots({ ...options, onRecord, onRaw, ...(onBatch && { onBatch }) });
  if (!loaded.ok) return loaded;
  collectGarbage();
  return { ok: true, made: builder.finish(), report: loaded.report };
}

/** What `build` gives, or the folder's fault where there is more than an index can hold. */
export async function withinLimits<T>(dir: string, build: () => Promise<T>): Promise<T | Failed> {
  try {
    return await build();
  } catch (error) {
    if (error instanceof IndexLimitError) return { ok: false, fault: { file: dir, message: error.message } };
    throw error;
  }
}
