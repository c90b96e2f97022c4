/** An index is the same whichever threads build it, but for where in memory its postings stand. */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { BATCH_RECORDS, type RecordBatch } from '../../src/batch.js';
import { BatchPool } from '../../src/build/batch-pool.js';
import { buildParts } from '../../src/build/build.js';
import { buildFrom } from '../../src/build/parts.js';
import type { startTextWorker } from '../../src/build/worker-jobs.js';
import { collectionOf } from '../../src/model.js';
import { blockCount, type IndexTables } from '../../src/search/tables.js';
import { IndexLimitError, isIndexLimit } from '../../src/search/work-memory.js';
import type { RecordStore } from '../../src/store/collection.js';
import { withFolder } from '../support/program.js';

/** Each table's bytes as a hash, by its name. */
function digests(value: unknown, path = ''): Record<string, string> {
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return { [path]: `${value.constructor.name} ${createHash('sha1').update(bytes).digest('hex')}` };
  }
  if (value instanceof Map) return digests(Object.fromEntries(value), path);
  if (typeof value !== 'object' || value === null) return { [path]: String(value) };
  return Object.assign({}, ...Object.entries(value).map(([name, inner]) => digests(inner, `${path}/${name}`)));
}

/** The bytes of each block's postings or positions, one after another, as a hash. */
function blocksDigest(tables: IndexTables, starts: Uint32Array): string {
  const hash = createHash('sha1');
  tables.documentFrequencies.forEach((frequency, term) => {
    if (frequency === 0) return;
    const first = tables.firstBlocks[term]!;
    for (let block = first; block < first + blockCount(tables, term); block++)
      hash.update(tables.bytes.slice(starts[block]!, starts[block + 1]!)).update('|');
  });
  return hash.digest('hex');
}

function contentOf(tables: IndexTables): Record<string, string> {
  const { memory: _, bytes: __, postingStarts, positionStarts, ...others } = tables;
  const postings = blocksDigest(tables, postingStarts);
  return { ...digests(others), postings, positions: blocksDigest(tables, positionStarts) };
}

/** All of a store but its records' text, whose chunks may be of other sizes. */
const columnsOf = ({ text: _, ...columns }: RecordStore): Record<string, string> => digests(columns);

const internals = (): Promise<{
  readonly buildParts: typeof buildParts;
  readonly startTextWorker: typeof startTextWorker;
}> => import(fileURLToPath(new URL('../../dist/internals.js', import.meta.url)));

describe('a folder that is built by two threads', () => {
  test.each([
    ['of long texts', { articles: dumpOf(12_000, 'content'), products: dumpOf(2_000, 'category') }],
    ['of German texts', { articles: dumpOf(12_000, 'content', 'das Haus und die Häuser sind nicht in der Stadt ') }],
    ['of short records', { products: shortDump(300_000) }],
    ['of found columns', { products: foundDump(50_000) }],
  ])('gives the dataset that one thread gives: %s', async (_, dumps) => {
    // The threads' files have to be built: the tests' own code is not.
    const built = await internals();
    const files = Object.entries(dumps).map(([name, dump]) => [`${name}.ndjson`, dump] as const);
    await withFolder(Object.fromEntries(files), async (dir) => {
      const one = await built.buildParts({ dir, threads: 1 });
      const two = await built.buildParts({ dir, threads: 2 });
      if (!one.ok || !two.ok) throw new Error('the folder was not built');
      expect(two.version).toBe(one.version);
      const isGerman = JSON.stringify(dumps).includes('Häuser');
      expect(two.tables.get('articles')?.language).toBe(isGerman ? 'german' : 'english');
      expect([...two.tables.keys()]).toEqual([...one.tables.keys()]);
      for (const [name, tables] of one.tables)
        expect(contentOf(collectionOf(two.tables, name))).toEqual(contentOf(tables));
      for (const [name, store] of one.stores)
        expect(columnsOf(collectionOf(two.stores, name))).toEqual(columnsOf(store));
    });
  });
});

