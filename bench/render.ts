/** The results of a run as tables of Markdown and as a chart: whatever shows figures is written by these functions. */
import { megabytes } from './measure.js';
import type { PeerName } from './peers.js';
import { SEARCHES, TASKS } from './plan.js';
import {
  agreementOf,
  type Figure,
  MAX_TASK_MS,
  OVER,
  type PeerResult,
  type Results,
  type SizeResult,
  statedSpread,
} from './results.js';

/** Names of figures, and what they are called in tables. */
type Row = readonly [figure: string, what: string];

const README_ROWS: readonly Row[] = [
  ['start', 'start, until the first right answer'],
  ['list', 'a page of a list'],
  ['sorted page', 'a page sorted by score'],
  ['detail', 'one record by id'],
  ['facets', 'counts of authors under a filter'],
  ['two words, either', 'a search for two words'],
  ['export', 'the export of all records'],
  ['rest MB', 'memory at rest'],
];

const SERVERS: readonly PeerName[] = ['ours', 'fastify-sqlite', 'hono-array', 'json-server', 'node-http'];

/** The largest size that every peer was measured at. */
const mainSize = ({ sizes }: Results): SizeResult | undefined =>
  sizes.filter(({ records }) => records < 1_000_000).at(-1) ?? sizes[0];

export function readmeTable(results: Results): string {
  const size = mainSize(results);
  if (size === undefined) return '';
  const peers = SERVERS.flatMap((name) => size.peers[name] ?? []);
  const [ours] = peers;
  const columns = peers.map(({ title }) => title).toSpliced(1, 0, 'the same again');
  const cells = (peer: PeerResult, figure: string): string =>
    figure === 'start' && typeof peer.figures['start again'] === 'object'
      ? `${cell(peer, figure, false)}; ${cell(peer, 'start again', false)} from its own file`
      : cell(peer, figure, false);
  const rows = README_ROWS.map(([figure, what]) => [
    what,
    ...peers.map((peer) => cells(peer, figure)).toSpliced(1, 0, ours ? cell(ours, `${figure} again`, false) : ''),
  ]);
  return [
    markdown([['task', ...columns], ...rows]),
    '',
    `${grouped(size.records)} articles of ${Math.round(size.dumpBytes / size.records)} bytes, over HTTP. ${method(results, size)}`,
    'This server keeps what was asked for twice; the others, as written here, keep nothing. The spreads, everything else, and where others are faster: [bench/README.md](bench/README.md).',
  ].join('\n');
}

/** All tables of all sizes, and how an earlier run agrees with them. */
export function resultTables(results: Results, earlier: Results | null): string {
  const agreement = agreementText(results, earlier);
  const tables = results.sizes.map((size) => sizeTables(results, size));
  return [peersTable(results), ...(agreement === null ? [] : [agreement]), ...tables].join('\n\n');
}

/** Null where there is no earlier run under the same conditions. */
export function agreementText(results: Results, earlier: Results | null): string | null {
  const agreement = earlier && agreementOf(earlier, results);
  if (agreement === null || earlier === null) return null;
  const { commit, date } = earlier.environment;
  const { within, figures, farthest } = agreement;
  return (
    `**${grouped(within)} of ${grouped(figures)} medians lie within the spread that an earlier run on this machine states** ` +
    `(commit ${commit}, ${date.slice(0, 16).replace('T', ' ')}).${farthest === null ? '' : ` The farthest of the others: ${farthest}.`}`
  );
}

/** Every peer that was measured at some size. */
function peersTable({ sizes, environment }: Results): string {
  const peers = new Map(sizes.flatMap((size) => Object.entries(size.peers)));
  const rows = [
    ['peer', 'version', 'settings'],
    ...[...peers.values()].map(({ title, versions, settings }) => [
      title,
      versions || `commit ${environment.commit}, Node ${environment.node}`,
      settings.join('; '),
    ]),
  ];
  return markdown(rows, '---');
}

