/** Load from one core on a server on another: `wrk` draws evenly from a list of URLs, or goes through it. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, get, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AppSettings, Constant, Message, ProcessUsage } from './http-server.js';

const SERVER_CORE = '0';
export const LOAD_CORE = '1';
/** For waits: on a single core, the threads that collect V8's garbage keep the server waiting. The second is the probe's core. */
export const ALL_CORES = `${SERVER_CORE},${LOAD_CORE}`;

export interface Child {
  readonly port: number;
  /** `collect`: once its garbage is collected. */
  usage(asked?: 'usage' | 'collect'): Promise<ProcessUsage>;
  send(constant: Constant): Promise<void>;
  end(): void;
}

/** Tools, and the packages of Debian that have them. */
const TOOLS = { wrk: 'wrk', taskset: 'util-linux', curl: 'curl' } as const;

/** Ends the process with what to do where a tool is missing. */
export function needTools(...tools: readonly (keyof typeof TOOLS)[]): void {
  for (const tool of tools) {
    if (spawnSync('which', [tool]).status === 0) continue;
    console.error(`${tool} is not installed: apt-get install ${TOOLS[tool]}`);
    process.exit(1);
  }
}

/** A process of its own, on a core of its own unless others are given. */
export async function startChild(settings: AppSettings | 'bare', cores = SERVER_CORE): Promise<Child> {
  const file = fileURLToPath(new URL('./http-server.js', import.meta.url));
  const argument = settings === 'bare' ? settings : JSON.stringify(settings);
  const child = spawn('taskset', ['-c', cores, process.execPath, file, argument], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const next = () =>
    new Promise<Message>((resolve, reject) => {
      const fail = (code: number | null) => reject(new Error(`the server has ended with ${code}`));
      child.once('exit', fail);
      child.once('message', (message) => {
        child.off('exit', fail);
        resolve(message as Message);
      });
    });
  const first = await next();
  if (first === 'ready' || !('port' in first)) throw new Error('the server did not say where it listens');
  return {
    port: first.port,
    async usage(asked = 'usage') {
      const answered = next();
      child.send(asked);
      const message = await answered;
      if (message === 'ready' || !('usage' in message)) throw new Error('the server did not say what it used');
      return message.usage;
    },
    async send(constant) {
      const answered = next();
      child.send(constant);
      await answered;
    },
    end: () => child.disconnect(),
  };
}

const LUA = `
local paths = {}
for line in io.lines(os.getenv("URLS")) do paths[#paths + 1] = line end
local requests = {}
init = function() for i, path in ipairs(paths) do requests[i] = wrk.format(nil, path) end end
local at = tonumber(os.getenv("AT"))
request = function()
  if not at then return requests[math.random(#requests)] end
  at = at % #requests + 1
  return requests[at]
end
`;
export const dir = mkdtempSync(join(tmpdir(), 'http-bench-'));
const lua = join(dir, 'draw.lua');
writeFileSync(lua, LUA);

/** Requests that were answered in this time, by 32 connections; `at` is where a walk through the URLs begins. */
export function load(
  port: number,
  urls: readonly string[],
  seconds: number,
  headers: readonly string[] = [],
  at: number | null = null,
): number {
  const list = join(dir, 'urls.txt');
  writeFileSync(list, urls.join('\n'));
  const headerFlags = headers.flatMap((header) => ['-H', header]);
  const args = [
    '-c',
    LOAD_CORE,
    'wrk',
    '-t1',
    '-c32',
    `-d${seconds}s`,
    '-s',
    lua,
    ...headerFlags,
    `http://127.0.0.1:${port}`,
  ];
  const output = execFileSync('taskset', args, {
    env: { ...process.env, URLS: list, ...(at !== null && { AT: String(at) }) },
    encoding: 'utf8',
  });
  if (/Non-2xx or 3xx|Socket errors/.test(output)) throw new Error(output);
  return Number(/(\d+) requests in/.exec(output)?.[1]);
}

export interface Fetched {
  readonly status: number;
  /** Names and values in turn, without those that Node adds by itself. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

export const fetchRaw = (
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Fetched> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const pairs = response.rawHeaders.flatMap((name, i, all) =>
          i % 2 === 0 && !/^(?:date|connection|keep-alive|transfer-encoding)$/i.test(name)
            ? [name, all[i + 1] ?? '']
            : [],
        );
        resolve({ status: response.statusCode ?? 0, headers: pairs, body: Buffer.concat(chunks) });
      });
    }).on('error', reject);
  });

/** Seconds that a download takes a client which drops what it reads. */
export function download(port: number, path: string): number {
  const format = '%{time_total}';
  const args = ['-c', LOAD_CORE, 'curl', '-s', '-o', '/dev/null', '-w', format, `http://127.0.0.1:${port}${path}`];
  return Number(execFileSync('taskset', args, { encoding: 'utf8' }));
}

export const downloadBytes = (port: number, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headRequest = request({ host: '127.0.0.1', port, path, method: 'HEAD' }, ({ headers }) => {
      resolve(Number(headers['content-length']));
    });
    headRequest.on('error', reject).end();
  });
