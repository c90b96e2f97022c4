/** Whether PostgreSQL is there. Apart from the cluster, since vitest's configuration asks it. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

/** The folder of the programs of Debian's newest PostgreSQL, with a slash; empty where those of the path are used. */
export const postgresPrograms = ((): string => {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').sort() : [];
  const newest = versions.at(-1);
  return newest === undefined ? '' : `/usr/lib/postgresql/${newest}/bin/`;
})();

/** CI must have it. */
export function havePostgres(): boolean {
  if (spawnSync(`${postgresPrograms}postgres`, ['--version']).error === undefined) return true;
  if (process.env.CI) throw new Error('CI needs postgresql: .ci/run installs it');
  console.warn('skipped: tests with PostgreSQL, which is not installed');
  return false;
}