function sizeTables(results: Results, size: SizeResult): string {
  const entries = Object.values(size.peers);
  const servers = entries.filter(({ kind }) => kind === 'http' || kind === 'floor');
  const engines = entries.filter(({ kind }) => kind === 'in process');
  const loaders = entries.filter(({ kind }) => kind === 'load');
  const ours = size.peers.ours;
  const under = `\n\n${method(results, size)}`;
  const parts = [
    `### ${grouped(size.records)} records, ${megabytes(size.dumpBytes)}`,
    section('Start and memory', startTable([...servers, ...engines, ...loaders]) + under),
  ];
  if (servers.length > 0) {
    parts.push(section('Over HTTP: milliseconds of first visits, and of the same again', visitTable(servers) + under));
    parts.push(section('Under load, over HTTP', loadTable(results, servers) + under));
  }
  if (engines.length > 0 && ours !== undefined)
    parts.push(
      section('Searches in process, beside this server over HTTP: milliseconds', engineTable(ours, engines) + under),
    );
  parts.push(section('Where others are faster or smaller', betterElsewhere(size)));
  return parts.join('\n\n');
}

const section = (title: string, body: string): string => `#### ${title}\n\n${body}`;

function startTable(peers: readonly PeerResult[]): string {
  const rows: readonly Row[] = [
    ['start', 'start from the dump'],
    ['start again', 'start from its own file'],
    ['rest', 'at rest after'],
    ['peak MB', 'memory at the peak of the start'],
    ['rest MB', 'memory at rest'],
  ];
  return markdown([
    ['peer', ...rows.map(([, what]) => what)],
    ...peers.map((peer) => [peer.title, ...rows.map(([figure]) => cell(peer, figure))]),
  ]);
}

function visitTable(peers: readonly PeerResult[]): string {
  return markdown([
    ['task', ...peers.flatMap(({ title }) => [title, 'again'])],
    ...TASKS.filter((task) => task !== 'export').map((figure) => [
      figure,
      ...peers.flatMap((peer) => [visitCell(peer, figure), visitCell(peer, `${figure} again`)]),
    ]),
  ]);
}

/** The median of a task, its spread, and its p99, or of how few requests the median is. */
function visitCell(peer: PeerResult, figure: string): string {
  const [median, p99] = [cell(peer, figure), cell(peer, `${figure} p99`)];
  if (typeof peer.figures[figure] !== 'object') return median;
  return `${median}; ${typeof peer.figures[`${figure} p99`] === 'object' ? `p99 ${p99}` : p99}`;
}

function loadTable({ settings }: Results, peers: readonly PeerResult[]): string {
  const rows: readonly Row[] = [
    ['lists a second', 'eight clients: lists a second'],
    ['lists processor', 'processor time of a list, of all threads'],
    ['lists again a second', 'eight clients: the same lists again, a second'],
    ['lists again processor', 'processor time of a list that is asked for again'],
    ...settings.rates.flatMap((rate): Row[] => [
      [`${rate} a second p50`, `${rate} mixed requests a second: p50`],
      [`${rate} a second p99`, `${rate} a second: p99`],
      [`${rate} a second max`, `${rate} a second: the most`],
    ]),
    ['export', 'export of all records'],
    ['export MB/s', 'export, MB/s'],
    ['reload', '200 sorted pages a second while the dump is loaded again: p99'],
    ['reload max', 'the most of these'],
    ['lists waited %', 'share of its time that the server waited for a processor, %'],
  ];
  return markdown([
    ['task', ...peers.map(({ title }) => title)],
    ...rows.map(([figure, what]) => [what, ...peers.map((peer) => cell(peer, figure))]),
  ]);
}

function engineTable(ours: PeerResult, engines: readonly PeerResult[]): string {
  const peers = [ours, ...engines];
  return markdown([
    ['task', ...peers.flatMap(({ title }, i) => [i === 0 ? `${title}, over HTTP` : title, 'again'])],
    ...SEARCHES.map((figure) => [
      figure,
      ...peers.flatMap((peer) => [visitCell(peer, figure), visitCell(peer, `${figure} again`)]),
    ]),
  ]);
}

