/** `node server.js DUMP PORT`: reads the dump into an array and serves it. */
import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import MiniSearch from 'minisearch';

const [dump, port] = process.argv.slice(2);
const articles = JSON.parse(readFileSync(dump, 'utf8'));
const byId = new Map(articles.map((article) => [article.id, article]));
const index = new MiniSearch({ fields: ['title', 'content', 'author', 'tags'] });
index.addAll(articles);

const item = ({ content, tags, ...rest }) => rest;
const page = (records, number, limit) => ({
  data: records.slice((number - 1) * limit, number * limit).map(item),
  pagination: { total: records.length, page: number, limit, totalPages: Math.ceil(records.length / limit) },
});
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

const app = new Hono();
app.get('/api/articles', (c) => {
  const { page: number = '1', limit = '20', sort, minScore } = c.req.query();
  const minimum = Number(minScore);
  const matching = minScore === undefined ? articles : articles.filter(({ score }) => score >= minimum);
  const sorted = sort === undefined ? matching : matching.toSorted((a, b) => compare(a[sort], b[sort]));
  return c.json(page(sorted, Number(number), Number(limit)));
});
app.get('/api/articles/authors', (c) => {
  const { minScore = '0', limit = '100' } = c.req.query();
  const minimum = Number(minScore);
  const counts = new Map();
  for (const { score, author } of articles) if (score >= minimum) counts.set(author, (counts.get(author) ?? 0) + 1);
  const data = [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || compare(a.name, b.name));
  return c.json({ data: data.slice(0, Number(limit)) });
});
app.get('/api/articles/search', (c) => {
  const { q, match, fuzzy } = c.req.query();
  const results = index.search(q, { combineWith: match === 'all' ? 'AND' : 'OR', fuzzy: fuzzy === '0' ? false : 0.2 });
  const data = results.slice(0, 20).map(({ id }) => item(byId.get(id)));
  const total = results.length;
  return c.json({ data, pagination: { total, page: 1, limit: 20, totalPages: Math.ceil(total / 20) } });
});
app.get('/api/articles/:id', (c) => {
  const article = byId.get(Number(c.req.param('id')));
  return article === undefined ? c.notFound() : c.json(article);
});
app.get('/api/export/articles', (c) => c.json(articles));
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' });
