/** The floor: `node:http` and the same bytes for whatever is asked. Nothing that reads a request can be much faster. */
import { fileURLToPath } from 'node:url';
import { target } from '../specified.js';

const server = fileURLToPath(new URL('./server.js', import.meta.url));
const constant = 'constant';

export default {
  title: 'node:http, constant bytes',
  kind: 'floor',
  packages: [],
  settings: [
    'the first 20 records for any list, the bytes of the dump for the export; nothing is read from a request but its path',
  ],
  cannot: Object.fromEntries(
    [
      'deep page',
      'sorted page',
      'detail',
      'filter',
      'facets',
      'rare word',
      'common word',
      'two words, either',
      'two words, both',
      'phrase',
      'misspelt',
      'no such word',
      'reload',
    ].map((task) => [task, constant]),
  ),
  command: ({ json, port }) => [server, json, String(port)],
  target,
};
