import { expect } from 'vitest';

/** As `toEqual`, for values of JSON: thousands that are the same are compared as fast as their JSON is. */
export function expectSame(found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) expect(found).toEqual(expected);
}
