import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { havePostgres } from './test/support/have-postgres.js';

/** What the API promises with either search engine; the tests run with each. */
const CONFORMANCE = ['boost', 'http', 'query', 'search-api', 'search-explained'].map(
  (name) => `test/*/${name}.test.ts`,
);

/**
 * What it promises of records in PostgreSQL as well: over two databases where the engine is asked for most, in one where HTTP is. What
 * else holds of PostgreSQL names its databases itself.
 */
const OVER_TWO_DATABASES = ['query', 'search-api'].map((name) => `test/*/${name}.test.ts`);
const IN_ONE_DATABASE = ['test/http/http.test.ts'];
const OF_POSTGRES = ['test/commands/postgres*.test.ts'];

/**
 * Whatever starts a browser or the built program takes seconds. Projects run in the order of their names, so that the quick tests
 * go first and a mistake shows at once; they form one group, so that no processor waits for the last file of a project.
 */
const OF_THE_PROGRAM = [
  'bench-program',
  'browser*',
  'client',
  'common-clients',
  'diff',
  'dockerfile',
  'endings',
  'examples',
  'faults',
  'growing',
  'history',
  'package',
  'pipeline',
  'program',
  'reload',
].map((name) => `test/*/${name}.test.ts`);

const SLOWEST = [
  'browser-columns',
  'browser-axe',
  'browser',
  'program',
  'bench-program',
  'reload',
  'dockerfile',
  'client',
];

/** On a clean checkout no file's duration is known: the slowest files are named, so that none of them is left at the end alone. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): number => {
      if (project.name !== 'program') return -1;
      const at = SLOWEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at < 0 ? SLOWEST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

const root = fileURLToPath(new URL('.', import.meta.url));

/**
 * Tests import the sources compiled, as Node runs them (`test/support/build.ts`): in a module that Vite transforms each use of
 * an import is a property's, which takes tests of hot loops a third more time. Scripts of pages are not compiled.
 */
const compiledSources: Plugin = {
  name: 'compiled-sources',
  enforce: 'pre',
  resolveId(source, importer) {
    if (importer === undefined || !source.startsWith('.')) return null;
    const path = relative(root, resolve(dirname(importer), source));
    const isCompiled = /^(?:src|bench)[/](?!http[/]pages[/]browser[/]).*[.]js$/.test(path);
    return isCompiled ? { id: join(root, '.build', path), external: true } : null;
  },
};

export default defineConfig({
  plugins: [compiledSources],
  test: {
    server: { deps: { external: [/[/][.]build[/]/] } },
    sequence: { sequencer: SlowestFirst },
    globalSetup: 'test/support/build.ts',
    maxWorkers: availableParallelism(),
    // No file changes a module: each worker loads them once.
    isolate: false,
    // Each load makes large buffers: with a small heap the engine would collect garbage after each of them. Further threads
    // that collect it would wait for processors, which other workers keep busy.
    execArgv: ['--initial-heap-size=512', '--min-semi-space-size=16', '--single-threaded-gc'],
    // A bound for what hangs: other processes may keep the machine busy.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'bm25f',
          include: ['test/**/*.test.ts'],
          exclude: [...OF_THE_PROGRAM, ...OF_POSTGRES],
        },
      },
      { extends: true, test: { name: 'program', include: OF_THE_PROGRAM } },
      {
        extends: true,
        test: {
          name: 'minisearch',
          include: CONFORMANCE,
          env: { ENGINE: 'minisearch' },
        },
      },
      ...(havePostgres()
        ? [
            { name: 'postgresql', include: [...IN_ONE_DATABASE, ...OF_POSTGRES], partitions: 0 },
            { name: 'postgresql-two', include: OVER_TWO_DATABASES, partitions: 2 },
          ].map(({ name, include, partitions }) => ({
            extends: true as const,
            test: {
              name,
              include,
              env: { ENGINE: 'postgresql', PARTITIONS: String(partitions) },
              globalSetup: 'test/support/shared-cluster.ts',
              setupFiles: 'test/support/end-databases.ts',
            },
          }))
        : []),
    ],
  },
});
