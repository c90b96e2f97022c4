/**
 * `src/` → `dist/`: a file for each thread, what they share beside them, and the pages' script. Loading some hundred and
 * fifty modules one by one takes a tenth of a second of every start. Packages stay where npm puts them.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const { dependencies } = createRequire(import.meta.url)('../package.json');
const cwd = fileURLToPath(new URL('..', import.meta.url));

await build({
  cwd,
  // Tests and benches drive `build` and `parts`: threads, and figures, are of what is built here.
  input: {
    main: 'src/main.ts',
    build: 'src/build/build.ts',
    parts: 'src/build/parts.ts',
    worker: 'src/build/worker.ts',
    'search-worker': 'src/build/search-worker.ts',
  },
  platform: 'node',
  external: new RegExp(`^(${Object.keys(dependencies).join('|')})(/|$)`),
  // Written over: a server that runs from here still finds what it has not loaded yet.
  output: { dir: 'dist', chunkFileNames: '[name].js' },
});
await build({
  cwd,
  input: 'src/http/pages/browser/main.ts',
  platform: 'browser',
  output: { file: 'dist/browser.js', minify: true },
});
