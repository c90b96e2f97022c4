/**
 * Frees what building has left behind. Most of that is memory behind typed arrays that were outgrown, which does not count
 * as the runtime's own heap: left to itself it is collected late or, in a server at rest, never.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ResourceLimits } from 'node:worker_threads';

interface Options {
  readonly type: 'major';
  readonly execution: 'sync';
  readonly flavor: 'last-resort';
}

function collect(...options: readonly Options[]): void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  if (typeof gc === 'function') gc(...options);
}

/** Costs some milliseconds: the heap that has to be walked is small, as records are kept as bytes. */
export const collectGarbage = (): void => collect();

/** Gives the system back all that it can, the room for new objects among it, which Node 20 keeps; costs some 30 milliseconds. */
export function releaseMemory(): void {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  collect();
}

/**
 * For threads that build: of the records that pass through them hardly an object stays, so that more room for new ones would
 * only be more memory that is touched, 30 MB of it.
 */
export const LITTLE_ROOM: ResourceLimits = { maxYoungGenerationSizeMb: 6 };
