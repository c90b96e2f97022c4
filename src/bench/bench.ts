/**
 * The command `bench`: how fast this machine serves this dump. It starts the program on the dump, sends requests over HTTP, and
 * returns times in milliseconds. First visits and repeats are measured apart, since the server caches a response when it is
 * requested for the second time.
 */
import { arch, cpus, platform, totalmem } from 'node:os';
import { readCollections, type SampledCollection, type Task, tasksOf } from './addresses.js';
import { closedLoop, cycle, quantile, timeEach } from './client.js';
import { type NotStarted, type ServerCommand, startServer } from './server.js';

const MEASURED_STARTS = 3;
/** A start that takes longer is not repeated. */
const MAX_START_MS = 5000;
const CLIENTS = 8;
const LATENCY_MS = 300;
const THROUGHPUT_MS = 200;
const WARM_UP_MS = 1000;
/** The number of addresses that are requested again; the cache has room for all of their responses. */
const REPEATED_PATHS = 50;
const REPETITIONS = 20;

export interface Figures {
  readonly p50: number;
  readonly p99: number;
  /** Responses a second to eight clients at a time. */
  readonly perSecond: number;
  /** The number of requests that p50 and p99 are taken from. */
  readonly requests: number;
}

/** The figures of a task; those of repeats are of addresses whose responses the server has cached. */
export interface TaskFigures extends Omit<Task, 'paths'> {
  readonly first: Figures;
  readonly repeat: Figures;
}

export type DumpFigures = Exclude<Awaited<ReturnType<typeof benchDump>>, NotStarted>;

/** Measures a dump. `versions` are those of the program and of Node. */
export async function benchDump(
  command: ServerCommand,
  versions: { readonly version: string; readonly node: string },
  onProgress: (line: string) => void,
) {
  const starts: number[] = [];
  for (;;) {
    const server = await startServer(command, starts.length === 0 ? onProgress : () => {});
    if (!('port' in server)) return server;
    starts.push(server.startMs);
    if (starts.length < MEASURED_STARTS && server.startMs < MAX_START_MS) {
      await server.end();
      continue;
    }
    const restBytes = await server.restBytes(onProgress);
    const collections = await readCollections(server.port);
    const tasks = await measureTasks(server.port, collections, onProgress);
    await server.end();
    return {
      environment: environmentOf(versions),
      start: {
        /** The median of `starts`. */
        ms: quantile(starts, 0.5),
        starts,
        peakBytes: server.peakBytes,
        restBytes,
        records: Object.fromEntries(collections.map(({ name, total }) => [name, total])),
      },
      tasks,
    };
  }
}

const environmentOf = (versions: { readonly version: string; readonly node: string }) => ({
  date: new Date().toISOString(),
  ...versions,
  platform: `${platform()} ${arch()}`,
  processor: cpus()[0]?.model ?? 'unknown',
  processors: cpus().length,
  memoryBytes: totalmem(),
  clients: CLIENTS,
});

async function measureTasks(
  port: number,
  collections: readonly SampledCollection[],
  onProgress: (line: string) => void,
) {
  const random = xorshift32();
  const tasks = collections.flatMap((collection) => tasksOf(collection, random));
  await warmUp(port, tasks);
  const figures: TaskFigures[] = [];
  for (const task of tasks) {
    onProgress(`measuring ${task.collection}: ${task.name}, ${task.kind}`);
    figures.push(await measureTask(port, task));
  }
  return figures;
}

/** Requests during which V8 compiles the server's code. They have one more parameter, so that later visits remain first ones. */
async function warmUp(port: number, tasks: readonly Task[]): Promise<void> {
  const lists = tasks.filter(({ name }) => name !== 'detail' && name !== 'facets');
  for (const { paths } of lists) {
    const warmUpPaths = paths.slice(0, REPEATED_PATHS).map((path) => `${path}&fields=id`);
    await timeEach(port, warmUpPaths, WARM_UP_MS / lists.length);
  }
}

/** Half of the addresses are for the times of one client, half for the throughput of several. Then some are requested again. */
async function measureTask(port: number, { collection, name, kind, paths }: Task): Promise<TaskFigures> {
  const middle = Math.ceil(paths.length / 2);
  const first = await measureFirst(port, paths.slice(0, middle), paths.slice(middle));
  const repeatedPaths = paths.slice(0, REPEATED_PATHS);
  // The cache admits a response at its second request.
  for (let visit = 0; visit < 2; visit++) await timeEach(port, repeatedPaths, LATENCY_MS);
  const repeat = await timedFigures(port, cycle(repeatedPaths, REPETITIONS), cycle(repeatedPaths));
  return { collection, name, kind, first, repeat };
}

/** A task with a single address has none for several clients: its throughput is that of one client. */
async function measureFirst(
  port: number,
  ofOneClient: readonly string[],
  ofSeveral: readonly string[],
): Promise<Figures> {
  const figures = await timedFigures(port, ofOneClient, ofSeveral);
  return ofSeveral.length > 0 ? figures : { ...figures, perSecond: 1000 / figures.p50 };
}

/** The times of addresses that one client asks for in turn, and the throughput of those that several ask for side by side. */
async function timedFigures(
  port: number,
  ofOneClient: Iterable<string>,
  ofSeveral: Iterable<string>,
): Promise<Figures> {
  const times = await timeEach(port, ofOneClient, LATENCY_MS);
  const { responses, ms } = await closedLoop(port, ofSeveral, CLIENTS, THROUGHPUT_MS);
  return {
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    perSecond: (responses / ms) * 1000,
    requests: times.length,
  };
}

/** Marsaglia's xorshift32 from a fixed seed, so that each run requests the same addresses of a dump. */
function xorshift32(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
