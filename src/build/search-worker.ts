/** The thread that builds search tables and indexes over texts of the batches that another one hands to it, posts them, and ends. */
import { parentPort } from 'node:worker_threads';
import { buffersIn } from '../arrays.js';
import { batchIn } from './batch-pool.js';
import { createTextPartsBuilder, type RowsSink } from './text-parts.js';
import { type TextMessage, type TextOrder, type TextResult, textFailure } from './worker-jobs.js';

const postTextMessage = (message: TextMessage, moved: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, moved);
const builder = createTextPartsBuilder();
const sinks = new Map<string, RowsSink>();
let failure: TextResult | null = null;

parentPort?.on('message', (orders: readonly TextOrder[]) => {
  for (const order of orders) {
    // After a failure buffers are only given back: it is told at the end.
    if (failure === null || order.kind === 'finish') carryOut(order);
    // A buffer is given back at once, since the thread that reads may wait for it.
    if (order.kind === 'batch') postTextMessage({ kind: 'taken', buffer: order.pooled.buffer }, [order.pooled.buffer]);
  }
});

function carryOut(order: TextOrder): void {
  try {
    if (order.kind === 'open') sinks.set(order.model.name, builder.openCollection(order.model, order.language));
    else if (order.kind === 'batch') {
      const { batch, rows } = batchIn(order.pooled);
      sinks.get(order.collection)?.(batch, rows, order.size);
    } else {
      end(failure ?? { kind: 'result', ok: true, parts: builder.finish() });
    }
  } catch (error) {
    failure = textFailure(error);
    if (order.kind === 'finish') end(failure);
  }
}

function end(result: TextResult): void {
  postTextMessage(result, buffersIn(result));
  parentPort?.close();
}
