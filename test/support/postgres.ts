/** A cluster of PostgreSQL for tests: without durability, on a port of its own, ended with the tests. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { postgresPrograms as bin } from './have-postgres.js';
import { freePort } from './program.js';
import { until } from './until.js';

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

/** PostgreSQL does not run as root: there its own user runs it. */
function ownUser(): { readonly uid?: number; readonly gid?: number } {
  const idOf = (flag: string): number => Number(spawnSync('id', [flag, 'postgres']).stdout.toString());
  return process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
}

function emptyFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'postgres-'));
  const { uid, gid } = ownUser();
  if (uid !== undefined && gid !== undefined) chownSync(dir, uid, gid);
  return dir;
}

/** A folder of data that no server uses. */
export function emptyCluster(): string {
  const data = join(emptyFolder(), 'data');
  const options = ['-D', data, '-U', 'reader', '-A', 'trust', '-N', '-E', 'UTF8', '--locale=C'];
  execFileSync(`${bin}initdb`, options, { ...ownUser(), stdio: 'ignore' });
  return data;
}

/** `template` is copied, which takes less time than to make such a folder. */
export async function startPostgres(template?: string): Promise<Cluster> {
  const data = template === undefined ? emptyCluster() : join(emptyFolder(), 'data');
  const dir = dirname(data);
  const user = ownUser();
  if (template !== undefined) execFileSync('cp', ['-a', template, data]);
  const port = await freePort();
  let server: ChildProcess | undefined;
  const endBy = async (signal: NodeJS.Signals): Promise<void> => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, 'exit');
  };
  const start = async (): Promise<void> => {
    const settings = ['-D', data, '-k', dir, '-p', String(port), '-h', '127.0.0.1', '-F', '-N', '400'];
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
