/**
 * Answers of the API that come late, or fail, on purpose: a front end shows its loading and its error states with real records. Pages,
 * documentation and `/health` answer as always, and say that it is on.
 */
export interface Simulation {
  /** The bounds of the time that an answer waits. */
  readonly delayMs: readonly [least: number, most: number];
  /** The share of answers that are a 503, from 0 to 1. */
  readonly failShare: number;
}

/** Whole milliseconds; `random` gives a number from 0 to 1, without 1. */
export const drawDelay = ({ delayMs: [least, most] }: Simulation, random: () => number): number =>
  least + Math.floor(random() * (most - least + 1));

export const shareInPercent = (share: number): string => `${Number((100 * share).toFixed(6))} %`;

/** `come 200 to 800 ms late, and 5 % of them fail` */
export function simulationText({ delayMs: [least, most], failShare }: Simulation): string {
  const delay = most === 0 ? [] : [`come ${least === most ? least : `${least} to ${most}`} ms late`];
  const failures = failShare === 0 ? [] : [`${most === 0 ? '' : 'and '}${shareInPercent(failShare)} of them fail`];
  return [...delay, ...failures].join(', ');
}
