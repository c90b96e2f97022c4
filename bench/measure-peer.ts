/**
 * One round of one peer, as a process of its own that is the load client: starts the peer afresh, holds its answers against the
 * plan, times what is right, and prints one line of JSON. `node measure-peer.js SETTINGS`, as `bench.ts` calls it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { closedLoop, cycle, fetchOnce, quantile, type Response, timeEach } from '../src/bench/client.js';
import { MAX_REST_MS, memoryAtRest, memoryOf, processorMsOf } from '../src/bench/process-stats.js';
import { openLoop } from './open-loop.js';
import { type Peer, readPeer } from './peers.js';
import { type Expected, type Plan, type PlannedTask, type Request, SEARCHES, type TaskName } from './plan.js';
import { busyMs, schedulingOf } from './processes.js';
import { type Cell, MAX_TASK_MS, OVER, type RoundSettings } from './results.js';

const CONNECTIONS = 8;
/** A peer is at rest once its memory has been level, and its processor idle, for this long. */
const REST_MS = 500;
const POLL_MS = 4;
/** A task each of whose checked requests takes longer is timed by these, and by one repeat. */
const SLOW_MS = 100;
/** Timing ends after one of these numbers of requests, so that each round times the same ones. */
const STEPS = [5, 10, 30, 100, 300];
/** The p99 of fewer requests is one of their two slowest. */
const MIN_P99_REQUESTS = 300;
const REPEATED = 20;
const REPETITIONS = 25;
/** The share of a task's requests that are sent before it is timed: V8 compiles the task's code meanwhile. */
const WARM_UP_SHARE = 0.5;
/** A virtual machine for Java compiles later: engines are warmed up three times as long, by requests that are repeated. */
const ENGINE_WARM_UP = 3;
const ENGINE_PASSES = 10;
const RELOAD_RATE = 200;
/** After a reload pages are prepared: requests during this time count as well. */
const AFTER_RELOAD_MS = 1500;

const round: Record<string, Cell> = {};
const settings: RoundSettings = JSON.parse(process.argv[2] ?? '');
const plan: Plan = JSON.parse(readFileSync(settings.plan, 'utf8'));
const peer = await readPeer(settings.peer);
const port = await freePort();
const usedBefore = process.cpuUsage();
const busyBefore = busyMs();
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
  const memory = await memoryAtRest(pidOf(child), REST_MS);
  round['rest MB'] = memory === null ? 'not told by this system' : memory.bytes / 1e6;
  round.rest =
    memory?.isAtRest === false ? `busy for over ${MAX_REST_MS / 1000} s` : performance.now() - startedAt - REST_MS;
}

/** The reason why a task has no figures, in place of each of them. */
function noteReason(task: string, reason: string): void {
  for (const figure of ['', ' p99', ' again', ' again p99']) round[task + figure] = reason;
}

/** The share of the processors' time that was neither the peer's nor the client's. */
function noteOthers(): void {
  const { user, system } = process.cpuUsage(usedBefore);
  const ownMs = (user + system) / 1000 + (processorMsOf(pidOf(child)) ?? Number.NaN);
  const allMs = (performance.now() - startedAt) * cpus().length;
  const share = (busyMs() - busyBefore - ownMs) / allMs;
  if (Number.isFinite(share)) round['others %'] = Math.max(0, 100 * share);
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
    if (checked === undefined) return noteReason(task.name, OVER);
    if (checked.fault !== null) noteReason(task.name, checked.fault);
    else {
      right.add(task.name);
      await (task.name === 'export' ? measureExport(checked.bytes) : measureTask(task, checked.times, timeRequests));
    }
  }
  if (right.has('list')) await measureLoops(right);
  if (peer.reload !== undefined) await measureReload(peer.reload);
  else round.reload = peer.cannot.reload ?? 'not offered';
}

const targetOf = (request: Request): string => peer.target?.(request) ?? '';

/** The milliseconds of each request, of one at least; those after `maxMs` are not sent. */
type Timer = (requests: readonly Request[], maxMs: number) => Promise<readonly number[]>;

const timeRequests: Timer = (requests, maxMs) => timeEach(port, requests.map(targetOf), maxMs);

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

