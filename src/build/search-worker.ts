/** The thread that builds search tables and indexes over texts of the batches that another one hands to it, posts them, and ends. */
import { parentPort } from 'node:worker_threads';
import { buffersIn } from '../arrays.js';
import { batchIn } from './batch-pool.js';
import { createTextPartsBuilder, type RowsSink } from './text-parts.js';
import type { TextMessage, TextOrder } from './worker-jobs.js';

const postTextMessage = (message: TextMessage, moved: ArrayBuffer[]): void => parentPort?.postMessage(message, moved);
const builder = createTextPartsBuilder();
const sinks = new Map<string, RowsSink>();

parentPort?.on('message', (orders: readonly TextOrder[]) => orders.forEach(carryOut));

function carryOut(order: TextOrder): void {
  if (order.kind === 'open') sinks.set(order.model.name, builder.openCollection(order.model, order.language));
  else if (order.kind === 'batch') {
    const { batch, rows } = batchIn(order.pooled);
    sinks.get(order.collection)?.(batch, rows, order.size);
    // A buffer is given back at once, since the thread that reads may wait for it.
    postTextMessage({ note: order.pooled.buffer }, [order.pooled.buffer]);
  } else {
    const result = builder.finish();
    postTextMessage({ result }, buffersIn(result));
    parentPort?.close();
  }
}
