/** `/docs`, its pages of operations and `/docs.md` say what the OpenAPI document says, and what they show runs. */
import { describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../src/http/openapi/document.js';
import { appOf, comparedSample, datasetIn, datasetOf, getJson } from '../support/api.js';
import { withFolder } from '../support/program.js';

const served = await comparedSample();
const app = appOf(served);
const textAt = async (path: string): Promise<string> => (await app.request(path)).text();
const document = await getJson<OpenApiDocument>(app, '/api/openapi.json');
const operations = Object.entries(document.paths).map(([path, { get }]) => [path, get] as const);

/** A page's text as a reader has it. */
const plain = (html: string): string =>
  html.replaceAll('<wbr>', '').replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
const pageOf = ({ operationId }: { readonly operationId: string }): Promise<string> =>
  textAt(`/docs/${encodeURIComponent(operationId)}`);

test('/docs.md has every operation with all of its parameters', async () => {
  const text = await textAt('/docs.md');
  for (const [path, { summary, parameters = [] }] of operations) {
    const [, section = ''] = text.split(`### GET ${path}\n`);
    expect(section, path).toContain(summary);
    for (const { name } of parameters) expect(section.split('\n### ')[0]).toContain(`\`${name}\``);
  }
});

test('/docs has every operation, and each has a page with all of its parameters and the fields of its answer', async () => {
  const overview = await textAt('/docs');
  for (const [path, operation] of operations) {
    expect(plain(overview)).toContain(`<code>${path}</code>`);
    expect(overview).toContain(`href="/docs/${operation.operationId}"`);
    const page = plain(await pageOf(operation));
    for (const text of [operation.summary, `<code>${path}</code>`]) expect(page).toContain(text);
    for (const { name } of operation.parameters ?? []) expect(page).toContain(`id="${operation.operationId}-${name}"`);
    if (path.endsWith('/search')) expect(page).toMatch(/Fields of the answer.*totalPages/s);
  }
  expect((await app.request('/docs/getNothing')).status).toBe(404);
});

test('an operation shows its main parameters, the fields that filter, a request, and the beginning of its answer', async () => {
  const [, section = ''] = plain(await textAt('/docs')).split('id="getProducts"');
  const shown = section.split('</section>')[0] ?? '';
  const names = (label: string) => {
    const [, row = ''] = shown.split(`<dt>${label}</dt>`);
    return (row.split('</dd>')[0]?.match(/<code>[^<]*/g) ?? []).map((name) => name.slice('<code>'.length));
  };
  expect(names('Parameters')).toEqual(['q', 'sort', 'order', 'page', 'limit', 'fields']);
  expect(names('Filters').slice(0, 3)).toEqual(['title', 'author', 'price']);
  const { data, pagination } = await getJson<{ data: readonly { title: string }[]; pagination: { total: number } }>(
    app,
    '/api/products?limit=2',
  );
  expect(shown).toContain(`"title": "${data[0]?.title}"`);
  expect(shown).not.toContain(String(data[1]?.title));
  expect(shown).toContain(`"total": ${pagination.total}`);
});

test('/docs begins with the address, the key and the limit of requests', async () => {
  const limited = appOf(datasetOf({}), { origin: 'http://api.test', rateLimit: 30 });
  const text = (await (await limited.request('/docs')).text()).replaceAll(/<[^>]*>/g, '');
  expect(text).toMatch(/Base address\s*http:\/\/api\.test\/api\s*Key\s*none[^\n]*?Rate limit\s*30 requests a minute/);
  const unlimited = appOf(datasetOf({}), { rateLimit: 0 });
  expect(await (await unlimited.request('/docs')).text()).toContain('<dt>Rate limit</dt><dd>none</dd>');
});

test('of many collections the first have overviews, the others lines: the page stays small', async () => {
  const record = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`field${i}`, `value ${i}`]));
  const files = [...'abcdef'].map((letter) => [`kind${letter}.json`, JSON.stringify([record])]);
  await withFolder(Object.fromEntries(files), async (dir) => {
    const text = await (await appOf(await datasetIn(dir)).request('/docs')).text();
    expect(text.length).toBeLessThan(80_000);
    for (const id of ['getKinda', 'getKindfSearch']) expect(text).toContain(`href="/docs/${id}"`);
    expect(text.match(/<details class="operation/g)).toHaveLength(40);
  });
});

test.each(['/docs', '/docs.md'])('every request that %s shows is answered', async (path) => {
  const pages = path === '/docs' ? await Promise.all(operations.map(([, operation]) => pageOf(operation))) : [];
  const shown = plain([await textAt(path), ...pages].join('\n'));
  const addresses = [...shown.matchAll(/curl 'http:\/\/127\.0\.0\.1:3000([^']*)'/g)].map(([, address = '']) => address);
  expect(new Set(addresses).size).toBeGreaterThanOrEqual(operations.length);
  for (const address of new Set(addresses))
    expect([address, (await app.request(address)).status]).toEqual([address, 200]);
});

test.each(['/docs', '/docs.md'])('%s is there for an empty dataset', async (path) => {
  expect((await appOf(datasetOf({})).request(path)).status).toBe(200);
});

test('/docs.md is Markdown', async () => {
  const response = await app.request('/docs.md');
  expect(response.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
  const text = await response.text();
  expect(text.match(/^# .*$/gm)).toEqual([expect.stringMatching(/^# Scraper Data API \d/)]);
  expect((text.match(/^```/gm) ?? []).length % 2).toBe(0);
});

test('switches are checkboxes, and a select names its default once', async () => {
  const html = await textAt('/docs/getArticlesSearch');
  expect(html).toMatch(/<input type="checkbox" id="getArticlesSearch-fuzzy" [^>]* checked>/);
  expect(html).toMatch(/<input type="checkbox" id="getArticlesSearch-highlight" [^>]*value="1">/);
  expect(html).toMatch(
    /<select id="getArticlesSearch-order"[^>]*><option value="">asc<\/option><option>desc<\/option><\/select>/,
  );
});

describe('every text of the document is a sentence', () => {
  /** All texts of a key, with their places. */
  function* textsOf(value: unknown, place = ''): Iterable<readonly [place: string, text: string]> {
    if (typeof value !== 'object' || value === null || place.endsWith('/example')) return;
    for (const [key, part] of Object.entries(value)) {
      if (key === 'description' && typeof part === 'string') yield [`${place}/${key}`, part];
      else yield* textsOf(part, `${place}/${key}`);
    }
  }
  const texts = [...textsOf(document)].filter(([place]) => !/\/schemas\/\w+\/properties\//.test(place));

  test('that begins with a capital or code, and ends with a full stop', () => {
    expect(texts.length).toBeGreaterThan(200);
    expect(texts.filter(([, text]) => !/^[A-Z`01][\s\S]*\.$/.test(text))).toEqual([]);
  });
});

const elsewhere = appOf(served, { origin: 'http://127.0.0.1:8123' });

test.each([
  '/docs',
  '/docs/getArticles',
  '/docs.md',
  '/articles?q=map',
  '/articles/46607804',
  '/products/fields/price',
])('the lines to copy of %s are for the server itself, without a script', async (path) => {
  const text = await (await elsewhere.request(path)).text();
  expect(text).toMatch(/curl (?:'|&#39;)http:\/\/127\.0\.0\.1:8123\//);
  expect(text).not.toContain(':3000');
});
