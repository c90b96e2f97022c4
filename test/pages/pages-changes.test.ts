/** What lists, records and changes pages tell of the changes since an earlier dump. */
import { describe, expect, test } from 'vitest';
import { loadDump } from '../../src/build/compare.js';
import { appOf, comparedSample, comparedWith, datasetIn, getJson, sampleDir } from '../support/api.js';
import { withFolder } from '../support/program.js';

interface Change {
  readonly record: number;
  readonly title: string;
  readonly kind: string;
  readonly field: string;
  readonly from: number;
  readonly to: number;
}

const app = appOf(await comparedSample());
const textOf = async (path: string): Promise<string> => (await app.request(path)).text();
const changed = async (query: string): Promise<readonly Change[]> =>
  (await getJson<{ data: readonly Change[] }>(app, `/api/${query}`)).data;
const without = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&rarr;', '→')
    .replace(/\s+/g, ' ');

/** The pill of a record in its list, or on its page. */
const pillIn = (markup: string, address: string): string | undefined =>
  markup
    .match(/<a class="pill" href="[^"]*">.*?<\/a>/gs)
    ?.filter((pill) => pill.includes(`href="${address}"`))
    .map(without)[0];

describe('a changed record', () => {
  test('tells its main change in lists, and leads to its earlier values', async () => {
    const [change] = await changed('products/changes?field=price&limit=1&sort=percent');
    const { from = 0, to = 0, record } = change ?? {};
    const q = encodeURIComponent(change?.title ?? '');
    const pill = pillIn(await textOf(`/products?q=${q}`), `/products/${record}?q=${q}#earlier`);
    expect(pill).toContain(`Price ${from.toFixed(2)} → now ${to.toFixed(2)}`);
    const page = await textOf(`/products/${record}`);
    expect(page).toContain('<h2 id="earlier">');
  });

  test('of which only a text changed says so', async () => {
    const changes = await changed('articles/changes?kind=changed&limit=1000');
    const change = changes.find(
      ({ field, record }) => field === 'content' && changes.filter((one) => one.record === record).length === 1,
    );
    const list = await textOf(`/articles?q=${encodeURIComponent(change?.title ?? '')}&limit=1`);
    expect(list).toContain('#earlier">Content changed</a>');
    const page = await textOf(`/articles/${change?.record}`);
    expect(page).toContain('<h2 id="earlier">');
    expect(page).toMatch(/<div class="diff stack">.*<(?:del|ins)>/s);
  });

  test('has no pill without a comparison, nor has one that is as it was', async () => {
    const plain = appOf(await datasetIn(sampleDir));
    const page = await (await plain.request('/products')).text();
    expect(page).not.toContain('#earlier');
    const touched = new Set((await changed('products/changes?limit=1000')).map(({ record }) => record));
    const { data } = await getJson<{ data: readonly { id: number }[] }>(app, '/api/products?limit=200');
    const list = await textOf('/products?limit=200');
    for (const { id } of data) {
      const row = new RegExp(`id="hit-${id}".*?</tr>`, 's').exec(list)?.[0] ?? '';
      expect([id, row.includes('class="pill"')]).toEqual([id, touched.has(id)]);
    }
  });
});

test('an added record says so, and leads to all added ones', async () => {
  const [change] = await changed('products/changes?kind=added&limit=1');
  const page = await textOf(`/products/${change?.record}`);
  expect(pillIn(page, '/products/changes?kind=added')).toBe('+ Added');
});

