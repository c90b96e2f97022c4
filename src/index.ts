/**
 * The package as a library: `package.d.ts` declares and describes what is public, and the compiler holds this file to it.
 * Options are read as the flags of the same names are, so that both mean the same.
 */
import { type BuiltDataset, buildDataset } from './build/build.js';
import {
  areDumpsOfHistory,
  compareWithDump,
  type DumpOptions,
  loadPrevious,
  storesOf,
  withComparisons,
} from './build/compare.js';
import { likelyHistory } from './build/dated.js';
import { appOptionsIn, readingIn, readOptions } from './config/config.js';
import { type Config, type FlagName, READING_FLAGS } from './config/flags.js';
import { createApp as createHttpApp, type Served } from './http/app.js';
import { hostNames } from './http/semantics/host.js';
import type { LoadFailed } from './load/load.js';
import type * as Package from './package.js';

const LOAD_FLAGS: readonly FlagName[] = [...READING_FLAGS, 'strict', 'html', 'engine', 'previous', 'add-up'];
const APP_FLAGS: readonly FlagName[] = [
  'envelope',
  'extra',
  'max-limit',
  'rate-limit',
  'cors',
  'allowed-host',
  'trust-proxy',
  'delay',
  'fail',
];

/**
 * What apps serve of each dataset that was loaded. It is no property of the dataset, so that users of the package cannot come
 * to depend on it. An entry is set once and lives as long as its dataset: no caller sees state of the module.
 */
const servedDatasets = new WeakMap<Package.Dataset, Served>();

const checkedConfig = (options: object, flags: readonly FlagName[]): Config => {
  const config = readOptions(options, flags);
  if (typeof config === 'string') throw new TypeError(config);
  return config;
};

export const loadDataset: typeof Package.loadDataset = async (paths, { onProgress, ...options } = {}) => {
  const named = typeof paths === 'string' ? [paths] : paths;
  if (named.length === 0) throw new TypeError('loadDataset takes one file or folder at least');
  const config = checkedConfig(options, LOAD_FLAGS);
  const { strict, engine, previous } = config;
  const reading = { ...readingIn(config), ...(onProgress && { onProgress }) };
  const dumps = previous.length > 0 || config['add-up'] ? [named] : await dumpsOf(named, reading);
  const newest = dumps.at(-1) ?? named;
  const built = await buildDataset({ ...reading, dir: newest.join(', '), paths: newest, strict, engine });
  if (!built.ok) return failedLoad(built);
  const earlierFiles = dumps.slice(0, -1).flatMap((paths) => paths.map((path) => `${path}: ${EARLIER_DUMP}`));
  if (previous.length === 0)
    return loaded({ ...built, report: { ...built.report, ignored: [...built.report.ignored, ...earlierFiles] } });
  const earlier = await loadPrevious(previous, reading);
  if (!earlier.ok) return failedLoad(earlier);
  const { dataset, report, modifiedAt } = built;
  const since = { version: dataset.version, modifiedAt };
  const { comparisons } = await compareWithDump(earlier, { stores: storesOf(dataset.collections), report, since });
  return loaded({ ...built, dataset: await withComparisons(dataset, comparisons) });
};

const EARLIER_DUMP =
  'an earlier dump of a history, of which the newest is loaded; previous compares with it, addUp adds them up';

/** The paths of each dump, the earliest first, where names and records say that they are a history; else those that are named. */
async function dumpsOf(named: readonly string[], reading: DumpOptions): Promise<readonly (readonly string[])[]> {
  const dumps = await likelyHistory(named);
  const isHistory = dumps !== null && (await areDumpsOfHistory(dumps, ({ paths }) => loadPrevious(paths, reading)));
  return isHistory ? dumps.map(({ paths }) => paths) : [named];
}

const failedLoad = ({ fault, others }: LoadFailed): Package.Loaded => ({ ok: false, faults: [fault, ...others] });

function loaded(built: BuiltDataset): Package.Loaded {
  const { version, collections } = built.dataset;
  const dataset = Object.freeze({ version, collections });
  servedDatasets.set(dataset, { ...built, loadedAt: new Date() });
  return { ok: true, dataset, report: built.report };
}

export const createApp: typeof Package.createApp = (dataset, { onError = console.error, ...options } = {}) => {
  const served = servedDatasets.get(dataset);
  if (served === undefined) throw new TypeError('createApp takes the dataset that loadDataset gives');
  const config = checkedConfig({ rateLimit: 0, ...options }, APP_FLAGS);
  const allowed = config['allowed-host'];
  const app = createHttpApp({
    ...appOptionsIn(config),
    served: () => served,
    hostNames: allowed.length === 0 ? null : hostNames('localhost', allowed, false),
    onError,
  });
  return { fetch: (request, env) => app.fetch(request, env) };
};
