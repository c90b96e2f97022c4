import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Meanwhile } from '../src/build/meanwhile.js';

/** Counts its steps. */
function counting(steps: number) {
  const taken = { steps: 0 };
  function* count() {
    for (; taken.steps < steps; taken.steps++) yield;
    return 'done';
  }
  return { taken, meanwhile: new Meanwhile(count()) };
}

describe('what is done meanwhile', () => {
  test('stops when what is waited for has arrived, and is finished later', async () => {
    const { taken, meanwhile } = counting(Number.POSITIVE_INFINITY);
    expect(await meanwhile.until(wait(20))).toBe(true);
    const before = taken.steps;
    expect(before).toBeGreaterThan(0);
    await wait(5);
    expect(taken.steps).toBe(before);
  });

  test('stops as well when what is waited for has failed, which is left to others', async () => {
    const { meanwhile } = counting(Number.POSITIVE_INFINITY);
    expect(await meanwhile.until(Promise.reject(new Error('ended')))).toBe(true);
  });

  test('is done before', async () => {
    const { taken, meanwhile } = counting(3);
    expect(await meanwhile.until(new Promise(() => {}))).toBe(false);
    expect(taken.steps).toBe(3);
    expect(meanwhile.finish()).toBe('done');
    expect(await meanwhile.until(new Promise(() => {}))).toBe(false);
  });

  test('was never begun', () => {
    const { taken, meanwhile } = counting(3);
    expect([meanwhile.finish(), meanwhile.finish(), taken.steps]).toEqual(['done', 'done', 3]);
  });
});