describe('a second thread', () => {
  const columns = 2;
  const cells = columns * BATCH_RECORDS;
  const batch: RecordBatch = {
    size: 1,
    kinds: new Uint8Array(cells),
    starts: new Int32Array(cells),
    ends: new Int32Array(cells),
    numbers: new Float64Array(cells),
    bytes: Buffer.alloc(0),
  };
  const isPending = (promise: Promise<void>): Promise<boolean> =>
    Promise.race([promise.then(() => false), new Promise<boolean>((resolve) => setImmediate(() => resolve(true)))]);

  test('that has six batches to take is waited for', async () => {
    const pool = new BatchPool();
    const buffers: ArrayBuffer[] = [];
    for (let i = 0; i < 5; i++) buffers.push(pool.fill(batch, [0], Int32Array.of(i)).buffer);
    await pool.whenReady();
    // A chunk may fill more of them than that.
    for (let i = 5; i < 8; i++) buffers.push(pool.fill(batch, [0], Int32Array.of(i)).buffer);
    const ready = pool.whenReady();
    for (const buffer of buffers.slice(0, 3)) {
      expect(await isPending(ready)).toBe(true);
      pool.takeBack(buffer);
    }
    await ready;
    expect(pool.fill(batch, [0], Int32Array.of(8)).buffer).toBe(buffers[2]);
  });

  test('that ends while it is waited for ends the waiting, with its reason', async () => {
    const pool = new BatchPool();
    for (let i = 0; i < 6; i++) pool.fill(batch, [0], Int32Array.of(i));
    const ready = pool.whenReady();
    expect(await isPending(ready)).toBe(true);
    pool.fail(new Error('out of memory'));
    await expect(ready).rejects.toThrow('out of memory');
    await expect(pool.whenReady()).rejects.toThrow('out of memory');
  });

  test('that ended makes neither the reading nor the result wait', async () => {
    const worker = (await internals()).startTextWorker();
    await worker.cancel();
    await expect(worker.finish()).rejects.toThrow('ended before it was done');
    await expect(worker.whenReady()).rejects.toThrow('ended before it was done');
  });
});

test('more than an index can hold is a fault of the folder', async () => {
  await withFolder({ 'articles.json': '[{"id":1,"title":"t"}]' }, async (dir) => {
    const failingWith = (error: Error) => ({
      openCollection: () => (): readonly number[] => {
        throw error;
      },
      finish() {},
    });
    expect(await buildFrom({ dir }, failingWith(new IndexLimitError('too much')))).toMatchObject({
      ok: false,
      fault: { file: dir, message: 'too much' },
    });
    await expect(buildFrom({ dir }, failingWith(new Error('other')))).rejects.toThrow('other');
  });
});

test('a limit of an index stays one on its way from the second thread, and any other error what it is', async () => {
  const limit = `class IndexLimitError extends Error { name = '${new IndexLimitError('').name}'; }`;
  const thrownBy = async (error: string): Promise<unknown> => {
    const [thrown] = await once(new Worker(`${limit} throw new ${error}('too much')`, { eval: true }), 'error');
    return thrown;
  };
  const arrived = await Promise.all(['IndexLimitError', 'RangeError', 'Error'].map(thrownBy));
  expect(arrived.map(isIndexLimit)).toEqual([true, false, false]);
  expect(arrived).toMatchObject([{ message: 'too much' }, expect.any(RangeError), expect.any(Error)]);
});

test('a folder that changes while it is read is read again', async () => {
  await withFolder({ 'articles.ndjson': dumpOf(3, 'content') }, async (dir) => {
    const path = join(dir, 'articles.ndjson');
    let reads = 0;
    const onProgress = (_: string, done: number, total: number) => {
      if (done === total && reads++ === 0) writeFileSync(path, dumpOf(5, 'content'));
    };
    const built = await buildParts({ dir, onProgress });
    expect(built.ok && collectionOf(built.stores, 'articles').size).toBe(5);
    expect(reads).toBe(2);
    await buildParts({ dir, onProgress });
    expect(reads).toBe(3);
  });
});

/** Records that take long to make stores of, and hardly any time to read into terms; some replace an earlier one. */
const shortDump = (records: number): string =>
  Array.from(
    { length: records },
    (_, i) => `{"id":${i % 50 === 49 ? i - 20 : i},"title":"w${i % 7}","price":${i % 977},"brand":"b${i % 997}"}`,
  ).join('\n');

/** Records with found columns of each kind: distinct and repeated ones, some without values, texts of several values. */
const foundDump = (records: number): string =>
  Array.from({ length: records }, (_, i) => {
    const some = i % 3 === 0 ? null : `Maker ${i % 89}`;
    const found = {
      sku: `A-${i}`,
      maker: some,
      colours: [`c${i % 5}`, `C${i % 7}`],
      stock: i % 41,
      isNew: i % 2 === 0,
    };
    const link = `https://shop.example/p/${(i * 7919) % records}`;
    return JSON.stringify({
      id: i,
      title: `w${i % 7}`,
      price: i % 97,
      ...found,
      link,
      uses: `tea, x${i % 11}`,
      since: '2024-01-02',
    });
  }).join('\n');

/** Records of made-up words, about a kilobyte each. */
function dumpOf(records: number, field: string, beginning = ''): string {
  let state = 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
  const words = (count: number): string =>
    Array.from({ length: count }, () => `w${random(1 + random(9000)).toString(36)}`).join(' ');
  return Array.from({ length: records }, (_, i) =>
    JSON.stringify({ id: i, title: words(5), [field]: beginning + words(field === 'content' ? 220 : 2) }),
  ).join('\n');
}
