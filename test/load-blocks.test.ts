/** Where a file is read to: never over bytes that are still needed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Chunk, ReadBlocks } from '../src/load/read-blocks.js';

const overlaps = (a: Chunk, b: Chunk): boolean => a.bytes === b.bytes && a.from < b.to && b.from < a.to;

test('no chunk is read over one that is being taken or has just been', () => {
  const share = fc.double({ min: 0.3, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.nat(20 << 20), fc.array(share, { minLength: 1, maxLength: 30 }), (fileBytes, shares) => {
      const blocks = new ReadBlocks(fileBytes);
      let before: Chunk | undefined;
      for (let left = fileBytes, i = 0; left > 0; i++) {
        expect(blocks.room).toBeGreaterThan(0);
        const read = Math.min(left, Math.max(1, Math.floor(blocks.room * shares[i % shares.length]!)));
        left -= read;
        const chunk = blocks.filled(read);
        const next = { bytes: blocks.bytes, from: 0, to: blocks.at + blocks.room };
        for (const needed of [chunk, before]) expect(needed !== undefined && overlaps(next, needed)).toBe(false);
        before = chunk;
      }
    }),
  );
});
