/**
 * Frees what building has left behind. Most of that is memory behind typed arrays that were outgrown, which does not count
 * as the runtime's own heap: left to itself it is collected late or, in a server at rest, never.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Costs some milliseconds: the heap that has to be walked is small, as records are kept as bytes. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
