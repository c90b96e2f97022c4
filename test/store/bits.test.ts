/** Bit sets against plain sets. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addAll,
  clearBit,
  countBits,
  createBits,
  dropAll,
  forEachMember,
  hasBit,
  inAscendingOrder,
  intersect,
  isEmpty,
  membersAt,
  setAll,
  writeDifference,
} from '../../src/bits.js';
import { createRandom } from '../support/random.js';

const SIZE = 300;
const anyMembers = fc.uniqueArray(fc.nat(SIZE - 1), { maxLength: SIZE });

function bitsOf(members: readonly number[]): Uint32Array {
  const bits = createBits(SIZE);
  setAll(bits, Uint32Array.from(members));
  return bits;
}

function membersOf(bits: Uint32Array): readonly number[] {
  const members: number[] = [];
  forEachMember(bits, (member) => members.push(member));
  return members;
}

test('bits are the set that was put in', () => {
  fc.assert(
    fc.property(anyMembers, anyMembers, fc.nat(SIZE), fc.nat(SIZE), (a, b, x, y) => {
      const bits = bitsOf(a);
      const sorted = [...a].sort((one, other) => one - other);
      expect(membersOf(bits)).toEqual(sorted);
      expect(countBits(bits)).toBe(a.length);
      expect(isEmpty(bits)).toBe(a.length === 0);
      expect(hasBit(bits, Math.min(x, SIZE - 1))).toBe(a.includes(Math.min(x, SIZE - 1)));
      const [from, to] = [Math.min(x, y, a.length), Math.min(Math.max(x, y), a.length)];
      expect([...membersAt(bits, from, to)]).toEqual(sorted.slice(from, to));
      expect(membersOf(intersect(bits, bitsOf(b)))).toEqual(sorted.filter((member) => b.includes(member)));
      const rest = createBits(SIZE);
      writeDifference(bits, bitsOf(b), rest);
      expect(membersOf(rest)).toEqual(sorted.filter((member) => !b.includes(member)));
      expect([...inAscendingOrder(Uint32Array.from(a), SIZE)]).toEqual(sorted);
      const united = bitsOf(a);
      addAll(united, bitsOf(b));
      expect(new Set(membersOf(united))).toEqual(new Set([...a, ...b]));
      for (const member of b) clearBit(united, member);
      expect(membersOf(united)).toEqual(sorted.filter((member) => !b.includes(member)));
    }),
  );
});

test.each([1, 31, 4096 * 32 - 1, 4096 * 32, 4096 * 32 + 1, 300_000])('sets of %d are worked on in pieces', (size) => {
  const random = createRandom(size);
  const words = (): Uint32Array =>
    createBits(size).map((_, i) => (32 * i + 31 < size ? random.integer(0, 2 ** 32 - 1) : random.integer(0, 1)));
  const [a, b] = [words(), words()];
  const both = createBits(size);
  writeDifference(a, b, both);
  expect(both).toEqual(a.map((word, i) => word & ~(b[i] ?? 0)));
  expect(intersect(a, b)).toEqual(a.map((word, i) => word & (b[i] ?? 0)));
  addAll(both, b);
  expect(both).toEqual(a.map((word, i) => word | (b[i] ?? 0)));
  dropAll(both, a);
  expect(both).toEqual(b.map((word, i) => word & ~(a[i] ?? 0)));
  let count = 0;
  forEachMember(a, () => count++);
  expect(countBits(a)).toBe(count);
});

test('sets of unequal size are refused', () => {
  expect(() => addAll(createBits(64), createBits(32))).toThrow('unequal');
  expect(() => intersect(createBits(32), createBits(64))).toThrow('unequal');
});

test('ascending sorts a few of many', () => {
  expect([...inAscendingOrder(Uint32Array.of(99_999, 3, 70_000), 100_000)]).toEqual([3, 70_000, 99_999]);
});
