/**
 * `src/` → `dist/`: a file for each thread, what they share beside them, and the pages' script. Loading some hundred and
 * fifty modules one by one takes a tenth of a second of every start, and finding and loading those of packages some 30
 * milliseconds more. Kernels become their bytes. Types are not checked here but by `npm run check`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { compileKernels } from './compile-kernels.js';
import { fileText, noticesOf } from './notices.js';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const dist = join(cwd, 'dist');
if (!existsSync(join(dist, 'main.js')))
  console.error('The first build compiles the kernels and bundles the program: it takes some ten seconds …');
await compileKernels();

/** The modules that every start loads, in `src/`: not those of an address, a format, a language's texts or an engine that few dumps have. */
const OF_EVERY_START = new RegExp(
  `/src/(?:${[
    '(?!index|main)[^/]+',
    'build/(?!compare|reloader|worker|search-worker)[^/]+|build/worker-jobs',
    'commands/(?:dump-source|history|place|terminal)',
    'config/[^/]+',
    'http/(?:bind|semantics/simulation)',
    'kernels/[^/]+',
    'load/(?!place/csv-reader|values/markup|source/(?:encodings|zip)).+',
    'search/(?!minisearch).+',
    'store/[^/]+',
  ].join('|')})[.]ts$|/node_modules/(?:porter2|@orama/stemmers)/`,
);

/** Builds what runs on Node; `prefix` is that of the files which these share. */
const buildForNode = (input, prefix) =>
  build({
    cwd,
    input,
    platform: 'node',
    output: {
      chunkFileNames: `${prefix}[name].js`,
      // The code that every start loads is one file: each further file would cost half a millisecond.
      codeSplitting: { groups: [{ name: 'start', test: OF_EVERY_START }] },
      // Comments are a fifth of the bytes that the engine reads at every start.
      comments: { jsdoc: false },
    },
    write: false,
  });

/** A page loads one script, so every script is one file. */
const buildForBrowser = (input) =>
  build({
    cwd,
    input,
    platform: 'browser',
    transform: { target: 'es2022' },
    output: { minify: true },
    write: false,
  });

const built = await Promise.all([
  buildForNode(
    {
      main: 'src/main.ts',
      worker: 'src/build/worker.ts',
      index: 'src/index.ts',
      // The package lacks this file: tests and benches use it to drive what is built.
      internals: 'test/support/internals.ts',
    },
    '',
  ),
  // It shares no file with the others, and so loads nothing that it does not take: a start waits for it.
  buildForNode({ 'search-worker': 'src/build/search-worker.ts' }, 'search-'),
  buildForBrowser({ browser: 'src/http/pages/browser/main.ts' }),
  buildForBrowser({ docs: 'src/http/pages/browser/docs.ts' }),
]);

// Servers run from this folder meanwhile and load some files late, so each file is replaced in one step.
const DRAFT = '.draft-';
mkdirSync(dist, { recursive: true });
const copies = {
  'http/pages/frame/pages.css': 'pages.css',
  'http/docs/docs.css': 'docs.css',
  'http/docs/guide.md': 'guide.md',
  'package.d.ts': 'index.d.ts',
};
const copied = Object.entries(copies).map(([path, fileName]) => ({
  fileName,
  code: readFileSync(join(cwd, 'src', path), 'utf8'),
}));
const chunks = built.flatMap(({ output }) => output);
const files = [...chunks, ...copied];
for (const { fileName, code } of files) {
  const draft = join(dist, `${DRAFT}${process.pid}-${fileName}`);
  writeFileSync(draft, code);
  renameSync(draft, join(dist, fileName));
}
const isOld = (name) => !name.startsWith(DRAFT) && !files.some(({ fileName }) => fileName === name);
for (const name of readdirSync(dist).filter(isOld)) rmSync(join(dist, name), { recursive: true, force: true });

const noticesPath = join(cwd, 'THIRD-PARTY-NOTICES.txt');
const notices = noticesOf(chunks.flatMap(({ moduleIds = [] }) => moduleIds));
if (fileText(noticesPath) !== notices) writeFileSync(noticesPath, notices);
