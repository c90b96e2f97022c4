/** The thread that builds a dataset: reads its order from `workerData`, posts its progress and the result, ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { buffersIn } from '../arrays.js';
import { buildParts } from './build.js';
import type { BuildMessage, JobOptions } from './worker-jobs.js';

const options: JobOptions = workerData;
const postBuildMessage = (message: BuildMessage, moved: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, moved);
const parts = await buildParts({ ...options, onProgress: (...progress) => postBuildMessage({ progress }) });
postBuildMessage({ parts }, buffersIn(parts));
