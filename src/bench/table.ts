/** The figures of `bench` as lines for a terminal. */

export interface Figures {
  readonly p50: number;
  readonly p99: number;
  /** Responses a second to eight clients at a time. */
  readonly perSecond: number;
  /** The number of requests that p50 and p99 are taken from. */
  readonly requests: number;
}

export interface TaskFigures {
  readonly collection: string;
  readonly name: string;
  readonly kind: string;
  readonly first: Figures;
  readonly repeat: Figures;
}

export interface DumpFigures {
  readonly environment: {
    readonly date: string;
    readonly version: string;
    readonly node: string;
    readonly platform: string;
    readonly processor: string;
    readonly processors: number;
    readonly memoryBytes: number;
    readonly clients: number;
  };
  readonly start: {
    /** Milliseconds from the start of the process until it listens: the median of `starts`. */
    readonly ms: number;
    readonly starts: readonly number[];
    /** Memory at the peak of the start; null where the system has no such figure. */
    readonly peakBytes: number | null;
    readonly restBytes: number | null;
    readonly records: Readonly<Record<string, number>>;
  };
  readonly tasks: readonly TaskFigures[];
}

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
      ...table([HEADINGS, ...tasks.filter(({ collection }) => collection === name).map(row)]),
    ]),
    '',
    `Times are of one client that sends a request after the other, over HTTP on this machine; "a second" counts the responses`,
    `of ${clients} clients at a time. A first visit runs its query; the server keeps the response to what was asked for twice.`,
  ];
}

const row = ({ name, kind, first, repeat }: TaskFigures): readonly string[] => [
  `${name}, ${kind}`,
  ...cells(first),
  ...cells(repeat),
];

const cells = ({ p50, p99, perSecond }: Figures): readonly string[] => [
  milliseconds(p50),
  milliseconds(p99),
  Math.round(perSecond).toLocaleString('en'),
];

export const milliseconds = (ms: number): string =>
  ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;
export const megabytes = (bytes: number | null): string =>
  bytes === null ? 'no figure on this system' : `${(bytes / 1e6).toFixed(0)} MB`;
const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(0)} GiB of memory`;

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
