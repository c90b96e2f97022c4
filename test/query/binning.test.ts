/** How numbers and dates are cut into bins. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { binningOf } from '../../src/http/pages/counting/binning.js';
import { countInBins } from '../../src/query/bins.js';
import { dateEdges } from '../../src/query/date-edges.js';
import { growingEdges, roundEdges } from '../../src/query/number-edges.js';
import { columnOf } from '../support/batches.js';

describe('bins', () => {
  const numberField = { name: 'price', kind: 'number', description: '' } as const;

  test('hold every value once, whatever the values', () => {
    const values = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(values, (all) => {
        const column = Float64Array.from(all);
        const binning = binningOf(numberField, columnOf(column));
        const counted = (binning?.bins ?? []).map(
          ({ from, to }) => column.filter((value) => value >= from && value < to).length,
        );
        expect(binning?.bins.map(({ count }) => count)).toEqual(counted);
        expect(counted.reduce((sum, one) => sum + one, 0)).toBe(all.length);
        expect(binning?.bins.length).toBeLessThan(64);
      }),
    );
  });

  test('grow with values of different magnitudes', () => {
    const column = Float64Array.from({ length: 1000 }, (_, i) => Math.floor(1 + 2000 * (i / 1000) ** 12));
    const binning = binningOf({ ...numberField, kind: 'integer' }, columnOf(column));
    expect(binning?.bins.map(({ min, max }) => `${min}-${max}`).slice(0, 4)).toEqual(['-1', '2-2', '3-4', '5-6']);
    expect(binning?.bins.map(({ label }) => label).slice(1, 3)).toEqual(['2', '3 to 4']);
  });

  test('that grow are bounded, and hold all numbers, however far these lie apart', () => {
    const number = fc.double({ noNaN: true, min: 0, max: Number.MAX_VALUE });
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [lowest, highest] = a < b ? [a, b] : [b, a];
        const edges = growingEdges(lowest, highest);
        expect(edges).toEqual(edges.toSorted((x, y) => x - y));
        expect(edges[0]).toBeLessThanOrEqual(lowest);
        expect(edges.at(-1)).toBeGreaterThan(highest);
        expect(edges.length - 1).toBeLessThanOrEqual(36);
      }),
    );
    expect(growingEdges(0, 60)).toEqual([0, 1, 2, 3, 5, 7, 10, 20, 30, 50, 70]);
    expect(growingEdges(1, 1e300).slice(0, 3)).toEqual([1, 1e9, 1e18]);
    const prices = Float64Array.from({ length: 100 }, (_, i) => (i < 60 ? 1 : 1e300));
    expect(binningOf(numberField, columnOf(prices))?.bins.at(-1)).toMatchObject({ count: 40 });
  });

  test('are few for few values, so that they have a shape', () => {
    const binsOf = (length: number) =>
      binningOf(numberField, columnOf(Array.from({ length }, (_, i) => 10 + i)))?.bins.length ?? 0;
    expect([24, 60, 5000].map(binsOf)).toEqual([5, 12, 11]);
  });

  test('are labelled with both bounds written alike', () => {
    const labelsOf = (kind: 'integer' | 'number', values: readonly number[]) =>
      binningOf({ ...numberField, kind }, columnOf(values))?.bins.map(({ label }) => label);
    expect(labelsOf('integer', [1000, 4000, 9000, 12_000])).toContain('5,000 to 9,999');
    expect(labelsOf('number', [1000.25, 1900.5, 3000])).toContain('1,000 to 1,499.99');
  });

  test('of dates begin on calendar days', () => {
    const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);
    const edges = dateEdges(day('2023-01-15'), day('2024-06-20'), 24);
    expect(edges.map((edge) => new Date(edge).toISOString().slice(8))).toEqual(edges.map(() => '01T00:00:00.000Z'));
    expect(edges[0]).toBe(day('2023-01-01'));
    expect(edges.at(-1)).toBe(day('2024-07-01'));
  });

  test('are counted as if number by number, in any order and by weight', () => {
    const weighed = fc.record({ number: fc.double({ noNaN: true, min: -50, max: 50 }), weight: fc.nat(9) });
    const starts = fc.uniqueArray(fc.integer({ min: -40, max: 40 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(starts, fc.array(weighed, { maxLength: 80 }), fc.boolean(), (unordered, all, areAscending) => {
        const edges = [Number.NEGATIVE_INFINITY, ...unordered.toSorted((a, b) => a - b)];
        const ordered = areAscending ? all.toSorted((a, b) => a.number - b.number) : all;
        const numbers = ordered.map(({ number }) => number);
        const within = (i: number) =>
          ordered.filter(
            ({ number }) => number >= (edges[i] ?? 0) && number < (edges[i + 1] ?? Number.POSITIVE_INFINITY),
          );
        expect([...countInBins(edges, numbers)]).toEqual(edges.map((_, i) => within(i).length));
        expect([
          ...countInBins(
            edges,
            numbers,
            ordered.map(({ weight }) => weight),
          ),
        ]).toEqual(edges.map((_, i) => within(i).reduce((sum, { weight }) => sum + weight, 0)));
      }),
    );
  });

  test('at round steps hold all numbers, and are open where a few lie far out', () => {
    expect(roundEdges({ lowest: 3, low: 3, high: 20, highest: 24 }, 1, 24)).toEqual(
      Array.from({ length: 23 }, (_, i) => i + 3),
    );
    const open = roundEdges({ lowest: -95, low: -20, high: 24, highest: 900 }, 1, 24);
    expect(open.slice(0, 3)).toEqual([Number.NEGATIVE_INFINITY, -20, -18]);
    expect(open.slice(-3)).toEqual([24, 26, Number.POSITIVE_INFINITY]);
    const four = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(four, fc.constantFrom(0.01, 1), (some, smallest) => {
        const [lowest = 0, low = 0, high = 0, highest = 0] = some.toSorted((a, b) => a - b);
        const edges = roundEdges({ lowest, low, high, highest }, smallest, 24);
        expect(edges).toEqual(edges.toSorted((a, b) => a - b));
        expect(edges[0]).toBeLessThanOrEqual(lowest);
        expect(edges.at(-1)).toBeGreaterThan(highest);
        expect(edges.length).toBeLessThanOrEqual(28);
      }),
    );
  });
});
