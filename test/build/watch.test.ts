/** What a look at a watched folder reads, and how much of the time it takes. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderState, msToNextLook, watchFolder } from '../../src/build/watch.js';
import { loadFolder } from '../support/load.js';
import { withFolder } from '../support/program.js';
import { until } from '../support/until.js';

const dump = '[{"id":1,"title":"a"}]';

describe('the state of a folder', () => {
  test.each([
    ['picture.jpg', false],
    ['.hidden.json', false],
    ['README.json', false],
    ['articles.json.part', false],
    ['products.ndjson', true],
    ['more.csv.gz', true],
    ['articles.mapping.json', true],
  ])('%s counts: %s', async (name, counts) => {
    await withFolder({ 'articles.json': dump }, async (dir) => {
      const { signature } = await folderState({ dir });
      writeFileSync(join(dir, name), '{}');
      expect((await folderState({ dir })).signature !== signature).toBe(counts);
    });
  });

  test('names each of many dumps, in one order', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `part-${String(i).padStart(3, '0')}.json`);
    await withFolder(Object.fromEntries(names.map((name) => [name, dump])), async (dir) => {
      const { signature, bytes } = await folderState({ dir });
      expect(signature.split('\n').map((line) => line.split(' ')[0])).toEqual(names.map((name) => join(dir, name)));
      expect(bytes).toBe(300 * dump.length);
    });
  });
});

test.each([
  [0, 250],
  [10, 250],
  [100, 900],
  [3000, 27_000],
])('after a look of %i ms the next one is %i ms away: a tenth of the time at most', (lookMs, ms) => {
  expect(msToNextLook(lookMs)).toBe(ms);
});

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  const mkfifo = (path: string) => execFileSync('mkfifo', [path]);

  test.each(['.lock', 'lock', 'products.ndjson', 'articles.mapping.json'])(
    'named %s in a watched folder holds nothing up',
    async (name) => {
      await withFolder({ 'articles.json': dump }, async (dir) => {
        const { signature } = await folderState({ dir });
        const end = new AbortController();
        let changes = 0;
        const watching = watchFolder({ dir }, signature, () => changes++, end.signal);
        mkfifo(join(dir, name));
        writeFileSync(join(dir, 'articles.json'), dump.replace('"a"', '"b"'));
        await until(() => changes > 0);
        end.abort();
        await watching;
      });
    },
  );

  test.each(['pipe', 'pipe.json', 'products.ndjson'])('that is named to be read, %s, is a fault', async (name) => {
    await withFolder({}, async (dir) => {
      const path = join(dir, name);
      mkfifo(path);
      const { fault } = await loadFolder(dir, { paths: [path] });
      expect(fault).toBe(`${path}: expected a file, found a pipe, socket or device`);
    });
  });

  test('in place of a mapping is an empty one', async () => {
    await withFolder({ 'articles.json': dump }, async (dir) => {
      mkfifo(join(dir, 'articles.mapping.json'));
      const { fault } = await loadFolder(dir);
      expect(fault).toMatch(/articles\.mapping\.json:1: the file is empty/);
    });
  });
});
