/** The benches of one part each: their file, the flags of Node that they need, and what they measure. */
import { spawnSync } from 'node:child_process';

interface Part {
  readonly description: string;
  readonly nodeFlags?: readonly string[];
}

const MUCH_MEMORY = ['--max-old-space-size=8000'];

export const PARTS: Readonly<Record<string, Part>> = {
  http: {
    description: 'what HTTP costs: throughput and processor time, as ratios to bare node:http (needs wrk, curl)',
  },
  waits: { description: 'how long others wait while exports of 180 MB are sent (needs curl)' },
  starts: { description: 'starts of one record, the sample and 4 MB, beside json-server' },
  load: { description: 'start, memory and reloads of large dumps, beside JSON.parse' },
  query: {
    description: 'filters, orders and pages in process, beside plain objects and SQLite',
    nodeFlags: MUCH_MEMORY,
  },
  search: {
    description: 'searches in process, beside MiniSearch and SQLite FTS5',
    nodeFlags: ['--expose-gc', ...MUCH_MEMORY],
  },
  relevance: { description: 'quality of ranking on collections with judgments' },
  pages: { description: 'HTML pages of a million records', nodeFlags: MUCH_MEMORY },
  changes: { description: 'comparison of two dumps of a million records', nodeFlags: ['--expose-gc', ...MUCH_MEMORY] },
  postgres: { description: 'a million products in PostgreSQL: push, lists, filters, searches, exports' },
  compare: { description: 'two builds of the project side by side' },
};

export function runPart(name: string, args: readonly string[]): void {
  const script = new URL(`./parts/${name}.js`, import.meta.url).pathname;
  const { status } = spawnSync(process.execPath, [...(PARTS[name]?.nodeFlags ?? []), script, ...args], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
