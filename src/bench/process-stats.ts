/**
 * Memory and processor time of a process, read from Linux's /proc. On other systems, and for a process that has ended, they
 * are null.
 */
import { readFileSync } from 'node:fs';

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

/** A file of /proc, or null. */
function procFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** The unit of processor time in /proc, on every Linux. */
export const TICK_MS = 10;

/** User and system time of all threads so far, of those that have ended as well. */
export function processorMsOf(pid: number): number | null {
  // The program's name, in parentheses, may hold spaces; the two times are the 12th and 13th field after it.
  const fields = procFile(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');
  return fields === undefined ? null : (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const SAMPLE_MS = 500;
/** Memory is level while it stays within this share of itself. */
const LEVEL_SHARE = 0.01;
/** A process is idle while its threads use less than this share of a processor. */
const IDLE_SHARE = 0.05;

interface Rest extends Memory {
  /** Whether memory was level, and the process idle, within `MAX_REST_MS`. */
  readonly isAtRest: boolean;
}

/** A process that is busy for longer is measured as it is. */
export const MAX_REST_MS = 60_000;

interface Observation {
  readonly memory: Memory | null;
  readonly processorMs: number | null;
}

const observe = (pid: number): Observation => ({ memory: memoryOf(pid), processorMs: processorMsOf(pid) });

/** The memory of a process once it has been level for `levelMs` and the process idle, or after `MAX_REST_MS`. */
export async function memoryAtRest(pid: number, levelMs = 1000, observed = observe): Promise<Rest | null> {
  const samples: { readonly bytes: number; readonly processorMs: number }[] = [];
  const levelSamples = 1 + levelMs / SAMPLE_MS;
  for (const endsAt = performance.now() + MAX_REST_MS; ; ) {
    const { memory, processorMs } = observed(pid);
    if (memory === null || processorMs === null) return null;
    samples.push({ bytes: memory.bytes, processorMs });
    const recent = samples.slice(-levelSamples);
    const isLevel = recent.every(({ bytes }) => Math.abs(bytes - memory.bytes) < LEVEL_SHARE * memory.bytes);
    const isIdle = processorMs - (recent[0]?.processorMs ?? 0) < IDLE_SHARE * levelMs;
    const isAtRest = recent.length === levelSamples && isLevel && isIdle;
    if (isAtRest || performance.now() > endsAt) return { ...memory, isAtRest };
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
}
