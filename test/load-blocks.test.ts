/** Where a file is read to: never over bytes that are still needed, whatever is read at once and let stay. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHUNK_BYTES, type Chunk, ReadBlocks } from '../src/load/read-blocks.js';

/** Blocks may be parts of the same memory. */
const place = ({ bytes, from, to }: Chunk) => ({ from: bytes.byteOffset + from, to: bytes.byteOffset + to });

function overlaps(a: Chunk, b: Chunk): boolean {
  const [ofA, ofB] = [place(a), place(b)];
  return a.bytes.buffer === b.bytes.buffer && ofA.from < ofB.to && ofB.from < ofA.to;
}

/** Reads a file in chunks of shares of the room; some of them stay. Tells how many were lent. */
function read(fileBytes: number, steps: readonly { readonly share: number; readonly stays: number }[]): number {
  const blocks = new ReadBlocks(fileBytes);
  let before: Chunk | undefined;
  let left = fileBytes;
  let lent = 0;
  const kept: Chunk[] = [];
  for (let i = 0; left > 0; i++) {
    const { share, stays } = steps[i % steps.length] ?? { share: 1, stays: 0 };
    const read = Math.min(left, Math.max(1, Math.floor(blocks.room * share)));
    left -= read;
    const chunk = blocks.filled(read);
    const next: Chunk = { bytes: blocks.bytes, from: blocks.at, to: blocks.at + blocks.room };
    expect(blocks.room).toBeGreaterThan(0);
    if ([chunk, before, ...kept].some((needed) => needed && overlaps(next, needed))) throw new Error(`at chunk ${i}`);
    if (chunk.lease && stays > 0) {
      chunk.lease.stay(Math.ceil(read * stays));
      kept.push(chunk);
    }
    if (chunk.lease) lent++;
    blocks.taken(chunk);
    before = chunk;
  }
  return lent;
}

test('no chunk is read over one that is being taken, has just been, or holds what stays', { timeout: 30_000 }, () => {
  const step = fc.record({ share: fc.double({ min: 0.3, max: 1, noNaN: true }), stays: fc.constantFrom(0, 0.9, 1) });
  fc.assert(
    fc.property(fc.nat(400 << 20), fc.array(step, { minLength: 1, maxLength: 30 }), (bytes, steps) => {
      read(bytes, steps);
    }),
    { numRuns: 60 },
  );
});

test('chunks are lent as long as most of their bytes stay', () => {
  const megabytesLent = (stays: number): number => (read(50 << 20, [{ share: 1, stays }]) * CHUNK_BYTES) / 2 ** 20;
  expect(megabytesLent(1)).toBe(50);
  expect(megabytesLent(0.9)).toBe(50);
  expect(megabytesLent(0.5)).toBe(11);
  expect(megabytesLent(0)).toBe(5);
});
