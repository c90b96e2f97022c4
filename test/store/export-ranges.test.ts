/** Every export whose length can be known before its first byte says it, and is read in ranges; its bytes are what the slow way makes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appOf, datasetIn } from '../support/api.js';
import { withFolder } from '../support/program.js';

const text = fc.oneof(
  fc.constantFrom('', 'Tea', 'a "quote", {[\\', 'é豆😀', 'line\nbreak', '=1+1', ',', '}'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const product = fc.record(
  {
    title: text.map((words) => `t${words}`),
    price: fc.oneof(fc.nat(99), fc.constant(null), fc.constant(12.5)),
    category: text,
    colours: fc.array(text, { maxLength: 3 }),
    sizes: fc.array(fc.record({ w: fc.nat(9), big: fc.constant(2 ** 40) }), { maxLength: 2 }),
    '2019': text,
  },
  { requiredKeys: ['title'] },
);
const article = fc.record(
  {
    title: text.map((words) => `t${words}`),
    content: text,
    tags: fc.array(text, { maxLength: 3 }),
    author: text,
    score: fc.nat(9),
  },
  { requiredKeys: ['title', 'score'] },
);
const numbered = <T extends object>(records: readonly T[]) => records.map((record, i) => ({ id: i + 1, ...record }));

async function slowly(body: string, format: string, fields: readonly string[] | null): Promise<string> {
  const records: Record<string, unknown>[] = JSON.parse(body);
  const cut = (record: Record<string, unknown>) =>
    `{${(fields ?? Object.keys(record)).flatMap((name) => (Object.hasOwn(record, name) ? [`${JSON.stringify(name)}:${JSON.stringify(record[name])}`] : [])).join(',')}}`;
  const lines = records.map(cut);
  if (format === 'ndjson') return lines.map((line) => `${line}\n`).join('');
  return lines.length === 0 ? '[\n]\n' : `[\n${lines.join(',\n')}\n]\n`;
}

describe.each(['articles', 'products'])('%s', (name) => {
  test('has its length and ranges', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(product, { minLength: 1, maxLength: 12 }),
        fc.array(article, { minLength: 1, maxLength: 12 }),
        fc.array(
          fc.record({
            format: fc.constantFrom('json', 'ndjson'),
            part: fc.double({ min: 0, max: 1, noNaN: true }),
            names: fc.nat(),
            q: fc.boolean(),
            order: fc.boolean(),
          }),
          { minLength: 6, maxLength: 6 },
        ),
        async (products, articles, exports) => {
          const files = {
            'articles.json': JSON.stringify(numbered(articles)),
            'products.json': JSON.stringify(numbered(products)),
          };
          await withFolder(files, async (dir) => {
            const served = await datasetIn(dir);
            const app = appOf(served);
            const all = served.dataset.collections.get(name)?.model.fields.map((field) => field.name) ?? [];
            for (const { format, part, names, q, order } of exports) {
              const fields = names % 3 === 0 ? null : all.filter((_, i) => (names >> (i + 2)) % 2 === 0);
              if (fields?.length === 0) continue;
              if (names % 3 === 1) fields?.reverse();
              const query = `${q ? '&q=t' : ''}${order ? '&sort=title&order=desc' : ''}`;
              const path = `/api/export/${name}?format=${format}${query}${fields === null ? '' : `&fields=${fields.map(encodeURIComponent).join()}`}`;
              const response = await app.request(path);
              const body = Buffer.from(await response.arrayBuffer());
              expect(response.headers.get('accept-ranges'), path).toBe('bytes');
              expect(response.headers.get('content-length'), path).toBe(String(body.length));
              const whole = await (await app.request(`/api/export/${name}?fields=*${query}`)).text();
              const isWhole = fields !== null && fields.length === all.length;
              if (fields !== null && !isWhole)
                expect(body.toString()).toBe(
                  await slowly(
                    whole,
                    format,
                    all.filter((field) => fields.includes(field)),
                  ),
                );
              const from = Math.floor(part * body.length);
              const range = await app.request(path, { headers: { Range: `bytes=${from}-${from + 40}` } });
              expect([range.status, await range.text()], path).toEqual([
                from < body.length ? 206 : 416,
                from < body.length ? body.subarray(from, from + 41).toString() : expect.anything(),
              ]);
            }
            const csv = await app.request(`/api/export/${name}?format=csv`);
            expect([csv.headers.get('content-length'), csv.headers.get('accept-ranges')]).toEqual([null, null]);
          });
        },
      ),
      { numRuns: 20 },
    );
  });
});
