/** Child processes that a bench times: started in this environment, read through /proc, and ended with the bench whatever happens. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Memory } from '../src/bench/process-stats.js';
import * as stats from '../src/bench/process-stats.js';

/** A process is at rest once its memory has been level, and its processor idle, for this long. */
const LEVEL_MS = 3000;
/** A process that has not been ended by then hangs. */
const LIFETIME_MS = 1_800_000;
/**
 * Where a machine has certificates of its own, Node reads them before it runs anything: 0.05 to 0.08 s of every process. The
 * server calls nobody, and starts without them.
 */
const ENV = { ...process.env, NODE_EXTRA_CA_CERTS: undefined };

/** The program as `npm run build` makes it. */
export const MAIN = resolve('dist/main.js');

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** A figure of a process, which only Linux has. */
export function linux<Figure>(figure: Figure | null): Figure {
  if (figure === null) throw new Error('/proc has no figures of the process: it has ended, or this is not Linux');
  return figure;
}

export const memoryOf = (pid = 0): Memory => linux(stats.memoryOf(pid));

export interface Scheduling {
  /** Processor time of all threads. */
  readonly ranMs: number;
  /** How long threads were ready to run and waited for a processor. */
  readonly waitedMs: number;
}

const NS_PER_MS = 1e6;

/** The times of the threads that have not ended; null where the system has no such figures. */
export function schedulingOf(pid = 0): Scheduling | null {
  try {
    let [ran, waited] = [0, 0];
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [threadRan = 0, threadWaited = 0] = threadTimes(`/proc/${pid}/task/${thread}/schedstat`);
      ran += threadRan;
      waited += threadWaited;
    }
    return { ranMs: ran / NS_PER_MS, waitedMs: waited / NS_PER_MS };
  } catch {
    return null;
  }
}

/** Processor time of the calling thread; the time of day where the system has no such figure. */
export const threadRanMs = (): number => {
  const [ranNs] = threadTimes('/proc/thread-self/schedstat');
  return ranNs === undefined ? performance.now() : ranNs / NS_PER_MS;
};

/** None of a thread that has just ended. */
function threadTimes(path: string): readonly number[] {
  try {
    return readFileSync(path, 'utf8').split(' ').map(Number);
  } catch {
    return [];
  }
}

/** How long all processors together have been busy, or lent to another virtual machine; NaN where the system does not say. */
export function busyMs(): number {
  const path = '/proc/stat';
  if (!existsSync(path)) return Number.NaN;
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = readFileSync(path, 'utf8')
    .split(/\s+/, 9)
    .map(Number);
  return (user + nice + system + irq + softIrq + steal) * stats.TICK_MS;
}

/** How many descriptors it has open. */
export const descriptorsOf = (pid: number | undefined): number => readdirSync(`/proc/${pid}/fd`).length;

/** The memory of a process at rest. The console says where it was none. */
export async function memoryAtRest(pid = 0): Promise<number> {
  const { bytes, isAtRest } = linux(await stats.memoryAtRest(pid, LEVEL_MS));
  if (!isAtRest) console.error(`still busy after ${stats.MAX_REST_MS / 1000} s, measured nevertheless: process ${pid}`);
  return bytes;
}

async function until(lines: Interface, text: string): Promise<string> {
  for await (const line of lines) if (line.includes(text)) return line;
  throw new Error(`the process ended without "${text}"`);
}

/** A process that is timed from its start to a line of its output. */
export async function timed(
  args: readonly string[],
  text: string,
  stderr: 'inherit' | 'ignore' = 'inherit',
  environment: Readonly<Record<string, string>> = {},
) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', stderr],
    env: { ...ENV, ...environment },
    timeout: LIFETIME_MS,
    killSignal: 'SIGKILL',
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const line = await until(createInterface({ input: child.stdout }), text);
  const ms = performance.now() - startedAt;
  return {
    child,
    line,
    run: { ms, processorMs: linux(stats.processorMsOf(child.pid ?? 0)), peakBytes: memoryOf(child.pid).peakBytes },
  };
}

/** A server on a free port, once it listens. */
export async function startServer(
  main: string,
  dir: string,
  flags: readonly string[] = [],
  stderr: 'inherit' | 'ignore' = 'inherit',
  environment: Readonly<Record<string, string>> = {},
) {
  const args = [main, '--snapshots', dir, '--port', '0', '--rate-limit', '0', '--quiet', ...flags];
  const { child, line, run } = await timed(args, 'listening on', stderr, environment);
  return { child, url: /http:\S+/.exec(line)?.[0] ?? '', run };
}

export async function end(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
