/**
 * What is served, and which engine answers for it?
 * Takes: the served dataset, or a database.
 * Gives: the engine of its records (`QueryEngine`): memory, unless the dataset has another.
 * Skip: the options of the server, each of which says what it is.
 */
import type { LoadReport, SnapshotFault } from '../load/report/report.js';
import type { QueryEngine } from '../query/engine.js';
import { createMemoryEngine } from '../query/memory.js';
import type { Dataset } from '../store/dataset.js';
import { memoize } from './memoize.js';
import type { CorsOrigin } from './semantics/host.js';
import type { Simulation } from './semantics/simulation.js';

/** The name of the member that holds a page's numbers. */
export type Envelope = 'pagination' | 'meta';

/** The served dataset and its load report; a reload replaces the whole value. */
export interface Served {
  /** Without records where an engine holds them. */
  readonly dataset: Dataset;
  /** Answers for the records that an engine holds; memory does if not given. */
  readonly engine?: QueryEngine;
  readonly report: LoadReport;
  readonly loadedAt: Date;
  /** Modification time of the snapshot's newest file: equal on every server that has copies of the files. */
  readonly modifiedAt?: Date;
  /** The last failed attempt to load newer snapshots, which the served dataset is older than. */
  readonly reloadFault?: SnapshotFault & { readonly at: string };
}

/** What answers for the records of a dataset. */
export const engineOf = ({ engine, dataset }: Pick<Served, 'engine' | 'dataset'>): QueryEngine =>
  engine ?? memoryEngineOf(dataset);

const memoryEngineOf = memoize(createMemoryEngine);

export interface AppOptions {
  /** Null while a first load runs. */
  readonly served: () => Served | null;
  /** Progress of the first load, from 0 to 1. */
  readonly loadedShare?: () => number;
  readonly envelope: Envelope;
  /** Whether a request without `fields` asks for all of them. */
  readonly hasAllFields?: boolean;
  readonly maxLimit: number;
  /** Requests a minute for each client; 0 for no limit. */
  readonly rateLimit: number;
  /** The origins that browsers may call from. */
  readonly corsOrigin: CorsOrigin;
  /** The names that a request's `Host` may have; null or undefined for any name. */
  readonly hostNames?: readonly string[] | null;
  readonly trustProxy: boolean;
  /** Makes answers of the API late, or fail; undefined for neither. */
  readonly simulation?: Simulation;
  /** A number from 0 to 1 by chance; `Math.random` if not given. */
  readonly random?: () => number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Called with every unexpected exception in answering a request. */
  readonly onError: (error: unknown, request: { readonly method: string; readonly url: string }) => void;
  /** The program's version; a part of every entity tag, since another program may answer otherwise. */
  readonly version?: string;
  /** Bound on the bytes of cached responses; 0 switches the cache off. */
  readonly cacheBytes?: number;
}
