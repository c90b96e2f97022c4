/**
 * Who answers the requests of a bound server?
 * Takes: the bound server, and the slot of what is served.
 * Gives: a running server. All that a response needs is imported here, and this file by the first request, or after the start: pages,
 * documents and Hono take as long to load as a small dump.
 * Skip: connections (`http/server.ts`, `http/wire/`), the access log.
 */
import { appOptionsIn } from '../config/config.js';
import type { Config } from '../config/flags.js';
import { createApp, type Served } from '../http/app.js';
import type { BoundServer } from '../http/bind.js';
import { createRequestLog } from '../http/log.js';
import type { LoadProgress } from '../http/options.js';
import { hostNames } from '../http/semantics/host.js';
import { answerOn, type RunningServer } from '../http/server.js';
import { warnOf } from './terminal.js';

export { preparePages } from '../http/pages/home/findings.js';

/** The slot of a server; `served` is null until the first load is done. */
export interface Slot {
  readonly served: Served | null;
  readonly progress: LoadProgress;
}

interface Answered {
  readonly config: Config;
  readonly slot: Slot;
  readonly host: string;
}

export function startAnswering(bound: BoundServer, { config, slot, host }: Answered): RunningServer {
  const app = createApp({
    ...appOptionsIn(config),
    origin: bound.url,
    served: () => slot.served,
    progress: () => slot.progress,
    hostNames: hostNames(host, config['allowed-host'], config['trust-proxy']),
    onError: (error, request) => warnOf(error, `${request.method} ${request.url} failed: `),
  });
  if (config.log === 'off') return answerOn(bound, app, {});
  const log = createRequestLog(config.log, Date.now, process.stdout);
  process.on('exit', log.flush);
  return answerOn(bound, app, { onAnswer: log.add });
}
