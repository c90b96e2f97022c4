/** The server that one would write in an afternoon: records in an array, `filter` and `sort` for each request, MiniSearch, all behind Hono. */
import { fileURLToPath } from 'node:url';
import { target } from '../specified.js';

const server = fileURLToPath(new URL('./server.js', import.meta.url));

export default {
  title: 'Hono, Array, MiniSearch',
  kind: 'http',
  packages: ['hono', '@hono/node-server', 'minisearch'],
  settings: ['MiniSearch with its defaults; `fuzzy: 0.2` where near spellings are asked for'],
  cannot: { phrase: 'no phrases', reload: 'starts anew' },
  command: ({ json, port }) => [server, json, String(port)],
  target,
};
