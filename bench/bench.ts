/**
 * `npm run bench`: this server beside what people would use instead, on the same dump, each in fresh processes, peers in turn.
 * Writes `bench/results/latest.json`, and from it the table in README.md, the tables in bench/README.md, and the chart. The other
 * benches are parts of the same command: `npm run bench -- query --records 100000`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { readFlags } from './flags.js';
import { machine, workingCommit } from './measure.js';
import { readArticles, writeDumps } from './neutral-dump.js';
import { PARTS, runPart } from './parts.js';
import { missingOf, PEERS, type Peer, type PeerName, type Place, readPeer, versionsOf } from './peers.js';
import { makePlan } from './plan.js';
import { EARLIER, keep, LATEST, publish, readResults, writeDocuments } from './publish.js';
import { resultTables } from './render.js';
import { MAX_TASK_MS, type PeerResult, type Results, type Round, type RoundSettings, summarise } from './results.js';

const USAGE = {
  command: 'npm run bench --',
  description:
    'This server beside what people would use instead: ten minutes at most; writes results, table and chart.',
  flags: {
    quick: { description: '10,000 records, one round: a minute at most; publishes nothing' },
    records: { value: 'N,…', description: 'sizes of the dump [10000,100000,1000000]' },
    rounds: { value: 'N', description: 'rounds of each size [5 of up to 10,000, 3 of up to 100,000, else 1]' },
    peers: { value: 'NAME,…', description: `some of ${PEERS.join(', ')} [all]` },
    publish: { description: 'writes table and chart from this run, though it is not a whole one' },
    'loop-ms': { value: 'N', description: 'milliseconds for which each request is repeated, and each rate kept [300]' },
    render: { description: 'measures nothing: writes documents and chart from bench/results/latest.json again' },
    'no-install': { description: 'leaves the packages under bench/ as they are' },
  },
  notes: `parts, as npm run bench -- PART [flags]:
${Object.entries(PARTS)
  .map(([name, { description }]) => `  ${name.padEnd(16)} ${description}`)
  .join('\n')}`,
} as const;

const SIZES = [10_000, 100_000, 1_000_000];
const QUICK_SIZES = [10_000];
/** Peers that are measured at a larger size as well, which shows how they grow. */
const GROWTH_PEERS: readonly PeerName[] = ['ours', 'fastify-sqlite', 'node-http'];
const GROWTH_RECORDS = 1_000_000;
const GROWTH_MAX_START_MS = 120_000;
const MAX_ROUND_MS = 300_000;
const TIMING = { warmUpMs: 100, taskMs: 50, loopMs: 300, rates: [100, 1000] };

/** A whole run measures for less than ten minutes. From the second round on, a round begins only if it would end within them. */
const WHOLE_RUN_MS = 590_000;
/** A round of a whole run during which other processes used more is measured once more, if there is time. */
const MAX_OTHERS_PERCENT = 10;

interface RunRequest {
  readonly sizes: readonly number[];
  readonly rounds: number | undefined;
  readonly peers: readonly PeerName[];
  readonly timing: typeof TIMING;
  readonly isQuick: boolean;
  /** Whether it is the run that is published, which has an end. */
  readonly isWhole: boolean;
}

const roundsOf = (records: number): number => (records <= 10_000 ? 5 : records <= 100_000 ? 3 : 1);

/** Peers' packages are installed where the lock file is newer than what is there. */
function install(): void {
  const installed = 'bench/node_modules/.package-lock.json';
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync('bench/package-lock.json').mtimeMs) return;
  console.log('installing the peers under bench/');
  const { status } = spawnSync('npm', ['ci', '--prefix', 'bench', '--no-audit', '--no-fund'], { stdio: 'inherit' });
  if (status !== 0) console.error('npm ci in bench/ failed: peers that need its packages are left out');
}

