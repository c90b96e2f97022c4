/** Sets of bits: addresses and lengths are bytes, a length is a positive multiple of `BLOCK_BYTES`. */

const BLOCK_BYTES: usize = 32;

/** How many bits are set in both. */
export function countCommon(a: usize, b: usize, length: usize): u32 {
  let sum: u64 = 0;
  const end = a + length;
  do {
    sum += popcnt(load<u64>(a) & load<u64>(b));
    sum += popcnt(load<u64>(a, 8) & load<u64>(b, 8));
    sum += popcnt(load<u64>(a, 16) & load<u64>(b, 16));
    sum += popcnt(load<u64>(a, 24) & load<u64>(b, 24));
    b += BLOCK_BYTES;
    a += BLOCK_BYTES;
  } while (a < end);
  return <u32>sum;
}

/** Writes the bits that are set in both. */
export function intersect(a: usize, b: usize, into: usize, length: usize): void {
  const end = a + length;
  do {
    v128.store(into, v128.and(v128.load(a), v128.load(b)));
    v128.store(into, v128.and(v128.load(a, 16), v128.load(b, 16)), 16);
    into += BLOCK_BYTES;
    b += BLOCK_BYTES;
    a += BLOCK_BYTES;
  } while (a < end);
}

/** Writes the bits that are set in either. */
export function unite(a: usize, b: usize, into: usize, length: usize): void {
  const end = a + length;
  do {
    v128.store(into, v128.or(v128.load(a), v128.load(b)));
    v128.store(into, v128.or(v128.load(a, 16), v128.load(b, 16)), 16);
    into += BLOCK_BYTES;
    b += BLOCK_BYTES;
    a += BLOCK_BYTES;
  } while (a < end);
}

/** Writes the bits that are set in `a` and not in `b`. */
export function subtract(a: usize, b: usize, into: usize, length: usize): void {
  const end = a + length;
  do {
    v128.store(into, v128.andnot(v128.load(a), v128.load(b)));
    v128.store(into, v128.andnot(v128.load(a, 16), v128.load(b, 16)), 16);
    into += BLOCK_BYTES;
    b += BLOCK_BYTES;
    a += BLOCK_BYTES;
  } while (a < end);
}
