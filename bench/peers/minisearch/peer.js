/** MiniSearch, in process: what a search costs without HTTP, and without making a page of records. */
import { fileURLToPath } from 'node:url';

export default {
  title: 'MiniSearch',
  kind: 'in process',
  packages: ['minisearch'],
  settings: ['its defaults; `fuzzy: 0.2` where near spellings are asked for'],
  cannot: { phrase: 'no phrases' },
  command: ({ json }) => [fileURLToPath(new URL('./engine.js', import.meta.url)), json],
};
