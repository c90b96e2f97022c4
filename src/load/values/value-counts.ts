/**
 * Each different value of a column, and how often it stands there, in the order of the first of each. Most columns have few different
 * values, so what is counted over these looks at each spelling once.
 */
import { isMost } from './texts.js';

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

/** How many values of a column pass each test of a table. They are counted when that is asked for, and once. */
export class TestedCounts<Test extends string, Value = unknown> {
  readonly values: ReadonlyMap<Value, number>;
  /** How many values there are, equal ones each time. */
  readonly total: number;
  readonly #tests: Readonly<Record<Test, (value: Value) => boolean>>;
  readonly #counts = new Map<Test, number>();

  constructor(values: ReadonlyMap<Value, number>, tests: Readonly<Record<Test, (value: Value) => boolean>>) {
    this.values = values;
    this.total = timesOf(values, () => true);
    this.#tests = tests;
  }

  count(test: Test): number {
    const count = this.#counts.get(test) ?? timesOf(this.values, this.#tests[test]);
    this.#counts.set(test, count);
    return count;
  }

  areMost(test: Test): boolean {
    return isMost(this.count(test), this.total);
  }

  areAll(test: Test): boolean {
    return this.count(test) === this.total;
  }
}
