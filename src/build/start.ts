/** The first dataset of a server: nothing is served meanwhile, and hardly any code is loaded yet. */
import type { BuiltDataset } from './build.js';
import { folderState } from './folder-state.js';
import { hurry, stopHurrying } from './haste.js';
import type { BuildOptions, Failed } from './reading.js';
import { startSearchThread, takesTwo } from './search-thread.js';

/** Builds the dataset, and does something else alongside once all threads are at work. */
export async function buildAtStart<T>(
  options: BuildOptions,
  alongside: () => Promise<T>,
): Promise<[BuiltDataset | Failed, T]> {
  const folder = await folderState(options.dir);
  // It starts before this one loads its code.
  const thread = takesTwo(folder, options) ? startSearchThread(options, hurry) : undefined;
  try {
    const { buildDataset } = await import('./build.js');
    return await Promise.all([buildDataset(options, { folder, thread }), alongside()]);
  } finally {
    stopHurrying();
    await thread?.worker.terminate();
  }
}
