/**
 * Items sorted by keys of several words of 32 bits, the least significant digit first (LSD radix sort; Knuth, "The Art of
 * Computer Programming", volume 3, section 5.2.5). Each digit is one pass over the items, unless it is the same for all.
 */
export const DIGIT_BITS = 11;
const DIGIT_VALUES = 1 << DIGIT_BITS;
const SHIFTS = [0, DIGIT_BITS, 2 * DIGIT_BITS];

/** Words of keys, the most significant first: word w of an item is `words[w][item]`. */
export type Keys = readonly Uint32Array[];

/** The items in the order of their keys; items of equal keys keep their order. */
export function sortByKeys(items: Uint32Array, keys: Keys): Uint32Array {
  let sorted = items;
  for (const words of keys.toReversed()) for (const shift of SHIFTS) sorted = sortByDigit(sorted, words, shift);
  return sorted;
}

/** The items in the order of one digit of their words. */
export function sortByDigit(items: Uint32Array, words: Uint32Array, shift: number): Uint32Array {
  /** Counts of each digit, which become the positions where its next item belongs. */
  const positions = new Uint32Array(DIGIT_VALUES + 1);
  const digitOf = (item: number): number => (words[item]! >>> shift) & (DIGIT_VALUES - 1);
  for (let i = 0; i < items.length; i++) positions[digitOf(items[i]!) + 1]!++;
  if (positions.includes(items.length)) return items;
  for (let digit = 1; digit < DIGIT_VALUES; digit++) positions[digit]! += positions[digit - 1]!;
  const sorted = new Uint32Array(items.length);
  for (let i = 0; i < items.length; i++) sorted[positions[digitOf(items[i]!)]!++] = items[i]!;
  return sorted;
}

/** Calls `use` with the bounds of each run of several sorted items whose keys are equal. */
export function forEachRun(items: Uint32Array, keys: Keys, use: (from: number, to: number) => void): void {
  const isSame = (a: number, b: number): boolean => {
    for (let word = 0; word < keys.length; word++) if (keys[word]![a] !== keys[word]![b]) return false;
    return true;
  };
  let from = 0;
  for (let to = 1; to <= items.length; to++) {
    if (to < items.length && isSame(items[to - 1]!, items[to]!)) continue;
    if (to - from > 1) use(from, to);
    from = to;
  }
}
