/**
 * A million products in PostgreSQL, in one database or over two: push beside psql's own COPY into the same table with the same indexes,
 * then what a server of it answers, over HTTP. Each database is in a cluster of its own on the loopback, without durability and with the
 * settings of a fresh one. Exits with 1 if a gate is missed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from '../../src/bench/client.js';
import { type Cluster, psqlOf, startPostgres } from '../../test/support/postgres.js';
import { freePort } from '../../test/support/program.js';
import { below, type Random, seeded } from '../../test/support/random.js';
import { until } from '../../test/support/until.js';
import { readFlags } from '../flags.js';
import { heading, report, type Target } from '../measure.js';
import { MAIN, memoryOf } from '../processes.js';

const flags = readFlags({
  command: 'npm run bench -- postgres',
  description: 'Products in PostgreSQL: push, lists, filters, searches and exports.',
  flags: {
    records: { value: 'N', description: 'how many products [1000000]' },
    partitions: { value: 'N', description: 'over how many servers; 0 for one database alone [0]' },
    requests: { value: 'N', description: 'requests of a kind [100]' },
  },
});
const RECORDS = flags.count('records', 1_000_000);
const PARTITIONS = Number(flags.text('partitions', '0'));
const REQUESTS = flags.count('requests', 100);
const VOCABULARY = 20_000;

const SYLLABLES = ['ba', 'co', 'du', 'fi', 'ga', 'ho', 'ki', 'lu', 'ma', 'ne', 'po', 'ra', 'si', 'tu', 've', 'zo'];
/** The word of a rank, three to four syllables long. */
const wordOf = (rank: number): string =>
  [12, 8, 4, 0].map((shift) => SYLLABLES[((rank + 4096) >> shift) & 15]).join('');
/** A word of any frequency: its rank is drawn evenly from the logarithms. */
const drawnWord = (random: Random): string => wordOf(Math.floor(VOCABULARY ** random()));

