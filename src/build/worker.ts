/** The thread of one job: reads its order from `workerData`, posts the result, ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { buildParts } from './build.js';
import { buildFrom, createSearchTablesBuilder } from './parts.js';
import type { Job } from './worker-jobs.js';

const { kind, options }: Job = workerData;

const result = kind === 'search' ? await buildFrom(options, createSearchTablesBuilder()) : await buildParts(options);
parentPort?.postMessage(result, memoryOf(result));

/** The memory behind every typed array in a value, each once. */
function memoryOf(value: unknown, found: Set<ArrayBuffer> = new Set()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (value instanceof Map) for (const inner of value.values()) memoryOf(inner, found);
  else if (Array.isArray(value)) for (const inner of value) memoryOf(inner, found);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) memoryOf(inner, found);
  return [...found];
}
