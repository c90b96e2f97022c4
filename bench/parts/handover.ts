/** How long it takes to hand a finished index to another thread and back, and how much of that the main thread spends. */
import { Worker } from 'node:worker_threads';
import { buffersIn } from '../../src/arrays.js';
import { openIndex } from '../../src/search/index.js';
import type { SearchField } from '../../src/search/search.js';
import type { IndexTables } from '../../src/search/tables.js';
import { time } from '../measure.js';

/** Sends what it is sent back where it came from. */
const ECHO = `
  const { parentPort } = require('node:worker_threads');
  const buffersOf = (value, found = new Set()) => {
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
    } else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) buffersOf(inner, found);
    return found;
  };
  parentPort.on('message', (tables) => parentPort.postMessage(tables, [...buffersOf(tables)]));
`;

export async function measureHandover(tables: IndexTables, fields: readonly SearchField[]) {
  const worker = new Worker(ECHO, { eval: true });
  await new Promise((resolve) => worker.once('online', resolve));
  const begun = performance.now();
  const back = new Promise<IndexTables>((resolve) => worker.once('message', resolve));
  const sending = time(() => worker.postMessage(tables, buffersIn(tables)));
  const returned = await back;
  const thereAndBackMs = performance.now() - begun;
  const opened = time(() => openIndex(returned, fields));
  await worker.terminate();
  return { index: opened.result, sendMs: sending.ms, thereAndBackMs, openMs: opened.ms };
}
