/** The names of documented fields decide nothing: with other names every answer is the same, but for the names. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDump } from '../../src/build/compare.js';
import { type CollectionModel, collections } from '../../src/model.js';
import { type App, appOf, comparedWith, datasetIn, earlierAt, sampleDir } from '../support/api.js';
import { withFolder } from '../support/program.js';

/** A letter that no text of the sample has: names but those of id and title have it at their end, or before the plural's. */
const MARK = '\u0436';
const unmarked = (text: string): string => text.replaceAll(MARK, '').replaceAll(encodeURIComponent(MARK), '');

const otherName = (name: string): string =>
  name === 'id' || name === 'title' ? name : name.replace(/s?$/, (plural) => `${MARK}${plural}`);
const models: readonly CollectionModel[] = collections;
const renamed = models.map((model) => ({
  ...model,
  fields: model.fields.map((field) => ({ ...field, name: otherName(field.name) })),
}));

interface Asked {
  readonly app: App;
  /** The names of fields are a part of them. */
  readonly versions: readonly string[];
}

async function serving(dir: string, some: readonly CollectionModel[]): Promise<Asked> {
  const served = await datasetIn(dir, { models: some });
  const dump = await loadDump([join(dir, existsSync(join(dir, 'previous')) ? 'previous' : '')], { models: some });
  if (!dump.ok) throw new Error(dump.fault.message);
  const app = appOf(
    await comparedWith(served, { ...dump, since: { ...dump.since, modifiedAt: earlierAt, name: 'previous' } }),
  );
  return { app, versions: [served.dataset.version, dump.since.version] };
}

/** Files of longer names are larger. */
const withoutSizes = (text: string): string => text.replace(/\d+(?:\.\d)? kB</g, 'SIZE<');

const answerOf = async ({ app, versions }: Asked, path: string): Promise<string> =>
  versions.reduce(
    (text, version) => text.replaceAll(version, 'VERSION'),
    withoutSizes(unmarked(await (await app.request(path)).text())),
  );

/** The text of a dump with the other names. */
const renamedText = (json: string): string =>
  JSON.stringify(
    (JSON.parse(json) as readonly object[]).map((record) =>
      Object.fromEntries(Object.entries(record).map(([name, value]) => [otherName(name), value])),
    ),
  );

/** An asterisk stands for the mark. */
const PAGES = [
  '/',
  '/articles',
  '/articles?sort=score*&order=desc',
  '/articles?author=nobody&from=2024',
  '/articles/40018457',
  '/articles/changes',
  '/products',
  '/products?maxPrice=20',
  '/products?q=salt',
  '/products/1001',
  '/products/changes?sort=title',
  '/api/articles/40018457',
  '/api/articles/stats',
  '/api/products/search?q=salt&highlight=1',
  '/api/products/categories',
  '/api/articles/search?q=title:map&sort=title',
  '/api/products/changes?limit=50',
  '/api/export/products',
  '/api/export/articles?format=csv&minScore=20',
];

test('answers and pages of the sample are the same with other names', async () => {
  await withFolder({}, async (dir) => {
    mkdirSync(join(dir, 'previous'));
    for (const file of ['articles.json', 'products.json', 'previous/articles.json', 'previous/products.json'])
      writeFileSync(join(dir, file), renamedText(readFileSync(join(sampleDir, file), 'utf8')));
    const [usual, other] = [await serving(sampleDir, models), await serving(dir, renamed)];
    for (const path of PAGES)
      expect([path, await answerOf(other, path.replace('*', encodeURIComponent(MARK)))]).toEqual([
        path,
        (await answerOf(usual, path.replace('*', ''))).replaceAll(sampleDir, dir),
      ]);
  });
});

/** Columns that only guesses find: by words of their names, or by their values. */
const GUESSED: Readonly<Record<string, readonly object[]>> = {
  products: [1, 2, 3, 4].map((n) => ({
    'Item text': `Kettle of ${'abcd'[n]} litres`,
    'Shop price': `\u20ac ${n}.50`,
    'Customer stars': `${n}/5`,
    'Main photo': `https://a.example/${n}.jpg`,
    'Artist name': `Ada ${'ABCD'[n - 1]}. Moor`,
    'Shop section': ['Tea', 'Salt'][n % 2],
    'Old price': `\u20ac ${n + 1}.50`,
  })),
  articles: [1, 2, 3, 4].map((n) => ({
    'Story headline': `On kettle ${'abcd'[n - 1]}`,
    'Web link': `https://a.example/${n}`,
    'Total points': n * 7,
    'Poster name': `Ben ${'ABCD'[n - 1]}. Iss`,
    'Posted time': `2024-03-0${n}T09:30:00Z`,
    'Story body': 'Once upon a time there was a kettle that sang. '.repeat(n),
    'Story topics': ['tea', 'salt'].slice(0, 1 + (n % 2)),
  })),
};

test.each(Object.keys(GUESSED))('%s are guessed by roles and kinds', async (name) => {
  await withFolder({ [`${name}.json`]: JSON.stringify(GUESSED[name]) }, async (dir) => {
    const [usual, other] = [await serving(dir, models), await serving(dir, renamed)];
    const path = `/api/export/${name}`;
    const exported = await answerOf(other, path);
    expect(exported).toEqual(await answerOf(usual, path));
    // Every field but the number of comments is fed.
    expect(exported.replaceAll('"comments":null', '')).not.toContain('null');
  });
});
