/**
 * Seeded random numbers: the same seed gives the same benchmark, and sample, on every machine. The generator is mulberry32
 * by Tommy Ettinger (public domain): https://gist.github.com/tommyettinger/46a874533244883189143505d203312c
 */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let n = Math.imul(state ^ (state >>> 15), state | 1);
    n ^= n + Math.imul(n ^ (n >>> 7), n | 61);
    return ((n ^ (n >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const below = (random: Random, n: number): number => Math.floor(random() * n);

/** Choices of a seeded generator. */
export interface RandomChoices {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer, both ends included. */
  integer(low: number, high: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** Normally distributed (Box and Muller 1958). */
  normal(mean: number, deviation: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** A new array in random order (Fisher and Yates 1938). */
  shuffle<T>(items: readonly T[]): T[];
}

export function createRandom(seed: number): RandomChoices {
  const next = seeded(seed);
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    normal(mean, deviation) {
      // 1 - next() is never 0, so that the logarithm is finite.
      const radius = Math.sqrt(-2 * Math.log(1 - next()));
      return mean + deviation * radius * Math.cos(2 * Math.PI * next());
    },
    pick: (items) => items[integer(0, items.length - 1)] ?? items[0],
    shuffle(items) {
      const rest = [...items];
      return items.flatMap(() => rest.splice(integer(0, rest.length - 1), 1));
    },
  };
}
