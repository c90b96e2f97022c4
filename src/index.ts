/**
 * The package as a library: `package.d.ts` declares and describes what is public, and the compiler holds this file to it.
 * Options are read as the flags of the same names are, so that both mean the same.
 */
import { type BuiltDataset, buildDataset } from './build/build.js';
import { compareWithDump, loadPrevious } from './build/compare.js';
import { type Config, type FlagName, readingIn, readOptions, version } from './config.js';
import { createApp as createHttpApp, type Served } from './http/app.js';
import { hostNames } from './http/semantics/host.js';
import type { LoadFailed } from './load/load.js';
import type * as Package from './package.js';

const LOAD_FLAGS = [
  'as',
  'base-url',
  'scraped-at',
  'columns',
  'language',
  'partial',
  'strict',
  'html',
  'engine',
  'previous',
] as const satisfies readonly FlagName[];

const APP_FLAGS = [
  'envelope',
  'extra',
  'max-limit',
  'rate-limit',
  'cors',
  'allowed-host',
  'trust-proxy',
] as const satisfies readonly FlagName[];

class LoadedDataset implements Package.Dataset {
  readonly #served: Served;

  constructor(served: Served) {
    this.#served = served;
  }

  static servedOf(dataset: Package.Dataset): Served {
    if (dataset instanceof LoadedDataset) return dataset.#served;
    throw new TypeError('createApp takes the dataset that loadDataset gives');
  }

  get version() {
    return this.#served.dataset.version;
  }

  get collections() {
    return this.#served.dataset.collections;
  }
}

const configOf = (options: object, flags: readonly FlagName[]): Config => {
  const config = readOptions(options, flags);
  if (typeof config === 'string') throw new TypeError(config);
  return config;
};

export const loadDataset: typeof Package.loadDataset = async (paths, { onProgress, ...options } = {}) => {
  const named = typeof paths === 'string' ? [paths] : paths;
  if (named.length === 0) throw new TypeError('loadDataset takes one file or folder at least');
  const config = configOf(options, LOAD_FLAGS);
  const { strict, engine, html, previous } = config;
  const reading = { ...readingIn(config), keepsHtml: html === 'keep', ...(onProgress && { onProgress }) };
  const built = await buildDataset({ ...reading, dir: named.join(', '), paths: named, strict, engine });
  if (!built.ok) return faultsOf(built);
  if (previous.length === 0) return loaded(built);
  const earlier = await loadPrevious(previous, reading);
  if (!earlier.ok) return faultsOf(earlier);
  const { dataset, report } = built;
  const comparisons = await compareWithDump(earlier, { stores: dataset.collections, report });
  return loaded({ ...built, dataset: { ...dataset, comparisons } });
};

const faultsOf = ({ fault, others }: LoadFailed): Package.Loaded => ({ ok: false, faults: [fault, ...others] });

const loaded = (built: BuiltDataset): Package.Loaded => ({
  ok: true,
  dataset: new LoadedDataset({ ...built, loadedAt: new Date() }),
  report: built.report,
});

export const createApp: typeof Package.createApp = (dataset, { onError = console.error, ...options } = {}) => {
  const served = LoadedDataset.servedOf(dataset);
  const config = configOf({ rateLimit: 0, ...options }, APP_FLAGS);
  const allowed = config['allowed-host'];
  const app = createHttpApp({
    served: () => served,
    envelope: config.envelope,
    hasAllFields: config.extra,
    maxLimit: config['max-limit'],
    rateLimit: config['rate-limit'],
    corsOrigin: config.cors,
    hostNames: allowed.length === 0 ? null : hostNames('localhost', allowed, false),
    trustProxy: config['trust-proxy'],
    version: version(),
    now: () => performance.now(),
    onError,
  });
  return { fetch: (request, env) => app.fetch(request, env) };
};
