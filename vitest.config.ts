import { defineConfig } from 'vitest/config';

/** What the API promises with either engine; the tests run with each. */
const CONFORMANCE = [
  'client',
  'common-clients',
  'conformance-coding',
  'conformance-conditional',
  'conformance-socket',
  'http',
  'openapi',
  'query',
  'search-api',
  'search-explained',
  'wire',
].map((name) => `test/${name}.test.ts`);

/** Whatever starts a browser or the built program takes seconds: quick tests go first, so that a mistake shows at once. */
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
  'package',
  'pipeline',
  'program',
  'reload',
].map((name) => `test/${name}.test.ts`);

export default defineConfig({
  test: {
    globalSetup: 'test/support/build.ts',
    // Where there is one worker only, browsers and servers of the tests leave the machine idle half of the time.
    maxWorkers: '100%',
    // No file changes a module: each worker loads them once.
    isolate: false,
    // A bound for what hangs: other processes may keep the machine busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'bm25f',
          include: ['test/**/*.test.ts'],
          exclude: OF_THE_PROGRAM,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'program', include: OF_THE_PROGRAM, sequence: { groupOrder: 1 } } },
      {
        extends: true,
        test: {
          name: 'minisearch',
          include: CONFORMANCE,
          env: { ENGINE: 'minisearch' },
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
