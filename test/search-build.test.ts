/** An index has the same bytes, however its building is shared out between threads, but for where those of a term stand. */

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildParts } from '../src/build/build.js';
import { collectionOf } from '../src/model.js';
import { createTablesBuilder, DEFAULT_RANKING } from '../src/search/builder.js';
import { isInOrder } from '../src/search/inverter.js';
import { layOutBuckets } from '../src/search/layout.js';
import { invertTail, PartBuilder, splitStreams, TailBuilder } from '../src/search/part-builder.js';
import { createRoom } from '../src/search/posting-room.js';
import { rangeCount } from '../src/search/postings.js';
import { rowLengths, rowTables } from '../src/search/rows.js';
import type { FieldText } from '../src/search/search.js';
import type { IndexTables } from '../src/search/tables.js';
import { tablesOf } from '../src/search/tables-of.js';

const FIELDS = [
  { name: 'title', weight: 2 },
  { name: 'tags', weight: 1 },
];
const weights = FIELDS.map(({ weight }) => weight);

/** Each table's bytes as a hash, by its name. */
function digests(value: unknown, path = ''): Record<string, string> {
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return { [path]: `${value.constructor.name} ${createHash('sha1').update(bytes).digest('hex')}` };
  }
  if (typeof value !== 'object' || value === null) return { [path]: String(value) };
  return Object.assign({}, ...Object.entries(value).map(([name, inner]) => digests(inner, `${path}/${name}`)));
}

/** The tables with what they have of each term in the order of the terms. */
function arranged(tables: IndexTables): IndexTables {
  const { firstRanges, postingStarts, positionStarts, rangeMost, postings, positions } = tables;
  const all: number[] = [];
  const firstInOrder = firstRanges.map((first, term) => {
    const ranges = tables.documentFrequencies[term] === 0 ? 0 : rangeCount(tables, term);
    return all.push(...Array.from({ length: ranges }, (_, i) => first + i)) - ranges;
  });
  const bytesIn = (bytes: Uint8Array, starts: Uint32Array) =>
    all.map((range) => bytes.subarray(starts[range], starts[range + 1]));
  const startsIn = (starts: Uint32Array) => {
    let end = 0;
    return Uint32Array.of(0, ...all.map((range) => (end += starts[range + 1]! - starts[range]!)));
  };
  const inOrder = <T>(ofTerm: Int32Array, some: readonly T[]) => {
    const numbers = ofTerm.filter((number) => number >= 0);
    let next = 0;
    return [
      ofTerm.map((number) => (number < 0 ? -1 : next++)),
      Array.from(numbers, (number) => some[number]!),
    ] as const;
  };
  const [bitsOfTerm, frequentBits] = inOrder(tables.bitsOfTerm, tables.frequentBits);
  const [denseOfTerm, dense] = inOrder(tables.denseOfTerm, tables.dense);
  return {
    ...tables,
    firstRanges: firstInOrder,
    postingStarts: startsIn(postingStarts),
    positionStarts: startsIn(positionStarts),
    rangeMost: Uint8Array.from(all, (range) => rangeMost[range]!),
    postings: Buffer.concat(bytesIn(postings, postingStarts)),
    positions: Buffer.concat(bytesIn(positions, positionStarts)),
    bitsOfTerm,
    frequentBits,
    denseOfTerm,
    dense,
  };
}

/** The first `cut` records are read by one and the others by another, and two lay out the buckets in any order. */
function builtByTwo(records: readonly FieldText[][], rowOf: Int32Array, cut: number, turns: number): IndexTables {
  const head = new PartBuilder(weights);
  const tail = new TailBuilder();
  records.forEach((texts, record) => {
    (record < cut ? head : tail).add(texts);
  });
  const first = head.finish();
  const { words, streams } = tail.finish();
  const { memories } = head;
  const termOf = head.adopt(words);
  const shares = splitStreams(streams, (turns % 8) / 8);
  const parts = [first, ...shares.map((share) => invertTail(share, weights, termOf, memories))];
  const inversion = {
    memories,
    parts,
    terms: head.terms,
    rowOf,
    inOrder: isInOrder(rowOf),
    weights,
    ranking: DEFAULT_RANKING,
  };
  const rows = rowTables(inversion);
  const room = createRoom(inversion);
  const share = (mine: number) => {
    let bucket = -1;
    // Each thread has memories of its own to drop.
    return layOutBuckets(
      { ...inversion, memories: { ...memories } },
      mine === 0 ? rows : rowLengths(inversion),
      room,
      () => {
        do bucket++;
        while (((turns >>> (bucket & 31)) & 1) !== mine && bucket < 1000);
        return bucket;
      },
    );
  };
  return tablesOf(rows, room, [share(1), share(0)], head.dictionary());
}

