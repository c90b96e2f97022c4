/** What both engines promise of a search. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { buildDataset } from '../../src/build/build.js';
import { createApp } from '../../src/http/app.js';
import { collectionOf } from '../../src/model.js';
import { RowSet } from '../../src/row-set.js';
import { ENGINES, type Engine, USUAL } from '../../src/search/search.js';

const TITLES = [
  'Running a small server',
  'The server of a bakery',
  'Bread and butter',
  'How a baker runs',
  'Caf\u00e9 society',
  '\u6771\u4eac\u5927\u5b66 in spring',
];
const dir = mkdtempSync(join(tmpdir(), 'engines-'));
writeFileSync(
  join(dir, 'articles.json'),
  JSON.stringify(TITLES.map((title, id) => ({ id, title, content: id === 2 ? 'a server breaks bread' : '' }))),
);
afterAll(() => rmSync(dir, { recursive: true }));

async function builtWith(engine: Engine) {
  const built = await buildDataset({ dir, engine });
  if (!built.ok) throw new Error(built.fault.message);
  return built;
}

describe.each(ENGINES)('%s', (engine) => {
  test.each([
    ['server', [0, 1, 2]],
    ['runs', [0, 3]],
    ['bak', [1, 3]],
    ['bread', [2]],
    ['brread ', [2]],
    ['cafe', [4]],
    ['\u5927\u5b66', [5]],
    ['the bakery', [1]],
    ['nothing of this kind', []],
  ])('finds %s', async (text, expected) => {
    const { search } = collectionOf((await builtWith(engine)).dataset.collections, 'articles');
    const { rows, total } = search.search(text, 10);
    expect(Array.from(rows).sort()).toEqual(expected);
    expect(total).toBe(expected.length);
    expect([...search.matching(text).rows]).toEqual(expected);
  });

  test('a word in a title comes first, pages add up, and a filter narrows', async () => {
    const { search } = collectionOf((await builtWith(engine)).dataset.collections, 'articles');
    const all = Array.from(search.search('server', 10).rows);
    expect(all.indexOf(2)).toBe(2);
    expect(Array.from(search.search('server', 2).rows)).toEqual(all.slice(0, 2));
    const filter = { key: 'one', rows: () => RowSet.ofRows(Uint32Array.of(1, 2), TITLES.length) };
    expect(search.search('bakery', 10, USUAL, filter)).toMatchObject({ total: 1 });
    expect(Array.from(search.search('bakery', 10, USUAL, filter).rows)).toEqual([1]);
    expect(search.finder('server').look('two Servers').isFound).toBe(true);
    expect(search.finder('server').look('two cakes').isFound).toBe(false);
  });

  test('a list that a record lacks has no words, whatever its name', async () => {
    const lists = JSON.stringify([{ title: 'a', constructor: ['x', 'y'] }, { title: 'b' }]);
    const listsDir = mkdtempSync(join(tmpdir(), 'engines-'));
    writeFileSync(join(listsDir, 'articles.json'), lists);
    const built = await buildDataset({ dir: listsDir, engine });
    rmSync(listsDir, { recursive: true });
    expect(built.ok && collectionOf(built.dataset.collections, 'articles').search.search('b', 10).total).toBe(1);
  });

  test('is named by /health and is part of what tags are made of', async () => {
    const served = { ...(await builtWith(engine)), loadedAt: new Date(0) };
    const app = createApp({
      served: () => served,
      envelope: 'pagination',
      maxLimit: 100,
      rateLimit: 0,
      corsOrigin: '*',
      trustProxy: false,
      version: '0',
      now: () => 0,
      onError: () => undefined,
    });
    const isOurs = engine === 'bm25f';
    expect(await (await app.request('/health')).json()).toMatchObject({
      search: { engine, phrases: isOurs, exclusions: isOurs, suggestions: isOurs },
      version: expect.stringMatching(isOurs ? /^[\w-]{16}$/ : /-minisearch$/),
    });
    const answer = await app.request('/api/articles/search?q=server&sort=title&limit=1');
    expect(await answer.json()).toMatchObject({ data: [{ id: 2 }], pagination: { total: 3 } });
  });
});
