import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { setBit } from '../src/bits.js';
import { ranking } from '../src/kernels/compiled.js';
import { createSharedMemory, instantiate } from '../src/wasm.js';

it('tests run with kernels that are compiled from what the sources are now', () => {
  expect(() => execFileSync(process.execPath, ['src/compile-kernels.js', '--check'])).not.toThrow();
});

/** What is tested of `kernels/ranking.ts`. */
interface Scores {
  impactOf(frequency: number, norm: number): number;
  addDense(impacts: number, rows: number, weight: number, sums: number): void;
  selectBest(accept: number, words: number, sums: number, count: number, heap: number): number;
}

it('an impact is f / (f + norm) in 255 steps, and is never 0', () => {
  const kernel = instantiate<Scores>(ranking, createSharedMemory());
  const impact = (frequency: number, norm: number): number =>
    Math.max(1, Math.floor((255 * frequency) / (frequency + norm) + 0.5));
  const norm = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), norm, (frequency, norm) => {
      expect(kernel.impactOf(frequency, norm)).toBe(impact(frequency, norm));
    }),
    { numRuns: 2000 },
  );
});

it('dense impacts are added to sums, each times the weight', () => {
  const memory = createSharedMemory();
  const kernel = instantiate<Scores>(ranking, memory);
  const [impacts, sums] = [16, 64];
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 32, maxLength: 32 }),
      fc.integer({ min: 1, max: 2 ** 20 }),
      (rows, weight) => {
        new Uint8Array(memory.buffer, impacts, 32).set(rows);
        const into = new Uint32Array(memory.buffer, sums, 32).fill(7);
        kernel.addDense(impacts, 32, weight, sums);
        expect([...into]).toEqual(rows.map((impact) => 7 + impact * weight));
      },
    ),
  );
});

it('the best of some rows are those of the greatest sums, ties by row, and all sums are 0 afterwards', () => {
  const memory = createSharedMemory();
  const kernel = instantiate<Scores>(ranking, memory);
  const [accept, sums, heap] = [16, 1024, 16_384];
  const maxRow = 2 ** 24 - 1;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.oneof(fc.nat(5), fc.nat(2 ** 29 - 1))), { minLength: 96, maxLength: 96 }),
      fc.integer({ min: 1, max: 100 }),
      (rows, count) => {
        const bits = new Uint32Array(memory.buffer, accept, 3).fill(0);
        rows.forEach(([isAccepted], row) => {
          if (isAccepted) setBit(bits, row);
        });
        const into = new Uint32Array(memory.buffer, sums, 96);
        into.set(rows.map(([, sum]) => sum));
        const size = kernel.selectBest(accept, 3, sums, count, heap);
        const keys = rows.flatMap(([isAccepted, sum], row) => (isAccepted ? [sum * 2 ** 24 + maxRow - row] : []));
        const best = keys.sort((a, b) => b - a).slice(0, count);
        expect([...new Float64Array(memory.buffer, heap, size)].sort((a, b) => b - a)).toEqual(best);
        expect(into.every((sum) => sum === 0)).toBe(true);
      },
    ),
  );
});
