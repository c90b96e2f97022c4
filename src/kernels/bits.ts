/** Sets of bits: addresses and lengths are bytes, a length is a positive multiple of `BLOCK_BYTES`. */

const BLOCK_BYTES: usize = 32;

/** How many bits are set. */
export function count(bits: usize, length: usize): u32 {
  let sum: u64 = 0;
  const end = bits + length;
  do {
    sum +=
      popcnt(load<u64>(bits)) + popcnt(load<u64>(bits, 8)) + popcnt(load<u64>(bits, 16)) + popcnt(load<u64>(bits, 24));
    bits += BLOCK_BYTES;
  } while (bits < end);
  return <u32>sum;
}

const INTERSECT: u32 = 0;
const UNITE: u32 = 1;
const SUBTRACT: u32 = 2;

/** What 16 bytes of two sets give. */
/* @inline */ function combined(how: u32, a: v128, b: v128): v128 {
  if (how === INTERSECT) return v128.and(a, b);
  return how === UNITE ? v128.or(a, b) : v128.andnot(a, b);
}

/* @inline */ function combine(how: u32, a: usize, b: usize, into: usize, length: usize): void {
  const end = a + length;
  do {
    v128.store(into, combined(how, v128.load(a), v128.load(b)));
    v128.store(into, combined(how, v128.load(a, 16), v128.load(b, 16)), 16);
    into += BLOCK_BYTES;
    b += BLOCK_BYTES;
    a += BLOCK_BYTES;
  } while (a < end);
}

/** Writes the bits that are set in both. */
export function intersect(a: usize, b: usize, into: usize, length: usize): void {
  combine(INTERSECT, a, b, into, length);
}

/** Writes the bits that are set in either. */
export function unite(a: usize, b: usize, into: usize, length: usize): void {
  combine(UNITE, a, b, into, length);
}

/** Writes the bits that are set in `a` and not in `b`. */
export function subtract(a: usize, b: usize, into: usize, length: usize): void {
  combine(SUBTRACT, a, b, into, length);
}
