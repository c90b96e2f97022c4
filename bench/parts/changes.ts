/**
 * A million products compared with the same ones some time later, as a reload does it: how much work it is, how long it keeps the
 * serving thread at a time, and what the comparison takes at rest. By id, and by address. That every price is another
 * one has no target for the work as a whole, but for each slice and query. Exit code 1 when a target is missed.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { buffersIn } from '../../src/arrays.js';
import { withAllChanges } from '../../src/build/compare.js';
import { collections } from '../../src/model.js';
import { execute } from '../../src/query/execute.js';
import { EVERYTHING, type Query } from '../../src/query/query.js';
import type { Comparison } from '../../src/store/changes/changes.js';
import { CollectionHistory, type PendingComparison } from '../../src/store/changes/history.js';
import { type Collection, createRecordStoreBuilder, type RecordStore } from '../../src/store/collection.js';
import type { RecordValues } from '../../test/support/batch-writer.js';
import { inBatches } from '../../test/support/batch-writer.js';
import { below, type Random, seeded } from '../../test/support/random.js';
import { readFlags } from '../flags.js';
import { heading, report, type Target } from '../measure.js';
import { threadRanMs } from '../processes.js';

const flags = readFlags({
  command: 'npm run bench -- changes',
  description: 'Two dumps of products, compared.',
  flags: { records: { value: 'N', description: 'how many products [1000000]' } },
});
const COMPARED_PRODUCTS = flags.count('records', 1_000_000);
const MAX_WORK_MS = 4000;
const MAX_SLICE_MS = 10;
const MAX_STEP_MS = 50;
/** As `build/slices.ts` cuts work. */
const SLICE_MS = 1;
const MAX_QUERY_MS = 50;
const [, model] = collections;

function valuesOf(random: Random, id: number): RecordValues {
  return [
    id,
    `Product ${below(random, COMPARED_PRODUCTS).toString(36)} of ${id}`,
    `Author ${Math.floor(random() ** 3 * 50_000)}`,
    random() < 0.02 ? null : below(random, 100_000) / 100,
    `https://example.org/${id}.jpg`,
    random() < 0.1 ? null : 1 + below(random, 41) / 10,
    `Category ${Math.floor(random() ** 2 * 40)}`,
  ];
}

/** The share of records that are given another price; others are renamed, gone or new, a hundredth each. */
function* laterThan(records: Iterable<RecordValues>, repriced: number): Generator<RecordValues> {
  const random = seeded(9);
  for (const record of records) {
    const [id, title, author, price, ...rest] = record;
    const chance = random();
    if (chance < 0.01) continue;
    if (chance < 0.02) yield [id ?? null, `${title}, revised`, author ?? null, price ?? null, ...rest];
    else if (random() < repriced)
      yield [id ?? null, title ?? null, author ?? null, below(random, 100_000) / 100, ...rest];
    else yield record;
    if (chance > 0.99) yield [COMPARED_PRODUCTS + Number(id), `New ${title}`, author ?? null, price ?? null, ...rest];
  }
}

function* products(): Generator<RecordValues> {
  const random = seeded(5);
  for (let id = 0; id < COMPARED_PRODUCTS; id++) yield valuesOf(random, id);
}

function storeOf(records: Iterable<RecordValues>): RecordStore {
  const builder = createRecordStoreBuilder(model);
  inBatches(model, records, (batch) => builder.addBatch(batch));
  return builder.finish();
}

interface Run<Result> {
  readonly result: Result;
  readonly workMs: number;
  readonly worstSliceMs: number;
}

