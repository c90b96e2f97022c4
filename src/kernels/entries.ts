/** Access to entries of 4 bytes, in tables and in the token stream (`stream-layout.ts`). */

/* @inline */ export function entryOf(table: usize, number: u32): usize {
  return table + ((<usize>number) << 2);
}

/* @inline */ export function numberIn(table: usize, number: u32): u32 {
  return load<u32>(entryOf(table, number));
}