/** Dumps and plans are cached between runs: their names have a hash of the code that makes them. */
function makeInputs(records: number): Omit<Place, 'port' | 'work'> & { readonly plan: string } {
  const hashOf = (...sources: readonly string[]): string =>
    createHash('sha256')
      .update(Buffer.concat(sources.map((path) => readFileSync(new URL(path, import.meta.url)))))
      .digest('hex')
      .slice(0, 12);
  const makers = ['./neutral-dump.js', './data.js', '../test/support/random.js'];
  const dir = join(tmpdir(), `bench-neutral-${hashOf(...makers)}`, String(records));
  const paths = { json: join(dir, 'articles.json'), db: join(dir, 'db.json'), tsv: join(dir, 'articles.tsv') };
  const completionMark = join(dir, 'complete');
  if (!existsSync(completionMark)) {
    console.log(`making the dump of ${records.toLocaleString('en')} records`);
    mkdirSync(dir, { recursive: true });
    writeDumps(records, records < GROWTH_RECORDS ? paths : { json: paths.json });
    writeFileSync(completionMark, '');
  }
  const plan = join(dir, `plan-${hashOf('./plan.js', ...makers)}.json`);
  if (!existsSync(plan)) {
    console.log(`finding the right answers of ${records.toLocaleString('en')} records`);
    writeFileSync(plan, JSON.stringify(makePlan(records, () => readArticles(paths.json))));
  }
  return { ...paths, plan };
}

function runRound(settings: RoundSettings): Round {
  const script = new URL('./measure-peer.js', import.meta.url).pathname;
  const { stdout, status, error } = spawnSync(process.execPath, [script, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    timeout: MAX_ROUND_MS,
    killSignal: 'SIGTERM',
  });
  if (status === 0) return JSON.parse(stdout);
  return { failure: error?.message ?? `ended with ${status}` };
}

interface Entry {
  readonly name: PeerName;
  readonly peer: Peer;
  readonly missing: string | null;
  readonly rounds: Round[];
}

interface Size {
  readonly records: number;
  readonly timing: RunRequest['timing'];
  readonly plannedRounds: number;
  readonly inputs: ReturnType<typeof makeInputs>;
  readonly entries: readonly Entry[];
  /** The milliseconds of each finished round. */
  readonly rounds: number[];
}

async function prepareSize(records: number, request: RunRequest): Promise<Size> {
  const entries: Entry[] = [];
  for (const name of request.peers.filter((name) => records < GROWTH_RECORDS || GROWTH_PEERS.includes(name))) {
    const peer = await readPeer(name);
    entries.push({ name, peer, missing: missingOf(peer), rounds: [] });
  }
  const plannedRounds = request.rounds ?? (request.isQuick ? 1 : roundsOf(records));
  return { records, timing: request.timing, plannedRounds, inputs: makeInputs(records), entries, rounds: [] };
}

function measureRound(
  { records, timing, plannedRounds, inputs, entries, rounds }: Size,
  work: string,
  repeatsUntil: number,
): void {
  const startedAt = performance.now();
  const round = rounds.length;
  // The order differs each round, so that no peer always runs after the same one.
  const first = (round * 2) % entries.length;
  for (const entry of [...entries.slice(first), ...entries.slice(0, first)]) {
    const { name, peer, missing } = entry;
    if (missing !== null && round === 0) console.log(`${peer.title} is left out: ${missing}`);
    if (missing !== null || entry.rounds.some(hasEnded)) continue;
    console.log(`${records.toLocaleString('en')} records, round ${round + 1} of ${plannedRounds}: ${peer.title}`);
    const measure = () => roundOf(entry, records, timing, inputs, join(work, `${name}-${records}-${round}`));
    entry.rounds.push(undisturbed(measure, repeatsUntil));
  }
  rounds.push(performance.now() - startedAt);
}

/** A round; a second one where other processes disturbed it and there is time. The less disturbed counts. */
function undisturbed(measure: () => Round, repeatsUntil: number): Round {
  const startedAt = performance.now();
  const round = measure();
  const percent = othersOf(round);
  if (percent <= MAX_OTHERS_PERCENT) return round;
  const tookMs = performance.now() - startedAt;
  const hasTime = performance.now() + tookMs < repeatsUntil;
  console.log(`  other processes used ${percent.toFixed(0)} % of the processors${hasTime ? '; measured again' : ''}`);
  const second = hasTime ? measure() : round;
  return othersOf(second) < percent ? second : round;
}

const othersOf = (round: Round): number => Number(round['others %'] ?? 0);

/** A peer that fails, or needs too long to start, has no further round. */
const hasEnded = ({ start, failure }: Round): boolean => failure !== undefined || typeof start === 'string';

