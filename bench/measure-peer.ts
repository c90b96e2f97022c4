/**
 * One round of one peer, as a process of its own that is the load client: starts the peer afresh, holds its answers against the
 * plan, times what is right, and prints one line of JSON. `node measure-peer.js SETTINGS`, as `bench.ts` calls it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { closedLoop, cycle, fetchOnce, openLoop, quantile, type Response, timeEach } from '../src/bench/client.js';
import { memoryAtRest, memoryOf, schedulingOf } from '../src/bench/process-stats.js';
import { type Peer, readPeer } from './peers.js';
import { type Expected, type Plan, type PlannedTask, type Request, SEARCHES, type TaskName } from './plan.js';
import { type Cell, MAX_TASK_MS, OVER, type RoundSettings } from './results.js';

const CONNECTIONS = 8;
const MAX_REST_MS = 6000;
/** Memory is at rest once it has been level for this long. */
const LEVEL_MS = 500;
const POLL_MS = 4;
/** A task each of whose checked requests takes longer is timed by these, and by one repeat. */
const SLOW_MS = 200;
const REPEATED = 20;
const REPETITIONS = 25;
const WARM_UP_SHARE = 0.25;
const ENGINE_WARM_UP = 3;
const RELOAD_RATE = 200;
/** After a reload texts are made compact: requests during this time count as well. */
const AFTER_RELOAD_MS = 500;

