/**
 * The seam between the API and what holds the records: an engine answers a query with records as JSON and a total. Memory answers at once
 * (`memory.ts`), a database later (`postgres/engine.ts`). Who asks handles both alike, by `whenAnswered`.
 */
import type { CollectionModel, Field } from '../model.js';
import type { SearchIndex } from '../search/search.js';
import type { Collection } from '../store/collection.js';
import type { Extent } from '../store/record-text.js';
import type { ValueCount } from './counter.js';
import type { GroupedStats } from './groups.js';
import { EVERYTHING, type Paging, type Query } from './query.js';
import type { Stats } from './stats.js';

/** A value, or the promise of one. */
export type Answer<T> = T | Promise<T>;

/** The result that `use` makes of an answer: at once where that is there. */
export const whenAnswered = <T, Result>(answer: Answer<T>, use: (value: T) => Answer<Result>): Answer<Result> =>
  answer instanceof Promise ? answer.then(use) : use(answer);

/** All answers: at once where none of them is promised. */
export const allAnswers = <T>(answers: readonly Answer<T>[]): Answer<readonly T[]> => {
  const atOnce = answers.flatMap((answer) => (answer instanceof Promise ? [] : [answer]));
  return atOnce.length === answers.length ? atOnce : Promise.all(answers);
};

/** The records of a page, and how many match in all. */
export interface RecordPage {
  readonly total: number;
  /** The records' JSON, each by `shape` where that is given, with commas between them, after `opening` and before `closing`. */
  joined(opening: string, closing: string, shape?: RecordShape): Uint8Array<ArrayBuffer>;
}

/** Makes another JSON text of that of a record, which may be a view of the store. */
export type RecordShape = (json: Buffer) => Buffer<ArrayBuffer>;

/** The record that a segment of a path names. */
export interface NamedRecord {
  readonly id: number;
  /** Whether a key names it, and not its id. */
  readonly isByKey: boolean;
  readonly json: Buffer<ArrayBuffer>;
}

/** Exported records that are in memory: these rows in their order; null for every row in snapshot order. */
export interface StoredRecords {
  readonly collection: Collection;
  readonly rows: Uint32Array | null;
}

/** Exported records that arrive in batches of JSON texts, each asked for when the one before was taken. */
export interface ArrivingRecords {
  readonly batches: AsyncIterable<readonly Buffer<ArrayBuffer>[]>;
}

/** The operations and parameters that an engine lacks. */
export interface Lacks {
  /** The kinds of their answers, and `changes`. */
  readonly operations: readonly string[];
  readonly parameters: readonly string[];
  /** By parameter: the values that the engine takes of all. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Whether there are no HTML pages of records. */
  readonly pages: boolean;
}

/** Engines that hold records elsewhere. */
const DATABASES = ['postgresql'] as const;

export interface QueryEngine {
  /** The name by which `/health` calls it; undefined for the name of its search index. */
  readonly name?: (typeof DATABASES)[number];
  /** Undefined where it has all that the API has. */
  readonly lacks?: Lacks;
  /** Whether its answers are promises. */
  readonly answersLater?: true;
  /** The index that marks words and tells spellings, where the engine has one. */
  index?(model: CollectionModel): SearchIndex;
  /** With `isEstimated`, a total above a million may be an estimate. */
  page(model: CollectionModel, query: Query, paging: Paging, extent: Extent, isEstimated: boolean): Answer<RecordPage>;
  record(model: CollectionModel, segment: string, extent: Extent): Answer<NamedRecord | undefined>;
  values(
    model: CollectionModel,
    field: Field,
    query: Query,
    options: { readonly beginning: string; readonly limit: number },
  ): Answer<readonly ValueCount[]>;
  stats(model: CollectionModel, query: Query): Answer<Stats>;
  groups(
    model: CollectionModel,
    query: Query,
    by: Field,
    fields: readonly string[] | null,
    limit: number,
  ): Answer<GroupedStats>;
  /** All matching records, or the first `limit`. */
  export(model: CollectionModel, query: Query, limit: number | null, extent: Extent): StoredRecords | ArrivingRecords;
}

/** Whether any record is found by a query. */
export const hasRecords = (model: CollectionModel, engine: QueryEngine, query: Partial<Query>): Answer<boolean> =>
  whenAnswered(
    engine.page(model, { ...EVERYTHING, ...query }, { page: 1, limit: 1 }, 'item', false),
    ({ total }) => total > 0,
  );

/** The engine cannot answer now; the message is for the client. */
export class EngineUnavailable extends Error {}
