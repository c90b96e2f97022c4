/** The first dataset of a server: nothing is served meanwhile, and hardly any code is loaded yet. */
import type { BuiltDataset } from './build.js';
import { folderState } from './folder-state.js';
import { hurry, stopHurrying } from './haste.js';
import type { BuildOptions, Failed } from './reading.js';
import { type SearchThread, startSearchThread, takesTwo } from './search-thread.js';

/** Begins to build; resolves, once all threads are at work, to what will be built. */
export async function beginToBuild(options: BuildOptions) {
  const folder = await folderState(options.dir);
  // It starts before this one loads its code.
  const thread = takesTwo(folder, options) ? startSearchThread(options, hurry) : undefined;
  const { buildDataset } = await import('./build.js');
  return { built: ended(buildDataset(options, { folder, thread }), thread) };
}

async function ended(building: Promise<BuiltDataset | Failed>, thread?: SearchThread): Promise<BuiltDataset | Failed> {
  try {
    return await building;
  } finally {
    stopHurrying();
    await thread?.worker.terminate();
  }
}
