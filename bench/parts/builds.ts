/** Builds of the project in folders of their own, so that neither is touched while it is measured. Runs in the project's folder. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

const MAX_STEP_MS = 300_000;
const MAX_ARCHIVE_BYTES = 1 << 30;

/** The full name of the commit that a user names, or undefined where there is none. */
export function commitOf(ref: string): string | undefined {
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`).toString().trim();
  } catch {
    return undefined;
  }
}

const git = (...args: readonly string[]): Buffer =>
  execFileSync('git', args, {
    maxBuffer: MAX_ARCHIVE_BYTES,
    timeout: MAX_STEP_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

export interface Build {
  readonly what: 'REF' | 'working tree';
  readonly main: string;
}

/** Bundles the sources in a folder, with the packages that its lock file asks for. */
function build(what: Build['what'], dir: string): Build {
  const run = (...args: readonly string[]) =>
    execFileSync('npm', args, { cwd: dir, timeout: MAX_STEP_MS, stdio: ['ignore', 'ignore', 'inherit'] });
  const lock = readFileSync(join(dir, 'package-lock.json'));
  if (lock.equals(readFileSync('package-lock.json'))) symlinkSync(resolve('node_modules'), join(dir, 'node_modules'));
  else run('ci', '--silent', '--ignore-scripts');
  run('run', '--silent', 'build');
  return { what, main: join(dir, 'dist', 'main.js') };
}

export function buildCommit(commit: string, dir: string): Build {
  mkdirSync(dir);
  execFileSync('tar', ['-x', '-C', dir], { input: git('archive', commit), timeout: MAX_STEP_MS });
  return build('REF', dir);
}

export function buildWorkingTree(dir: string): Build {
  mkdirSync(dir);
  const files = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').toString().split('\0');
  for (const file of new Set(files)) if (file !== '' && existsSync(file)) cpSync(file, join(dir, file));
  return build('working tree', dir);
}
