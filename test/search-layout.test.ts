/** Postings tell of the terms' words what a slow reading of the records' streams tells, however far apart the words stand. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasBit } from '../src/bits.js';
import { buildFrom } from '../src/build/parts.js';
import { createBucketMemories } from '../src/search/bucket-memory.js';
import { bucketsFor, FREQUENT_TERMS, firstTermOf, isShared, MOST_TERMS_IN_BUCKET } from '../src/search/buckets.js';
import { DEFAULT_RANKING } from '../src/search/builder.js';
import { type Inversion, Inverter, isInOrder } from '../src/search/inverter.js';
import { BREAK } from '../src/search/inverter-kernel.js';
import { layOutBuckets } from '../src/search/layout.js';
import { IndexLimitError } from '../src/search/limits.js';
import { type PositionBuffer, readPositions } from '../src/search/posting-code.js';
import { createRoom, postingTables } from '../src/search/posting-room.js';
import { createPostingBuffer, rangeCount, readRange } from '../src/search/postings.js';
import { rowLengths, rowTables } from '../src/search/rows.js';
import { type IndexTables, SATURATION_STEPS, type WordTables } from '../src/search/tables.js';
import { BESIDE, FIELD, GAP, RECORD } from '../src/search/term-stream.js';

const WEIGHTS = [5, 2, 1, 254, 3];

/** A posting as the streams tell it. */
interface Occurrence {
  frequency: number;
  readonly positions: number[];
}

interface Read {
  readonly lengths: number[];
  readonly fieldStarts: number[];
  /** By term and row. */
  readonly postings: Map<number, Map<number, Occurrence>>;
}

/** Reads streams entry by entry. */
function readSlowly(records: readonly (readonly number[])[], rowOf: Int32Array, weights: readonly number[]): Read {
  const read: Read = { lengths: [], fieldStarts: [], postings: new Map() };
  records.forEach((entries, record) => {
    const row = rowOf[record]!;
    const starts = weights.map(() => -1);
    let position = 0;
    let field = 0;
    let isBeside = false;
    let length = 0;
    for (const entry of entries) {
      if (entry < 0) position += BREAK;
      if (entry === BESIDE) isBeside = true;
      if (entry <= FIELD) {
        isBeside = false;
        field = FIELD - entry;
        starts[field] = position;
      }
      if (entry < 0) continue;
      if (!isBeside) length += weights[field]!;
      if (row >= 0) {
        const rows = read.postings.get(entry) ?? new Map<number, Occurrence>();
        const occurrence = rows.get(row) ?? { frequency: 0, positions: [] };
        occurrence.frequency += weights[field]!;
        occurrence.positions.push(position);
        read.postings.set(entry, rows.set(row, occurrence));
      }
      position++;
    }
    if (row < 0) return;
    read.lengths[row] = length;
    let next = position;
    for (let i = weights.length - 1; i >= 0; i--) {
      if (starts[i]! >= 0) next = starts[i]!;
      read.fieldStarts[row * weights.length + i] = next;
    }
  });
  return read;
}

const none = new Uint32Array(0);
const noTable = { units: new Uint16Array(0), offsets: none, terms: none };
/** Terms are numbers here. */
const NO_WORDS: WordTables = { words: noTable, stems: noTable, wordsBySize: none, sizeStarts: none, letters: none };

const own = (inversion: Inversion): Inversion => ({ ...inversion, memories: { ...inversion.memories } });

/** Inverts records in two parts, which two lay out. */
function build(
  records: readonly (readonly number[])[],
  rowOf: Int32Array,
  weights: readonly number[],
  cut: number,
  together: number,
) {
  const terms = records.flat().reduce((most, entry) => Math.max(most, entry + 1), 0);
  const pieceLength = records.length > 30 ? 1000 : 70_001;
  const memories = createBucketMemories();
  const parts = [records.slice(0, cut), records.slice(cut)].map((part) => {
    const inverter = new Inverter(weights, memories);
    // Streams are handed over in pieces of any length, and the terms that are known become more.
    const stream = Int32Array.from(part.flatMap((entries) => [RECORD, ...entries]));
    let known = 0;
    for (let at = 0; at < stream.length; at += pieceLength) {
      const piece = stream.subarray(at, at + pieceLength);
      known = piece.reduce((most, entry) => Math.max(most, entry + 1), known);
      inverter.read(piece, known);
    }
    return inverter.finish();
  });
  const inOrder = isInOrder(rowOf);
  const inversion: Inversion = { memories, parts, terms, rowOf, inOrder, weights, ranking: DEFAULT_RANKING };
  const rows = rowTables(inversion);
  let bucket = 0;
  const room = createRoom(inversion);
  const laidOut = [
    // Each thread has memories of its own to drop.
    layOutBuckets(own(inversion), rows, room, () => (bucket < 2 ? bucket++ : bucketsFor(terms)), undefined, together),
    layOutBuckets(own(inversion), rows, room, () => bucket++, undefined, together),
  ];
  const tables: IndexTables = { ...NO_WORDS, ...rows, ...postingTables(room, laidOut) };
  return { terms, tables };
}

