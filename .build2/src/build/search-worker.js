/** The thread that builds the search tables: reads its order from `workerData`, posts the result, ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { buffersIn } from '../memory.js';
import { buildFrom, createSearchTablesBuilder, isForSearch } from './parts.js';
const options = workerData;
const result = await buildFrom({ ...options, suspects: false, keepsExtra: false, keeps: isForSearch }, createSearchTablesBuilder(isForSearch));
parentPort?.postMessage(result, buffersIn(result));