async function writeDump(path: string): Promise<void> {
  const random = seeded(5);
  const out = createWriteStream(path);
  for (let id = 1; id <= RECORDS; id++) {
    const product = {
      id,
      title: Array.from({ length: 6 }, () => drawnWord(random)).join(' '),
      author: `Author ${Math.floor(random() ** 3 * 50_000)}`,
      price: random() < 0.02 ? null : below(random, 100_000) / 100,
      imageUrl: `https://example.org/${id}.jpg`,
      rating: random() < 0.1 ? null : 1 + below(random, 41) / 10,
      category: `Category ${Math.floor(random() ** 2 * 40)}`,
    };
    if (!out.write(`${JSON.stringify(product)}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

const atLeast = (what: string, found: number, wanted: number): Target => ({
  what,
  found: found.toFixed(2),
  wanted: `at least ${wanted}`,
  holds: found >= wanted,
});
const atMost = (what: string, found: number, wanted: number, unit: string): Target => ({
  what,
  found: `${found.toFixed(1)}${unit}`,
  wanted: `at most ${wanted}${unit}`,
  holds: found <= wanted,
});

const seconds = (from: number): number => (performance.now() - from) / 1000;

/** psql copies the same rows into a table like the pushed one, once with its indexes there, and once before they are made. */
function comparedWithCopy(to: string, dir: string, pushSeconds: number): Target {
  const psql = psqlOf(to);
  const schema = psql('SELECT schema FROM scraper_data_api.served');
  const file = join(dir, 'rows.copy');
  psql(`COPY "${schema}".products TO '${file}'`);
  psql(`CREATE TABLE copied (LIKE "${schema}".products INCLUDING ALL)`);
  const begun = performance.now();
  psql(`\\copy copied FROM '${file}'`);
  const copySeconds = seconds(begun);
  console.log(`psql \\copy into a table with the same indexes: ${copySeconds.toFixed(1)} s`);
  psql('DROP TABLE copied');
  return atLeast("push, rate beside that of psql's COPY", copySeconds / pushSeconds, 0.6);
}

async function measureServer(to: string): Promise<void> {
  const port = await freePort();
  const server = spawn(process.execPath, [MAIN, '--from', to, '--port', String(port), '--rate-limit', '0', '--quiet'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  const totalOf = async (path: string): Promise<number> => {
    const response = await fetch(url + path);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return Number(response.headers.get('X-Total-Count') ?? 1);
  };
  /** The times of requests by how many records are found. */
  async function timesOf(paths: readonly string[]) {
    const times: { readonly total: number; readonly ms: number }[] = [];
    for (const path of paths) {
      const begun = performance.now();
      const total = await totalOf(path);
      times.push({ total, ms: performance.now() - begun });
    }
    return times;
  }
  const median = (times: readonly { readonly ms: number }[]): number =>
    quantile(
      times.map(({ ms }) => ms),
      0.5,
    );
  const random = seeded(9);
  const drawn = (path: () => string): readonly string[] => Array.from({ length: REQUESTS }, path);
  try {
    await until(() =>
      fetch(`${url}/health`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    await timesOf(drawn(() => `/api/products?page=${1 + below(random, 100)}`).slice(0, 20));
    // What a request takes that asks the database nothing: the same machine and load, with another answer each.
    console.log(`floor, /health: p50 ${median(await timesOf(drawn(() => '/health'))).toFixed(1)} ms`);
    const lists = drawn(() => `/api/products?page=${1 + below(random, 1000)}&limit=${10 + below(random, 20)}`);
    const sorted = drawn(
      () => `/api/products?sort=${random() < 0.5 ? '-price' : 'title'}&page=${1 + below(random, 20)}`,
    );
    const records = drawn(() => `/api/products/${1 + below(random, RECORDS)}`);
    for (const [name, paths, most] of [
      ['list', lists, 10],
      ['sorted list', sorted, 20],
      ['record', records, 10],
    ] as const)
      targets.push(atMost(`${name}, p50`, median(await timesOf(paths)), most, ' ms'));
    const price = (): string => {
      const from = random() * 1000;
      const width = 10 ** (random() * 3 - 1);
      return `/api/products?price_gte=${from.toFixed(2)}&price_lte=${(from + width).toFixed(2)}`;
    };
    const filters = drawn(() =>
      random() < 0.3 ? `/api/products?author=Author%20${Math.floor(random() ** 3 * 50_000)}` : price(),
    );
    const categories = drawn(
      () => `/api/products/category/Category%20${below(random, 40)}?page=${1 + below(random, 3)}`,
    );
    const searches = drawn(() => `/api/products/search?q=${drawnWord(random)}%20${drawnWord(random)}`);
    for (const [name, paths] of [
      ['filters', filters],
      ['categories', categories],
      ['two words', searches],
    ] as const) {
      const times = await timesOf(paths);
      const again = await timesOf(paths);
      const few = times.filter(({ total }) => total <= 1000);
      const many = times.filter(({ total }) => total > 1000 && total <= RECORDS / 10);
      if (few.length > 0)
        targets.push(atMost(`${name}, up to 1,000 found (${few.length}), p50`, median(few), 20, ' ms'));
      if (many.length > 0)
        targets.push(atMost(`${name}, up to a tenth found (${many.length}), p50`, median(many), 200, ' ms'));
      targets.push(atMost(`${name}, asked again, p50`, median(again), 10, ' ms'));
    }
    for (const format of ['ndjson', 'csv']) {
      const begun = performance.now();
      let bytes = 0;
      // As curl asks: compressing takes longer than reading from the database.
      const headers = { 'Accept-Encoding': 'identity' };
      const { body } = await fetch(`${url}/api/export/products?format=${format}`, { headers });
      if (body !== null) for await (const chunk of body) bytes += chunk.length;
      targets.push(atLeast(`export as ${format}, MB/s`, bytes / 1e6 / seconds(begun), 20));
    }
    const { peakBytes } = memoryOf(server.pid);
    targets.push(atMost('memory of the serving process', peakBytes / 1e6, 200, ' MB'));
  } finally {
    server.kill();
  }
}

const dir = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
const clusters: Cluster[] = [];
const newCluster = async (): Promise<Cluster> => {
  const cluster = await startPostgres();
  clusters.push(cluster);
  return cluster;
};
const targets: Target[] = [];
console.log(heading());
console.log(`${RECORDS} products in PostgreSQL, ${PARTITIONS === 0 ? 'one database' : `${PARTITIONS} servers`}`);
try {
  const cluster = await newCluster();
  const dump = join(dir, 'products.ndjson');
  await writeDump(dump);
  const to = cluster.database('shop');
  const parts: string[] = [];
  for (let i = 0; i < PARTITIONS; i++) parts.push((await newCluster()).database(`part${i}`));
  const begun = performance.now();
  const args = [MAIN, 'push', dump, '--to', to, ...parts.flatMap((part) => ['--partitions', part])];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
  const pushSeconds = seconds(begun);
  console.log(`push: ${pushSeconds.toFixed(1)} s, ${Math.round(RECORDS / pushSeconds)} records/s`);
  if (PARTITIONS === 0) targets.push(comparedWithCopy(to, cluster.dir, pushSeconds));
  await measureServer(to);
} finally {
  for (const cluster of clusters) await cluster.end();
  rmSync(dir, { recursive: true, force: true });
}
report(targets);
