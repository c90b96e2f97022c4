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
import { parseArgs } from 'node:util';
import { machine, workingCommit } from './measure.js';
import { writeDumps } from './neutral-dump.js';
import { PARTS, runPart } from './parts.js';
import { missingOf, PEERS, type Peer, type PeerName, type Place, readPeer, versionsOf } from './peers.js';
import { makePlan } from './plan.js';
import { publish } from './publish.js';
import { resultTables } from './render.js';
import {
  MAX_TASK_MS,
  type PeerResult,
  type Results,
  type Round,
  type RoundSettings,
  type SizeResult,
  summarise,
} from './results.js';

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  records: { type: 'string' },
  rounds: { type: 'string' },
  peers: { type: 'string' },
  publish: { type: 'boolean', default: false },
  'no-install': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const HELP = `npm run bench -- [flags]          this server beside its peers: ten minutes at most; writes results, table and chart
npm run bench -- PART [flags]     a part; --help after its name lists its flags

  --quick          10,000 records, one round: a minute at most; written to bench/results/quick.json, nothing is published
  --records N,…    sizes of the dump [10000,100000,1000000]
  --rounds N       rounds of each size [5 of up to 10,000, 3 of up to 100,000, else 1]
  --peers NAME,…   some of ${PEERS.join(', ')}
  --publish        writes table and chart from this run, though it is not a whole one
  --no-install     leaves the packages under bench/ as they are
  -h, --help       this text

parts:
${Object.entries(PARTS)
  .map(([name, { description }]) => `  ${name.padEnd(16)} ${description}`)
  .join('\n')}`;

const SIZES = [10_000, 100_000, 1_000_000];
const QUICK_SIZES = [10_000];
/** What is measured once more at a size that shows growth. */
const GROWTH_PEERS: readonly PeerName[] = ['ours', 'fastify-sqlite', 'node-http'];
const GROWTH_RECORDS = 1_000_000;
const GROWTH_MAX_START_MS = 240_000;
const MAX_ROUND_MS = 300_000;
const RATES = [100, 1000];
const EXIT_USAGE = 2;

interface Request {
  readonly sizes: readonly number[];
  readonly rounds: number | undefined;
  readonly peers: readonly PeerName[];
  readonly isQuick: boolean;
}

const roundsOf = (records: number): number => (records <= 10_000 ? 5 : records <= 100_000 ? 3 : 1);

function fail(message: string): never {
  console.error(`${message}\n\n${HELP}`);
  process.exit(EXIT_USAGE);
}