/** All that the tables tell of a term, by row; checks what they say of its ranges. */
function readTables(tables: IndexTables, term: number): Map<number, Occurrence> {
  const found = new Map<number, Occurrence>();
  const buffer = createPostingBuffer(tables.rows);
  const into: PositionBuffer = { positions: new Uint32Array(1), count: 0 };
  const bits = tables.bitsOfTerm[term]!;
  if (tables.documentFrequencies[term] === 0) return found;
  for (let range = 0; range < rangeCount(tables, term); range++) {
    const number = tables.firstRanges[term]! + range;
    let at = tables.positionStarts[number]!;
    const count = readRange(tables, term, range, buffer);
    let inRange = 0;
    for (let i = 0; i < count; i++) {
      const row = buffer.rows[i]!;
      const frequency = buffer.frequencies[i]!;
      at = readPositions(tables.positions, at, into);
      found.set(row, { frequency, positions: [...into.positions.subarray(0, into.count)] });
      inRange++;
      const norm = tables.k1 * (1 - tables.b + (tables.b * tables.lengths[row]!) / tables.meanLength);
      const saturation = frequency / (frequency + norm);
      expect(tables.mostSaturation[term]).toBeGreaterThan(saturation);
      expect(tables.rangeMost[number]! / SATURATION_STEPS).toBeGreaterThanOrEqual(saturation);
      expect(into.count).toBeLessThanOrEqual(tables.mostPositions);
      if (bits >= 0) expect(hasBit(tables.frequentBits[bits]!, row)).toBe(true);
    }
    expect(inRange).toBeLessThanOrEqual(tables.mostInRange);
    expect(at).toBe(tables.positionStarts[number + 1]);
  }
  return found;
}

function check(
  records: readonly (readonly number[])[],
  { weights = WEIGHTS, cut = 0, rowOf = Int32Array.from(records.keys()), together = 1 << 20 } = {},
) {
  const { terms, tables } = build(records, rowOf, weights, cut, together);
  const read = readSlowly(records, rowOf, weights);
  expect([...tables.lengths]).toEqual(read.lengths);
  expect([...tables.fieldStarts]).toEqual(read.fieldStarts);
  const total = read.lengths.reduce((sum, length) => sum + length, 0);
  expect(tables.documents).toBe(read.lengths.length);
  expect(tables.meanLength).toBe(total === 0 ? 1 : total / read.lengths.length);
  expect(read.lengths.every((length) => length >= tables.shortest && length <= tables.longest)).toBe(true);
  expect(tables.shortest).toBeLessThanOrEqual(tables.longest);
  for (let term = 0; term < terms; term++) {
    const expected = read.postings.get(term) ?? new Map();
    expect(tables.documentFrequencies[term]).toBe(expected.size);
    expect(readTables(tables, term)).toEqual(expected);
  }
}

const term = fc.oneof(
  { weight: 4, arbitrary: fc.nat(12) },
  fc.integer({ min: FREQUENT_TERMS - 4, max: FREQUENT_TERMS + 6 }),
  fc.nat(3000),
);
/** A word, repeated words, or a mark that is not a field's. */
const some = fc.oneof(
  { weight: 8, arbitrary: term.map((one) => [one]) },
  fc.tuple(term, fc.constantFrom(2, 126, 127, 128, 254, 255, 256, 300)).map(([one, times]) => Array(times).fill(one)),
  fc.constantFrom([GAP], [BESIDE]),
);
const field = fc.array(some, { maxLength: 8 }).map((all) => all.flat());
const fieldsOf = (count: number) =>
  fc
    .array(fc.option(field, { freq: 3 }), { minLength: count, maxLength: count })
    .map((fields) => fields.flatMap((entries, i) => (entries === null ? [] : [FIELD - i, ...entries])));

test("more records than an index holds are the folder's fault, other errors are none", async () => {
  const memories = createBucketMemories();
  const rowOf = Int32Array.of(1 << 24);
  const inversion = { memories, parts: [], terms: 0, rowOf, inOrder: false, weights: [], ranking: DEFAULT_RANKING };
  expect(() => rowLengths(inversion)).toThrow(
    new IndexLimitError('expected at most 16,777,216 records to search in, found 16,777,217'),
  );
});

test('more than an index can hold is a fault of the folder', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'limit-'));
  try {
    writeFileSync(join(dir, 'articles.json'), '[{"id":1,"title":"t"}]');
    const failingWith = (error: Error) => ({
      addBatch(): number {
        throw error;
      },
      finish() {},
    });
    expect(await buildFrom({ dir }, failingWith(new IndexLimitError('too much')))).toEqual({
      ok: false,
      fault: { file: dir, message: 'too much' },
    });
    await expect(buildFrom({ dir }, failingWith(new Error('other')))).rejects.toThrow('other');
  } finally {
    rmSync(dir, { recursive: true });
  }
});

