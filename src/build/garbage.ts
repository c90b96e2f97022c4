/**
 * Frees what building has left behind. Most of that is memory behind typed arrays that were outgrown, which does not count
 * as the runtime's own heap: left to itself it is collected late or, in a server at rest, never.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ResourceLimits } from 'node:worker_threads';

/** Costs some milliseconds: the heap that has to be walked is small, as records are kept as bytes. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  if (typeof gc === 'function') gc();
}

/**
 * Gives the system back all that it can, also the room for new objects, up to 48 MB, which otherwise stays as large as it
 * ever was. Takes 30 to 60 milliseconds, and the thread does nothing else meanwhile. Less goes back where the runtime was
 * built or started without its inspector.
 */
export async function releaseMemory(): Promise<void> {
  try {
    await tellThatMemoryIsLow();
  } catch {
    collectGarbage();
  }
}

/** What heap profilers do (Chrome DevTools Protocol, `HeapProfiler.collectGarbage`); throws where there is no inspector. */
async function tellThatMemoryIsLow(): Promise<void> {
  const { Session } = await import('node:inspector');
  const session = new Session();
  session.connect();
  try {
    await new Promise<void>((resolve, reject) => {
      session.post('HeapProfiler.collectGarbage', (error) => (error ? reject(error) : resolve()));
    });
  } finally {
    session.disconnect();
  }
}

/** Of less than this it would take longer than it is worth. */
const MUCH_ROOM = 24 << 20;

/** Frees what was left behind, and the room for new objects too where it has grown large, as it does when long texts pass through. */
export async function releaseNewRoom(): Promise<void> {
  const room = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  if (room !== undefined && room.physical_space_size >= MUCH_ROOM) await releaseMemory();
  else collectGarbage();
}

/**
 * For threads that build: of the records that pass through them hardly an object stays, so that more room for new ones would
 * only be more memory that is touched, 30 MB of it.
 */
export const LITTLE_ROOM: ResourceLimits = { maxYoungGenerationSizeMb: 6 };
