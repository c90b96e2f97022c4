/** The server that one would write with a database: Fastify over SQLite, indexes on what is sorted and filtered, FTS5 for the search. */
import { fileURLToPath } from 'node:url';
import { target } from '../specified.js';

const server = fileURLToPath(new URL('./server.js', import.meta.url));

export default {
  title: 'Fastify, SQLite',
  kind: 'http',
  packages: ['fastify', 'better-sqlite3'],
  settings: [
    'better-sqlite3, or `node:sqlite` where it is not installed and Node has it',
    'FTS5 with `porter unicode61`, optimised, ordered by its BM25; indexes on score, title and date, from which pages are skipped',
    'the import without journal; then memory-mapped, 64 MB of cache; totals of whole lists are remembered',
    'its pages of the file are in the cache of the system, which is not counted as its memory',
  ],
  cannot: { misspelt: 'no near spellings', reload: 'imports anew' },
  command: ({ json, port, work }) => [server, json, String(port), work],
  target,
  keepsFile: true,
};
