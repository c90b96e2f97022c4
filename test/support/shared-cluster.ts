/** One cluster of PostgreSQL for all tests of the project `postgresql`, and the data of an empty one for those that end theirs. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TestProject } from 'vitest/node';
import { emptyCluster, startPostgres } from './postgres.js';

export default async function shareCluster(project: TestProject): Promise<() => Promise<void>> {
  const template = emptyCluster();
  const { port, end } = await startPostgres(template);
  project.provide('cluster', { port, template });
  return async () => {
    await end();
    rmSync(dirname(template), { recursive: true, force: true });
  };
}
