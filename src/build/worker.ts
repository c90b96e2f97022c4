/** The thread that builds datasets, or changes: takes jobs, and posts the progress and the result of each. */
import { parentPort } from 'node:worker_threads';
import { buffersIn } from '../arrays.js';
import { changesParts, changesTexts } from '../store/changes/change-collection.js';
import { buildParts } from './build.js';
import { type BuildOptions, buildCompared } from './parts.js';
import { runInSlices } from './slices.js';
import type { BuildJob, BuildMessage } from './worker-jobs.js';

const postBuildMessage = (message: BuildMessage, moved: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, moved);

async function jobResult(job: BuildJob): Promise<unknown> {
  if (job.builds === 'changes') return runInSlices(changesParts(job.source));
  if (job.builds === 'texts of changes') return changesTexts(job.log);
  const options: BuildOptions = { ...job.options, onProgress: (...progress) => postBuildMessage({ note: progress }) };
  return job.builds === 'dataset' ? buildParts(options) : buildCompared(options);
}

// A failure ends the thread: an unhandled rejection is an `error` event for the thread that asked.
parentPort?.on('message', async (job: BuildJob) => {
  const result = await jobResult(job);
  postBuildMessage({ result }, buffersIn(result));
});
