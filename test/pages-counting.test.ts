/** What the pages count with, each way against the obvious one. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countMembers, createBits, hasBit, membersAt, setAll } from '../src/bits.js';
import { type Binning, binningOf } from '../src/http/pages/counting/binning.js';
import { BLOCK_ROWS, createBitTable } from '../src/http/pages/counting/bit-table.js';
import { buildCountIndex, countGroup, groupCounts } from '../src/http/pages/counting/count-index.js';
import { bestByPass, bestBySorting, bestByThreshold, topValues } from '../src/http/pages/counting/top-values.js';
import { collectionOf } from '../src/model.js';
import type { Collection } from '../src/store/collection.js';
import { allValues } from '../src/store/value-index.js';
import { datasetOf } from './support/api.js';
import { finished } from './support/finished.js';

const rowsBelow = (size: number) => fc.uniqueArray(fc.nat(Math.max(0, size - 1)), { maxLength: size });

test('a bit table counts and intersects as sets do', () => {
  const sets = fc
    .integer({ min: 1, max: 1200 })
    .chain((size) => fc.tuple(fc.constant(size), rowsBelow(size), rowsBelow(size)));
  fc.assert(
    fc.property(sets, ([size, a, b]) => {
      const table = createBitTable(size, 4);
      setAll(table.bitsOf(1), Uint32Array.from(a));
      setAll(table.bitsOf(2), Uint32Array.from(b));
      const both = a.filter((row) => b.includes(row)).toSorted((x, y) => x - y);
      expect(table.count(1)).toBe(a.length);
      expect(table.countCommon(1, 2)).toBe(both.length);
      table.intersect(1, 2, 3);
      expect([...membersAt(table.bitsOf(3), 0, both.length)]).toEqual(both);
      expect([table.count(0), table.count(2), table.count(3)]).toEqual([0, b.length, both.length]);
      table.intersect(3, 2, 2);
      expect(table.count(2)).toBe(both.length);
    }),
  );
});

test('the rows of a set are listed and counted by column, of any width, block after block', () => {
  const SIZE = 2.5 * BLOCK_ROWS;
  const every = Array.from({ length: SIZE }, (_, row) => row);
  const blocks = fc.subarray([0, 1, 2], { minLength: 1 });
  const below = fc.constantFrom(7, 256, 257, 65_536, 65_537);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), blocks, below, fc.boolean(), (step, some, below, isLast) => {
      const rows = every.filter((row) => row % step === 0 && some.includes(Math.floor(row / BLOCK_ROWS)));
      if (isLast) rows.push(...every.slice(-1).filter((row) => !rows.includes(row)));
      const numberOf = (row: number): number => (row * 7919) % below;
      const severalOf = (row: number) => Array.from({ length: (row * 7) % 9 }, (_, i) => (row * 31 + i * i) % below);
      const several = every.map(severalOf);
      const table = createBitTable(SIZE, 2, [
        { below, several: several.flat().length },
        { below, several: null },
      ]);
      const [ofSeveral, ofOne] = table.columns;
      if (ofOne === undefined || !ofSeveral?.offsets) throw new Error('columns are missing');
      ofSeveral.numbers.set(several.flat());
      for (const row of every) {
        ofOne.numbers[row] = numberOf(row);
        ofSeveral.offsets[row + 1] = ofSeveral.offsets[row]! + (several[row] ?? []).length;
      }
      setAll(table.bitsOf(1), Uint32Array.from(rows));
      expect(table.membersOf(1, rows.length)).toEqual(Uint32Array.from(rows));
      expect(table.countColumn(1, ofOne)).toEqual(countsOf(rows.map(numberOf), below));
      const counts = table.countColumn(1, ofSeveral);
      expect(counts).toEqual(countsOf(rows.flatMap(severalOf), below));
      for (const least of [0, 1, 30, SIZE]) {
        const next = counts.findIndex((count, number) => number >= 3 && count > least);
        expect(table.nextAbove(3, counts.length, least)).toBe(next < 0 ? counts.length : next);
      }
    }),
    { numRuns: 12 },
  );
}, 60_000);

function countsOf(numbers: readonly number[], below: number): Uint32Array {
  const counts = new Uint32Array(below);
  for (const number of numbers) counts[number]!++;
  return counts;
}

test('of no rows there is a table too', () => expect(createBitTable(0, 2).countCommon(0, 1)).toBe(0));

test('members are counted as if one by one', () => {
  fc.assert(
    fc.property(rowsBelow(300), rowsBelow(300), fc.nat(20), fc.nat(20), (members, some, skipped, left) => {
      const bits = createBits(300);
      setAll(bits, Uint32Array.from(members));
      const to = Math.max(skipped, some.length - left);
      const expected = some.slice(skipped, to).filter((one) => hasBit(bits, one)).length;
      expect(
        countMembers(bits, Uint32Array.from(some), Math.min(skipped, some.length), Math.min(to, some.length)),
      ).toBe(expected);
    }),
  );
});

test('bins are counted the same by sets and by what each row has, also of rows without a value', () => {
  const scores = fc.array(fc.option(fc.nat(40)), { minLength: 1, maxLength: 400 });
  const some = scores.chain((all) => fc.tuple(fc.constant(all), rowsBelow(all.length)));
  fc.assert(
    fc.property(some, ([all, matching]) => {
      const articles = all.map((score, id) => ({ id, title: 't', score }));
      const collection = collectionOf(datasetOf({ articles }).dataset.collections, 'articles');
      const binning = binningOfField(collection, 'score');
      if (binning === null) return;
      const { table, fields } = finished(buildCountIndex(collection, new Map([['score', binning]])));
      const counted = fields.get('score');
      if (counted === undefined) throw new Error('scores are not counted');
      setAll(table.bitsOf(0), Uint32Array.from(matching));
      const matches = { set: 0, count: matching.length, rows: () => Uint32Array.from(matching).sort() };
      const expected = binning.bins.map(
        ({ from, to }) =>
          matching.filter((row) => all[row] !== null && (all[row] ?? 0) >= from && (all[row] ?? 0) < to).length,
      );
      expect([...table.countColumn(0, counted.column)].slice(0, -1)).toEqual(expected);
      expect(expected.map((_, bin) => countGroup(table, counted, bin, matches))).toEqual(expected);
      expect(Array.from(groupCounts(table, counted, matches))).toEqual(expected);
    }),
  );
}, 60_000);

function binningOfField(collection: Collection, name: string): Binning | null {
  const field = collection.model.fields.find((one) => one.name === name);
  const column = collection.columns.get(name);
  return field && column ? binningOf(field, column) : null;
}

test('each way to the most frequent values gives the same counts, of lists and of single values', () => {
  const LIMIT = 3;
  const value = (most: number) => fc.nat(most).map((n) => `v${Math.floor(n ** 3 / most ** 2)}`);
  const record = fc.record({ author: fc.option(value(30)), tags: fc.array(value(30), { maxLength: 6 }) });
  const some = fc
    .tuple(fc.array(record, { minLength: 1, maxLength: 60 }), fc.constantFrom(1, 5))
    .chain(([records, times]) => fc.tuple(fc.constant(records), fc.constant(times), rowsBelow(records.length * times)));
  fc.assert(
    fc.property(some, fc.boolean(), ([records, times, matching], isOneEach) => {
      const articles = Array.from({ length: times }, () => records)
        .flat()
        .map((one, id) => ({ title: 't', ...one, id, author: one.author ?? (isOneEach ? 'none' : null) }));
      const collection = collectionOf(datasetOf({ articles }).dataset.collections, 'articles');
      const { table, fields } = finished(buildCountIndex(collection, new Map()));
      setAll(table.bitsOf(0), Uint32Array.from(matching));
      const rows = Uint32Array.from(matching).sort();
      const matches = { set: 0, count: matching.length, rows: () => rows };
      for (const field of ['author', 'tags'] as const) {
        const index = collection.values.get(field);
        const counted = fields.get(field);
        if (index === undefined || counted === undefined) throw new Error(`${field} is not counted`);
        const counts = new Map<string, number>();
        for (const row of matching) {
          for (const one of new Set([articles[row]?.[field] ?? []].flat())) counts.set(one, (counts.get(one) ?? 0) + 1);
        }
        const all = allValues(index).map((name, code) => ({ name, code, count: counts.get(name) ?? 0 }));
        const expected = all
          .filter(({ count }) => count > 0)
          .toSorted((x, y) => y.count - x.count || x.code - y.code)
          .slice(0, LIMIT);
        const codes = expected.map(({ code, count }) => ({ code, count }));
        expect(bestByPass(table, counted, 0, LIMIT)).toEqual(codes);
        expect(bestBySorting(index, rows, LIMIT)).toEqual(codes);
        expect(bestByThreshold(table, counted, matches, LIMIT, Number.POSITIVE_INFINITY)).toEqual(codes);
        const top = topValues(table, counted, index, matches, LIMIT);
        const named = expected.toSorted((x, y) => y.count - x.count || (x.name < y.name ? -1 : 1));
        expect(top).toEqual(named.map(({ name, count }) => ({ name, count })));
      }
    }),
  );
}, 60_000);
