/** The thread that builds search tables and indexes over texts: reads its options from `workerData`, posts what it built, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { buffersIn } from '../arrays.js';
import { buildFrom, createSupplementsBuilder, isForSupplement } from './parts.js';
import type { JobOptions } from './worker-jobs.js';

const job: JobOptions = workerData;
const loadOptions = { ...job, suspects: false, keeps: isForSupplement };
const supplements = await buildFrom(loadOptions, createSupplementsBuilder());
parentPort?.postMessage(supplements, buffersIn(supplements));
