/**
 * How soon small dumps are served, beside json-server: one record, the sample, and a dump of 4 MB. Each start is a fresh
 * process, the two servers in turn; figures are medians up to the line by which a server says that it listens.
 *   npm run bench -- starts --rounds 9
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from '../../src/bench/client.js';
import { readFlags } from '../flags.js';
import { machine } from '../measure.js';
import { writeDumps } from '../neutral-dump.js';
import { missingOf, readPeer } from '../peers.js';
import { end, MAIN, timed } from '../processes.js';

const flags = readFlags({
  command: 'npm run bench -- starts',
  description: 'Starts of small dumps, beside json-server.',
  flags: { rounds: { value: 'N', description: 'starts of each dump by each server [9]' } },
});
const rounds = flags.count('rounds', 9);
/** Some 4 MB. */
const NEUTRAL_RECORDS = 10_000;

/** A dump as a folder for this server, and as a file for json-server. */
interface SmallDump {
  readonly name: string;
  readonly dir: string;
  readonly db: string;
}

interface Start {
  readonly ms: number;
  readonly processorMs: number;
}

const scratch = mkdtempSync(join(tmpdir(), 'bench-starts-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** A dump of some records of the sample; all where no number is given. */
function sampleDump(name: string, count?: number): SmallDump {
  const dir = join(scratch, name.replaceAll(' ', '-'));
  mkdirSync(dir);
  const articles: readonly unknown[] = JSON.parse(readFileSync('snapshots/sample/articles.json', 'utf8'));
  const products: readonly unknown[] = JSON.parse(readFileSync('snapshots/sample/products.json', 'utf8'));
  const records = { articles: articles.slice(0, count), ...(count === undefined && { products }) };
  for (const [collection, list] of Object.entries(records))
    writeFileSync(join(dir, `${collection}.json`), JSON.stringify(list));
  const db = `${dir}-db.json`;
  writeFileSync(db, JSON.stringify(records));
  return { name, dir, db };
}

function neutralDump(): SmallDump {
  const dir = join(scratch, 'neutral');
  mkdirSync(dir);
  const db = `${dir}-db.json`;
  writeDumps(NEUTRAL_RECORDS, { json: join(dir, 'articles.json'), db });
  return { name: '4 MB', dir, db };
}

async function startOf(args: readonly string[], text: string): Promise<Start> {
  const { child, run } = await timed(args, text, 'ignore');
  await end(child);
  return run;
}

const medianOf = (starts: readonly Start[], figure: keyof Start): string =>
  `${quantile(
    starts.map((start) => start[figure]),
    0.5,
  ).toFixed(0)} ms`;

const jsonServer = await readPeer('json-server');
const missing = missingOf(jsonServer);
if (missing !== null) console.error(`json-server is left out: ${missing}; npm ci --prefix bench installs it`);
console.log(`${machine()}\n`);
console.log('| dump | this server | its processor time | json-server | its processor time |\n|---|---|---|---|---|');
for (const { name, dir, db } of [sampleDump('one record', 1), sampleDump('the sample'), neutralDump()]) {
  const starts: { readonly ours: Start[]; readonly theirs: Start[] } = { ours: [], theirs: [] };
  for (let round = 0; round < rounds; round++) {
    starts.ours.push(await startOf([MAIN, '--snapshots', dir, '--port', '0'], 'listening on'));
    if (missing !== null) continue;
    const command = jsonServer.command({ json: '', db, tsv: '', port: 0, work: scratch });
    // Without `--quiet` it prints its address once it listens.
    starts.theirs.push(
      await startOf(
        command.filter((argument) => argument !== '--quiet'),
        'Home',
      ),
    );
  }
  const figures = [starts.ours, ...(missing === null ? [starts.theirs] : [])].flatMap((list) => [
    medianOf(list, 'ms'),
    medianOf(list, 'processorMs'),
  ]);
  console.log(`| ${[name, ...figures, ...(missing === null ? [] : ['-', '-'])].join(' | ')} |`);
}
