/**
 * Each different value of a column, and how often it stands there, in the order of the first of each. Most columns have few different
 * values, so what is counted over these looks at each spelling once.
 */
export type ValueCounts = ReadonlyMap<unknown, number>;

export function countsOf(values: Iterable<unknown>): ValueCounts {
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** How often values stand in a column that pass a test. */
export function timesOf<Value>(counts: ReadonlyMap<Value, number>, test: (value: Value) => boolean): number {
  let sum = 0;
  for (const [value, times] of counts) if (test(value)) sum += times;
  return sum;
}
