/**
 * What is built of a folder, in two passes that two threads can make at the same time: the record stores; and beside them
 * the search tables, and some indexes over texts. `withSupplements` joins both.
 */

import { isAllocationFailure } from '../arrays.js';
import type { Language } from '../languages.js';
import {
  type BatchSink,
  type LoadFailed,
  type LoadOptions,
  type LoadResult,
  loadSnapshots,
  type OpenCollection,
} from '../load/load.js';
import type { LoadReport } from '../load/report.js';
import { type CollectionModel, collectionOf, type Field, isFound } from '../model.js';
import { createTablesBuilder } from '../search/build/builder.js';
import type { Engine } from '../search/search.js';
import type { IndexTables } from '../search/tables.js';
import { IndexLimitError } from '../search/work-memory.js';
import {
  createRecordStoreBuilder,
  createTextIndexesBuilder,
  type TextIndexes,
  withTextIndexes,
} from '../store/collection.js';
import { type RecordStores, versionOf } from '../store/dataset.js';
import { DocumentRows, searchColumns, searchFields } from '../store/documents.js';
import { IdIndexBuilder } from '../store/ids.js';

export type SearchTables = ReadonlyMap<string, IndexTables>;

/** Takes the record batches of collections; `finish` returns the part of a dataset that they make. */
export interface PartBuilder<Made> {
  readonly openCollection: OpenCollection;
  finish(): Made;
}

export interface BuildOptions extends Omit<LoadOptions, 'onCollection' | 'suspects'> {
  /** Processors to use; those of the machine if not given. */
  readonly threads?: number;
  /** Undefined: our own engine. Others are built from the stores. */
  readonly engine?: Engine;
}

/** All of a dataset as plain values, which can move to another thread. */
export interface BuiltParts extends VersionedStores {
  readonly ok: true;
  /** Empty for an engine other than our own. */
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
  options: Omit<LoadOptions, 'onCollection'>,
  { openCollection, finish }: PartBuilder<Made>,
): Promise<Built<Made>> {
  try {
    const begunAt = performance.now();
    const loaded = await loadSnapshots({ ...options, onCollection: openCollection });
    const readMs = performance.now() - begunAt;
    if (!loaded.ok) return loaded;
    return { ok: true, made: finish(), report: loaded.report, readMs };
  } catch (error) {
    const fault = (message: string): LoadFailed => ({ ok: false, fault: { file: options.dir, message }, others: [] });
    if (error instanceof IndexLimitError) return fault(error.message);
    if (isAllocationFailure(error)) return fault(`there is not enough memory for the records: ${error.message}`);
    throw error;
  }
}

/** Whether two readers of a folder have accepted equal numbers of records of each file. */
export const areOfSameRecords = (a: LoadReport, b: LoadReport): boolean => countsIn(a) === countsIn(b);

const countsIn = ({ files }: LoadReport): string =>
  files.map(({ file, accepted, replaced }) => `${file} ${accepted} ${replaced}`).join('\n');

export interface VersionedStores {
  readonly version: string;
  readonly stores: RecordStores;
}

/** Takes the record batches of one collection; `finish` returns what they make. */
interface CollectionBuilder<Part> {
  readonly addBatch: BatchSink;
  finish(): Part;
}

/** A builder for each collection that is opened, and what these make by the collections' names. */
function forEachCollection<Part, Made>(
  create: (model: CollectionModel, language: Language) => CollectionBuilder<Part>,
  made: (parts: ReadonlyMap<string, Part>) => Made,
): PartBuilder<Made> {
  const builders = new Map<string, CollectionBuilder<Part>>();
  return {
    openCollection(model, language) {
      const builder = create(model, language);
      builders.set(model.name, builder);
      return builder.addBatch;
    },
    finish: () => made(new Map([...builders].map(([name, builder]) => [name, builder.finish()]))),
  };
}

export const createStoresBuilder = (isIndexed: (field: Field) => boolean = () => true): PartBuilder<VersionedStores> =>
  forEachCollection(
    (model) => createRecordStoreBuilder(model, isIndexed),
    (stores) => ({ version: versionOf(stores), stores }),
  );

/**
 * What is built beside the stores: the search tables, and the indexes over titles, which are searched in any case, and over found fields.
 * Both threads then take about the same time.
 */
interface Supplement {
  readonly tables: IndexTables;
  readonly indexes: TextIndexes;
}
export type Supplements = ReadonlyMap<string, Supplement>;

/** Whether the indexes of a field are built beside the stores: the order of titles, and found values, of which a dump may have a hundred columns. */
const isIndexedBeside = (field: Field): boolean => field.role === 'title' || isFound(field);

/** Whether a supplement needs a field: it decides which records there are, is searched, or has found values. */
export const isForSupplement = (field: Field): boolean =>
  field.required === true || field.searchWeight !== undefined || (isFound(field) && field.filter?.kind === 'value');

export const createSupplementsBuilder = (): PartBuilder<Supplements> =>
  forEachCollection(createSupplementBuilder, (supplements) => supplements);

function createSupplementBuilder(model: CollectionModel, language: Language): CollectionBuilder<Supplement> {
  const tables = createTablesBuilder(searchFields(model), { language });
  const searched = searchColumns(model);
  const indexes = createTextIndexesBuilder(model, isIndexedBeside);
  const ids = new IdIndexBuilder();
  const documents = new DocumentRows();
  return {
    addBatch(batch) {
      const { rows, replacedIds } = ids.addBatch(batch);
      indexes.setAll(rows, ids.size, batch);
      documents.addAll(rows);
      tables.addBatch(batch, searched);
      return replacedIds;
    },
    finish() {
      // Memory of the indexes is free before the tables take most.
      const textIndexes = indexes.finish(ids.size);
      return { tables: tables.finish(documents.finish(ids.size)), indexes: textIndexes };
    },
  };
}

/** All that is built of a folder. */
export interface Whole extends VersionedStores {
  readonly tables: SearchTables;
}

/** The stores with what was built beside them. */
export const withSupplements = ({ version, stores }: VersionedStores, supplements: Supplements): Whole => ({
  version,
  stores: new Map(
    [...stores].map(([name, store]) => [name, withTextIndexes(store, collectionOf(supplements, name).indexes)]),
  ),
  tables: new Map([...supplements].map(([name, { tables }]) => [name, tables])),
});

/** Builds the stores without the indexes that `withSupplements` adds. */
export const createPartialStoresBuilder = (): PartBuilder<VersionedStores> =>
  createStoresBuilder((field) => !isIndexedBeside(field));

/** Builds everything from one pass. */
export function createWholeBuilder(): PartBuilder<Whole> {
  const stores = createPartialStoresBuilder();
  const supplements = createSupplementsBuilder();
  return {
    openCollection(model, language) {
      const addRecords = stores.openCollection(model, language);
      const addSupplement = supplements.openCollection(model, language);
      return (batch) => {
        addSupplement(batch);
        return addRecords(batch);
      };
    },
    finish: () => withSupplements(stores.finish(), supplements.finish()),
  };
}

/** Reads and checks snapshots, and keeps nothing but the report. */
export const checkSnapshots = (options: BuildOptions): Promise<LoadResult> =>
  loadSnapshots({
    ...options,
    onCollection() {
      const ids = new IdIndexBuilder();
      return (batch) => ids.addBatch(batch).replacedIds;
    },
  });
