/**
 * The first `count` of some values in an order, in this order. Below zero, `compare` says that the first of two comes before; ties
 * are its own. Few of many are kept sorted while the others are passed over: one comparison each.
 */
export function greatest<T>(values: Iterable<T>, count: number, compare: (a: T, b: T) => number): T[] {
  if (count === 0) return [];
  let best: T[] = [];
  let last: T | undefined;
  for (const value of values) {
    if (last !== undefined && compare(value, last) >= 0) continue;
    best.push(value);
    if (best.length < 2 * count) continue;
    best = best.sort(compare).slice(0, count);
    last = best[count - 1];
  }
  return best.sort(compare).slice(0, count);
}
