/** The state of a dataset that lasts as long as it is served: its cached responses, and the beginning of its entity tags. */
import type { QueryEngine } from '../query/engine.js';
import { type Dataset, fieldsHash } from '../store/dataset.js';
import { type ByteCache, createByteCache } from './cache.js';
import { memoize } from './memoize.js';
import type { AppOptions } from './options.js';
import type { Metadata, Representation, Variants } from './response.js';
import { etagOf, type Modified, modifiedAt, settingsEtag } from './semantics/preconditions.js';
import { engineOf, type Served } from './served.js';

const DEFAULT_CACHE_BYTES = 64 << 20;

/** The state of one served dataset, dropped with it. */
export interface ServedState {
  readonly dataset: Dataset;
  readonly engine: QueryEngine;
  readonly cache: ByteCache<Variants>;
  /** The beginning of every entity tag. */
  readonly version: string;
  readonly modified: Modified | null;
}

/** By served dataset, its state. */
export function createServedStates(options: AppOptions): (current: Served) => ServedState {
  const { rateLimit, corsOrigin, simulation, cacheBytes = DEFAULT_CACHE_BYTES } = options;
  const settings = settingsEtag(
    options.version ?? '',
    options.envelope,
    String(options.hasAllFields === true),
    options.maxLimit,
    rateLimit,
    corsOrigin ?? 'off',
    ...(simulation ? [JSON.stringify(simulation)] : []),
  );
  return memoize(
    (current: Served): ServedState => ({
      dataset: current.dataset,
      engine: engineOf(current),
      cache: createByteCache<Variants>(cacheBytes),
      // The records alone are not all: a page shows £ or $, and a document says what a field is and where it came from.
      version: `${current.dataset.version}-${settingsEtag(settings, fieldsHash(current.dataset))}`,
      modified: lastModified(current),
    }),
  );
}

/** A representation that depends on the clock was not last modified with the snapshot. */
export const metadataOf = (
  { version, modified }: ServedState,
  target: string,
  { key, isOfSnapshot, cacheControl = 'no-cache' }: Representation,
  clockValues: string,
): Metadata => ({
  tag: etagOf(version, target + clockValues, key),
  modified: isOfSnapshot && clockValues === '' ? modified : null,
  cacheControl,
});

/** Never later than now, whatever a file claims (RFC 9110, section 8.8.2.1). */
const lastModified = ({ modifiedAt: newest, loadedAt }: Served): Modified | null =>
  newest === undefined ? null : modifiedAt(Math.min(newest.getTime(), loadedAt.getTime()));
