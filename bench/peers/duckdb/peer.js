/** DuckDB reads the dump into a table in memory: load only, as a measure for the start. */
import { fileURLToPath } from 'node:url';

export default {
  title: 'DuckDB, load only',
  kind: 'load',
  packages: ['@duckdb/node-api'],
  settings: [
    '`CREATE TABLE … AS SELECT * FROM read_json(…)` with its defaults, on all processors; no index, no search',
  ],
  cannot: {},
  command: ({ json }) => [fileURLToPath(new URL('./load.js', import.meta.url)), json],
};
