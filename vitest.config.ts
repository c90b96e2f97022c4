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
      { extends: true, test: { name: 'bm25f', include: ['test/**/*.test.ts'] } },
      { extends: true, test: { name: 'minisearch', include: CONFORMANCE, env: { ENGINE: 'minisearch' } } },
    ],
  },
});
