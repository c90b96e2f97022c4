/**
 * The thread that builds the search tables: reads its order from `workerData`, posts what is left to do once it has read and
 * measured all texts, and then its share of that; ends.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { buffersIn } from '../memory.js';
import { buildFrom, createSearchTablesBuilder, isForSearch } from './parts.js';
import type { SearchJob, SearchMessage, SearchShares } from './worker-jobs.js';

const { options, isIdle }: SearchJob = workerData;
const { openCollection, measure } = createSearchTablesBuilder();
const post = (message: SearchMessage, transfer: ArrayBuffer[]): void => parentPort?.postMessage(message, transfer);

function finish(): SearchShares {
  const measured = [...measure(Atomics.load(isIdle, 0) === 0 ? 1 : 2)];
  post({ inversions: new Map(measured.map(([name, { inversion }]) => [name, inversion])) }, []);
  return new Map(measured.map(([name, { finishShare }]) => [name, finishShare()]));
}

const read = { ...options, suspects: false, keepsExtra: false, keeps: isForSearch };
const shares = await buildFrom(read, { openCollection, finish });
post(shares, buffersIn(shares));