describe('postings', () => {
  test('have the words of random records, in one part or two, with any number of fields', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: WEIGHTS.length }).chain((fields) =>
          fc.record({
            weights: fc.constant(WEIGHTS.slice(0, fields)),
            records: fc.array(fieldsOf(fields), { maxLength: 40 }),
          }),
        ),
        fc.nat(40),
        fc.constantFrom(1, 30, 300, 1 << 20),
        ({ records, weights }, cut, together) => check(records, { weights, cut, together }),
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  test('are those of the records that have a row, by row', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fieldsOf(2), fc.integer({ min: -1, max: 1000 })), { maxLength: 40 }), (some) => {
        const records = some.map(([entries]) => entries);
        const places = some.map(([, place], i) => (place < 0 ? -1 : place * 1000 + i));
        const order = places.filter((place) => place >= 0).sort((a, b) => a - b);
        const rowOf = Int32Array.from(places, (place) => (place < 0 ? -1 : order.indexOf(place)));
        check(records, { weights: WEIGHTS.slice(0, 2), cut: records.length >> 1, rowOf });
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  test.each([14, 15, 16, 17, 32, 33, 34, 4000, 70_000])('of words that lie %i records apart', (gap) => {
    const empty = Array.from({ length: gap - 1 }, () => []);
    const word = (...terms: number[]) => [FIELD - 2, ...terms];
    check([word(7, 3000), ...empty, word(7), ...empty, word(3000, 7), word(7)]);
  });

  test.each([
    { kind: 'a frequent term', term: 0, least: 700 },
    { kind: 'a shared bucket', term: FREQUENT_TERMS, least: 520 },
  ])(
    'of words that fill a piece of $kind to the last byte, and one that lies many records apart behind them',
    ({ term, least }) => {
      const empty = Array.from({ length: 20 }, () => []);
      for (let words = least; words < least + 40; words++)
        check([[FIELD - 2, 8, 2100, ...Array(words).fill(term)], ...empty, [FIELD - 2, term, 8, 2100]]);
    },
    60_000,
  );

  test.each([100, 4000, 16_380, 70_000, 300_000])('of records of %i words', (words) => {
    const record = (first: number) => [
      FIELD,
      1,
      FIELD - 1,
      ...Array.from({ length: words }, (_, i) => (first + i) % 2500),
    ];
    check([record(0), [FIELD - 2, 3], record(1400)]);
  });

  test.each([0, FREQUENT_TERMS])('of more words of term %i than there was memory for at first', (term) => {
    const memories = createBucketMemories();
    const inverter = new Inverter([1], memories);
    const [records, words] = [8, 2_000_000];
    const record = new Int32Array(words + 2);
    record.fill(term).set([RECORD, FIELD]);
    const terms = term + 1;
    for (let i = 0; i < records; i++) inverter.read(record, terms);
    const rowOf = Int32Array.from({ length: records }, (_, i) => i);
    const parts = [inverter.finish()];
    const inversion = { memories, parts, terms, rowOf, inOrder: true, weights: [1], ranking: DEFAULT_RANKING };
    let bucket = 0;
    const [rows, room] = [rowTables(inversion), createRoom(inversion)];
    const tables = { ...rows, ...postingTables(room, [layOutBuckets(inversion, rows, room, () => bucket++)]) };
    expect([...tables.lengths]).toEqual(Array(records).fill(words));
    const into: PositionBuffer = { positions: new Uint32Array(1), count: 0 };
    let at = 0;
    for (let row = 0; row < records; row++) {
      at = readPositions(tables.positions, at, into);
      expect(into.count).toBe(words);
      expect(into.positions[words - 1]).toBe(into.positions[0]! + words - 1);
    }
    expect(at).toBe(tables.positions.length);
  });

  test('of words that stand millions of positions apart', () => {
    check([[FIELD - 2, 2100, 7, ...Array(1_100_000).fill(GAP), 7, 2100]]);
  });

  test('of terms that become more while a part is read', () => {
    check(Array.from({ length: 60 }, (_, i) => [FIELD, ...Array.from({ length: 200 }, (_, j) => i * 190 + j)]));
  });
});

test('each term has one bucket, whose terms follow one another', () => {
  for (const terms of [1, 7, 8, 9, 2047, 2048, 2049, 2303, 2304, 2305, 100_000]) {
    const buckets = bucketsFor(terms);
    expect(firstTermOf(buckets - 1)).toBeLessThan(terms);
    expect(firstTermOf(buckets)).toBeGreaterThanOrEqual(terms);
    for (let bucket = 0; bucket < buckets; bucket++) {
      expect(firstTermOf(bucket + 1) - firstTermOf(bucket)).toBe(isShared(bucket) ? MOST_TERMS_IN_BUCKET : 1);
    }
  }
  expect(bucketsFor(0)).toBe(0);
});
