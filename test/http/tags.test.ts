/** Dumps whose records are equal, but not what pages and documents are made of, have other tags: no browser keeps the old page. */
import { expect, test } from 'vitest';
import { appOf, datasetIn, getJson } from '../support/api.js';
import { withFolder } from '../support/program.js';

const rows = (make: (price: string, id: number) => object) => JSON.stringify(['1.50', '2.25', '3.10'].map(make));
const PATHS = [
  '/',
  '/products',
  '/products?q=tea',
  '/products/1',
  '/api',
  '/api/openapi.json',
  '/docs',
  '/api/products',
  '/api/products/1',
  '/api/products/stats',
];

async function answersOf(dump: string) {
  return withFolder({ 'products.json': dump }, async (dir) => {
    const served = { ...(await datasetIn(dir)), loadedAt: new Date(1.7e12), modifiedAt: new Date(1.7e12) };
    const app = appOf(served);
    const answers = PATHS.map(async (path) => {
      const response = await app.request(path);
      return { path, tag: response.headers.get('etag'), body: (await response.text()).replaceAll(dir, '') };
    });
    const { fields } = await getJson<{ readonly fields: string }>(app, '/health');
    return { version: served.dataset.version, fields, answers: await Promise.all(answers) };
  });
}

test.each<[string, string, string]>([
  [
    'another currency',
    rows((price, id) => ({ id, title: 'Tea', price: `£${price}` })),
    rows((price, id) => ({ id, title: 'Tea', price: `$${price}` })),
  ],
  [
    'percentages',
    rows((price, id) => ({ id, title: 'Tea', price: 1, off: `${price}%` })),
    rows((price, id) => ({ id, title: 'Tea', price: 1, off: Number(price) })),
  ],
  [
    'another name in the dump',
    rows((price, id) => ({ id, title: 'Tea', price: 1, 'Shop Name (EUR)': `shop ${price}` })),
    rows((price, id) => ({ id, title: 'Tea', price: 1, 'shop name eur': `shop ${price}` })),
  ],
])('%s', async (_, one, other) => {
  const [first, second] = [await answersOf(one), await answersOf(other)];
  expect(first.version).toBe(second.version);
  let different = 0;
  for (const [i, { path, tag, body }] of first.answers.entries()) {
    const twin = second.answers[i];
    if (twin?.body === body) continue;
    different++;
    expect(tag, path).not.toBe(twin?.tag);
  }
  expect(different).toBeGreaterThan(0);
  // An open page learns of it by this.
  expect(first.fields).not.toBe(second.fields);
  const again = await answersOf(one);
  expect(again.answers.map(({ tag }) => tag)).toEqual(first.answers.map(({ tag }) => tag));
});
