/** What the pages count with, each way against the obvious one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countMembers, createBits, hasBit, membersAt, setAll } from '../src/bits.js';
import { createBitTable } from '../src/http/pages/bit-table.js';
import { buildCountIndex } from '../src/http/pages/count-index.js';
import { bestByPass, bestByThreshold, topValues } from '../src/http/pages/top-values.js';
import { collectionOf } from '../src/store/dataset.js';
import { datasetOf } from './support/api.js';

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
      const steps = buildCountIndex(collection, new Map());
      let step = steps.next();
      while (!step.done) step = steps.next();
      const { table, fields } = step.value;
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
        const expected = [...counts.values()].toSorted((a, b) => b - a).slice(0, LIMIT);
        for (const guess of [1, 2, 50]) {
          expect(bestByPass(index, counted, rows, LIMIT, guess).map(({ count }) => count)).toEqual(expected);
        }
        const byThreshold = bestByThreshold(table, counted, matches, LIMIT, Number.POSITIVE_INFINITY);
        expect(byThreshold?.map(({ count }) => count)).toEqual(expected);
        const top = topValues(table, counted, index, matches, LIMIT);
        expect(top.map(({ count }) => count)).toEqual(expected);
        for (const { name, count } of top) expect(counts.get(name)).toBe(count);
      }
    }),
  );
});
