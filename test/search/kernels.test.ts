import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setBit } from '../../src/bits.js';
import { ranking } from '../../src/kernels/compiled.js';
import { impactOf } from '../../src/kernels/posting-layout.js';
import { type Texts, textsWithPart } from '../../src/store/part-search.js';
import { BEYOND_ASCII, fold } from '../../src/text.js';
import { createSharedMemory, instantiate } from '../../src/wasm.js';

it('tests run with kernels that are compiled from what the sources are now', () => {
  expect(() => execFileSync(process.execPath, ['src/compile-kernels.js', '--check'])).not.toThrow();
});

/** What is tested of `kernels/ranking.ts`. */
interface Scores {
  addDense(impacts: number, rows: number, weight: number, sums: number): void;
  selectRows(
    set: number,
    words: number,
    from: number,
    sums: number,
    limit: number,
    rows: number,
    space: number,
  ): number;
}

it('an impact is f / (f + norm) in 255 steps, and is never 0', () => {
  const impact = (frequency: number, norm: number): number =>
    Math.max(1, Math.floor((255 * frequency) / (frequency + norm) + 0.5));
  const norm = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), norm, (frequency, norm) => {
      expect(impactOf(frequency, norm)).toBe(impact(frequency, norm));
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

it('the rows of a set whose sums reach a limit are selected in ascending order, a piece at a time', () => {
  const memory = createSharedMemory();
  const kernel = instantiate<Scores>(ranking, memory);
  const [set, sums, selected] = [16, 1024, 16_384];
  const sum = fc.oneof(fc.nat(5), fc.nat(2 ** 29 - 1));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), sum), { minLength: 96, maxLength: 96 }),
      sum,
      fc.integer({ min: 32, max: 100 }),
      (rows, limit, space) => {
        const bits = new Uint32Array(memory.buffer, set, 3).fill(0);
        rows.forEach(([isMember], row) => {
          if (isMember) setBit(bits, row);
        });
        new Uint32Array(memory.buffer, sums, 96).set(rows.map(([, sum]) => sum));
        const found: number[] = [];
        for (let word = 0; word < 3; ) {
          const size = kernel.selectRows(set, 3, word, sums, limit, selected, space);
          const piece = [...new Uint32Array(memory.buffer, selected, size)];
          expect(size).toBeLessThanOrEqual(space);
          found.push(...piece);
          word = size + 32 > space ? (piece.at(-1)! >>> 5) + 1 : 3;
        }
        expect(found).toEqual([...rows.keys()].filter((row) => rows[row]![0] && rows[row]![1] >= limit));
      },
    ),
  );
});

describe('texts with a part', () => {
  function textsOf(texts: readonly string[]): Texts {
    const pieces = texts.map((text) => Buffer.from(text));
    let end = 0;
    const offsets = Uint32Array.from([0, ...pieces.map(({ length }) => (end += length))]);
    const others = texts.flatMap((text, i) => (BEYOND_ASCII.test(text) ? i : []));
    return { bytes: new Uint8Array(Buffer.concat(pieces)), offsets, others: Uint32Array.from(others) };
  }
  /** What they are, text by text. */
  function slowly(texts: readonly string[]): (part: string) => readonly number[] {
    const folded = texts.map(fold);
    return (part) => {
      const foldedPart = fold(part);
      return folded.flatMap((text, i) => (texts[i] !== '' && text.includes(foldedPart) ? i : []));
    };
  }
  const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text);

  // Marks, letters that change with their neighbours, and signs of three and four bytes.
  const units = [...'aAbzZ@`[{- 1éÉßİıſΣσςäÄ\u0301\u0338אشأا\u0654ハか\u3099界각ᄀ\u1161\u11a8K’€😀🏳\ufe0f\u200d'];
  const unit = fc.constantFrom(...units);

  it('are those whose folded text has the folded part, whatever the letters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit, maxLength: 40 }), { maxLength: 12 }),
        fc.string({ unit, minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(), { maxLength: 3 }),
        (texts, part, cuts) => {
          const parts = [part, ...cuts.map((cut) => (texts[cut % texts.length] ?? 'a').slice(cut % 7, 1 + (cut % 20)))];
          for (const one of parts.filter(isWhole))
            expect([one, ...textsWithPart(textsOf(texts), one)]).toEqual([one, ...slowly(texts)(one)]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('hold for each character of the basic plane, alone and beside others', () => {
    const texts = Array.from({ length: 0x10000 }, (_, code) => `x${String.fromCharCode(code)}y`).filter(isWhole);
    const columns = textsOf(texts);
    const expected = slowly(texts);
    // Parts beside a character, and some characters themselves, whatever they are folded to.
    const some = texts.filter((_, i) => i % 2003 === 0);
    for (const part of ['xy', 'xa', 'xk', 'E', 'xσ', 'ß', '\u03b1', 'か', 'ا', ...some])
      expect([part, ...textsWithPart(columns, part)]).toEqual([part, ...expected(part)]);
  });

  it('stand in several pieces of memory, and are longer than it', () => {
    const long = `${'ab'.repeat(1 << 18)}é`;
    const texts = ['needle', long, `${long}Needle`, ...Array.from({ length: 20_000 }, (_, i) => `n${i % 9}eedle ${i}`)];
    const expected = slowly(texts);
    for (const part of ['needle', 'bé', '19999', 'n8eedle 1', long, `${'ab'.repeat(1 << 17)}x`])
      expect(Array.from(textsWithPart(textsOf(texts), part))).toEqual(expected(part));
  });
});
