/**
 * `src/` → `dist/`: a file for each thread, what they share beside them, and the pages' script. Loading some hundred and
 * fifty modules one by one takes a tenth of a second of every start. Packages stay where npm puts them. Types are not
 * checked here but by `npm run check`.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const { dependencies } = createRequire(import.meta.url)('../package.json');
const cwd = fileURLToPath(new URL('..', import.meta.url));
const dist = join(cwd, 'dist');

const built = await Promise.all([
  build({
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
    output: { chunkFileNames: '[name].js' },
    write: false,
  }),
  build({
    cwd,
    input: { browser: 'src/http/pages/browser/main.ts' },
    platform: 'browser',
    transform: { target: 'es2022' },
    output: { minify: true },
    write: false,
  }),
]);

// Each file is replaced in one step: servers start and run from here meanwhile, and load some files late; others may build.
const DRAFT = '.draft-';
mkdirSync(dist, { recursive: true });
const files = built.flatMap(({ output }) => output);
for (const { fileName, code } of files) {
  const draft = join(dist, `${DRAFT}${process.pid}-${fileName}`);
  writeFileSync(draft, code);
  renameSync(draft, join(dist, fileName));
}
const isOld = (name) => !name.startsWith(DRAFT) && !files.some(({ fileName }) => fileName === name);
for (const name of readdirSync(dist).filter(isOld)) rmSync(join(dist, name), { recursive: true, force: true });