describe('the list of changes', () => {
  test('names a changed field alike in its filter, its condition and its rows, and says yes and no', async () => {
    const dumpOf = (in_stock: boolean, price: number) => JSON.stringify([{ id: 1, title: 'Tea', price, in_stock }]);
    const files = { 'old/products.json': dumpOf(true, 10), 'products.json': dumpOf(false, 11.55) };
    await withFolder(files, async (dir) => {
      const before = await loadDump([`${dir}/old/products.json`]);
      if (!before.ok) throw new Error('the earlier dump is broken');
      const shop = appOf(await comparedWith(await datasetIn(dir, { paths: [`${dir}/products.json`] }), before));
      const page = await (await shop.request('/products/changes')).text();
      const cells = [...page.matchAll(/<td role="cell" class="(\w+)"[^>]*>(.*?)<\/td>/g)].map((cell) => cell.slice(1));
      expect(cells.map(([align, cell = '']) => [align, without(cell).trim()])).toEqual([
        ['value', 'Price'],
        ['number', '10.00'],
        ['number', '11.55'],
        ['number', '&#9650;up 15.5%'],
        ['value', 'In stock'],
        ['text', 'yes'],
        ['text', 'no'],
        ['number', ''],
      ]);
      const chosen = await (await shop.request('/products/changes?field=in_stock')).text();
      expect(chosen.match(/<label class="split" for="field-\d+"><span class="name"><bdi>(.*?)<\/bdi>/g)).toHaveLength(
        2,
      );
      expect(without(chosen)).toContain('Field In stock ×');
    });
  });

  test('has a row for each change, which leads to its record, with both values', async () => {
    const [change] = await changed('products/changes?field=price&limit=1');
    const page = await textOf('/products/changes?field=price&limit=1');
    const row = /<tr role="row">(?:(?!<tr).)*hit-link.*?<\/tr>/s.exec(page)?.[0] ?? '';
    expect(row).toContain(`href="/products/${change?.record}"`);
    expect(row.match(/(?<=data-label=")[^"]*/g)).toEqual(['Field', 'From', 'To', 'Percent']);
    expect(without(row)).toContain(String(change?.from));
    expect(row).toMatch(/aria-hidden="true">&#96[56]0;<\/span><\/span><span class="vh">(?:up|down)<\/span> [\d.]+%/);
  });

  test('says of a record that it came or went in place of a field, and has its date where there are several', async () => {
    const page = await textOf('/products/changes?kind=added&kind=removed&limit=50');
    const cells = [...page.matchAll(/data-label="Field"[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => without(cell));
    expect(new Set(cells)).toEqual(new Set(['+ added', '&minus; removed']));
    expect(page).not.toContain('data-label="Date"');
    expect(await textOf('/products/changes?fields=kind,date')).toMatch(/data-label="Kind".*data-label="Date"/s);
  });

  test('shows long texts as one diff', async () => {
    const page = await textOf('/articles/changes?field=content');
    expect(page).toMatch(/data-label="From"[^>]*><span class="soft">changed<\/span><\/td>/);
    expect(page).toMatch(/data-label="To"[^>]*><div class="diff stack">/);
  });

  test('has figures above it, which lead to what they count', async () => {
    const page = await textOf('/products/changes');
    const figures = [
      ...page.matchAll(/<a class="tile" href="([^"]*)">.*?<\/span><\/span> ([\d,]+)<\/span> <span class="says/gs),
    ];
    expect(figures.length).toBeGreaterThan(2);
    for (const [, target = '', count = ''] of figures) {
      const { pagination } = await getJson<{ pagination: { total: number } }>(
        app,
        `/api${target.replaceAll('&amp;', '&')}`,
      );
      expect([target, pagination.total]).toEqual([target, Number(count.replaceAll(',', ''))]);
    }
  });

  test('of a removed record leads to a page of the change', async () => {
    const page = await textOf('/articles/changes?kind=removed&limit=1');
    const [, target = ''] = /<a class="hit-link" id="[^"]*" href="(\/articles\/changes\/\d+[^"]*)"/.exec(page) ?? [];
    expect((await app.request(target.replaceAll('&amp;', '&'))).status).toBe(200);
  });
});

test('changed numbers stand as their column has them, and are neutral where nobody knows which way is better', async () => {
  const flats = (rent: string, built: number) =>
    Array.from({ length: 9 }, (_, i) => ({
      flat_id: `F-${i}`,
      title: `Flat ${i}`,
      rent: i === 0 ? rent : `€${800 + i}.50`,
      built: i === 0 ? built : 1900 + i,
    }));
  const files = {
    'old/flats.json': JSON.stringify(flats('€1,098.20', 1987)),
    'flats.json': JSON.stringify(flats('€1,045', 1935)),
  };
  await withFolder(files, async (dir) => {
    const before = await loadDump([`${dir}/old/flats.json`]);
    if (!before.ok) throw new Error('the earlier dump is broken');
    const flat = appOf(await comparedWith(await datasetIn(dir, { paths: [`${dir}/flats.json`] }), before));
    const list = await (await flat.request('/flats/changes')).text();
    const cells = [...list.matchAll(/<td role="cell"[^>]*data-label="(?:From|To)"[^>]*>(.*?)<\/td>/g)];
    expect(cells.map(([, cell = '']) => without(cell))).toEqual(['€1,098.20', '€1,045.00', '1987', '1935']);
    const record = await (await flat.request('/flats/1')).text();
    const [changes = ''] = /<dl class="was pairs">.*?<\/dl>/s.exec(record) ?? [];
    expect(without(changes)).toBe(
      'Rent€1,098.20 → now €1,045.00 &#9660; down 4.8%Built1987 → now 1935 &#9660; down 52',
    );
    expect(changes.match(/class="by \w+"/g)).toEqual(['class="by soft"', 'class="by soft"']);
    expect(await (await flat.request('/')).text()).not.toMatch(/class="(?:good|bad)"/);
  });
});

test('amounts of several currencies have the one of their record', async () => {
  const things = (amount: number) =>
    JSON.stringify(
      Array.from({ length: 8 }, (_, i) => ({
        sku: `S-${i}`,
        title: `T ${i}`,
        price: `${i % 2 ? '€' : '$'}${amount}.50`,
      })),
    );
  await withFolder({ 'old/products.json': things(10), 'products.json': things(9) }, async (dir) => {
    const before = await loadDump([`${dir}/old/products.json`]);
    if (!before.ok) throw new Error('the earlier dump is broken');
    const shop = appOf(await comparedWith(await datasetIn(dir, { paths: [`${dir}/products.json`] }), before));
    const list = await (await shop.request('/products/changes?limit=2')).text();
    const cells = [...list.matchAll(/<td role="cell"[^>]*data-label="(?:From|To)"[^>]*>(.*?)<\/td>/g)];
    expect(cells.map(([, cell = '']) => without(cell))).toEqual(['$10.50', '$9.50', '€10.50', '€9.50']);
    const pills = (await (await shop.request('/products?limit=2')).text()).match(/<a class="pill".*?<\/a>/g) ?? [];
    expect(pills.map(without).slice(-2)).toEqual([
      '&#9660; Price $10.50 → now $9.50',
      '&#9660; Price €10.50 → now €9.50',
    ]);
    const record = await (await shop.request('/products/2')).text();
    expect(without(/<dl class="was pairs">.*?<\/dl>/s.exec(record)?.[0] ?? '')).toContain('Price€10.50 → now €9.50');
  });
});

test('the numbers of a record have its present one, also where it was away; a record that was there before was not added', async () => {
  // The prices in each dump; null where the record is away.
  const prices: Readonly<Record<string, readonly (number | string | null)[]>> = {
    1: [23, 20, null, 8],
    2: [5, 4, 6, 7],
    3: [9, null, 4, 3],
    4: [null, null, null, 2],
    5: [null, 3, 2, 2],
    6: [7, null, null, 6],
    7: [1, 1, 1, 1],
    8: ['sold out', 'sold out', 5, 5],
  };
  const dumpOf = (i: number): string =>
    JSON.stringify(
      Object.entries(prices).flatMap(([id, { [i]: price }]) =>
        price === null ? [] : [{ id: Number(id), title: `Tea ${id}`, price }],
      ),
    );
  const names = [1, 2, 3, 4].map((day) => `products-2026-11-0${day}.json`);
  await withFolder(Object.fromEntries(names.map((name, i) => [name, dumpOf(i)])), async (dir) => {
    const paths = names.map((name) => `${dir}/${name}`);
    const dumps = await Promise.all(paths.slice(0, -1).map((path) => loadDump([path])));
    const loaded = { ...(await datasetIn(dir, { paths: paths.slice(-1) })), loadedAt: new Date('2026-11-04') };
    const compared = await comparedWith(loaded, ...dumps.filter((dump) => dump.ok));
    const shop = appOf(compared);
    const said = await Promise.all(
      Object.keys(prices).map(async (id) => {
        const page = await (await shop.request(`/products/${id}`)).text();
        const words = /<figure class="steps">(.*?)<\/figure>/.exec(page)?.[1] ?? '';
        return [without(words), pillIn(page, '/products/changes?kind=added')];
      }),
    );
    expect(said).toEqual([
      ['Price lowest 8 (4 November 2026), highest 23 23 1 November 2026 now 8', '+ Returned'],
      ['Price lowest 4 (2 November 2026), highest 7 5 1 November 2026 now 7', undefined],
      ['Price lowest 3 (4 November 2026), highest 4 4 3 November 2026 now 3', undefined],
      ['', '+ Added'],
      ['Price lowest 2 (3 November 2026), highest 3 3 2 November 2026 now 2', undefined],
      ['', '+ Returned'],
      ['', undefined],
      ['Price lowest 5 (3 November 2026), highest 5 5 3 November 2026 now 5', undefined],
    ]);
    const unchanged = without(await (await shop.request('/products/7')).text());
    expect(unchanged).toContain('Unchanged in 4 dumps since 1 November 2026');
    expect(unchanged).not.toContain('Empty:');
    const changes = await (await shop.request('/products/changes')).text();
    expect(without(changes)).toContain('Products of 4 November 2026, compared with 3 November 2026');
    expect(without(changes)).toMatch(/\d+ changes in 3 dumps since 1 November 2026/);
    // The changes up to the second dump were dropped.
    const knownSinceMs = Date.UTC(2026, 10, 2);
    const comparisons = new Map(
      [...compared.dataset.comparisons].map(([name, one]) => [name, { ...one, knownSinceMs }]),
    );
    const cut = appOf({ ...compared, dataset: { ...compared.dataset, comparisons } });
    const textAt = async (path: string): Promise<string> => without(await (await cut.request(path)).text());
    expect(await textAt('/products/7')).toContain('Unchanged in 3 dumps since 2 November 2026');
    expect(await textAt('/products/changes')).toMatch(/changes in 2 dumps since 2 November 2026/);
    const home = without(await (await shop.request('/')).text());
    // Medians of the dumps: 7, 3.5, 4, 4.
    expect(home).toContain('lowest 3.5 (2 November 2026), highest 7 7 1 November 2026 now 4');
    expect(home).toMatch(/5 records, earlier, of 3 November 2026\s*\S* 5 records, earlier, of 2 November/);
    // Differences of prices and of ratings have no common scale.
    expect(changes.match(/<fieldset class="range" id="by-\w+"/g)?.join()).not.toContain('difference');
    for (const path of ['/', '/products/changes'])
      expect(without(await (await shop.request(path)).text())).toMatch(/\b3 added or returned/);
  });
});

test.each(['/products', '/products/changes'])(
  'the feed of %s has the newest first, in whatever order the view is',
  async (path) => {
    const page = await textOf(`${path}?sort=-title&q=a`);
    expect(page).toContain(`href="/api/export${path}?q=a&amp;format=atom">Feed</a>`);
    expect(page).toContain(`href="/api/export${path}?sort=-title&amp;q=a&amp;format=csv"`);
  },
);

test('a list of changes waits for the index of their texts where its address reads them, and the page of a change always does', async () => {
  const served = await comparedSample();
  const comparison = served.dataset.comparisons.get('products');
  if (comparison === undefined) throw new Error('not compared');
  let asked = 0;
  const indexTexts = () => {
    asked++;
    return comparison.indexTexts();
  };
  const comparisons = new Map([['products', { ...comparison, indexTexts }]]);
  const watched = appOf({ ...served, dataset: { ...served.dataset, comparisons } });
  const askedBy = async (path: string): Promise<boolean> => {
    asked = 0;
    expect((await watched.request(path)).status, path).toBe(200);
    return asked > 0;
  };
  expect(await askedBy('/products/changes')).toBe(false);
  expect(await askedBy('/products/changes?q=tea')).toBe(true);
  expect(await askedBy('/products/changes?%71=tea')).toBe(true);
  expect(await askedBy('/products/changes?sort=-title')).toBe(true);
  expect(await askedBy('/products/changes/1')).toBe(true);
});
