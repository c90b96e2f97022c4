/** A cluster of PostgreSQL for tests: without durability, on a port of its own, ended with the tests. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './program.js';
import { until } from './until.js';

/** The programs of the newest PostgreSQL of Debian, or those of the path. */
const bin = ((): string => {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').sort() : [];
  const newest = versions.at(-1);
  return newest === undefined ? '' : `/usr/lib/postgresql/${newest}/bin/`;
})();

/** Whether PostgreSQL is there; CI must have it. */
export function havePostgres(): boolean {
  if (spawnSync(`${bin}postgres`, ['--version']).error === undefined) return true;
  if (process.env.CI) throw new Error('CI needs postgresql: .ci/run installs it');
  console.warn('skipped: tests with PostgreSQL, which is not installed');
  return false;
}

/** Runs statements on a database; returns what they print. */
export const psqlOf =
  (address: string) =>
  (...statements: readonly string[]): string =>
    execFileSync(`${bin}psql`, ['-XAtq', '-d', address, ...statements.flatMap((each) => ['-c', each])], {
      encoding: 'utf8',
    }).trim();

export interface Cluster {
  readonly port: number;
  /** The folder of its socket. */
  readonly dir: string;
  /** The address of a database, which is made. */
  readonly database: (name: string) => string;
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly end: () => Promise<void>;
}

export async function startPostgres(): Promise<Cluster> {
  const dir = mkdtempSync(join(tmpdir(), 'postgres-'));
  const data = join(dir, 'data');
  // PostgreSQL does not run as root: there its own user runs it.
  const idOf = (flag: string): number => Number(spawnSync('id', [flag, 'postgres']).stdout.toString());
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (user.uid !== undefined && user.gid !== undefined) chownSync(dir, user.uid, user.gid);
  const port = await freePort();
  execFileSync(`${bin}initdb`, ['-D', data, '-U', 'reader', '-A', 'trust', '-N', '-E', 'UTF8', '--locale=C'], {
    ...user,
    stdio: 'ignore',
  });
  let server: ChildProcess | undefined;
  const endBy = async (signal: NodeJS.Signals): Promise<void> => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, 'exit');
  };
  const start = async (): Promise<void> => {
    const settings = ['-D', data, '-k', dir, '-p', String(port), '-h', '127.0.0.1', '-F'];
    server = spawn(`${bin}postgres`, settings, { ...user, stdio: 'ignore' });
    await until(() => spawnSync(`${bin}pg_isready`, ['-h', dir, '-p', String(port)]).status === 0);
  };
  await start();
  return {
    port,
    dir,
    database(name) {
      const address = (database: string): string => `postgres://reader@127.0.0.1:${port}/${database}`;
      psqlOf(address('postgres'))(`CREATE DATABASE ${name}`);
      return address(name);
    },
    kill: () => endBy('SIGQUIT'),
    start,
    async end() {
      await endBy('SIGINT');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
