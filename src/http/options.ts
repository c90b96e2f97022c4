/** What the HTTP layer is given by the program: what to serve, and how. */
import type { LoadReport, SnapshotFault } from '../load/report.js';
import type { Dataset } from '../store/dataset.js';
import type { CorsOrigin } from './semantics/cors.js';

/** How an answer names the numbers of its page. */
export type Envelope = 'pagination' | 'meta';

/** What is served: replaced in whole by a reload. */
export interface Served {
  readonly dataset: Dataset;
  readonly report: LoadReport;
  readonly loadedAt: Date;
  /** When the newest of the snapshot's files was modified: equal on every server that has copies of them. */
  readonly modifiedAt?: Date;
  /** Why the last attempt to load newer snapshots failed, and when; what is served is older than it. */
  readonly reloadFault?: SnapshotFault & { readonly at: string };
}

export interface AppOptions {
  /** Null while a first load runs. */
  readonly served: () => Served | null;
  /** How much of that is done, from 0 to 1. */
  readonly loadedShare?: () => number;
  readonly envelope: Envelope;
  readonly maxLimit: number;
  /** Requests a minute for each client; 0 for no limit. */
  readonly rateLimit: number;
  /** The origins that browsers may call from. */
  readonly corsOrigin: CorsOrigin;
  /** The names that a request's `Host` may have; any where there are none. */
  readonly hostNames?: readonly string[] | null;
  readonly trustProxy: boolean;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Told of every bug that a request ran into. */
  readonly onError: (error: unknown, request: { readonly method: string; readonly url: string }) => void;
  /** The program's version; a part of every entity tag, since another program may answer otherwise. */
  readonly version?: string;
  /** Most bytes of finished pages to keep; 0 keeps none. */
  readonly cacheBytes?: number;
}
