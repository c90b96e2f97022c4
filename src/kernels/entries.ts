/** Access to entries of 4 bytes: in tables, in the token stream (`stream-layout.ts`), and the sums of rows. */

/* @inline */ export function entryOf(table: usize, number: u32): usize {
  return table + ((<usize>number) << 2);
}

/* @inline */ export function numberIn(table: usize, number: u32): u32 {
  return load<u32>(entryOf(table, number));
}

/** The entries that one step compares. */
export const STEP_ENTRIES: u32 = 16;

/** A bit for each of the 16 entries from `at` on: whether it is below `limit`, both signed. */
/* @inline */ export function entriesBelow(at: usize, limit: u32): u32 {
  const limits = i32x4.splat(limit);
  const low = i16x8.narrow_i32x4_s(i32x4.lt_s(v128.load(at), limits), i32x4.lt_s(v128.load(at, 16), limits));
  const high = i16x8.narrow_i32x4_s(i32x4.lt_s(v128.load(at, 32), limits), i32x4.lt_s(v128.load(at, 48), limits));
  return i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
}
