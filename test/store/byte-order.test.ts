/** Pieces of bytes are sorted as comparing them sorts them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortPieces } from '../../src/store/byte-order.js';

test('pieces of bytes, whatever they have in common and wherever they end', () => {
  const beginning = fc.constantFrom('', 'https://shop.example/p/', 'https://shop.example/product/', 'https://');
  const rest = fc.string({ unit: fc.constantFrom('a', 'b', '\0', 'é'), maxLength: 40 });
  const piece = fc.tuple(beginning, rest).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 6 }), (some, times) => {
      const texts = Array.from({ length: some.length * times }, (_, i) => Buffer.from(some[(i * 7) % some.length]!));
      const offsets = new Uint32Array(texts.length + 1);
      for (const [i, { length }] of texts.entries()) offsets[i + 1] = offsets[i]! + length;
      const expected = [...texts.keys()].sort((a, b) => texts[a]!.compare(texts[b]!));
      const { order, isRepeated } = sortPieces(
        { bytes: Buffer.concat(texts), offsets },
        Uint32Array.from(texts.keys()),
      );
      expect([...order]).toEqual(expected);
      const repeated = expected.map((at, place) => place > 0 && texts[at]!.equals(texts[expected[place - 1]!]!));
      expect([...isRepeated]).toEqual(repeated.map(Number));
    }),
    { numRuns: 300 },
  );
});