/** Every figure that a peer has less of than we do in all rounds. */
function betterElsewhere({ peers }: SizeResult): string {
  const { ours, ...others } = peers;
  if (ours === undefined) return 'This server was not measured.';
  const figures = [
    ...['start', 'peak MB', 'rest MB'],
    ...TASKS.flatMap((task) => [task, `${task} again`]),
    ...['lists processor', 'lists again processor'],
  ];
  const lines = figures.flatMap((figure) => {
    const ownFigure = ours.figures[figure];
    if (ownFigure === undefined || typeof ownFigure === 'string') return [];
    const better = Object.values(others).flatMap((peer) => {
      const its = peer.figures[figure];
      const isLess = its !== undefined && typeof its !== 'string' && its.most < ownFigure.least;
      return isLess && peer.kind !== 'floor' ? [`${peer.title} ${cell(peer, figure)}`] : [];
    });
    return better.length === 0
      ? []
      : [`- ${figure.replace(' MB', ' memory')}: ${better.join(', ')}; this server ${cell(ours, figure)}`];
  });
  return lines.length === 0 ? 'Nowhere at this size.' : lines.join('\n');
}

/** A figure with its spread, or why there is none. One round states no spread. */
function cell({ figures, cannot, kind, rounds }: PeerResult, figure: string, hasSpread = true): string {
  const value = figures[figure];
  if (typeof value === 'object') return text(figure, value, hasSpread && rounds > 1);
  const task = figure.replace(/ (?:again|max|MB\/s)$/, '');
  const reasons = [value, figures[task], cannot[task], figures.failure];
  const reason = reasons.find((each) => typeof each === 'string');
  if (reason !== undefined) return reason;
  if (typeof figures.start === 'string') return `start ${OVER}`;
  return kind === 'floor' ? 'constant' : 'none';
}

function text(figure: string, value: Figure, hasSpread: boolean): string {
  const [unit, divisor] = unitOf(figure, value);
  if (unit === 's' && value.median > MAX_TASK_MS) return OVER;
  const { from, to } = statedSpread(value);
  const spread = hasSpread ? ` (${short(from / divisor)}–${short(to / divisor)})` : '';
  return `${short(value.median / divisor)}${unit === '' ? '' : ` ${unit}`}${spread}`;
}

/** The unit of a figure, and how many milliseconds or megabytes it has. */
function unitOf(figure: string, { median }: Figure): readonly [unit: string, divisor: number] {
  if (figure.endsWith('MB')) return ['MB', 1];
  if (/(?:MB\/s|a second|%)$/.test(figure)) return ['', 1];
  return median >= 1000 ? ['s', 1000] : ['ms', 1];
}

const short = (value: number): string =>
  value >= 1000
    ? Math.round(value).toLocaleString('en')
    : value >= 100
      ? value.toFixed(0)
      : value >= 10
        ? value.toFixed(1)
        : value.toFixed(value >= 1 ? 2 : 3);

const grouped = (value: number): string => value.toLocaleString('en');

/** The method of a run, which stands under every table. */
function method({ environment, settings, isQuick }: Results, { rounds, peers }: SizeResult): string {
  const { machine, commit, date, system } = environment;
  const sharesOfOthers = Object.values(peers).flatMap(({ figures }) => {
    const share = figures['others %'];
    return typeof share === 'object' ? share.most : [];
  });
  return [
    `${isQuick ? 'A quick run: ' : ''}${rounds > 1 ? `Medians of ${rounds} rounds` : 'One round'}, each in a fresh process`,
    `peers in turn, ${settings.taskMs} ms a task`,
    'other requests of the task as warm-up',
    'client and server on one machine',
    ...(sharesOfOthers.length > 0
      ? [`other processes took at most ${Math.max(...sharesOfOthers).toFixed(0)} % of the processors`]
      : []),
    `${machine}, ${system}; commit ${commit}, ${date.slice(0, 10)}.`,
  ].join('; ');
}

