/**
 * An engine that holds records elsewhere, and answers later. It takes what a request asks for as memory does (`execute.ts`,
 * `facets.ts`, `stats.ts`, `groups.ts`), and gives records as JSON text.
 */
import type { CollectionModel, Field } from '../model.js';
import type { Extent } from '../store/record-text.js';
import type { ValueCount } from './counter.js';
import type { GroupedStats } from './groups.js';
import type { Paging, Query } from './query.js';
import type { Stats } from './stats.js';

/** Records as JSON texts of an extent, and how many match in all. */
export interface RecordPage {
  readonly records: readonly string[];
  readonly total: number;
}

/** The record that a segment of a path names. */
export interface NamedRecord {
  readonly id: number;
  /** Whether a key names it, and not its id. */
  readonly isByKey: boolean;
  readonly json: string;
}

/** The operations and parameters that an engine lacks: names of parameters and of operations, and the values of parameters that it takes of all. */
export interface Lacks {
  readonly operations: readonly string[];
  readonly parameters: readonly string[];
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly pages: boolean;
}

export interface QueryEngine {
  /** The name by which messages and `/health` call it. */
  readonly name: string;
  readonly lacks: Lacks;
  readonly sizes: ReadonlyMap<string, number>;
  /** With `isEstimated`, a total above a million may be an estimate. */
  page(model: CollectionModel, query: Query, paging: Paging, extent: Extent, isEstimated: boolean): Promise<RecordPage>;
  record(model: CollectionModel, segment: string, extent: Extent): Promise<NamedRecord | undefined>;
  /** Whether any record has the value of a field. */
  hasValue(model: CollectionModel, field: Field, value: string): Promise<boolean>;
  values(
    model: CollectionModel,
    field: Field,
    query: Query,
    options: { readonly beginning: string; readonly limit: number },
  ): Promise<readonly ValueCount[]>;
  stats(model: CollectionModel, query: Query): Promise<Stats>;
  groups(
    model: CollectionModel,
    query: Query,
    by: Field,
    fields: readonly string[] | null,
    limit: number,
  ): Promise<GroupedStats>;
  /** All matching records, or the first `limit`, in batches as the reader takes them; the first one before it resolves. */
  export(model: CollectionModel, query: Query, limit: number | null, extent: Extent): AsyncIterable<readonly string[]>;
}

/** The engine cannot answer now; the message is for the client. */
export class EngineUnavailable extends Error {}
