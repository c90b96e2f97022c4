/** The options of the HTTP layer. */
import type { CorsOrigin } from './semantics/host.js';
import type { Simulation } from './semantics/simulation.js';
import type { Served } from './served.js';

/** The name of the member that holds a page's numbers. */
export type Envelope = 'pagination' | 'meta';

/** The phases of a first load: files are read, the index of the search is made, and the records are compared with an earlier dump. */
export type LoadPhase = 'read' | 'index' | 'compare';

/** The place of a first load. */
export interface LoadProgress {
  readonly phase: LoadPhase;
  /** The path of the file that is read; null before the first one. */
  readonly file: string | null;
  /** The part of it that is read, from 0 to 1. */
  readonly share: number;
}

export const NOTHING_READ: LoadProgress = { phase: 'read', file: null, share: 0 };

export interface AppOptions {
  /** Null while a first load runs. */
  readonly served: () => Served | null;
  /** How far the first load is. */
  readonly progress?: () => LoadProgress;
  readonly envelope: Envelope;
  /** Whether a request without `fields` asks for all of them. */
  readonly hasAllFields?: boolean;
  readonly maxLimit: number;
  /** The server's own address, which stands in lines to copy until the script of a page writes that of the browser; `DEFAULT_ORIGIN` if not given. */
  readonly origin?: string;
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
