/** `npm run bench` on a dump too small to measure anything by: the peers that need nothing but the project's own packages. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { PARTS } from '../../bench/parts.js';
import type { Results } from '../../bench/results.js';

const bench = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['.build/bench/bench.js', ...args], { encoding: 'utf8' });

beforeAll(() => void execFileSync('npm', ['run', '--silent', 'build:bench']));

test('measures what is right, and writes results without publishing them', () => {
  const { status, stdout, stderr } = bench(
    ...['--quick', '--records', '400', '--peers', 'ours,hono-array', '--loop-ms', '20', '--no-install'],
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/\nwritten: bench\/results\/quick\.json\n$/);
  const { sizes }: Results = JSON.parse(readFileSync('bench/results/quick.json', 'utf8'));
  const { ours, 'hono-array': array } = sizes[0]?.peers ?? {};
  const figure = { median: expect.any(Number), least: expect.any(Number), most: expect.any(Number) };
  const measured = ['start', 'list', 'list again', 'detail', 'facets', 'export', 'two words, either', 'misspelt'];
  for (const peer of [ours, array]) {
    expect(peer?.figures).toMatchObject(Object.fromEntries(measured.map((name) => [name, figure])));
    // A busy machine does not get so far.
    const atMost = peer?.figures['1000 a second max'];
    if (atMost !== 'behind at a lower rate') expect(atMost).toEqual(figure);
  }
  expect(ours?.figures).toMatchObject({ phrase: figure, reload: figure });
  expect(array?.figures).toMatchObject({
    phrase: 'no phrases',
    'phrase again p99': 'no phrases',
    reload: 'starts anew',
  });
});

test.each([
  ['--nothing', "Unknown option '--nothing'"],
  ['--rounds=0', '--rounds must be a positive integer, received "0".'],
  ['--peers=ours,mysql', '--peers takes ours, json-server'],
  ['part', "Unexpected argument 'part'"],
])('%s is refused', (arg, message) => {
  const { status, stderr } = bench(arg);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

test('--help names every flag and part', () => {
  const { status, stdout } = bench('--help');
  expect(status).toBe(0);
  expect(stdout).toMatch(/--quick[\s\S]*--publish[\s\S]*relevance/);
});

test.each(Object.keys(PARTS))('the part %s lists its flags', (name) => {
  const { status, stdout } = bench(name, '--help');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^[A-Z].*\.\nusage: npm run bench.*\[flags\]\n\n {2}--/);
});
