/**
 * Before any test: what is built is as new as its sources, so that a single test file never runs a stale program. Tests import
 * the sources and benchmarks from `.build/`; their types are checked by `npm run check`.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const BUILT = 'dist/index.d.ts';

const changedAt = (path: string): number => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

export default function build(): void {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((path) => `src/${path}`);
  const newest = Math.max(...[...sources, 'test/support/internals.ts', 'package-lock.json'].map(changedAt));
  if (newest > changedAt(BUILT)) execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  execFileSync('npx', ['tsc', '-p', 'bench', '--noCheck'], { cwd: root, stdio: 'inherit' });
}
