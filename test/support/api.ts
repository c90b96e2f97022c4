/** Apps over record objects or snapshot folders, without a socket. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assemble, buildDataset } from '../../src/build/build.js';
import { type DatedDump, DumpHistory, loadDump, storesOf, withComparisons } from '../../src/build/compare.js';
import { type BuildOptions, createWholeBuilder } from '../../src/build/parts.js';
import { type AppOptions, createApp, type Served } from '../../src/http/app.js';
import { engineOf } from '../../src/http/served.js';
import type { OpenCollection } from '../../src/load/load.js';
import { collections, type Value } from '../../src/model.js';
import { buildMiniSearch } from '../../src/search/minisearch.js';
import type { SearchIndex } from '../../src/search/search.js';
import type { RecordStore } from '../../src/store/collection.js';
import { assembleDataset, modelsOf } from '../../src/store/dataset.js';
import { searchedTexts, searchFields } from '../../src/store/documents.js';
import { rowsOfCodeIn } from '../../src/store/named-rows.js';
import type { RecordValues } from './batch-writer.js';
import { inBatches } from './batch-writer.js';
import { type Checker, checkerOf, checkResponse } from './described.js';
import { finished } from './finished.js';
import { memory } from './load.js';
import type { Name, PlainRecord } from './oracle.js';
import { pushedFolder, pushedLater } from './pushed.js';

export type App = ReturnType<typeof createApp>;

const emptyReport = { files: [], ignored: [], findings: [] };
export const loadedAt = new Date('2026-01-02T03:04:05.678Z');
export const earlierAt = new Date('2025-05-05T06:07:08Z');

const isValue = (value: unknown): value is Value =>
  value === null || typeof value === 'string' || typeof value === 'number' || Array.isArray(value);

const valuesOf = (name: Name, record: PlainRecord): RecordValues =>
  (collections.find((model) => model.name === name)?.fields ?? []).map((field) => {
    const value = record[field.name] ?? null;
    if (!isValue(value)) throw new Error(`${field.name} is no value of a record`);
    return value;
  });

/** Tests run with each engine where both promise the same (`vitest.config.ts`). */
export const isMiniSearch = process.env.ENGINE === 'minisearch';
export const isPostgres = process.env.ENGINE === 'postgresql';

/** An index of MiniSearch, built without a pause. */
function miniSearchOf(store: RecordStore): SearchIndex {
  const building = buildMiniSearch(
    searchFields(store.model),
    store.size,
    searchedTexts(store),
    'english',
    rowsOfCodeIn(store),
  );
  for (;;) {
    const { done, value } = building.next();
    if (done) return value;
  }
}

/** A dataset of records that are valid already. */
export function datasetOf(records: Partial<Record<Name, readonly PlainRecord[]>>): Served {
  const builder = createWholeBuilder();
  const load = (openCollection: OpenCollection): void => {
    for (const model of collections) {
      const values = (records[model.name] ?? []).map((record) => valuesOf(model.name, record));
      inBatches(model, values, openCollection(model, 'english'));
    }
  };
  load(builder.openCollection);
  const parts = builder.finish();
  const built = assemble({ ok: true, ...parts, report: emptyReport, modifiedAt: loadedAt, signature: '' });
  if (isPostgres)
    return pushedLater({ ...built, loadedAt }, async (openCollection) => {
      load(openCollection);
      return { ok: true, report: emptyReport };
    });
  if (!isMiniSearch) return { ...built, loadedAt };
  const indexes = new Map([...parts.stores].map(([name, store]) => [name, miniSearchOf(store)]));
  return { ...built, dataset: assembleDataset(`${parts.version}-minisearch`, parts.stores, indexes), loadedAt };
}

/** A dataset loaded from a folder of snapshots. */
export async function datasetIn(dir: string, options: Partial<BuildOptions> = {}): Promise<Served> {
  const served = await memoryOf(dir, options);
  return isPostgres ? pushedFolder(served, { dir, ...options }) : served;
}

/** The same in memory, whatever engine the project has. */
export async function memoryOf(dir: string, options: Partial<BuildOptions> = {}): Promise<Served> {
  const built = await buildDataset({
    dir,
    memory,
    threads: 1,
    engine: isMiniSearch ? 'minisearch' : 'bm25f',
    ...options,
  });
  if (!built.ok) throw new Error(`${built.fault.file}: ${built.fault.message}`);
  return { ...built, loadedAt };
}

/** The sample, compared with its earlier version. */
export async function comparedSample(): Promise<Served> {
  const served = await datasetIn(sampleDir);
  const dump = await loadDump([`${sampleDir}/previous`]);
  if (!dump.ok) throw new Error(`${dump.fault.file}: ${dump.fault.message}`);
  return comparedWith(served, { ...dump, since: { ...dump.since, modifiedAt: earlierAt } });
}

/** A dataset with its changes since earlier dumps, the earliest first. */
export async function comparedWith(served: Served, ...earlier: readonly DatedDump[]): Promise<Served> {
  const { dataset, report } = served;
  const since = { version: dataset.version, modifiedAt: served.loadedAt };
  const history = new DumpHistory();
  for (const dump of earlier) finished(history.add(dump));
  const { comparisons } = finished(history.compare({ stores: storesOf(dataset.collections), report, since }));
  return { ...served, dataset: await withComparisons(dataset, comparisons) };
}

export const appOptions: Omit<AppOptions, 'served'> = {
  envelope: 'pagination',
  maxLimit: 1000,
  rateLimit: 0,
  corsOrigin: '*',
  trustProxy: false,
  now: () => performance.now(),
  onError: (error) => {
    throw error;
  },
};

const checkers = new WeakMap<object, Checker>();

/** What an app's answers are held against. */
export function checkerFor(app: App): Checker {
  const checker = checkers.get(app);
  if (checker === undefined) throw new Error('the app is not one of appOf');
  return checker;
}

/** An app whose every answer is held against its OpenAPI document. */
export function appOf(served: Served, options: Partial<AppOptions> = {}): App {
  const asked = { ...appOptions, served: () => served, ...options };
  const app = createApp(asked);
  const checker = checkerOf(asked, modelsOf(served.dataset), engineOf(served));
  checkers.set(app, checker);
  const request = app.request;
  app.request = async (input, init, ...rest) => {
    const response = await request(input, init, ...rest);
    const url = input instanceof Request ? input.url : String(input);
    await checkResponse(checker, init?.method ?? 'GET', url, response);
    return response;
  };
  return app;
}

export async function getJson<T = never>(app: App, path: string): Promise<T> {
  const response = await app.request(path);
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<T>;
}

export const pathTo = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

export const sampleDir = pathTo('snapshots/sample');
export const cleanDir = pathTo('../shared/data/clean');
export const rawDir = pathTo('../shared/data/raw');

/** Whether tests on the real dumps beside the project can run; CI must have them. */
export function haveShared(): boolean {
  if (existsSync(cleanDir)) return true;
  if (process.env.CI) throw new Error(`CI needs ${cleanDir}`);
  console.warn(`skipped: tests on real dumps, as ${cleanDir} is missing`);
  return false;
}
