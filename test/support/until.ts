import { setTimeout as wait } from 'node:timers/promises';

const LOOK_MS = 10;

/** Waits for a state; the test's own time limit bounds the wait. */
export async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await wait(LOOK_MS);
}
