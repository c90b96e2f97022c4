/**
 * Two replicas behind nginx, as `examples/nginx.conf` has them: the same bytes and tags from both, answers kept
 * and revalidated by nginx, a replica replaced by one with a new snapshot while clients ask.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, type Running, serve } from '../support/program.js';
import { until } from '../support/until.js';

const NGINX = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'].find((path) => existsSync(path));
const example = readFileSync(new URL('../examples/nginx.conf', import.meta.url), 'utf8');

// Elsewhere the tests below are skipped without it.
test.runIf(process.env.CI)('CI has nginx', () => {
  expect(NGINX, 'nginx is missing: .ci/run installs it').toBeDefined();
});

/** The example's configuration, for such ports and in such a folder. */
function configOf(folder: string, listen: number, replicas: readonly number[]): string {
  const http = example
    .replace(/listen \d+;/, `listen 127.0.0.1:${listen};`)
    .replace('127.0.0.1:3001', `127.0.0.1:${replicas[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${replicas[1]}`)
    .replace('/var/cache/nginx/scraper-data-api', join(folder, 'cache'));
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `daemon off;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\n${paths.join('\n')}\naccess_log off;\n${http}\n}\n`;
}

const articles = (count: number, title: string): string =>
  JSON.stringify(Array.from({ length: count }, (_, i) => ({ id: i + 1, title: `${title} ${i + 1}`, score: i })));

describe.skipIf(NGINX === undefined)('two replicas behind nginx (skipped where nginx is not installed)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'growing-'));
  const snapshots = (name: string) => join(folder, name);
  const ports: number[] = [];
  let replicas: Running[] = [];
  let nginx: ReturnType<typeof spawn> | undefined;
  let base = '';
  const replicaAt = (port: number, name: string) =>
    serve(['--snapshots', snapshots(name), '--port', String(port), '--trust-proxy', '--rate-limit', '0', '--log']);

  beforeAll(async () => {
    // nginx's workers run as another user where it is started by root.
    chmodSync(folder, 0o755);
    for (const [name, title] of [
      ['old', 'Old'],
      ['new', 'New'],
    ] as const) {
      mkdirSync(snapshots(name));
      writeFileSync(join(snapshots(name), 'articles.json'), articles(200, title));
    }
    ports.push(await freePort(), await freePort(), await freePort());
    replicas = await Promise.all(ports.slice(1).map((port) => replicaAt(port, 'old')));
    const path = join(folder, 'nginx.conf');
    writeFileSync(path, configOf(folder, ports[0]!, ports.slice(1)));
    nginx = spawn(NGINX ?? 'nginx', ['-p', folder, '-c', path], { stdio: 'inherit' });
    base = `http://127.0.0.1:${ports[0]}`;
    await until(() =>
      fetch(`${base}/health`).then(
        (response) => response.ok,
        () => false,
      ),
    );
  });

  afterAll(async () => {
    nginx?.kill('SIGTERM');
    await Promise.all(replicas.map((replica) => replica.end()));
    rmSync(folder, { recursive: true, force: true });
  });

  /** Every address of 127.0.0.0/8 is this machine's, so that there can be many clients. */
  const answerOf = (origin: string, path: string, headers: Record<string, string> = {}, localAddress = '127.0.0.1') =>
    new Promise<{ status: number; tag: string | undefined; body: string; cached: unknown }>((resolve, reject) => {
      get(`${origin}${path}`, { headers, localAddress }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.on('end', () => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, tag: headers.etag, body, cached: headers['x-cache-status'] });
        });
      }).on('error', reject);
    });

  test('give the same bytes and tags', async () => {
    for (const path of ['/api/articles?page=2', '/api/articles/search?q=old', '/api/export/articles?format=csv']) {
      const [a, b] = await Promise.all(replicas.map(({ url }) => answerOf(url, path)));
      expect(a).toEqual(b);
      expect(await answerOf(base, path)).toEqual({ ...a, cached: 'MISS' });
    }
  });

  test('nginx keeps answers, and revalidates them with their tags', async () => {
    const path = '/api/articles?page=3';
    expect(await answerOf(base, path)).toMatchObject({ status: 200, cached: 'MISS' });
    // nginx counts in whole seconds.
    await wait(2500);
    expect(await answerOf(base, path)).toMatchObject({ status: 200, cached: 'REVALIDATED' });
    const { tag } = await answerOf(base, path);
    expect((await answerOf(base, path, { 'If-None-Match': tag ?? '' })).status).toBe(304);
  });

  test('the address of a client arrives, whatever it says itself', async () => {
    await answerOf(base, '/api/articles/77', { 'X-Forwarded-For': '6.6.6.6' }, '127.0.0.77');
    const said = () => replicas.map((replica) => replica.stdout()).join('');
    await until(() => said().includes('/api/articles/77 '));
    expect(said()).toMatch(/ \/api\/articles\/77 200 \S+ \S+ 127\.0\.0\.77$/m);
  });

  test('the limit is the proxy’s: of the API, and of each client', async () => {
    const statuses: number[] = [];
    // On a busy machine the proxy allows further requests while these are sent.
    while (!statuses.includes(429)) statuses.push((await answerOf(base, '/api/articles/9', {}, '127.0.0.99')).status);
    expect(statuses.indexOf(429)).toBeGreaterThanOrEqual(101);
    expect((await answerOf(base, '/articles/9', {}, '127.0.0.99')).status).toBe(200);
    expect((await answerOf(base, '/api/articles/9', {}, '127.0.0.98')).status).toBe(200);
  });

  test('a replica is replaced by one with a new snapshot while clients ask, and none of their requests fails', async () => {
    let isOver = false;
    const seen = new Set<string>();
    const failures: string[] = [];
    let clients = 0;
    const client = async (): Promise<void> => {
      for (let page = 1; !isOver; page = (page % 10) + 1) {
        const from = `127.1.${(++clients >> 8) % 256}.${1 + (clients % 250)}`;
        const { status, body } = await answerOf(base, `/api/articles?page=${page}`, {}, from).catch(
          (error: unknown) => ({
            status: 0,
            body: String(error),
          }),
        );
        if (status !== 200) failures.push(`${status}: ${body.slice(0, 100)}`);
        else seen.add(String(JSON.parse(body).data[0].title.split(' ')[0]));
      }
    };
    const asking = Array.from({ length: 4 }, client);
    await until(() => seen.has('Old'));
    for (const [i, port] of ports.slice(1).entries()) {
      await replicas[i]?.end();
      replicas[i] = await replicaAt(port, 'new');
    }
    await until(() => seen.has('New'));
    isOver = true;
    await Promise.all(asking);
    expect(failures).toEqual([]);
    expect([...seen].sort()).toEqual(['New', 'Old']);
    await until(async () => JSON.parse((await answerOf(base, '/api/articles?page=1')).body).data[0].title === 'New 1');
  });
});