const round: Record<string, Cell> = {};
const settings: RoundSettings = JSON.parse(process.argv[2] ?? '');
const plan: Plan = JSON.parse(readFileSync(settings.plan, 'utf8'));
const peer = await readPeer(settings.peer);
const port = await freePort();
const startedAt = performance.now();
const child = spawn(peer.program ?? process.execPath, [...peer.command({ ...settings.place, port })], {
  stdio: ['pipe', 'pipe', 'inherit'],
  // No variable of this shell is a flag of a peer, or makes Node read certificates before it starts.
  env: { PATH: process.env.PATH, HOME: process.env.HOME },
});
process.once('exit', () => child.kill('SIGKILL'));
const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the peer ended with ${code}`)));
ended.catch(() => {});
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** `undefined` where it takes longer than `ms`. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const controller = new AbortController();
  const late = sleep(ms, undefined, { signal: controller.signal }).catch(() => undefined);
  const result = await Promise.race([work, late]);
  controller.abort();
  return result;
}

function noteStart(): void {
  round.start = performance.now() - startedAt;
  const memory = memoryOf(pidOf(child));
  round['peak MB'] = memory === null ? 'not told by this system' : memory.peakBytes / 1e6;
}

async function noteRest(): Promise<void> {
  const memory = await memoryAtRest(pidOf(child), MAX_REST_MS, LEVEL_MS);
  round['rest MB'] = memory === null ? 'not told by this system' : memory.bytes / 1e6;
}

function pidOf({ pid }: ChildProcess): number {
  return pid ?? 0;
}

/** Asks for a page until it is right. */
async function untilRight(): Promise<boolean> {
  const first: Request = { type: 'list', page: 1, limit: 20 };
  const expected: Expected = {
    total: plan.records,
    ids: Array.from({ length: Math.min(20, plan.records) }, (_, i) => i + 1),
  };
  while (performance.now() - startedAt < settings.maxStartMs) {
    const response = await fetchOnce(port, targetOf(first)).catch(() => null);
    if (response?.status === 200 && faultOf(first, response, expected) === null) return true;
    await sleep(POLL_MS);
  }
  return false;
}

async function measureServer(): Promise<void> {
  if (!(await untilRight())) {
    round.start = OVER;
    return;
  }
  noteStart();
  if (peer.reload === undefined) child.stdout.resume();
  if (settings.isStartOnly) return;
  await noteRest();
  const right = new Set<TaskName>();
  for (const task of plan.tasks) {
    const checked = await within(MAX_TASK_MS, check(task));
    if (checked === undefined) {
      round[task.name] = OVER;
      return;
    }
    if (checked.fault !== null) round[task.name] = checked.fault;
    else {
      right.add(task.name);
      await (task.name === 'export' ? measureExport(checked.bytes) : measureTask(task, checked.times));
    }
  }
  if (right.has('list')) await measureLoops(right);
  if (peer.reload !== undefined) await measureReload(peer.reload);
  else round.reload = peer.cannot.reload ?? 'not offered';
}

const targetOf = (request: Request): string => peer.target?.(request) ?? '';

interface Checked {
  readonly fault: string | null;
  /** The milliseconds of each checked request. */
  readonly times: readonly number[];
  /** The length of the last body. */
  readonly bytes: number;
}

async function check({ name, requests, expected }: PlannedTask): Promise<Checked> {
  const reason = peer.cannot[name] ?? (requests.length === 0 ? 'no such request of this dump' : null);
  const times: number[] = [];
  let bytes = 0;
  if (reason !== null) return { fault: reason, times, bytes };
  for (const [i, expectation] of expected.entries()) {
    const request = requests[i];
    if (request === undefined) break;
    const sentAt = performance.now();
    const response = await fetchOnce(port, targetOf(request));
    times.push(performance.now() - sentAt);
    bytes = response.bytes;
    const fault =
      response.status === 200 ? faultOf(request, response, expectation) : `${targetOf(request)}: ${response.status}`;
    if (fault !== null) return { fault: `wrong: ${fault}`, times, bytes };
  }
  return { fault: null, times, bytes };
}

interface Answer {
  readonly total?: number | undefined;
  readonly ids?: readonly number[];
  readonly counts?: readonly number[];
}

interface Listed {
  readonly id: number;
  readonly count: number;
}

/** As the specification has it, or as json-server: a bare array, its total in the head. */
function answerOf({ type }: Request, { body, head }: Response): Answer {
  const json: { data?: readonly Listed[]; pagination?: { total: number } } & Listed = JSON.parse(body.toString());
  if (type === 'detail') return { ids: [json.id] };
  const data: readonly Listed[] = Array.isArray(json) ? json : (json.data ?? []);
  if (type === 'export') return { total: data.length };
  if (type === 'facets') return { counts: data.map(({ count }) => count) };
  return { total: peer.total?.(head) ?? json.pagination?.total, ids: data.map(({ id }) => id) };
}

/** The floor reads no request: what it sends is right. */
const faultOf = (request: Request, response: Response, expected: Expected): string | null =>
  peer.kind === 'floor' ? null : differenceOf(answerOf(request, response), expected);

function differenceOf({ total, ids = [], counts }: Answer, expected: Expected): string | null {
  if (expected.total !== undefined && total !== expected.total) return `${total} found, ${expected.total} are there`;
  const first = expected.ids && ids.slice(0, expected.ids.length);
  if (first !== undefined && first.join() !== expected.ids?.join()) return `records ${first.join()}`;
  if (expected.oneOf !== undefined && !expected.oneOf.some((id) => ids.includes(id))) return 'the record is not found';
  if (expected.counts !== undefined && expected.counts.join() !== counts?.join()) return `counts ${counts?.join()}`;
  return null;
}

/** First visits, each of another address; then twenty of them again, which by then have been asked for twice. */
async function measureTask({ name, requests, expected }: PlannedTask, checkedTimes: readonly number[]): Promise<void> {
  const { taskMs } = settings;
  const paths = requests.map(targetOf);
  if (isSlow(checkedTimes)) {
    note(name, checkedTimes);
    note(`${name} again`, await timeEach(port, paths.slice(0, 1), taskMs));
    return;
  }
  const warm = Math.ceil(paths.length * WARM_UP_SHARE);
  await timeEach(port, paths.slice(expected.length, warm), taskMs / 2);
  note(name, await timeEach(port, paths.slice(warm), taskMs));
  const again = paths.slice(warm, warm + REPEATED);
  for (let visit = 0; visit < 2; visit++) await timeEach(port, again, taskMs / 4);
  note(`${name} again`, await timeEach(port, cycle(again, REPETITIONS), taskMs));
}

const isSlow = (times: readonly number[]): boolean => times.every((ms) => ms > SLOW_MS);

function note(name: string, times: readonly number[]): void {
  if (times.length === 0) {
    round[name] = 'no such request of this dump';
    return;
  }
  round[name] = quantile(times, 0.5);
  round[`${name} p99`] = quantile(times, 0.99);
}

async function measureExport(bytes: number): Promise<void> {
  const [ms = Number.NaN] = await timeEach(port, [targetOf({ type: 'export' })], 0);
  round.export = ms;
  round['export MB/s'] = bytes / 1000 / ms;
}

/** Runs a loop, and notes the server's processor time for each response, and its share of time without a processor. */
async function withScheduling<T>(name: string, loop: () => Promise<T>, count: (result: T) => number): Promise<T> {
  const before = schedulingOf(pidOf(child));
  const result = await loop();
  const after = schedulingOf(pidOf(child));
  if (before !== null && after !== null) {
    const ranMs = after.ranMs - before.ranMs;
    round[`${name} processor`] = ranMs / count(result);
    round[`${name} waited %`] = (100 * (after.waitedMs - before.waitedMs)) / (ranMs + after.waitedMs - before.waitedMs);
  }
  return result;
}

async function measureLoops(right: ReadonlySet<TaskName>): Promise<void> {
  const { loopMs, rates } = settings;
  // Pages of other sizes at the same places of the list: none of them has been asked for before.
  const resized = (more: number) =>
    listRequestsOf('list').map((request) => {
      const limit = request.limit + more;
      return targetOf({ ...request, limit, page: 1 + Math.floor(((request.page - 1) * request.limit) / limit) });
    });
  const lists = [...new Set([-10, -5, 5, 10].flatMap(resized))];
  const closed = async (name: string, paths: Iterable<string>): Promise<void> => {
    const { responses, ms } = await withScheduling(
      name,
      () => closedLoop(port, paths, CONNECTIONS, loopMs),
      ({ responses }) => responses,
    );
    round[`${name} a second`] = (responses / ms) * 1000;
  };
  await closed('lists', lists);
  await closed('lists again', cycle(lists.slice(0, REPEATED)));
  const isMixed = (['deep page', 'detail', 'two words, either'] as const).every((name) => right.has(name));
  const mix = isMixed ? plan.mix.map(targetOf)[Symbol.iterator]() : null;
  let isBehind = false;
  for (const rate of rates) {
    const name = `${rate} a second`;
    if (isBehind) round[`${name} p50`] = 'behind at a lower rate';
    else if (mix === null) round[`${name} p50`] = peer.kind === 'floor' ? 'constant' : 'not all of the mix';
    else {
      const times = await within(MAX_TASK_MS, openLoop(port, { [Symbol.iterator]: () => mix }, rate, loopMs));
      if (times === undefined) {
        round[`${name} p50`] = OVER;
        return;
      }
      note(name, times);
      round[`${name} p50`] = round[name] ?? 0;
      round[`${name} max`] = quantile(times, 1);
      delete round[name];
      // At a higher rate, what is timed is the queue.
      if (quantile(times, 0.5) > loopMs) isBehind = true;
    }
  }
}

const listRequestsOf = (name: TaskName) =>
  (plan.tasks.find((task) => task.name === name)?.requests ?? []).filter((request) => request.type === 'list');

/** Lists at a steady rate, from before a reload until after it: how long others wait meanwhile. */
async function measureReload({ signal, line }: NonNullable<Peer['reload']>): Promise<void> {
  let isOver = false;
  const reloaded = (async () => {
    for await (const text of createInterface({ input: child.stdout })) if (text.includes(line)) return;
  })();
  const sorted = plan.tasks.find(({ name }) => name === 'sorted page')?.requests.map(targetOf) ?? [];
  function* untilOver(): Generator<string> {
    for (const path of cycle(sorted)) {
      if (isOver) return;
      yield path;
    }
  }
  child.kill(signal);
  const signalledAt = performance.now();
  void reloaded.then(async () => {
    round['reload takes'] = performance.now() - signalledAt;
    await sleep(AFTER_RELOAD_MS);
    isOver = true;
  });
  const times = await openLoop(port, untilOver(), RELOAD_RATE, MAX_TASK_MS);
  round.reload = isOver ? quantile(times, 0.99) : OVER;
  round['reload max'] = quantile(times, 1);
}

/** An engine in its process, or one that only loads. */
async function measureEngine(): Promise<void> {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  const first = await within(settings.maxStartMs, next());
  if (first === undefined) {
    round.start = OVER;
    return;
  }
  noteStart();
  const { records } = JSON.parse(first);
  if (records !== plan.records) throw new Error(`${records} records loaded, ${plan.records} are there`);
  await noteRest();
  if (peer.kind === 'load') return;
  const ask = async (requests: readonly Request[], maxMs: number) => {
    child.stdin.write(`${JSON.stringify({ requests, maxMs })}\n`);
    const reply: { times: readonly number[]; found: readonly Answer[] } | undefined = await within(
      MAX_TASK_MS,
      next().then((line) => JSON.parse(line)),
    );
    return reply;
  };
  for (const { name, requests, expected } of plan.tasks) {
    if (!SEARCHES.includes(name)) continue;
    const cannot = peer.cannot[name];
    if (cannot !== undefined) {
      round[name] = cannot;
      continue;
    }
    const checked = await ask(requests.slice(0, expected.length), MAX_TASK_MS);
    if (checked === undefined) {
      round[name] = OVER;
      return;
    }
    const fault = expected.map((one, i) => differenceOf(checked.found[i] ?? {}, one)).find((one) => one !== null);
    if (fault !== undefined) {
      round[name] = `wrong: ${fault}`;
      continue;
    }
    if (isSlow(checked.times)) {
      note(name, checked.times);
      note(`${name} again`, (await ask(requests.slice(0, 1), 0))?.times ?? []);
      continue;
    }
    const warm = Math.ceil(requests.length * WARM_UP_SHARE);
    // More than a server gets: a virtual machine for Java compiles later.
    const warmUps = Array.from({ length: 20 }, () => requests.slice(expected.length, warm)).flat();
    await ask(warmUps, settings.taskMs * ENGINE_WARM_UP);
    note(name, (await ask(requests.slice(warm), settings.taskMs))?.times ?? []);
    const again = Array.from({ length: 5 }, () => requests.slice(warm, warm + REPEATED)).flat();
    note(`${name} again`, (await ask(again, settings.taskMs))?.times ?? []);
  }
}

try {
  await Promise.race([ended, peer.kind === 'in process' || peer.kind === 'load' ? measureEngine() : measureServer()]);
} catch (error) {
  round.failure = error instanceof Error ? error.message : String(error);
}
console.log(JSON.stringify(round));
process.exit();
