/** The built program as a child process, as a user starts it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from '../../src/config/command-line.js';
import { appOptionsIn } from '../../src/config/config.js';
import { type Checker, checkerOf, checkResponse } from './described.js';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** What the server answers, held against its OpenAPI document. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a signal, SIGINT unless told otherwise, and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function launch(args: readonly string[], env: Readonly<Record<string, string>>, cwd?: string, script = main) {
  const child = spawn(process.execPath, [script, ...args], { env: { PATH: process.env.PATH ?? '', ...env }, cwd });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk));
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...output })));
  return { child, output, ended };
}

/** Runs the program to its end. */
export const run = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<Ended> => launch(args, env, cwd).ended;

/** What a server's answers must be like that is started so. */
function checkerUnder(args: readonly string[], env: Readonly<Record<string, string>>): Checker {
  const command = readCommandLine(args, env);
  if (command.kind !== 'serve') throw new Error(`this starts no server: ${args.join(' ')}`);
  return checkerOf(appOptionsIn(command.config));
}

/** Starts a server on a free port and waits until it says where it listens; `script` is a copy of the program. */
export async function serve(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
  script = main,
): Promise<Running> {
  const checker = checkerUnder(args, env);
  const { child, output, ended } = launch(['--port', '0', ...args], env, cwd, script);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = /listening on (http:\S+)\n/.exec(output.stdout);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
    void ended.then(({ code, stderr }) => reject(new Error(`ended with ${code}: ${stderr}`)));
  });
  return {
    url,
    child,
    async fetch(path, init) {
      const response = await fetch(`${url}${path}`, init);
      await checkResponse(checker, init?.method ?? 'GET', path, response);
      return response;
    },
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    end(signal = 'SIGINT') {
      child.kill(signal);
      return ended;
    },
  };
}

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return address.port;
}

/** Calls `use` with a folder of its own that holds these files, and removes it afterwards. */
export async function withFolder<T>(files: Files, use: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'scraper-data-api-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, name)), { recursive: true });
      writeFileSync(join(dir, name), content);
    }
    return await use(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
