/**
 * `bench`: how fast this machine serves this dump. Starts the program on the dump, asks it over HTTP, and returns figures in
 * milliseconds. First visits and repeats are apart, since the server keeps what is asked for twice.
 */
import { arch, cpus, platform, totalmem } from 'node:os';
import { type Collection, readCollections, type Task, tasksOf } from './addresses.js';
import { closedLoop, cycle, quantile, timeEach } from './client.js';

export { benchText } from './table.js';

import { type NotStarted, type Program, startServer } from './server.js';

export interface Figures {
  readonly p50: number;
  readonly p99: number;
  /** Responses a second of eight clients at a time. */
  readonly perSecond: number;
  /** How many requests p50 and p99 are of. */
  readonly requests: number;
}

export interface TaskFigures {
  readonly collection: string;
  readonly name: string;
  readonly kind: string;
  readonly first: Figures;
  readonly repeat: Figures;
}

export interface DumpFigures {
  readonly environment: {
    readonly date: string;
    readonly version: string;
    readonly node: string;
    readonly platform: string;
    readonly processor: string;
    readonly processors: number;
    readonly memoryBytes: number;
    readonly clients: number;
  };
  readonly start: {
    /** From the start of the process until it answers: the middle of `starts`. */
    readonly ms: number;
    readonly starts: readonly number[];
    /** Null where the system does not tell. */
    readonly peakBytes: number | null;
    readonly restBytes: number | null;
    readonly records: Readonly<Record<string, number>>;
  };
  readonly tasks: readonly TaskFigures[];
}

const STARTS = 3;
/** A dump that takes longer is loaded once. */
const MAX_START_MS = 5000;
const CLIENTS = 8;
const LATENCY_MS = 300;
const THROUGHPUT_MS = 200;
const WARM_UP_MS = 1000;
/** How many addresses are asked again: they are surely kept. */
const REPEATED = 50;
const REPETITIONS = 20;

export interface Versions {
  readonly version: string;
  readonly node: string;
}

export async function benchDump(
  program: Program,
  versions: Versions,
  tell: (line: string) => void,
): Promise<DumpFigures | NotStarted> {
  const starts: number[] = [];
  for (;;) {
    const server = await startServer(program, starts.length === 0 ? tell : () => {});
    if (!('port' in server)) return server;
    starts.push(server.start.ms);
    if (starts.length < STARTS && server.start.ms < MAX_START_MS) {
      await server.end();
      continue;
    }
    const restBytes = await server.restBytes();
    const collections = await readCollections(server.port);
    const tasks = await measure(server.port, collections, tell);
    await server.end();
    return {
      environment: environment(versions),
      start: {
        ms: quantile(starts, 0.5),
        starts,
        peakBytes: server.start.peakBytes,
        restBytes,
        records: Object.fromEntries(collections.map(({ name, total }) => [name, total])),
      },
      tasks,
    };
  }
}

const environment = (versions: Versions): DumpFigures['environment'] => ({
  date: new Date().toISOString(),
  ...versions,
  platform: `${platform()} ${arch()}`,
  processor: cpus()[0]?.model ?? 'unknown',
  processors: cpus().length,
  memoryBytes: totalmem(),
  clients: CLIENTS,
});

async function measure(port: number, collections: readonly Collection[], tell: (line: string) => void) {
  const random = generator();
  const tasks = collections.flatMap((collection) => tasksOf(collection, random));
  await warmUp(port, tasks);
  const figures: TaskFigures[] = [];
  for (const task of tasks) {
    tell(`measuring ${task.collection}: ${task.name}, ${task.kind}`);
    figures.push(await measureTask(port, task));
  }
  return figures;
}

/** Until then V8 compiles what answers. What is asked here is asked with a parameter more, and stays a first visit later. */
async function warmUp(port: number, tasks: readonly Task[]): Promise<void> {
  const others = tasks.filter(({ name }) => name !== 'detail' && name !== 'facets');
  const paths = others.map((task) => [...task.paths.slice(0, REPEATED)].map((path) => `${path}&fields=id`));
  for (const some of paths) await timeEach(port, some, WARM_UP_MS / paths.length);
}

/** Half of the addresses for the times of one client, half for the throughput of several; then those of the first half again. */
async function measureTask(port: number, { collection, name, kind, paths }: Task): Promise<TaskFigures> {
  const middle = Math.ceil(paths.length / 2);
  const first = await measureFirst(port, paths.slice(0, middle), paths.slice(middle));
  const again = paths.slice(0, REPEATED);
  // The cache admits what is asked for a second time.
  for (let visit = 0; visit < 2; visit++) await timeEach(port, again, LATENCY_MS);
  const repeat = await figuresOf(port, cycle(again, REPETITIONS), cycle(again));
  return { collection, name, kind, first, repeat };
}

/** Where a dump gives a single address, its throughput is that of one client. */
async function measureFirst(port: number, alone: readonly string[], together: readonly string[]): Promise<Figures> {
  const figures = await figuresOf(port, alone, together);
  return together.length > 0 ? figures : { ...figures, perSecond: 1000 / figures.p50 };
}

async function figuresOf(port: number, alone: Iterable<string>, together: Iterable<string>): Promise<Figures> {
  const times = await timeEach(port, alone, LATENCY_MS);
  const { responses, ms } = await closedLoop(port, together, CLIENTS, THROUGHPUT_MS);
  return {
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    perSecond: (responses / ms) * 1000,
    requests: times.length,
  };
}

/** Marsaglia's xorshift32: the same addresses of the same dump at each run. */
function generator(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
