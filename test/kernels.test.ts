import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ranking } from '../src/kernels/compiled.js';
import { score } from '../src/search/scoring.js';
import { createSharedMemory, instantiate } from '../src/wasm.js';

it('tests run with kernels that are compiled from what the sources are now', () => {
  expect(() => execFileSync(process.execPath, ['src/compile-kernels.js', '--check'])).not.toThrow();
});

/** What is tested of `kernels/ranking.ts`. */
interface Scores {
  scoreOf(weight: number, frequency: number, norm: number): number;
  addDense(dense: number, rows: number, weight: number, norms: number, sums: number): void;
}

it('kernels score as scoring.ts does, to the last bit', () => {
  const memory = createSharedMemory();
  const kernel = instantiate<Scores>(ranking, memory);
  const [frequencies, norms, sums] = [16, 64, 128];
  const weight = fc.double({ min: 0, max: 100, noNaN: true });
  const norm = fc.double({ min: 0, max: 50, noNaN: true });
  fc.assert(
    fc.property(
      weight,
      fc.array(fc.tuple(fc.integer({ min: 1, max: 255 }), norm), { minLength: 8, maxLength: 8 }),
      (w, rows) => {
        const expected = rows.map(([frequency, norm]) => score(w, frequency, norm));
        expect(rows.map(([frequency, norm]) => kernel.scoreOf(w, frequency, norm))).toEqual(expected);
        new Uint8Array(memory.buffer, frequencies, 8).set(rows.map(([frequency]) => frequency));
        new Float64Array(memory.buffer, norms, 8).set(rows.map(([, norm]) => norm));
        new Float64Array(memory.buffer, sums, 8).fill(0);
        kernel.addDense(frequencies, 8, w, norms, sums);
        expect([...new Float64Array(memory.buffer, sums, 8)]).toEqual(expected);
      },
    ),
    { numRuns: 2000 },
  );
});
