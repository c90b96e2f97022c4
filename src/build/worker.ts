/** The thread that builds a dataset: reads its order from `workerData`, posts the result, ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { buffersIn } from '../arrays.js';
import { buildParts } from './build.js';
import type { JobOptions } from './worker-jobs.js';

const options: JobOptions = workerData;
const result = await buildParts(options);
parentPort?.postMessage(result, buffersIn(result));
