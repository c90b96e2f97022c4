/**
 * Sets of small integers as bits, 32 to a word. Marking m of n integers and reading them back ascending costs
 * O(m + n / 32) whatever their order was, which beats sorting them from about m = n / 100 on.
 */
export type Bits = Uint32Array;

export const createBits = (size: number): Bits => new Uint32Array((size + 31) >>> 5);

export function setBit(bits: Bits, member: number): void {
  bits[member >>> 5]! |= 1 << (member & 31);
}

export function clearBit(bits: Bits, member: number): void {
  bits[member >>> 5]! &= ~(1 << (member & 31));
}

/** Adds the integers of a list. */
export function setAll(bits: Bits, members: Uint32Array): void {
  for (let i = 0; i < members.length; i++) setBit(bits, members[i]!);
}

export const hasBit = (bits: Bits, member: number): boolean => ((bits[member >>> 5]! >>> (member & 31)) & 1) === 1;

/** Throws if two sets have different lengths. */
function checkSize(a: Bits, b: Bits): void {
  if (a.length !== b.length) throw new RangeError('sets are of unequal size');
}

/** The intersection of two sets. */
export function intersect(a: Bits, b: Bits): Bits {
  const both = a.slice();
  keepAll(both, b);
  return both;
}

/** Removes the members that are not in `others`. */
export function keepAll(bits: Bits, others: Bits): void {
  checkSize(bits, others);
  for (let word = 0; word < bits.length; word++) bits[word]! &= others[word]!;
}

/** Removes the members of `others`. */
export const dropAll = (bits: Bits, others: Bits): void => writeDifference(bits, others, bits);

/** Adds the members of `others`. */
export function addAll(bits: Bits, others: Bits): void {
  checkSize(bits, others);
  for (let word = 0; word < bits.length; word++) bits[word]! |= others[word]!;
}

/** Makes `into` the members of `a` that are not in `b`. */
export function writeDifference(a: Bits, b: Bits, into: Bits): void {
  checkSize(a, into);
  checkSize(b, into);
  for (let word = 0; word < into.length; word++) into[word] = a[word]! & ~b[word]!;
}

/** The integers below `size` that are not in a set. */
export function complementOf(bits: Bits, size: number): Bits {
  const complement = bits.map((word) => ~word);
  if ((size & 31) !== 0) complement[complement.length - 1]! &= (1 << (size & 31)) - 1;
  return complement;
}

/** Calls `use` with each member, ascending. */
export function forEachMember(bits: Bits, use: (member: number) => void): void {
  for (let word = 0; word < bits.length; word++) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) use((word << 5) + 31 - Math.clz32(rest & -rest));
  }
}

/** Counts the bits of a word in parallel (Warren, "Hacker's Delight", section 5-1). */
function bitsIn(word: number): number {
  let sums = word - ((word >>> 1) & 0x5555_5555);
  sums = (sums & 0x3333_3333) + ((sums >>> 2) & 0x3333_3333);
  return Math.imul((sums + (sums >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let word = 0; word < bits.length; word++) count += bitsIn(bits[word]!);
  return count;
}

export function isEmpty(bits: Bits): boolean {
  let word = 0;
  while (word < bits.length && bits[word] === 0) word++;
  return word === bits.length;
}

/** How many of the integers at positions `from` to `to` of a list, the latter excluded, are members: without a branch for each. */
export function countMembers(bits: Bits, integers: Uint32Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) count += (bits[integers[i]! >>> 5]! >>> (integers[i]! & 31)) & 1;
  return count;
}

/** The members at positions `from` to `to` of the ascending set, the latter excluded; both within its size. */
export function membersAt(bits: Bits, from: number, to: number): Uint32Array {
  const members = new Uint32Array(Math.max(0, to - from));
  let word = 0;
  let position = 0;
  for (
    let inWord = bitsIn(bits[0] ?? 0);
    members.length > 0 && position + inWord <= from;
    inWord = bitsIn(bits[word]!)
  ) {
    position += inWord;
    word++;
  }
  for (let filled = 0; filled < members.length; word++) {
    for (let rest = bits[word]!; rest !== 0 && filled < members.length; rest &= rest - 1) {
      if (position++ >= from) members[filled++] = (word << 5) + 31 - Math.clz32(rest & -rest);
    }
  }
  return members;
}

/** Integers below `size`, each at most once, in ascending order. */
export function inAscendingOrder(members: Uint32Array, size: number): Uint32Array {
  if (members.length < size / 128) return members.slice().sort();
  const bits = createBits(size);
  setAll(bits, members);
  return membersAt(bits, 0, members.length);
}
