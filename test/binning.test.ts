/** How numbers and dates are cut into bins. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { binningOf } from '../src/http/pages/counting/binning.js';
import { dateEdges } from '../src/http/pages/counting/date-edges.js';
import { columnOf } from './support/batches.js';

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

  test('are labelled with both bounds written alike', () => {
    const labelsOf = (kind: 'integer' | 'number', values: readonly number[]) =>
      binningOf({ ...numberField, kind }, columnOf(values))?.bins.map(({ label }) => label);
    expect(labelsOf('integer', [1000, 4000, 9000, 12_000])).toContain('1,000 to 1,499');
    expect(labelsOf('number', [1000.25, 1900.5, 3000])).toContain('1,000 to 1,049.99');
  });

  test('of dates begin on calendar days', () => {
    const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);
    const edges = dateEdges(day('2023-01-15'), day('2024-06-20'), 24);
    expect(edges.map((edge) => new Date(edge).toISOString().slice(8))).toEqual(edges.map(() => '01T00:00:00.000Z'));
    expect(edges[0]).toBe(day('2023-01-01'));
    expect(edges.at(-1)).toBe(day('2024-07-01'));
  });
});
