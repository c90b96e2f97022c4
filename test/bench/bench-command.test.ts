/** `scraper-data-api bench`, run as a user runs it, on a dump too small to measure anything by. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchTexts } from '../../src/bench/addresses.js';
import type { DumpFigures } from '../../src/bench/bench.js';
import { memoryAtRest } from '../../src/bench/process-stats.js';
import { benchText } from '../../src/bench/table.js';
import { run } from '../support/program.js';

const dir = mkdtempSync(join(tmpdir(), 'bench-command-'));
const dump = join(dir, 'shop.json');
const bench = (...args: readonly string[]) => run(['bench', ...args], {}, dir);

const words = ['kettle', 'lantern', 'teapot', 'blanket', 'saucepan', 'wardrobe', 'cupboard', 'umbrella'];
const products = Array.from({ length: 64 }, (_, i) => ({
  id: i + 1,
  title: `${words[i % 8]} ${words[Math.floor(i / 8)]} number`,
  author: `Maker ${i % 5}`,
  price: 1 + i,
  imageUrl: `https://example.org/${i}.jpg`,
  rating: i % 5,
  category: 'Home',
}));

beforeAll(() => writeFileSync(dump, JSON.stringify(products)));
afterAll(() => rmSync(dir, { recursive: true }));

describe('bench --json', () => {
  test('measures every task of a dump, in milliseconds, and exits with 0', async () => {
    const { code, stdout } = await bench(dump, '--json', '--rate-limit', '7');
    expect(code).toBe(0);
    const { environment, start, tasks }: DumpFigures = JSON.parse(stdout);
    expect(environment).toMatchObject({ node: process.version, processors: expect.any(Number) });
    expect(start.records).toEqual({ products: 64 });
    expect(start.ms).toBeGreaterThan(0);
    expect(tasks.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
      'list: pages',
      'deep page: second half',
      'sorted page: sort=price',
      'detail: by id',
      'filter: minPrice',
      expect.stringMatching(/^facets: /),
      ...['rare', 'common', 'two words', 'phrase', 'misspelt', 'none']
        // No word of this dump is in one record only.
        .filter((kind) => kind !== 'rare')
        .map((kind) => `search: ${kind}`),
    ]);
    for (const { first, repeat } of tasks) {
      for (const { p50, p99, perSecond, requests } of [first, repeat]) {
        expect(p50).toBeGreaterThan(0);
        expect(p99).toBeGreaterThanOrEqual(p50);
        expect(perSecond).toBeGreaterThan(0);
        expect(requests).toBeGreaterThan(0);
      }
    }
    expect(benchText({ environment, start, tasks })).toContain('products, 64 records');
  });

  test('a dump that is not there ends it as it ends a start', async () => {
    const { code, stdout, stderr } = await bench('nothing.json', '--json');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('There is no file or folder nothing.json.\n');
  });

  test('a wrong flag is a wrong flag of serve', async () => {
    const { code, stderr } = await bench('--port', 'x');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: '--port must be an integer from 0 to 65535, received "x".\n',
    });
  });
});

test('a process is at rest once it is idle, not only its memory level', async () => {
  // Milliseconds of processor time at each look: busy up to the third one.
  const processorMs = [0, 400, 900, 910];
  let looks = 0;
  const memory = { bytes: 5e7, peakBytes: 6e7 };
  const rest = await memoryAtRest(0, 500, () => ({ memory, processorMs: processorMs[looks++] ?? 0 }));
  expect({ rest, looks }).toEqual({ rest: { ...memory, isAtRest: true }, looks: 4 });
});

describe('words that are searched for', () => {
  const random = () => 0.5;
  const texts = ['silken tofu scramble', 'silken dresses scramble', 'silken kettles whistle'];
  const kinds = new Map(searchTexts(texts, random).map(({ kind, texts }) => [kind, texts]));

  test.each([
    ['rare', ['tofu', 'dresses', 'kettles', 'whistle']],
    ['common', ['silken', 'scramble', 'tofu', 'dresses', 'kettles', 'whistle']],
    ['phrase', ['"dresses scramble"']],
    ['none', ['jjjjjjjjjjjjjj']],
  ])('%s', (kind, expected) => expect(kinds.get(kind)).toEqual(expected));

  test('texts without words are not searched', () => expect(searchTexts(['1 2', ''], random)).toEqual([]));
});
