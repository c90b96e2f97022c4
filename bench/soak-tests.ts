/** The tests that hold what the soak does not measure, each file run by itself. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import type { Target } from './measure.js';

const RESULTS = '.build/soak-tests.json';

/** Promises, each with the test files that hold it. */
const PROMISES: readonly (readonly [what: string, ...files: readonly string[]])[] = [
  ['3,000 requests made from the OpenAPI document are answered as it says', 'http/fuzz'],
  ['200 shapes of requests are accepted, refused and closed as bare `node:http` does', 'http/raw-shapes'],
  [
    'answers with and without the wire are equal; pipelines and time-outs',
    'http/wire',
    'http/pipeline',
    'http/conformance-socket',
  ],
  ['ends: signals, running answers, clients that leave or do not read', 'build/endings', 'commands/program'],
  [
    'faults: `kill -9`, folders that vanish, cannot be read or are half written, no memory',
    'build/faults',
    'build/reload',
  ],
  ['two replicas behind nginx', 'build/growing'],
];

/** Runs test files and counts their tests, without those that were skipped. */
function passed(files: readonly string[]): { readonly passed: number; readonly all: number } {
  rmSync(RESULTS, { force: true });
  spawnSync('npx', ['vitest', 'run', '--reporter=json', `--outputFile=${RESULTS}`, ...files], { stdio: 'ignore' });
  const { numPassedTests, numTotalTests, numPendingTests } = JSON.parse(readFileSync(RESULTS, 'utf8'));
  return { passed: numPassedTests, all: numTotalTests - numPendingTests };
}

export interface Shown extends Target {
  readonly command: string;
}

export function tests(): readonly Shown[] {
  return PROMISES.map(([what, ...names]) => {
    const files = names.map((name) => `test/${name}.test.ts`);
    const { passed: count, all } = passed(files);
    const holds = count > 0 && count === all;
    return {
      command: `npx vitest run ${files.join(' ')}`,
      what,
      found: `${count} of ${all} tests`,
      wanted: 'all',
      holds,
    };
  });
}
