/** The thread that builds the search tables: reads its options from `workerData`, posts the tables, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { buffersIn } from '../arrays.js';
import { buildFrom, createSearchTablesBuilder, isForSearch } from './parts.js';
import type { JobOptions } from './worker-jobs.js';

const options: JobOptions = workerData;
const loadOptions = { ...options, suspects: false, keeps: isForSearch };
const tables = await buildFrom(loadOptions, createSearchTablesBuilder());
parentPort?.postMessage(tables, buffersIn(tables));
