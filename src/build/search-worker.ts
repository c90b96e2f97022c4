/** The thread that builds search tables and indexes over texts of the batches that another one hands to it, posts them, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { buffersIn } from '../arrays.js';
import { batchIn, release } from './batch-pool.js';
import { createTextPartsBuilder, type RowsSink } from './text-parts.js';
import { type TextOrder, type TextResult, textFailure } from './worker-jobs.js';

const states: SharedArrayBuffer = workerData;
const builder = createTextPartsBuilder();
const sinks: RowsSink[] = [];
let failure: TextResult | null = null;

parentPort?.on('message', (order: TextOrder) => {
  // After a failure buffers are only given back: it is told at the end.
  if (failure === null || order.kind === 'finish') carryOut(order);
  if (order.kind === 'batch') release(states, order.pooled.slot);
});

function carryOut(order: TextOrder): void {
  try {
    if (order.kind === 'open') sinks.push(builder.openCollection(order.model, order.language));
    else if (order.kind === 'batch') {
      const { batch, rows } = batchIn(order.pooled);
      sinks[order.collection]?.(batch, rows, order.size);
    } else {
      const result = failure ?? { ok: true, parts: builder.finish() };
      parentPort?.postMessage(result, buffersIn(result));
      parentPort?.close();
    }
  } catch (error) {
    failure = textFailure(error);
    if (order.kind === 'finish') {
      parentPort?.postMessage(failure);
      parentPort?.close();
    }
  }
}
