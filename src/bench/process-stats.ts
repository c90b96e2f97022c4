/**
 * Memory and processor time of a process, read from Linux's /proc. On other systems, and for a process that has ended, they
 * are null.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface Memory {
  /** The largest resident set so far. */
  readonly peakBytes: number;
  /** The resident set. */
  readonly bytes: number;
}

export function memoryOf(pid: number): Memory | null {
  const status = procFile(`/proc/${pid}/status`);
  if (status === null) return null;
  const bytesOf = (entry: string): number =>
    Number(new RegExp(`^${entry}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN) * 1024;
  return { peakBytes: bytesOf('VmHWM'), bytes: bytesOf('VmRSS') };
}

export interface Scheduling {
  /** Processor time of all threads. */
  readonly ranMs: number;
  /** How long threads were ready to run and waited for a processor. */
  readonly waitedMs: number;
}

const NS_PER_MS = 1e6;

/** The times of the threads that have not ended. */
export function schedulingOf(pid: number): Scheduling | null {
  try {
    let [ran, waited] = [0, 0];
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [threadRan = 0, threadWaited = 0] = (procFile(`/proc/${pid}/task/${thread}/schedstat`) ?? '')
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

/** A file of /proc, or null. */
function procFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

const SAMPLE_MS = 500;
/** Memory is level while it stays within this share of itself. */
const LEVEL_SHARE = 0.01;

/** The memory of a process once it has been level for `levelMs`, or after `maxMs`. */
export async function memoryAtRest(pid: number, maxMs: number, levelMs = 1000): Promise<Memory | null> {
  const sizes: number[] = [];
  const levelSamples = 1 + levelMs / SAMPLE_MS;
  for (const endsAt = performance.now() + maxMs; ; ) {
    const memory = memoryOf(pid);
    if (memory === null) return null;
    sizes.push(memory.bytes);
    const recent = sizes.slice(-levelSamples);
    const isLevel = recent.every((bytes) => Math.abs(bytes - memory.bytes) < LEVEL_SHARE * memory.bytes);
    if ((recent.length === levelSamples && isLevel) || performance.now() > endsAt) return memory;
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
}
