/**
 * The two halves of a dataset, each built from its own pass over the snapshot folder: the records, and the search
 * tables. Neither needs the other, so they can be built at the same time on two threads.
 */
import type { BatchSink } from '../load/load.js';
import { type CollectionName, collectionOf, collections } from '../model.js';
import { createTablesBuilder } from '../search/builder.js';
import type { IndexTables } from '../search/tables.js';
import { createRecordStoreBuilder, type RecordStoreBuilder } from '../store/collection.js';
import type { RecordStores } from '../store/dataset.js';
import { createSearchedTexts, searchFields } from '../store/documents.js';
import { collectGarbage } from './garbage.js';
import type { Builder } from './reading.js';

export type SearchTables = ReadonlyMap<CollectionName, IndexTables>;

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
