/** Content codings: RFC 9110, sections 8.4 and 12.5.3. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { acceptedCodings } from '../../src/http/semantics/content-coding.js';
import { appOf, datasetOf } from '../support/api.js';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip identity'],
  ['br', 'br identity'],
  ['gzip, deflate, br, zstd', 'br gzip identity'],
  ['GZIP', 'gzip identity'],
  ['x-gzip', 'gzip identity'],
  ['gzip;q=0.5, br;q=0.4', 'gzip br identity'],
  ['gzip; q=0.5', 'gzip identity'],
  ['gzip;q=0', 'identity'],
  ['gzip;q=2', 'identity'],
  ['*', 'br gzip identity'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip identity'],
  ['identity;q=1, gzip;q=0.5', 'identity gzip'],
  ['identity;q=0', 'identity'],
  ['gzip;q=0.001', 'gzip identity'],
  [',, gzip ,', 'gzip identity'],
])('Accept-Encoding: %s → %s', (field, expected) => expect(acceptedCodings(field).join(' ')).toBe(expected));

const articles = Array.from({ length: 3000 }, (_, i) => ({
  id: i + 1,
  title: `Title ${i} é`,
  content: 'word '.repeat(i % 50),
}));
const app = appOf(datasetOf({ articles }));
const decode = { gzip: gunzipSync, br: brotliDecompressSync } as const;

describe.each(['gzip', 'br'] as const)('%s', (coding) => {
  const paths = [
    '/api/articles',
    '/api/articles?limit=1000',
    '/api/articles/50',
    '/api/export/articles',
    '/api/export/articles?format=csv',
    '/docs',
  ];
  test.each(paths)('%s: the same bytes once decoded, twice', async (path) => {
    const plain = Buffer.from(await (await app.request(path)).arrayBuffer());
    for (let time = 0; time < 2; time++) {
      const response = await app.request(path, { headers: { 'Accept-Encoding': coding } });
      const bytes = Buffer.from(await response.arrayBuffer());
      const isCoded = plain.length >= 1024;
      expect(response.headers.get('Content-Encoding')).toBe(isCoded ? coding : null);
      expect(response.headers.get('Vary')).toBe('Accept-Encoding');
      const length = response.headers.get('Content-Length');
      if (!path.includes('export')) expect(length).toBe(String(bytes.length));
      else expect(length).toBeNull();
      expect((isCoded ? decode[coding](bytes) : bytes).equals(plain)).toBe(true);
      if (isCoded) expect(bytes.length).toBeLessThan(plain.length);
    }
  });

  test('less than 1 kB stays as it is, and varies all the same', async () => {
    const { headers } = await app.request('/api/articles?limit=2', { headers: { 'Accept-Encoding': coding } });
    expect(headers.get('Content-Encoding')).toBeNull();
    expect(headers.get('Vary')).toBe('Accept-Encoding');
  });

  test('HEAD has the headers of GET', async () => {
    const headers = { 'Accept-Encoding': coding };
    for (const path of ['/api/articles', '/api/export/articles']) {
      const [get, head] = await Promise.all([
        app.request(path, { headers }),
        app.request(path, { method: 'HEAD', headers }),
      ]);
      expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
      await get.body?.cancel();
    }
  });

  test('a coded download can be left', async () => {
    const response = await app.request('/api/export/articles', { headers: { 'Accept-Encoding': coding } });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
  });
});
