/** `/docs` and `/docs.md` say what the OpenAPI document says, and what they show runs. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../src/http/openapi/document.js';
import { appOf, comparedSample, datasetOf, getJson } from '../support/api.js';

const app = appOf(await comparedSample());
const textAt = async (path: string): Promise<string> => (await app.request(path)).text();
const document = await getJson<OpenApiDocument>(app, '/api/openapi.json');
const operations = Object.entries(document.paths).map(([path, { get }]) => [path, get] as const);

describe.each(['/docs', '/docs.md'])('%s', (path) => {
  let text: string;
  beforeAll(async () => {
    text = (await textAt(path)).replaceAll('<wbr>', '');
  });

  test('has every operation with all of its parameters', () => {
    for (const [address, { summary, parameters = [] }] of operations) {
      const start = text.indexOf(path === '/docs' ? `<code>${address}</code>` : `### GET ${address}\n`);
      expect(start, address).toBeGreaterThan(0);
      const section = text.slice(start).split(/<\/form>|\n### /)[0] ?? '';
      expect(section).toContain(summary);
      for (const { name } of parameters) expect(section).toMatch(new RegExp(`[\`>]${name}[\`<]`));
    }
  });

  test('every request that it shows is answered', async () => {
    const shown = text.replaceAll('&#39;', "'").replaceAll('&amp;', '&');
    const addresses = [...shown.matchAll(/curl 'http:\/\/127\.0\.0\.1:3000([^']*)'/g)].map(
      ([, address = '']) => address,
    );
    expect(addresses.length).toBeGreaterThanOrEqual(operations.length);
    for (const address of addresses) expect([address, (await app.request(address)).status]).toEqual([address, 200]);
  });

  test('is there for an empty dataset', async () => {
    expect((await appOf(datasetOf({})).request(path)).status).toBe(200);
  });
});

test('/docs.md is Markdown', async () => {
  const response = await app.request('/docs.md');
  expect(response.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
  const text = await response.text();
  expect(text.match(/^# .*$/gm)).toEqual([expect.stringMatching(/^# Scraper Data API \d/)]);
  expect((text.match(/^```/gm) ?? []).length % 2).toBe(0);
});

test('switches are checkboxes, and a select names its default once', async () => {
  const html = await textAt('/docs');
  expect(html).toMatch(/<input type="checkbox" id="getArticlesSearch-fuzzy" [^>]* checked>/);
  expect(html).toMatch(/<input type="checkbox" id="getArticlesSearch-highlight" [^>]*value="1">/);
  expect(html).toMatch(
    /<select id="getArticles-order"[^>]*><option value="">asc<\/option><option>desc<\/option><\/select>/,
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

test.each(['/docs', '/docs.md', '/articles?q=map', '/articles/46607804', '/products/fields/price'])(
  'the lines to copy of %s are for the server itself, without a script',
  async (path) => {
    const text = await (await appOf(await comparedSample(), { origin: 'http://127.0.0.1:8123' }).request(path)).text();
    expect(text).toMatch(/curl (?:'|&#39;)http:\/\/127\.0\.0\.1:8123\//);
    expect(text).not.toContain(':3000');
  },
);
