/**
 * A server that the HTTP benchmark measures, as a process of its own: `bare` sends what it is told to, anything else is
 * one app over one dataset. Both say what processor time and memory they used.
 */
import { openSync, writeSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import type { Env } from '../../src/http/adapter.js';
import { type App, type AppOptions, createApp } from '../../src/http/app.js';
import { createRequestLog } from '../../src/http/log.js';
import { listen } from '../../src/http/server.js';
import { createArticles, createTitles } from './http-data.js';

/** The one response of the bare server: its body in base64, or an address whose bytes it holds in memory and streams. */
export interface Constant {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string | { readonly at: string };
}

/** The records of an app, and its options. */
export interface AppSettings {
  readonly data: 'titles' | 'articles';
  readonly records: number;
  readonly app?: Partial<Pick<AppOptions, 'corsOrigin' | 'rateLimit' | 'cacheBytes'>>;
  /** The layers that answer in place of the wire: `node:http` and Hono, and a middleware that sets a header of every response. */
  readonly behind?: 'hono' | 'middleware';
  /** Writes its log to this file. */
  readonly log?: string;
}

export type Message = { readonly port: number } | { readonly usage: ProcessUsage } | 'ready';
export interface ProcessUsage {
  readonly cpuMs: number;
  readonly rssBytes: number;
}

const tell = (message: Message): void => void process.send?.(message);

function usage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, rssBytes: process.memoryUsage.rss() };
}

const CHUNK_BYTES = 1 << 16;

function bare(): Server {
  let [status, headers, body, isStreamed]: [number, string[], Buffer, boolean] = [200, [], Buffer.alloc(0), false];
  process.on('message', async (message: Constant | 'usage') => {
    if (message === 'usage') return;
    const { body: asked } = message;
    isStreamed = typeof asked === 'object';
    body =
      typeof asked === 'object'
        ? Buffer.from(await (await fetch(asked.at)).arrayBuffer())
        : Buffer.from(asked, 'base64');
    [status, headers] = [message.status, [...message.headers]];
    tell('ready');
  });
  return createServer((_request, response) => {
    response.writeHead(status, headers);
    if (!isStreamed) return void response.end(body);
    let at = 0;
    const advance = (): void => {
      while (at < body.length) {
        const chunk = body.subarray(at, at + CHUNK_BYTES);
        at += chunk.length;
        if (!response.write(chunk)) return;
      }
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

function withMiddleware(app: App): App {
  const outer = new Hono<Env>();
  outer.use(async (context, next) => {
    await next();
    context.header('X-Request-Id', '1');
  });
  outer.route('/', app);
  return Object.assign(outer, { plain: app.plain, nextTurn: app.nextTurn, handler: app.handler });
}

async function api({ data, records, app: changed, behind, log }: AppSettings): Promise<number> {
  const dataset = data === 'titles' ? createTitles(records) : createArticles(records);
  const at = new Date(1.7e12);
  const served = { dataset, report: { files: [], ignored: [], findings: [] }, loadedAt: at, modifiedAt: at };
  const file = log === undefined ? null : openSync(log, 'w');
  const app = createApp({ ...options, served: () => served, ...changed });
  const { url } = await listen(behind === 'middleware' ? withMiddleware(app) : app, {
    host: '127.0.0.1',
    port: 0,
    isAccelerated: behind === undefined,
    ...(file !== null && {
      onAnswer: createRequestLog('json', Date.now, { writableLength: 0, write: (lines) => writeSync(file, lines) }).add,
    }),
  });
  return Number(new URL(url).port);
}

process.on('message', async (message) => {
  if (message === 'collect') await collectGarbage();
  if (message === 'usage' || message === 'collect') tell({ usage: usage() });
});
process.on('disconnect', () => process.exit(0));

const [settings = 'bare'] = process.argv.slice(2);
if (settings === 'bare') {
  const server = bare().listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }));
} else tell({ port: await api(JSON.parse(settings)) });

/** Collects all garbage, by the call of heap profilers (Chrome DevTools Protocol): what is left is what the server needs. */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}