function markdown(rows: readonly (readonly string[])[], align = '--:'): string {
  const [head = [], ...body] = rows.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  return [head, `|---${`|${align}`.repeat((rows[0]?.length ?? 1) - 1)}|`, ...body].join('\n');
}

const CHART_ROWS: readonly Row[] = [
  ['list', 'a page of a list'],
  ['deep page', 'a page far behind'],
  ['sorted page', 'a sorted page'],
  ['detail', 'one record'],
  ['filter', 'a filtered list'],
  ['facets', 'counts of authors'],
  ['rare word', 'search: a rare word'],
  ['two words, either', 'search: two words'],
];
const COLOURS = ['#d9480f', '#1971c2', '#2f9e44', '#9c36b5', '#868e96'];
const [LEFT, RIGHT, TOP, ROW_HEIGHT, WIDTH] = [170, 30, 70, 34, 760];

/** A dot for each server and task, on a logarithmic scale of milliseconds: first visits only. */
export function chart(results: Results): string {
  const size = mainSize(results);
  const peers = SERVERS.flatMap((name) => size?.peers[name] ?? []);
  const value = (peer: PeerResult, figure: string): number | null => {
    const entry = peer.figures[figure];
    return typeof entry === 'object' ? entry.median : null;
  };
  const values = peers.flatMap((peer) => CHART_ROWS.flatMap(([figure]) => value(peer, figure) ?? []));
  const [least, most] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const x = (ms: number): number =>
    Math.round(LEFT + ((Math.log10(ms) - least) / Math.max(1, most - least)) * (WIDTH - LEFT - RIGHT));
  const y = (row: number): number => TOP + row * ROW_HEIGHT + ROW_HEIGHT / 2;
  const height = TOP + CHART_ROWS.length * ROW_HEIGHT + 30;
  const ticks = Array.from({ length: most - least + 1 }, (_, i) => 10 ** (least + i));
  const tick = (ms: number): string =>
    `<line class="grid" x1="${x(ms)}" x2="${x(ms)}" y1="${TOP}" y2="${height - 30}"/>` +
    `<text x="${x(ms)}" y="${height - 12}" text-anchor="middle">${Number(ms.toPrecision(1))} ms</text>`;
  const row = ([figure, what]: Row, i: number): string =>
    `<text x="${LEFT - 16}" y="${y(i) + 4}" text-anchor="end">${what}</text>` +
    peers
      .map((peer, k) => {
        const ms = value(peer, figure);
        const title = `${peer.title}: ${cell(peer, figure)}`;
        return ms === null
          ? ''
          : `<circle cx="${x(ms)}" cy="${y(i)}" r="6" fill="${COLOURS[k]}"><title>${title}</title></circle>`;
      })
      .toReversed()
      .join('');
  let at = LEFT;
  const legend = peers.map(({ title }, k) => {
    const entry = `<circle cx="${at}" cy="44" r="6" fill="${COLOURS[k]}"/><text x="${at + 12}" y="48">${title}</text>`;
    at += 34 + title.length * 6.6;
    return entry;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.max(WIDTH, Math.ceil(at))} ${height}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>Milliseconds of a first visit over HTTP, ${grouped(size?.records ?? 0)} records</title>`,
    '<style>text{fill:#343a40}.grid{stroke:#dee2e6}@media(prefers-color-scheme:dark){text{fill:#ced4da}.grid{stroke:#495057}}</style>',
    `<text x="${LEFT}" y="20" font-size="14">Milliseconds of a first visit over HTTP, ${grouped(size?.records ?? 0)} records (further left is faster)</text>`,
    ...legend,
    ...ticks.map(tick),
    ...CHART_ROWS.map(row),
    '</svg>',
    '',
  ].join('\n');
}
