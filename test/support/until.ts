import { setTimeout as wait } from 'node:timers/promises';

const LOOK_MS = 10;

/** Waits for a state; the test's own time limit bounds the wait. */
export async function until(isReached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isReached())) await wait(LOOK_MS);
}

/** How long an assertion is tried again: a bound for what never comes, since other processes may keep the machine busy. */
export const PATIENCE = { timeout: 240_000, interval: 50 };