const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('the', 'of', 'data', 'scrape', 'e-mail', 'C++', '漢字文', "o'malley") },
  { weight: 1, arbitrary: fc.nat(3000).map((i) => `w${i.toString(36)}`) },
);
const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(' '));
const record = fc.tuple(fc.option(text), fc.option(fc.array(text, { maxLength: 3 })));

test('two parts and two who lay out make the tables that one makes', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(
      fc.array(record, { maxLength: 60 }),
      fc.nat(60),
      fc.nat(),
      fc.boolean(),
      (records, cut, turns, replaces) => {
        // Every third record replaces the one before it.
        let rows = 0;
        const isReplaced = (i: number) => replaces && i % 3 === 1 && i + 1 < records.length;
        const rowOf = Int32Array.from(records, (_, i) => (isReplaced(i) ? -1 : rows++));
        const builder = createTablesBuilder(FIELDS);
        for (const texts of records) builder.add(texts);
        const expected = digests(arranged(builder.finish(rowOf)));
        expect(digests(arranged(builtByTwo(records, rowOf, cut, turns)))).toEqual(expected);
      },
    ),
    { numRuns: 150 },
  );
});

describe('a folder that is built by two threads', () => {
  // Of long texts one thread leaves a tail to the other, in which there are no words of replaced records; short ones it has
  // read before that has made the stores.
  test.each([
    ['of long texts', { articles: dumpOf(12_000, 'content'), products: dumpOf(2_000, 'category') }],
    ['of short records', { products: shortDump(300_000) }],
  ])('gives the dataset that one thread gives: %s', { timeout: 60_000 }, async (_, dumps) => {
    // The threads' files have to be built: the tests' own code is not.
    const built: { readonly buildParts: typeof buildParts } = await import(
      fileURLToPath(new URL('../dist/build.js', import.meta.url))
    );
    const dir = mkdtempSync(join(tmpdir(), 'two-threads-'));
    try {
      for (const [name, dump] of Object.entries(dumps)) writeFileSync(join(dir, `${name}.ndjson`), dump);
      const one = await built.buildParts({ dir, threads: 1 });
      const two = await built.buildParts({ dir, threads: 2 });
      if (!one.ok || !two.ok) throw new Error('the folder was not built');
      expect(two.version).toBe(one.version);
      expect([...two.tables.keys()]).toEqual([...one.tables.keys()]);
      for (const [name, tables] of one.tables)
        expect(digests(arranged(collectionOf(two.tables, name)))).toEqual(digests(arranged(tables)));
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});

test('a folder that changes while it is read is read again', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'changed-'));
  try {
    const path = join(dir, 'articles.ndjson');
    writeFileSync(path, dumpOf(3, 'content'));
    let reads = 0;
    const onProgress = (_: string, done: number, total: number) => {
      if (done === total && reads++ === 0) writeFileSync(path, dumpOf(5, 'content'));
    };
    const built = await buildParts({ dir, onProgress });
    expect(built.ok && collectionOf(built.stores, 'articles').size).toBe(5);
    expect(reads).toBe(2);
    await buildParts({ dir, onProgress });
    expect(reads).toBe(3);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

/** Records that take long to make stores of, and hardly any time to read into terms; some replace an earlier one. */
const shortDump = (records: number): string =>
  Array.from(
    { length: records },
    (_, i) => `{"id":${i % 50 === 49 ? i - 20 : i},"title":"w${i % 7}","price":${i % 977},"brand":"b${i % 997}"}`,
  ).join('\n');

/** Records of made-up words, about a kilobyte each. */
function dumpOf(records: number, field: string): string {
  let state = 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
  const words = (count: number): string =>
    Array.from({ length: count }, () => `w${random(1 + random(9000)).toString(36)}`).join(' ');
  return Array.from({ length: records }, (_, i) =>
    JSON.stringify({ id: i, title: words(5), [field]: words(field === 'content' ? 220 : 2) }),
  ).join('\n');
}
