/** The figures of `bench` as lines for a terminal. */

import type { DumpFigures, Figures, TaskFigures } from './bench.js';

const HEADINGS = ['', 'first visit: p50', 'p99', 'a second', 'repeated: p50', 'p99', 'a second'];

export function benchText({ environment, start, tasks }: DumpFigures): readonly string[] {
  const { processor, processors, memoryBytes, node, version, date, platform, clients } = environment;
  const collections = [...new Set(tasks.map(({ collection }) => collection))];
  return [
    `scraper-data-api ${version}, Node ${node}, ${platform}, ${date.slice(0, 10)}`,
    `${processor}, ${processors} processors, ${gigabytes(memoryBytes)}`,
    '',
    `start   ${milliseconds(start.ms)} until it listens (${start.starts.map(milliseconds).join(', ')})`,
    `memory  ${megabytes(start.peakBytes)} at the peak of the start, ${megabytes(start.restBytes)} at rest`,
    ...collections.flatMap((name) => [
      '',
      `${name}, ${(start.records[name] ?? 0).toLocaleString('en')} records`,
      ...textTable([HEADINGS, ...tasks.filter(({ collection }) => collection === name).map(row)]),
    ]),
    '',
    `Times are of one client that sends a request after the other, over HTTP on this machine; "a second" counts the responses`,
    `of ${clients} clients at a time. A first visit runs its query; the server keeps the response to what was asked for twice.`,
  ];
}

const row = ({ name, kind, first, repeat }: TaskFigures): readonly string[] => [
  `${name}, ${kind}`,
  ...figureCells(first),
  ...figureCells(repeat),
];

const figureCells = ({ p50, p99, perSecond }: Figures): readonly string[] => [
  milliseconds(p50),
  milliseconds(p99),
  Math.round(perSecond).toLocaleString('en'),
];

export const milliseconds = (ms: number): string =>
  ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;
export const megabytes = (bytes: number | null): string =>
  bytes === null ? 'no figure on this system' : `${(bytes / 1e6).toFixed(0)} MB`;
const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(0)} GiB of memory`;

function textTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
