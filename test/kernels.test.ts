import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('tests run with kernels that are compiled from what the sources are now', () => {
  expect(() => execFileSync(process.execPath, ['src/compile-kernels.js', '--check'])).not.toThrow();
});
