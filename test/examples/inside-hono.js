/**
 * The records of a dump inside of an app of your own: `npm install hono @hono/node-server scraper-data-api`, then
 * `PORT=3000 node inside-hono.js dump.json`.
 */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createApp, loadDataset } from 'scraper-data-api';

const loaded = await loadDataset(process.argv.slice(2));
if (!loaded.ok) {
  for (const { file, line = 1, message } of loaded.faults) console.error(`${file}:${line}: ${message}`);
  process.exit(1);
}
const records = createApp(loaded.dataset, { maxLimit: 100 });

const app = new Hono();
app.get('/hello', (c) => c.json({ records: loaded.dataset.collections.get('products')?.size }));
// The routes above come first; all other addresses are those of the server, which begin at the root.
app.mount('/', records.fetch);

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) }, ({ port }) => {
  console.log(`listening on http://127.0.0.1:${port}`);
});