function readFlags() {
  try {
    return parseArgs({ options: OPTIONS, allowPositionals: false }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function integer(text: string, flag: string): number {
  const value = Number(text);
  return Number.isInteger(value) && value > 0
    ? value
    : fail(`--${flag} must be a positive integer, received "${text}".`);
}

function peerName(text: string): PeerName {
  return PEERS.find((name) => name === text) ?? fail(`There is no peer ${text}, but ${PEERS.join(', ')}.`);
}

/** Peers' packages are installed where the lock file is newer than what is there. */
function install(): void {
  const installed = 'bench/node_modules/.package-lock.json';
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync('bench/package-lock.json').mtimeMs) return;
  console.log('installing the peers under bench/');
  const { status } = spawnSync('npm', ['ci', '--prefix', 'bench', '--no-audit', '--no-fund'], { stdio: 'inherit' });
  if (status !== 0) console.error('npm ci in bench/ failed: peers that need its packages are left out');
}

/** Dumps and plans are cached between runs: the folder is named by a hash of the code that makes them. */
async function makeInputs(records: number): Promise<Omit<Place, 'port' | 'work'> & { readonly plan: string }> {
  const sources = ['neutral-dump', 'plan', 'random'].map((name) =>
    readFileSync(new URL(`./${name}.js`, import.meta.url)),
  );
  const hash = createHash('sha256').update(Buffer.concat(sources)).digest('hex').slice(0, 12);
  const dir = join(tmpdir(), `bench-neutral-${hash}`, String(records));
  const paths = { json: join(dir, 'articles.json'), db: join(dir, 'db.json'), tsv: join(dir, 'articles.tsv') };
  const plan = join(dir, 'plan.json');
  if (existsSync(plan)) return { ...paths, plan };
  mkdirSync(dir, { recursive: true });
  await writeDumps(records, paths);
  writeFileSync(plan, JSON.stringify(makePlan(records)));
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

async function measureSize(records: number, request: Request, work: string): Promise<SizeResult> {
  const rounds = request.rounds ?? (request.isQuick ? 1 : roundsOf(records));
  const inputs = await makeInputs(records);
  const names = request.peers.filter((name) => records < GROWTH_RECORDS || GROWTH_PEERS.includes(name));
  const entries: Entry[] = [];
  for (const name of names) {
    const peer = await readPeer(name);
    entries.push({ name, peer, missing: missingOf(peer), rounds: [] });
  }
  for (let round = 0; round < rounds; round++) {
    // Another order each round: what one leaves behind is not always the same peer's.
    const first = (round * 2) % entries.length;
    for (const entry of [...entries.slice(first), ...entries.slice(0, first)]) {
      if (entry.missing !== null || entry.rounds.some(({ start, failure }) => failure ?? typeof start === 'string'))
        continue;
      console.log(`${records.toLocaleString('en')} records, round ${round + 1} of ${rounds}: ${entry.peer.title}`);
      entry.rounds.push(roundOf(entry, records, request, inputs, join(work, `${entry.name}-${records}-${round}`)));
    }
  }
  return {
    records,
    dumpBytes: statSync(inputs.json).size,
    rounds,
    peers: Object.fromEntries(entries.map((entry) => [entry.name, resultOf(entry)])),
  };
}

function roundOf(
  { name, peer }: Entry,
  records: number,
  { isQuick }: Request,
  { plan, ...paths }: Awaited<ReturnType<typeof makeInputs>>,
  work: string,
): Round {
  mkdirSync(work);
  const settings: RoundSettings = {
    peer: name,
    plan,
    place: { ...paths, work },
    ...timing(isQuick),
    maxStartMs: records < GROWTH_RECORDS ? MAX_TASK_MS : GROWTH_MAX_START_MS,
    isStartOnly: false,
  };
  const round = runRound(settings);
  const again = peer.keepsFile && round.failure === undefined ? runRound({ ...settings, isStartOnly: true }) : {};
  rmSync(work, { recursive: true });
  if (round.failure !== undefined) console.error(`${peer.title}: ${round.failure}`);
  return again.start === undefined ? round : { ...round, 'start again': again.start };
}

const timing = (isQuick: boolean) => ({ taskMs: isQuick ? 60 : 100, loopMs: isQuick ? 250 : 500, rates: RATES });

const resultOf = ({ peer, missing, rounds }: Entry): PeerResult => ({
  title: peer.title,
  kind: peer.kind,
  versions: versionsOf(peer),
  settings: peer.settings,
  cannot: peer.cannot,
  rounds: rounds.length,
  figures: missing === null ? summarise(rounds) : { failure: missing },
});

async function measureAll(request: Request): Promise<Results> {
  const startedAt = performance.now();
  const work = mkdtempSync(join(tmpdir(), 'bench-'));
  process.once('exit', () => rmSync(work, { recursive: true, force: true }));
  const sizes: SizeResult[] = [];
  for (const records of request.sizes) sizes.push(await measureSize(records, request, work));
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
    settings: timing(request.isQuick),
    sizes,
  };
}

async function main(): Promise<void> {
  const [part = '', ...rest] = process.argv.slice(2);
  if (Object.hasOwn(PARTS, part)) return runPart(part, rest);
  const flags = readFlags();
  if (flags.help) return console.log(HELP);
  const request: Request = {
    sizes: flags.records?.split(',').map((text) => integer(text, 'records')) ?? (flags.quick ? QUICK_SIZES : SIZES),
    rounds: flags.rounds === undefined ? undefined : integer(flags.rounds, 'rounds'),
    peers: flags.peers?.split(',').map(peerName) ?? PEERS,
    isQuick: flags.quick,
  };
  if (!flags['no-install']) install();
  if (!existsSync('dist/main.js')) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  const results = await measureAll(request);
  const isWhole = ![flags.quick, flags.records, flags.rounds, flags.peers].some(Boolean);
  const written = publish(results, isWhole || flags.publish);
  console.log(`\n${resultTables(results)}\n\nwritten: ${written.join(', ')}`);
}

await main();
