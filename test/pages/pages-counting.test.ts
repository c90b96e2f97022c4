/** What API and pages count with, against the obvious way. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countMembers, createBits, hasBit, setAll } from '../../src/bits.js';
import { chart } from '../../src/http/pages/chart/chart.js';
import { distributionChart } from '../../src/http/pages/chart/distribution-chart.js';
import { binningIn, countsInBins, shapeOf, totalsOf } from '../../src/http/pages/counting/shape.js';
import { preparePages } from '../../src/http/pages/home/findings.js';
import { collectionOf } from '../../src/model.js';
import { Conditions } from '../../src/query/conditions.js';
import { countGroups, groupsOfValues, topValues } from '../../src/query/counter.js';
import { facetsOf } from '../../src/query/facets.js';
import { EVERYTHING, type Query } from '../../src/query/query.js';
import { RowSet } from '../../src/row-set.js';
import { numberAtRow } from '../../src/store/number-column.js';
import { allValues } from '../../src/store/value-index.js';
import { datasetIn, datasetOf, sampleDir } from '../support/api.js';
import { anyOf, between } from '../support/filters.js';

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
      const field = collection.model.fields.find(({ name }) => name === 'score');
      const binning = field === undefined ? null : binningIn(collection, field);
      if (field === undefined || binning === null) return;
      const countsOf = (set: RowSet | null) => [...countsInBins(collection, field, binning, set)];
      const expected = binning.bins.map(
        ({ from, to }) =>
          matching.filter((row) => all[row] !== null && (all[row] ?? 0) >= from && (all[row] ?? 0) < to).length,
      );
      expect(countsOf(matchingOf(matching, all.length))).toEqual(expected);
      expect(countsOf(null)).toEqual(binning.bins.map(({ count }) => count));
    }),
  );
});

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
});

describe('counts of a filtered view', async () => {
  const collection = collectionOf((await datasetIn(sampleDir)).dataset.collections, 'products');
  const none: Query = EVERYTHING;
  const price = between('price', 10, 20);
  const art = anyOf('category', 'art');

  test.each([
    ['all', none],
    ['few', { ...none, filters: between('price', 10, 10.5) }],
    ['many', { ...none, filters: price }],
    ['found', { ...none, text: 'salt' }],
  ] as const)('%s: values are counted as the API counts them', (_, query: Query) => {
    for (const { field, values } of shapeOf(collection, query).frequencies) {
      const counts = new Map(
        facetsOf(collection, field.name, new Conditions(collection, query).all).map(({ name, count }) => [name, count]),
      );
      for (const { name, count } of values) expect(count).toBe(counts.get(name));
      const top = [...counts.values()].slice(0, 40);
      expect(values.map(({ count }) => count)).toEqual(top);
    }
  });

  test('so are those of a field with very many values, in most of the records', () => {
    const products = Array.from({ length: 12_000 }, (_, i) => ({
      id: i,
      title: `${i}`,
      author: `a${i % (i % 3 === 0 ? 41 : 6007)}`,
      price: i % 100,
    }));
    const many = collectionOf(datasetOf({ products }).dataset.collections, 'products');
    const most: Query = { ...none, filters: between('price', 0, 70) };
    const [author] = shapeOf(many, most).frequencies.filter(({ field }) => field.name === 'author');
    const expected = facetsOf(many, 'author', new Conditions(many, most).all);
    expect(many.values.get('author')?.names.offsets.length).toBeGreaterThan(4096);
    expect(author?.values.map(({ count }) => count)).toEqual(expected.slice(0, 40).map(({ count }) => count));
    for (const value of author?.values ?? []) expect(expected).toContainEqual(value);
  });

  test('what is made after the start counts like what is made when it is first asked for', () => {
    const products = Array.from({ length: 300 }, (_, i) => ({
      id: i,
      title: `t ${i}`,
      author: `a ${i % 7}`,
      price: i % 50,
      rating: i % 6,
    }));
    const [asked, prepared] = [datasetOf({ products }), datasetOf({ products })].map(({ dataset }) => dataset);
    const steps = [...preparePages(prepared ?? expect.fail())];
    expect(steps.length).toBeGreaterThan(3);
    const filters = between('price', 5, 20);
    for (const query of [none, { ...none, filters }]) {
      const [expected, shape] = [asked, prepared].map((dataset) =>
        shapeOf(collectionOf(dataset?.collections ?? new Map(), 'products'), query),
      );
      const countsOf = (one: typeof shape) => [
        one?.distributions.map(({ field, counts }) => [field.name, ...Array.from(counts)]),
        one?.frequencies.map(({ field, values }) => [field.name, values]),
      ];
      expect(countsOf(shape)).toEqual(countsOf(expected));
    }
  });

  test('whatever the values and conditions, each field is counted as if row by row', () => {
    const record = fc.record({
      price: fc.option(fc.integer({ min: 0, max: 400 }).map((cents) => cents / 20)),
      rating: fc.option(fc.constantFrom(1, 2, 3, 4, 5)),
      author: fc.option(fc.nat(90).map((n) => `author ${Math.floor(n ** 2 / 90)}`)),
      category: fc.option(fc.constantFrom('a', 'b', 'c')),
      title: fc.constantFrom('red fox', 'red hen', 'grey fox'),
    });
    const range = (field: string, max: number) =>
      fc
        .tuple(fc.integer({ min: 0, max }), fc.integer({ min: 0, max }))
        .map(([a, b]) => between(field, Math.min(a, b), Math.max(a, b)));
    const someOf = (field: string, value: fc.Arbitrary<string>) =>
      fc.array(value, { minLength: 1, maxLength: 3 }).map((values) => [anyOf(field, ...values)]);
    const filters = fc
      .tuple(
        fc.option(range('price', 20)),
        fc.option(range('rating', 5)),
        fc.option(someOf('category', fc.constantFrom('a', 'b', 'none'))),
        fc.option(someOf('author', fc.constantFrom('author 0', 'author 1', 'author 40'))),
      )
      .map((some) => some.flatMap((filters) => filters ?? []));
    const asked = fc.record({ text: fc.constantFrom(null, null, 'fox', 'red', 'nothing'), filters });
    const some = fc.tuple(
      fc.array(record, { maxLength: 60 }),
      fc.constantFrom(1, 1, 9),
      fc.array(asked, { maxLength: 4 }),
    );
    fc.assert(
      fc.property(some, ([records, times, queries]) => {
        const products = Array.from({ length: times }, () => records)
          .flat()
          .map((one, id) => ({ id, ...one }));
        const all = collectionOf(datasetOf({ products }).dataset.collections, 'products');
        for (const each of queries) {
          const query: Query = { ...none, ...each };
          const matchingRows = (asked: Query) => new Conditions(all, asked).all?.rows ?? Array(all.size).keys();
          const { distributions, frequencies } = shapeOf(all, query);
          const others = (name: string): Query => ({
            ...query,
            filters: query.filters.filter((filter) => filter.field !== name),
          });
          for (const { field, binning, counts } of distributions) {
            const column = all.columns.get(field.name) ?? expect.fail('there is no column');
            const rows = [...matchingRows(others(field.name))];
            const values = rows.map((row) => numberAtRow(column, row));
            const expected = binning.bins.map(
              ({ from, to }) => values.filter((value) => value >= from && value < to).length,
            );
            expect([...Array.from(counts)]).toEqual(expected);
          }
          for (const { field, values } of frequencies) {
            const expected = facetsOf(all, field.name, new Conditions(all, others(field.name)).all);
            expect(values.map(({ count }) => count)).toEqual(expected.slice(0, 40).map(({ count }) => count));
            for (const value of values) expect(expected).toContainEqual(value);
          }
        }
      }),
    );
  });

  test('but one that wants all of its values does: another narrows the view further', () => {
    const tags = [['a', 'b'], ['a', 'c'], ['b'], ['a', 'b', 'c'], []];
    const articles = tags.map((some, id) => ({ id, title: 't', tags: some }));
    const tagged = collectionOf(datasetOf({ articles }).dataset.collections, 'articles');
    const offered = (match: 'any' | 'all', ...values: readonly string[]) =>
      shapeOf(tagged, { ...none, filters: [{ ...anyOf('tags', ...values), match }] })
        .frequencies.find(({ field }) => field.name === 'tags')
        ?.values.map(({ name, count }) => `${name} ${count}`);
    expect(offered('any', 'a', 'b')).toEqual(['a 3', 'b 3', 'c 2']);
    expect(offered('all', 'a', 'b')).toEqual(['a 2', 'b 2', 'c 1']);
    expect(offered('all', 'c')).toEqual(['a 2', 'c 2', 'b 1']);
    expect(offered('all', 'a', 'none')).toEqual([]);
  });

  test('a field’s own condition does not narrow what it offers', () => {
    const narrowed = shapeOf(collection, { ...none, filters: [...price, art] });
    const without = facetsOf(collection, 'category', new Conditions(collection, { ...none, filters: price }).all);
    expect(narrowed.frequencies.find(({ field }) => field.name === 'category')?.values.length).toBe(without.length);
    const prices = narrowed.distributions.find(({ field }) => field.name === 'price');
    const total = Array.from(prices?.binning.bins ?? [], (_, i) => prices?.counts[i] ?? 0).reduce((a, b) => a + b, 0);
    expect(total).toBe(25);
  });
});

test.each([
  ['the tallest', [0, 2, 0, 5], [0, 2, 0, 5], 3],
  ['where nothing matches, the first that has records', [0, 0, 0, 0], [0, 2, 0, 5], 1],
])('the tab key reaches one bar of a chart: %s', (_, counts, totals, stop) => {
  const bars = counts.map((found, i) => ({
    label: `bar ${i}`,
    start: i / 4,
    end: (i + 1) / 4,
    found,
    all: totals[i] ?? 0,
    address: `/bar${i}`,
  }));
  const markup = chart({ id: 'c', label: 'c', bars, ticks: [], median: null, zero: null, height: 100 }).toString();
  const stops = [...markup.matchAll(/<a href="([^"]*)" tabindex="0">/g)].map(([, address]) => address);
  expect(stops).toEqual([`/bar${stop}`]);
});

test('the ticks of a chart never touch, whatever its numbers are', () => {
  const WIDTH = 190;
  const CHARACTER = 7;
  let shown = 0;
  const price = fc.oneof(fc.integer({ min: -3000, max: 3000 }), fc.double({ min: 0, max: 1e9, noNaN: true }));
  fc.assert(
    fc.property(fc.array(price, { minLength: 2, maxLength: 40 }), (prices) => {
      const products = prices.map((one, id) => ({ id, title: 't', price: one }));
      const collection = collectionOf(datasetOf({ products }).dataset.collections, 'products');
      const [field] = collection.model.fields.filter(({ name }) => name === 'price');
      const binning = field === undefined ? null : binningIn(collection, field);
      if (field === undefined || binning === null) return;
      const options = { id: 'c', height: 50, range: null, path: '/c', pairs: [], hasMedian: false, minWidth: WIDTH };
      const { ticks } = distributionChart({ field, binning, counts: totalsOf(binning) }, options);
      const places = ticks.map(({ at, text }) => {
        const length = text.length * CHARACTER;
        const start = at < 0.06 ? 0 : at > 0.94 ? WIDTH - length : at * WIDTH - length / 2;
        return { start, end: start + length };
      });
      for (const [i, { start }] of places.entries()) expect(start).toBeGreaterThan(places[i - 1]?.end ?? -WIDTH);
      shown += ticks.length;
    }),
    { numRuns: 30 },
  );
  expect(shown).toBeGreaterThan(50);
});

test('a chart has a line at its highest count, if that is above one; its figure is not beside the median', () => {
  const bars = (counts: readonly number[], at: number | null) => ({
    id: 'c',
    label: 'c',
    bars: counts.map((found, i) => ({
      label: '',
      start: i / counts.length,
      end: (i + 1) / counts.length,
      found,
      all: found,
      address: null,
    })),
    ticks: [],
    median: at === null ? null : { at, text: 'median' },
    zero: null,
    height: 100,
  });
  const figureOf = (counts: readonly number[], median: number | null = null) =>
    /<text class="most" (x="[^"]*").*?>([^<]+)</.exec(chart(bars(counts, median)).toString())?.slice(1);
  expect(figureOf([0, 0, 0])).toBeUndefined();
  expect(figureOf([0, 1, 0])).toBeUndefined();
  expect(figureOf([2, 10, 2])).toEqual(['x="100%"', '10']);
  expect(figureOf([2, 1300, 2], 0.3)).toEqual(['x="100%"', '1.3K']);
  expect(figureOf([2, 10, 2], 0.6)).toEqual(['x="0"', '10']);
});