/** First visits, each another request; then some of them again, which by then have all been asked for twice. */
async function measureTask({ name, requests, expected }: PlannedTask, checkedTimes: readonly number[], time: Timer) {
  if (checkedTimes.every((ms) => ms > SLOW_MS)) {
    note(name, checkedTimes);
    note(`${name} again`, (await time(repeat(requests.slice(0, 1), 2), MAX_TASK_MS)).slice(1));
    return;
  }
  const warm = Math.ceil(requests.length * WARM_UP_SHARE);
  const [passes, factor] = peer.kind === 'in process' ? [ENGINE_PASSES, ENGINE_WARM_UP] : [1, 1];
  await time(repeat(requests.slice(expected.length, warm), passes), settings.warmUpMs * factor);
  const times = await timeSteps(requests.slice(warm), time);
  note(name, times);
  const again = requests.slice(warm, warm + Math.min(REPEATED, times.length));
  await time(again, MAX_TASK_MS);
  note(`${name} again`, await timeSteps(repeat(again, REPETITIONS), time));
}

/** Times requests in steps, until they have taken the time of a task. */
async function timeSteps(requests: readonly Request[], time: Timer): Promise<readonly number[]> {
  const times: number[] = [];
  for (const step of STEPS) {
    if (times.length < requests.length) times.push(...(await time(requests.slice(times.length, step), MAX_TASK_MS)));
    if (sum(times) > settings.taskMs) break;
  }
  return times;
}

const repeat = <T>(items: readonly T[], times: number): readonly T[] =>
  Array.from({ length: times }, () => items).flat();
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function note(name: string, times: readonly number[]): void {
  if (times.length === 0) {
    noteReason(name, 'no such request of this dump');
    return;
  }
  round[name] = quantile(times, 0.5);
  round[`${name} p99`] = p99Of(times);
}

const p99Of = (times: readonly number[]): Cell =>
  times.length < MIN_P99_REQUESTS ? `${times.length} requests` : quantile(times, 0.99);

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
  const closed = async (name: string, warmUps: Iterable<string>, paths: Iterable<string>): Promise<void> => {
    await closedLoop(port, warmUps, CONNECTIONS, settings.warmUpMs);
    const { responses, ms } = await withScheduling(
      name,
      () => closedLoop(port, paths, CONNECTIONS, loopMs),
      ({ responses }) => responses,
    );
    round[`${name} a second`] = (responses / ms) * 1000;
  };
  const quarter = lists.length >> 2;
  await closed('lists', lists.slice(0, quarter), lists.slice(quarter));
  const repeated = lists.slice(0, REPEATED);
  await closed('lists again', cycle(repeated), cycle(repeated));
  const isMixed = (['deep page', 'detail', 'two words, either'] as const).every((name) => right.has(name));
  const mix = plan.mix.map(targetOf).values();
  let reason = isMixed ? null : peer.kind === 'floor' ? 'constant' : 'not all of the mix';
  for (const rate of rates) {
    const name = `${rate} a second`;
    const times = reason ?? (await within(MAX_TASK_MS, openLoop(port, mix, rate, loopMs))) ?? OVER;
    if (typeof times === 'string') {
      for (const figure of ['p50', 'p99', 'max']) round[`${name} ${figure}`] = times;
      reason = times;
      continue;
    }
    round[`${name} p50`] = quantile(times, 0.5);
    round[`${name} p99`] = p99Of(times);
    round[`${name} max`] = quantile(times, 1);
    // At a higher rate, what is timed is the queue.
    if (quantile(times, 0.5) > loopMs) reason = 'behind at a lower rate';
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
  round.reload = isOver ? p99Of(times) : OVER;
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
  for (const task of plan.tasks) {
    const { name, requests, expected } = task;
    if (!SEARCHES.includes(name)) continue;
    const cannot = peer.cannot[name];
    if (cannot !== undefined) {
      noteReason(name, cannot);
      continue;
    }
    const checked = await ask(requests.slice(0, expected.length), MAX_TASK_MS);
    if (checked === undefined) return noteReason(name, OVER);
    const fault = expected.map((one, i) => differenceOf(checked.found[i] ?? {}, one)).find((one) => one !== null);
    if (fault !== undefined) noteReason(name, `wrong: ${fault}`);
    else await measureTask(task, checked.times, async (some, maxMs) => (await ask(some, maxMs))?.times ?? []);
  }
}

try {
  await Promise.race([ended, peer.kind === 'in process' || peer.kind === 'load' ? measureEngine() : measureServer()]);
} catch (error) {
  round.failure = error instanceof Error ? error.message : String(error);
}
noteOthers();
console.log(JSON.stringify(round));
process.exit();
