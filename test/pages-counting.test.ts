/** What API and pages count with, against the obvious way. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countMembers, createBits, hasBit, setAll } from '../src/bits.js';
import { type Binning, binningOf } from '../src/http/pages/counting/binning.js';
import { collectionOf } from '../src/model.js';
import { countGroups, groupsOfBins, groupsOfValues, topValues } from '../src/query/counter.js';
import { RowSet } from '../src/row-set.js';
import type { Collection } from '../src/store/collection.js';
import { allValues } from '../src/store/value-index.js';
import { datasetOf } from './support/api.js';

const rowsBelow = (size: number) => fc.uniqueArray(fc.nat(Math.max(0, size - 1)), { maxLength: size });

const matchingOf = (rows: readonly number[], size: number): RowSet =>
  RowSet.ofRows(Uint32Array.from(rows).sort(), size);

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

test('bins are counted by what each row has, also of rows without a value', () => {
  const scores = fc.array(fc.option(fc.nat(40)), { minLength: 1, maxLength: 400 });
  const some = scores.chain((all) => fc.tuple(fc.constant(all), rowsBelow(all.length)));
  fc.assert(
    fc.property(some, ([all, matching]) => {
      const articles = all.map((score, id) => ({ id, title: 't', score }));
      const collection = collectionOf(datasetOf({ articles }).dataset.collections, 'articles');
      const binning = binningOfField(collection, 'score');
      const order = collection.orders.get('score');
      if (binning === null || order === undefined) return;
      const groups = groupsOfBins(
        order,
        Uint32Array.from(binning.bins, ({ count }) => count),
      );
      const expected = binning.bins.map(
        ({ from, to }) =>
          matching.filter((row) => all[row] !== null && (all[row] ?? 0) >= from && (all[row] ?? 0) < to).length,
      );
      expect([...countGroups(groups, matchingOf(matching, all.length), all.length)]).toEqual(expected);
      expect([...countGroups(groups, null, all.length)]).toEqual(binning.bins.map(({ count }) => count));
    }),
  );
}, 60_000);

function binningOfField(collection: Collection, name: string): Binning | null {
  const field = collection.model.fields.find((one) => one.name === name);
  const column = collection.columns.get(name);
  return field && column ? binningOf(field, column) : null;
}

test('the most frequent values are counted, of lists and of single values', () => {
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
      for (const field of ['author', 'tags'] as const) {
        const index = collection.values.get(field);
        if (index === undefined) throw new Error(`${field} is not indexed`);
        const expected = new Map<string, number>();
        for (const row of matching) {
          for (const one of new Set([articles[row]?.[field] ?? []].flat()))
            expected.set(one, (expected.get(one) ?? 0) + 1);
        }
        const all = allValues(index).map((name, code) => ({ name, code, count: expected.get(name) ?? 0 }));
        const counts = countGroups(groupsOfValues(index), matchingOf(matching, articles.length), articles.length);
        expect([...counts]).toEqual(all.map(({ count }) => count));
        const best = all
          .filter(({ count }) => count > 0)
          .toSorted((x, y) => y.count - x.count || x.code - y.code)
          .slice(0, LIMIT)
          .toSorted((x, y) => y.count - x.count || (x.name < y.name ? -1 : 1));
        expect(topValues(index, counts, LIMIT)).toEqual(best.map(({ name, count }) => ({ name, count })));
      }
    }),
  );
}, 60_000);
