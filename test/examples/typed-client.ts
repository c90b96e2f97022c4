/**
 * A client whose requests and answers the compiler checks. Its types are made from the running server:
 * `npx openapi-typescript http://127.0.0.1:3000/api/openapi.json -o api.d.ts` (needs TypeScript 5).
 */
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' });

const list = await client.GET('/api/articles', {
  params: { query: { minScore: 20, tag: ['maps', 'statistics'], sort: 'score', order: 'desc', limit: 2 } },
});
const total: number | undefined = list.data?.pagination.total;
const titles: string[] | undefined = list.data?.data.map(({ title }) => title);

const detail = await client.GET('/api/articles/{id}', { params: { path: { id: 40018457 } } });
const article: components['schemas']['Article'] | undefined = detail.data;

const missing = await client.GET('/api/products/{id}', { params: { path: { id: 0 } } });
const code: components['schemas']['Error']['error']['code'] | undefined = missing.error?.error.code;

const category = { params: { path: { category: 'Sci-Fi/Fantasy' }, query: { limit: 1 } } };
const found = await client.GET('/api/products/category/{category}', category);
const hits = await client.GET('/api/articles/search', { params: { query: { q: 'maps', highlight: 1, suggest: 0 } } });
const hitTitle: string | undefined = hits.data?.data[0]?.title;
const stats = await client.GET('/api/products/stats', { params: { query: { q: 'salt' } } });
// With `by` the answer has groups in place of fields.
const mean: number | null | undefined =
  stats.data !== undefined && 'fields' in stats.data ? stats.data.fields.price.mean : undefined;

export async function wrong() {
  // @ts-expect-error there is no such direction
  await client.GET('/api/articles', { params: { query: { sort: 'score', order: 'upwards' } } });
  // @ts-expect-error q is required
  await client.GET('/api/articles/search', { params: { query: {} } });
  // @ts-expect-error there is no such path
  await client.GET('/api/nothing', {});
  // @ts-expect-error it is read-only
  await client.POST('/api/articles', {});
  // @ts-expect-error there is no such field
  return list.data?.data[0]?.colour;
}

console.log(
  JSON.stringify({
    total,
    titles,
    author: article?.author,
    code,
    found: found.data?.data.length,
    mean,
    isHit: hitTitle !== undefined,
  }),
);
