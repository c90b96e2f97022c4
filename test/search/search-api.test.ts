/** Search through the API, on the sample: exact totals, pages that add up, sorting. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type App, appOf, datasetIn, getJson, sampleDir } from '../support/api.js';
import { item, load, type Name, type PlainRecord, sorted } from '../support/oracle.js';

interface PageOf {
  readonly data: readonly PlainRecord[];
  readonly pagination: { readonly total: number };
}

const app = datasetIn(sampleDir).then((served) => appOf(served));
const read = (name: Name) => load(name, JSON.parse(readFileSync(join(sampleDir, `${name}.json`), 'utf8')));

async function hits(from: App, path: string): Promise<readonly PlainRecord[]> {
  const found: PlainRecord[] = [];
  let total = Number.POSITIVE_INFINITY;
  for (let page = 1; found.length < total; page++) {
    const body = await getJson<PageOf>(from, `${path}&limit=7&page=${page}`);
    total = body.pagination.total;
    if (total > 0) expect(body.data.length).toBeGreaterThan(0);
    found.push(...body.data);
  }
  expect(found.length).toBe(total);
  return found;
}

const holds = (record: PlainRecord, fields: readonly string[], word: string): boolean =>
  fields.some((field) =>
    JSON.stringify(record[field] ?? '')
      .toLowerCase()
      .includes(word),
  );

const cases = [
  { name: 'articles', fields: ['title', 'content', 'tags', 'author'], q: 'tide' },
  { name: 'articles', fields: ['title', 'content', 'tags', 'author'], q: 'sqlite' },
  { name: 'articles', fields: ['title', 'content', 'tags', 'author'], q: 'lanternfish' },
  { name: 'products', fields: ['title', 'author', 'category'], q: 'salt' },
  { name: 'products', fields: ['title', 'author', 'category'], q: 'fantasy' },
] as const;

describe.each(cases)('searching $name for $q', ({ name, fields, q }) => {
  test('finds every record that holds the word, pages adding up', async () => {
    const found = await hits(await app, `/api/${name}/search?q=${q}`);
    const records = read(name);
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])${q}(?![\\p{L}\\p{N}])`, 'iu');
    const mustBeFound = records.filter((record) =>
      fields.some((field) => [record[field] ?? ''].flat().some((text) => whole.test(String(text)))),
    );
    const ids = new Set(found.map(({ id }) => id));
    expect(mustBeFound.filter(({ id }) => !ids.has(id))).toEqual([]);
    const byId = new Map(records.map((record) => [record.id, record]));
    for (const { id } of found) expect(holds(byId.get(id) ?? {}, fields, q)).toBe(true);
  });

  test('sorts the same hits by a field when asked to', async () => {
    const found = await hits(await app, `/api/${name}/search?q=${q}`);
    const inSnapshotOrder = read(name)
      .map(item)
      .filter(({ id }) => found.some((hit) => hit.id === id));
    for (const order of ['asc', 'desc']) {
      const byTitle = await hits(await app, `/api/${name}/search?q=${q}&sort=title&order=${order}`);
      expect(byTitle).toEqual(sorted(inSnapshotOrder, 'title', order));
    }
  });
});

test('what no record holds is found nowhere', async () => {
  expect(await getJson(await app, '/api/articles/search?q=xyzzyplugh')).toEqual({
    data: [],
    pagination: { total: 0, page: 1, limit: 20, totalPages: 0 },
  });
});
