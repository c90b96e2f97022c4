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
