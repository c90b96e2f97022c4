/** What a process has used so far, as Linux tells it under /proc; other systems have no such folder, and figures are null. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Memory {
  readonly peakBytes: number;
  readonly bytes: number;
}

export function memoryOf(pid: number): Memory | null {
  const status = read(`/proc/${pid}/status`);
  if (status === null) return null;
  const bytesOf = (entry: string): number =>
    Number(new RegExp(`^${entry}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024;
  return { peakBytes: bytesOf('VmHWM'), bytes: bytesOf('VmRSS') };
}

export interface Scheduling {
  /** Processor time of all threads. */
  readonly ranMs: number;
  /** How long threads were ready to run and had no processor. */
  readonly waitedMs: number;
}

const NS_PER_MS = 1e6;

/** Threads that have ended are not counted. */
export function schedulingOf(pid: number): Scheduling | null {
  try {
    let [ran, waited] = [0, 0];
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [threadRan = 0, threadWaited = 0] = (read(`/proc/${pid}/task/${thread}/schedstat`) ?? '')
        .split(' ')
        .map(Number);
      ran += threadRan;
      waited += threadWaited;
    }
    return { ranMs: ran / NS_PER_MS, waitedMs: waited / NS_PER_MS };
  } catch {
    return null;
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

const LOOK_MS = 500;
const LEVEL = 0.01;

/** Memory once it has not changed by a hundredth for a second, or after `maxMs`. */
export async function memoryAtRest(pid: number, maxMs: number): Promise<Memory | null> {
  const seen: number[] = [];
  for (const endsAt = performance.now() + maxMs; ; ) {
    const memory = memoryOf(pid);
    if (memory === null) return null;
    seen.push(memory.bytes);
    const isLevel = seen.slice(-3).every((bytes) => Math.abs(bytes - memory.bytes) < LEVEL * memory.bytes);
    if ((seen.length >= 3 && isLevel) || performance.now() > endsAt) return memory;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