/** Processor time of the process: what others take from the machine meanwhile does not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function inSlices<Result>(steps: Generator<void, Result>): Run<Result> {
  let workMs = 0;
  let worstSliceMs = 0;
  for (;;) {
    const start = performance.now();
    const startMs = cpuMs();
    let step = steps.next();
    while (!step.done && performance.now() - start < SLICE_MS) step = steps.next();
    const took = cpuMs() - startMs;
    workMs += took;
    worstSliceMs = Math.max(worstSliceMs, took);
    if (step.done) return { result: step.value, workMs, worstSliceMs };
  }
}

/** Bytes of the changes: the log, of which their texts are written, and columns and indexes. What a search needs is built when one is asked for. */
function keptBytes({ changes: { columns, values, missing }, continuation: { log } }: Comparison): number {
  const ofLog = log.dumps.flatMap(({ texts, ...dump }) => [...Object.values(dump), ...Object.values(texts)]);
  const memory = new Set([
    ...buffersIn({ columns, values, missing }),
    ...ofLog.flatMap((part) => (ArrayBuffer.isView(part) ? [part.buffer] : [])),
  ]);
  return [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function* compared(before: RecordStore, after: RecordStore, hasOwnIds: boolean): Generator<void, PendingComparison> {
  const history = new CollectionHistory();
  for (const [store, timeMs] of [
    [before, 0],
    [after, 1],
  ] as const) {
    const since = { version: '', modifiedAt: new Date(timeMs) };
    yield* history.add({ store, hasOwnIds, since });
  }
  const comparison = yield* history.compare();
  if (comparison === null) throw new Error('two dumps have a comparison');
  return comparison;
}

/** Builds the changes on another thread. The longest step is that of the thread which waits for it. */
async function withBuiltChanges(pending: PendingComparison): Promise<Run<Comparison>> {
  const startMs = cpuMs();
  let worstSliceMs = 0;
  let isBuilt = false;
  const building = withAllChanges(new Map([['products', pending]]), new Map()).finally(() => {
    isBuilt = true;
  });
  for (let lastMs = threadRanMs(); !isBuilt; ) {
    await wait(1);
    const ranMs = threadRanMs();
    worstSliceMs = Math.max(worstSliceMs, ranMs - lastMs);
    lastMs = ranMs;
  }
  const result = (await building).get('products');
  if (result === undefined) throw new Error('the products changed');
  return { result, workMs: cpuMs() - startMs, worstSliceMs };
}

const target = (what: string, ms: number, maxMs: number): Target => ({
  what,
  found: `${ms.toFixed(1)} ms`,
  wanted: `at most ${maxMs} ms`,
  holds: ms <= maxMs,
});

console.log(heading());
console.log(`${COMPARED_PRODUCTS} products\n`);
const before = storeOf(products());

const targets: Target[] = [];
let last: Collection | null = null;
for (const [share, name] of [
  [0, 'no price changed'],
  [0.1, 'a tenth of the prices changed'],
  [1, 'every price changed'],
] as const) {
  const after = storeOf(laterThan(products(), share));
  for (const [how, earlier, hasIds] of [
    ['by id', before, true],
    ['by address', before, false],
  ] as const) {
    // Garbage of the records' making is collected before the comparison is timed.
    globalThis.gc?.();
    const comparing = inSlices(compared(earlier, after, hasIds));
    const { result, ...building } = await withBuiltChanges(comparing.result);
    const workMs = comparing.workMs + building.workMs;
    const { changed, added, removed } = result.last.counts;
    console.log(
      `${name}, ${how}: ${workMs.toFixed(0)} ms of work (processor time), longest slice ${comparing.worstSliceMs.toFixed(1)} ms, ` +
        `longest step while another thread builds the changes ${building.worstSliceMs.toFixed(1)} ms, ` +
        `${(keptBytes(result) / 2 ** 20).toFixed(1)} MB kept (${changed} changed, ${added} added, ${removed} removed)`,
    );
    if (hasIds && share < 1) targets.push(target(`${name}, ${how}: work`, workMs, MAX_WORK_MS));
    targets.push(target(`${name}, ${how}: longest slice`, comparing.worstSliceMs, MAX_SLICE_MS));
    targets.push(target(`${name}, ${how}: longest step`, building.worstSliceMs, MAX_STEP_MS));
    last = result.changes;
  }
}

const queries: readonly (readonly [string, Query])[] = [
  ['default order', EVERYTHING],
  [
    'prices that fell by 20 percent or more, largest first',
    {
      ...EVERYTHING,
      filters: [
        { field: 'field', operator: '', values: ['price'], match: 'any' },
        { field: 'percent', operator: '_lte', values: ['-20'], match: 'any' },
      ],
      sort: 'percent',
    },
  ],
  ['by title', { ...EVERYTHING, sort: 'title' }],
  ['titles with two words', { ...EVERYTHING, text: '99 prod' }],
];
if (last !== null) {
  const changes = last;
  console.log('\nfirst page of the last comparison');
  for (const [what, query] of queries) {
    const once = () => {
      const startMs = cpuMs();
      execute(changes, query, { page: 1, limit: 20 });
      return cpuMs() - startMs;
    };
    const ms = [once(), once(), once(), once(), once()].sort((a, b) => a - b)[2] ?? 0;
    targets.push(target(what, ms, MAX_QUERY_MS));
  }
}
report(targets);
