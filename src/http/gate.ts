/** May a client ask at all? The steps of a request before it matters what it asks for: its host, its site, its rate. */
import type { Clients } from './clients.js';
import { crossSite, misdirected, simulatedFailure, tooManyRequests } from './error-responses.js';
import type { AppOptions } from './options.js';
import { isApiPath, normalPath } from './paths.js';
import { type ApiRequest, isRead } from './request.js';
import type { HeaderLines, PlainResponse } from './response.js';
import { createHostCheck } from './semantics/host.js';
import { clientKey, createRateLimiter, rateLines } from './semantics/rate-limit.js';

/** A request on its way through the steps, before it is known what it asks for. */
export interface Arrival {
  readonly request: ApiRequest;
  /** The header lines that depend on the client; every response gets them. */
  lines: HeaderLines;
}

/** The steps that may refuse a request before its path is looked at: each gives a refusal, or null where the request may pass. */
export function createGate(options: AppOptions, clients: Clients) {
  const { rateLimit, hostNames = null, simulation, random = Math.random } = options;
  const failShare = simulation?.failShare ?? 0;
  const limiter = rateLimit > 0 ? createRateLimiter(rateLimit, options.now) : null;
  const isOwnHost = createHostCheck(hostNames);
  return { otherHost, otherSite, overLimit, drawnToFail };

  function otherHost({ request: { host } }: { readonly request: Pick<ApiRequest, 'host'> }): PlainResponse | null {
    return isOwnHost(host) ? null : misdirected(host, hostNames ?? []);
  }

  function otherSite({ request: { fields } }: Arrival): PlainResponse | null {
    return clients.isForeign(fields) ? crossSite : null;
  }

  function overLimit(way: Arrival): PlainResponse | null {
    if (limiter === null || !isOfApi(way.request)) return null;
    const decision = limiter(clientKey(clients.addressOf(way.request)));
    way.lines += rateLines(rateLimit, decision);
    return decision.allowed ? null : tooManyRequests(rateLimit, decision.resetSeconds);
  }

  function drawnToFail({ request }: Arrival): PlainResponse | null {
    const isDrawn = failShare > 0 && isRead(request.method) && isOfApi(request) && random() < failShare;
    return isDrawn ? simulatedFailure(failShare) : null;
  }
}

export const isOfApi = ({ path }: ApiRequest): boolean => isApiPath(normalPath(path));
