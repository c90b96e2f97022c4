/** The thread that builds a dataset, or changes: reads its job from `workerData`, posts its progress and the result, ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { buffersIn } from '../arrays.js';
import { changesParts, changesTexts } from '../store/changes/change-collection.js';
import { buildParts } from './build.js';
import { type BuildOptions, buildCompared } from './parts.js';
import { runInSlices } from './slices.js';
import type { BuildJob, BuildMessage } from './worker-jobs.js';

const job: BuildJob = workerData;
const postBuildMessage = (message: BuildMessage<unknown>, moved: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, moved);

async function jobResult(): Promise<unknown> {
  if (job.builds === 'changes') return runInSlices(changesParts(job.source));
  if (job.builds === 'texts of changes') return changesTexts(job.log);
  const options: BuildOptions = { ...job.options, onProgress: (...progress) => postBuildMessage({ progress }) };
  return job.builds === 'dataset' ? buildParts(options) : buildCompared(options);
}

const result = await jobResult();
postBuildMessage({ result }, buffersIn(result));
