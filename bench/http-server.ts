/**
 * A server that the HTTP benchmark measures, as a process of its own: `bare` sends what it is told to, anything else is
 * one app over one dataset. Both say what processor time and memory they used.
 */
import { openSync, writeSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppOptions, createApp } from '../src/http/app.js';
import { createRequestLog } from '../src/http/log.js';
import { listen } from '../src/http/server.js';
import { createArticles, createTitles } from './http-data.js';

/** What the bare server sends from now on. */
export interface Constant {
  readonly status: number;
  readonly headers: readonly string[];
  /** Base64. */
  readonly body: string;
  /** Sent this many times over, as a stream. */
  readonly times?: number;
}

/** What an app serves, and how. */
export interface AppSettings {
  readonly data: 'titles' | 'articles';
  readonly records: number;
  readonly app?: Partial<Pick<AppOptions, 'corsOrigin' | 'rateLimit' | 'cacheBytes'>>;
  /** Writes its log to this file. */
  readonly log?: string;
}

export type Message = { readonly port: number } | { readonly usage: Usage } | 'ready';
export interface Usage {
  readonly cpuMs: number;
  readonly rssBytes: number;
}

const tell = (message: Message): void => void process.send?.(message);

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, rssBytes: process.memoryUsage.rss() };
}

function bare(): Server {
  let [status, headers, body, times]: [number, string[], Buffer, number] = [200, [], Buffer.alloc(0), 1];
  process.on('message', (message: Constant | 'usage') => {
    if (message === 'usage') return;
    [status, headers, body, times] = [
      message.status,
      [...message.headers],
      Buffer.from(message.body, 'base64'),
      message.times ?? 1,
    ];
    tell('ready');
  });
  return createServer((_request, response) => {
    response.writeHead(status, headers);
    if (times === 1) return void response.end(body);
    let left = times;
    const advance = (): void => {
      while (left-- > 0) if (!response.write(body)) return;
      response.end();
    };
    response.on('drain', advance);
    advance();
  });
}

const options: Omit<AppOptions, 'served'> = {
  envelope: 'pagination',
  maxLimit: 1000,
  rateLimit: 0,
  corsOrigin: null,
  trustProxy: false,
  now: () => performance.now(),
  onError: (error) => console.error(error),
};

async function api({ data, records, app, log }: AppSettings): Promise<number> {
  const dataset = data === 'titles' ? createTitles(records) : createArticles(records);
  const at = new Date(1.7e12);
  const served = { dataset, report: { files: [], ignored: [], warnings: [] }, loadedAt: at, modifiedAt: at };
  const file = log === undefined ? null : openSync(log, 'w');
  const { url } = await listen(createApp({ ...options, served: () => served, ...app }), {
    host: '127.0.0.1',
    port: 0,
    ...(file !== null && {
      onAnswer: createRequestLog('json', Date.now, (lines) => void writeSync(file, lines)).add,
    }),
  });
  return Number(new URL(url).port);
}

process.on('message', (message) => {
  if (message === 'usage') tell({ usage: usage() });
});
process.on('disconnect', () => process.exit(0));

const [settings = 'bare'] = process.argv.slice(2);
if (settings === 'bare') {
  const server = bare().listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }));
} else tell({ port: await api(JSON.parse(settings)) });
