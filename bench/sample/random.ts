/** Seeded random choices: the same seed gives the same sequence on every run. */
import { seeded } from '../random.js';

export interface Random {
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

export function createRandom(seed: number): Random {
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
