/** How numbers and dates are cut into bins. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { axisOf } from '../../src/http/pages/chart/axis.js';
import { binningOf, textOfBin, timeUnitOf } from '../../src/http/pages/counting/binning.js';
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
    expect(binning?.bins.map(textOfBin).slice(1, 3)).toEqual(['2', '3 to 4']);
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
      binningOf({ ...numberField, kind }, columnOf(values))?.bins.map(textOfBin);
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

  describe('of dates', () => {
    const datesFrom = (first: string, count: number, days: number) =>
      binningOf(
        { ...numberField, kind: 'date' },
        columnOf(Array.from({ length: count }, (_, i) => Date.parse(first) + i * days * 86_400_000)),
      ) ?? expect.fail('there are no bins');

    test.each([
      ['2026-01-01', 400, 0.1, 'day'],
      ['2026-01-01', 700, 0.1, '2 days'],
      ['2026-01-01', 200, 1, 'week'],
      ['2025-01-01', 700, 1, 'month'],
      ['2020-01-01', 1000, 2, 'quarter'],
      ['2010-01-01', 1000, 6, 'half-year'],
      ['2000-01-01', 1000, 9, 'year'],
      ['1960-01-01', 1000, 24, '2 years'],
    ])('from %s, %i times every %d days, are named by their step: %s', (first, count, days, unit) =>
      expect(timeUnitOf(datesFrom(first, count, days).bins)).toBe(unit),
    );

    test('the last is incomplete, unless the latest date is its last day', () => {
      const incomplete = (last: number) => datesFrom('2025-01-01', last, 1).bins.map((bin) => bin.isIncomplete);
      // 730 days end with December of 2026.
      expect(incomplete(729)).toEqual([...Array(23).fill(false), true]);
      expect(incomplete(730)).toEqual(Array(24).fill(false));
    });

    test.each([
      ['years', ['2020-01-01', '2021-01-01', '2022-01-01', '2023-01-01', '2024-01-01'], false],
      ['months', ['2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01', '2024-05-01'], false],
      ['months up to December', ['2019-03-01', '2020-07-01', '2021-02-01', '2022-05-01', '2024-12-01'], false],
      ['months up to November', ['2019-03-01', '2020-07-01', '2021-02-01', '2022-05-01', '2024-11-01'], true],
      ['days, one of them no first', ['2020-01-01', '2021-01-01', '2022-01-02', '2023-01-01', '2024-01-01'], true],
      ['times', ['2020-01-01', '2021-01-01', '2022-01-01', '2023-01-01', '2024-01-01T00:00:01Z'], true],
    ] as const)(
      'that are %s: the last is incomplete where what its dates stand for ends before it',
      (_, dates, isIncomplete) => {
        const column = columnOf(dates.map((date) => Date.parse(date)));
        const { bins } = binningOf({ ...numberField, kind: 'date' }, column) ?? expect.fail('there are no bins');
        expect(bins.map((bin) => bin.isIncomplete)).toEqual(
          bins.map((_bin, i) => isIncomplete && i === bins.length - 1),
        );
      },
    );

    test('have widths by their days', () => {
      const { bins } = datesFrom('2025-01-01', 730, 1);
      const { edges } = axisOf({ bins, scale: 'linear' });
      const days = edges.slice(1).map((edge, i) => Math.round((edge - (edges[i] ?? 0)) * 730));
      expect(days.slice(0, 4)).toEqual([31, 28, 31, 30]);
    });
  });

  describe('on an axis', () => {
    const axisOfNumbers = (values: readonly number[], scale?: 'linear' | 'logarithmic') => {
      const binning = binningOf(numberField, columnOf(values), scale) ?? expect.fail('there are no bins');
      return { ...axisOf(binning), ...binning };
    };
    const widths = (edges: readonly number[]) => edges.slice(1).map((edge, i) => edge - (edges[i] ?? 0));

    test('that is logarithmic are as wide as their ratio; the one from 0 is as wide as the next', () => {
      const { edges, shareOf, bins } = axisOfNumbers([0, 1, 5, 60], 'logarithmic');
      expect(bins.map(({ from }) => from)).toEqual([0, 1, 2, 3, 5, 7, 10, 20, 30, 50]);
      const [zero = 0, one = 0, two = 0, three = 0] = widths(edges);
      expect(zero).toBeCloseTo(one);
      expect(two / one).toBeCloseTo(Math.log(1.5) / Math.log(2));
      expect(three / one).toBeCloseTo(Math.log(5 / 3) / Math.log(2));
      expect(shareOf(5)).toBeCloseTo(edges[4] ?? 0);
      expect(shareOf(0)).toBe(0);
    });

    test('are equally wide where they are equal; an open one is as wide as they are', () => {
      const values = Array.from({ length: 400 }, (_, i) => (i < 396 ? i % 80 : 9000));
      const { edges, shareOf, bins } = axisOfNumbers(values, 'linear');
      expect(bins.at(-1)?.to).toBe(Number.POSITIVE_INFINITY);
      for (const width of widths(edges)) expect(width).toBeCloseTo(1 / bins.length);
      expect(shareOf(9000)).toBeCloseTo(1 - 0.5 / bins.length);
    });

    test.each(['linear', 'logarithmic'] as const)(
      'that is %s have a value from the last edge on at the end',
      (scale) => {
        const { shareOf, bins } = axisOfNumbers([1, 2, 3, 4], scale);
        const last = bins.at(-1)?.to ?? 0;
        expect(last).toBeLessThan(Number.POSITIVE_INFINITY);
        for (const value of [last, last + 1, 9e9]) expect(shareOf(value)).toBeCloseTo(1);
        expect(shareOf(-1)).toBe(0);
      },
    );

    test('cover the width once, and hold every value in its bin, whatever the values', () => {
      const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: 0, max: 500 }));
      fc.assert(
        fc.property(fc.array(number, { minLength: 1, maxLength: 40 }), fc.boolean(), (values, isLogarithmic) => {
          const { edges, shareOf, bins } = axisOfNumbers(values, isLogarithmic ? 'logarithmic' : 'linear');
          expect(edges[0]).toBe(0);
          expect(edges.at(-1)).toBeCloseTo(1);
          expect(edges).toHaveLength(bins.length + 1);
          for (const width of widths(edges)) expect(width).toBeGreaterThan(0);
          for (const value of values) {
            const at = bins.findIndex(({ to }) => value < to);
            expect(shareOf(value)).toBeGreaterThanOrEqual((edges[at] ?? 0) - 1e-9);
            expect(shareOf(value)).toBeLessThanOrEqual((edges[at + 1] ?? 1) + 1e-9);
          }
        }),
      );
    });
  });

  test('are counted as if number by number, in any order', () => {
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
    expect(roundEdges({ lowest: 3, high: 20, highest: 24 }, 1, 24)).toEqual(
      Array.from({ length: 23 }, (_, i) => i + 3),
    );
    const open = roundEdges({ lowest: -20, high: 24, highest: 900 }, 1, 24);
    expect(open.slice(0, 2)).toEqual([-20, -18]);
    expect(open.slice(-3)).toEqual([24, 26, Number.POSITIVE_INFINITY]);
    // One rise beside falls is no "-10 and more".
    const falls = roundEdges({ lowest: -30, high: -9.8, highest: 25 }, 0.1, 24);
    expect(falls.every(Number.isFinite)).toBe(true);
    expect(roundEdges({ lowest: -30, high: -9.8, highest: 500 }, 0.1, 24).slice(-2)).toEqual([
      2,
      Number.POSITIVE_INFINITY,
    ]);
    // Nearly all longitudes of a city would be in one bin up to 0.
    const longitudes = roundEdges({ lowest: -122.7, high: -122.5, highest: 10.5 }, 0.01, 24);
    expect(longitudes.filter((edge) => edge < -122.5).length).toBeGreaterThan(15);
    const three = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(three, fc.constantFrom(0.01, 1), (some, smallest) => {
        const [lowest = 0, high = 0, highest = 0] = some.toSorted((a, b) => a - b);
        const edges = roundEdges({ lowest, high, highest }, smallest, 24);
        expect(edges).toEqual(edges.toSorted((a, b) => a - b));
        expect(edges[0]).toBeLessThanOrEqual(lowest);
        expect(edges.at(-1)).toBeGreaterThan(highest);
        expect(edges.length).toBeLessThanOrEqual(28);
      }),
    );
  });
});
