/** This project, as `npm run build` makes it, with the flags of a benchmark and nothing else. */
import { fileURLToPath } from 'node:url';
import { target } from '../specified.js';

const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

export default {
  title: 'this server',
  kind: 'http',
  packages: [],
  settings: ['`--rate-limit 0 --quiet`'],
  cannot: {},
  command: ({ json, port }) => [main, json, '--port', String(port), '--rate-limit', '0', '--quiet'],
  target,
  /** SIGHUP loads the dump again; this line says that it is served. */
  reload: { signal: 'SIGHUP', line: 'reloaded' },
};
