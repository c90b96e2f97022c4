/** Datasets whose records stand in PostgreSQL, each in a database of its own of the shared cluster. */
import { afterAll, inject } from 'vitest';
import { emptyDataset } from '../../src/commands/database.js';
import type { Served } from '../../src/http/app.js';
import { type LoadResult, loadSnapshots, type OpenCollection, type SnapshotLoadOptions } from '../../src/load/load.js';
import { collectionOf } from '../../src/model.js';
import { connect } from '../../src/postgres/connection.js';
import { LACKS } from '../../src/postgres/engine.js';
import { pushRecords } from '../../src/postgres/push.js';
import { type DatabaseSource, openDatabaseSource } from '../../src/postgres/source.js';
import type { QueryEngine } from '../../src/query/engine.js';
import { modelsOf } from '../../src/store/dataset.js';
// What `inject` gives is declared there.
import type {} from './shared-cluster.js';

declare module 'vitest' {
  interface ProvidedContext {
    readonly cluster: { readonly port: number; readonly template: string };
  }
}

type Load = (openCollection: OpenCollection) => Promise<LoadResult>;

let databases = 0;

/** The address of a new database in the shared cluster. */
export async function newDatabase(): Promise<string> {
  const { port } = inject('cluster');
  const address = (database: string): string => `postgres://reader@127.0.0.1:${port}/${database}`;
  const name = `d${process.pid}_${databases++}`;
  const admin = await connect(address('postgres'), { connections: 1 });
  await admin.unsafe(`CREATE DATABASE ${name}`);
  await admin.end();
  return address(name);
}

/** The databases that rows are spread over, the same for all datasets of a worker; none in a project that has one database. */
let partitions: Promise<readonly string[]> | undefined;
const partitionsOfProject = (): Promise<readonly string[]> => {
  partitions ??= Promise.all(Array.from({ length: Number(process.env.PARTITIONS ?? 0) }, newDatabase));
  return partitions;
};

const opened: DatabaseSource[] = [];

/** Ends the connections of a file's datasets. */
export function endDatabasesAfterAll(): void {
  afterAll(async () => void (await Promise.all(opened.splice(0).map(({ end }) => end()))));
}

async function openPushed(load: Load): Promise<QueryEngine> {
  const to = await newDatabase();
  const target = { to, partitions: await partitionsOfProject(), isCitus: false, modifiedAt: new Date() };
  const pushed = await pushRecords(target, load);
  if (!pushed.ok) throw new Error('message' in pushed ? pushed.message : pushed.fault.message);
  const source = await openDatabaseSource(to, { onDump: () => {}, onFault: () => {} });
  if (typeof source === 'string') throw new Error(source);
  opened.push(source);
  return source.dump.engine;
}

/** An engine that is there later. */
function laterEngine(ready: () => Promise<QueryEngine>): QueryEngine {
  return {
    name: 'postgresql',
    lacks: LACKS,
    answersLater: true,
    page: async (...request) => (await ready()).page(...request),
    record: async (...request) => (await ready()).record(...request),
    values: async (...request) => (await ready()).values(...request),
    stats: async (...request) => (await ready()).stats(...request),
    groups: async (...request) => (await ready()).groups(...request),
    export: (...request) => ({
      batches: (async function* () {
        const records = (await ready()).export(...request);
        if ('batches' in records) yield* records.batches;
      })(),
    }),
  };
}

/** The same records in PostgreSQL. Nothing of them stays in memory, where a handler could read it. */
function withEngine(served: Served, ready: () => Promise<QueryEngine>): Served {
  const { version, collections } = served.dataset;
  const stored = modelsOf(served.dataset).map((model) => {
    const { search, size } = collectionOf(collections, model.name);
    return [model.name, { model, language: search.language, size }] as const;
  });
  const dataset = emptyDataset({ version, collections: new Map(stored) });
  return { ...served, dataset, engine: laterEngine(ready) };
}

/** They are pushed when they are first asked for: a file may have datasets of skipped tests. */
export function pushedLater(served: Served, load: Load): Served {
  let engine: Promise<QueryEngine> | undefined;
  return withEngine(served, () => {
    engine ??= openPushed(load);
    return engine;
  });
}

/** They are pushed now: their folder may be removed. */
export async function pushedFolder(
  served: Served,
  options: Omit<SnapshotLoadOptions, 'onCollection'>,
): Promise<Served> {
  const engine = await openPushed((onCollection) => loadSnapshots({ ...options, onCollection }));
  return withEngine(served, () => Promise.resolve(engine));
}