function roundOf(
  { name, peer }: Entry,
  records: number,
  timing: RunRequest['timing'],
  { plan, ...paths }: ReturnType<typeof makeInputs>,
  work: string,
): Round {
  mkdirSync(work);
  const settings: RoundSettings = {
    peer: name,
    plan,
    place: { ...paths, work },
    ...timing,
    maxStartMs: records < GROWTH_RECORDS ? MAX_TASK_MS : GROWTH_MAX_START_MS,
    isStartOnly: false,
  };
  const round = runRound(settings);
  const again = peer.keepsFile && round.failure === undefined ? runRound({ ...settings, isStartOnly: true }) : {};
  rmSync(work, { recursive: true });
  if (round.failure !== undefined) console.error(`${peer.title}: ${round.failure}`);
  return again.start === undefined ? round : { ...round, 'start again': again.start };
}

const resultOf = ({ peer, missing, rounds }: Entry): PeerResult => ({
  title: peer.title,
  kind: peer.kind,
  versions: versionsOf(peer),
  settings: peer.settings,
  cannot: peer.cannot,
  rounds: rounds.length,
  figures: missing === null ? summarise(rounds) : { failure: missing },
});

async function measureAll(request: RunRequest): Promise<Results> {
  const work = mkdtempSync(join(tmpdir(), 'bench-'));
  process.once('exit', () => rmSync(work, { recursive: true, force: true }));
  const sizes: Size[] = [];
  for (const records of request.sizes) sizes.push(await prepareSize(records, request));
  const startedAt = performance.now();
  const endsAt = startedAt + (request.isWhole ? WHOLE_RUN_MS : Number.POSITIVE_INFINITY);
  const repeatsUntil = request.isWhole ? startedAt + WHOLE_RUN_MS / 2 : 0;
  // Sizes take turns, so that the rounds of a size are minutes apart: their spread is then nearly that of two runs. Larger ones
  // come first, since README.md shows the largest that all peers have.
  for (let round = 0; sizes.some(({ plannedRounds }) => round < plannedRounds); round++) {
    for (const size of sizes.toReversed()) {
      const fits = round === 0 || performance.now() + Math.max(...size.rounds) < endsAt;
      if (round < size.plannedRounds && fits) measureRound(size, work, repeatsUntil);
    }
  }
  return {
    environment: {
      date: new Date().toISOString(),
      commit: workingCommit(),
      node: process.version,
      machine: machine(),
      processors: cpus().length,
      memoryBytes: totalmem(),
      system: `${type()} ${release()}`,
    },
    isQuick: request.isQuick,
    tookMs: Math.round(performance.now() - startedAt),
    settings: request.timing,
    sizes: sizes.map(({ records, inputs, entries, rounds }) => ({
      records,
      dumpBytes: statSync(inputs.json).size,
      rounds: rounds.length,
      peers: Object.fromEntries(entries.map((entry) => [entry.name, resultOf(entry)])),
    })),
  };
}

async function main(): Promise<void> {
  const [part = '', ...rest] = process.argv.slice(2);
  if (Object.hasOwn(PARTS, part)) return runPart(part, rest);
  const flags = readFlags(USAGE);
  const latest = readResults(LATEST);
  if (flags.has('render')) {
    if (latest === null) return flags.fail(`There is no ${LATEST}.`);
    return console.log(`written: ${writeDocuments(latest, readResults(EARLIER)).join(', ')}`);
  }
  const isQuick = flags.has('quick');
  const sizes = flags.has('records') ? flags.text('records', '').split(',').map(Number) : isQuick ? QUICK_SIZES : SIZES;
  if (!sizes.every((size) => Number.isInteger(size) && size > 0))
    flags.fail(`--records must be positive integers, received "${flags.text('records', '')}".`);
  const isWhole = !(['quick', 'records', 'rounds', 'peers', 'loop-ms'] as const).some(flags.has);
  const request: RunRequest = {
    sizes,
    rounds: flags.has('rounds') ? flags.count('rounds', 1) : undefined,
    peers: flags.list('peers', PEERS),
    timing: { ...TIMING, loopMs: flags.count('loop-ms', TIMING.loopMs) },
    isQuick,
    isWhole,
  };
  if (!flags.has('no-install')) install();
  if (!existsSync('dist/main.js')) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  const results = await measureAll(request);
  const written = isWhole || flags.has('publish') ? publish(results) : keep(results);
  console.log(`\n${resultTables(results, latest)}\n\nwritten: ${written.join(', ')}`);
}

await main();
