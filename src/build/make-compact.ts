/** Makes what is served take less memory, between requests: see `store/compact.ts`. */
import { compacted } from '../store/compact.js';
import type { Dataset } from '../store/dataset.js';
import { collectGarbage } from './garbage.js';
import { unhurried } from './unhurried.js';

/** Calls `replace` with a dataset that is otherwise the current one, unless nothing is gained or another has taken its place meanwhile. */
export async function makeCompact(current: () => Dataset, replace: (compact: Dataset) => void): Promise<void> {
  const { version } = current();
  const compact = await unhurried(compacted(current()));
  if (compact === current() || version !== current().version) return;
  replace(compact);
  // Not before all that has worked on the dataset before it has returned.
  setImmediate(collectGarbage);
}
