/**
 * The servers that the HTTP benchmark measures, as a process of its own. `bare` sends what it is told to; `api` serves
 * one dataset through several apps, one per set of features. Both say what processor time and memory they used.
 */
import { openSync, writeSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppOptions, createApp, type Served } from '../src/http/app.js';
import { createRequestLog } from '../src/http/log.js';
import { listen } from '../src/http/server.js';
import { createArticles } from './http-data.js';

/** What the bare server sends from now on. */
export interface Constant {
  readonly status: number;
  readonly headers: readonly string[];
  /** Base64. */
  readonly body: string;
  /** Sent this many times over, as a stream. */
  readonly times?: number;
}

export type Ports = Readonly<Record<string, number>>;
export type Message = { readonly ports: Ports } | { readonly usage: Usage } | 'ready';
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

/** Every app is listened to on a port of its own. */
async function api(records: number): Promise<Ports> {
  const served = (dataset: Served['dataset']): Served => {
    const at = new Date(1.7e12);
    return { dataset, report: { files: [], ignored: [], warnings: [] }, loadedAt: at, modifiedAt: at };
  };
  const main = served(createArticles(records));
  const log = openSync('/dev/null', 'w');
  const start = async (app: Partial<AppOptions> & Pick<AppOptions, 'served'>, logged = false): Promise<number> => {
    const { url } = await listen(createApp({ ...options, ...app }), {
      host: '127.0.0.1',
      port: 0,
      ...(logged && {
        onAnswer: createRequestLog('json', Date.now, (lines) => void writeSync(log, lines)).add,
      }),
    });
    return Number(new URL(url).port);
  };
  return {
    plain: await start({ served: () => main }),
    uncached: await start({ served: () => main, cacheBytes: 0 }),
    cors: await start({ served: () => main, corsOrigin: '*' }),
    limited: await start({ served: () => main, rateLimit: 1e9 }),
    logged: await start({ served: () => main }, true),
    all: await start({ served: () => main, corsOrigin: '*', rateLimit: 1e9 }, true),
  };
}

process.on('message', (message) => {
  if (message === 'usage') tell({ usage: usage() });
});
process.on('disconnect', () => process.exit(0));

const [mode, records = '1000000'] = process.argv.slice(2);
if (mode === 'bare') {
  const server = bare().listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    tell({ ports: { bare: port } });
  });
} else tell({ ports: await api(Number(records)) });
