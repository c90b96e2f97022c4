/**
 * Which step answers a request?
 * Takes: a request of either server (`ApiRequest`).
 * Gives: a response. `whileServing` lists the steps: the first one that has a response ends the request. The cache is looked into
 * before a route is sought. All is synchronous except downloads, promised bodies and simulated delays. The served dataset is read once,
 * so that no response mixes two.
 * Skip: how it is sent (`sender.ts`, `response.ts`), who asks (`clients.ts`), rates (`semantics/`).
 */
import { setTimeout as wait } from 'node:timers/promises';
import { EngineUnavailable, whenAnswered } from '../query/engine.js';
import { type Parsed, parseParameters } from '../query/parse.js';
import type { ParameterValues } from '../query/query.js';
import { createClients } from './clients.js';
import {
  crossSite,
  engineUnavailable,
  internalErrorResponse,
  methodNotAllowed,
  misdirected,
  simulatedFailure,
  tooManyRequests,
} from './error-responses.js';
import type { AppOptions } from './options.js';
import { isApiPath, normalPath, originForm } from './paths.js';
import { type ApiRequest, isRead, type RequestHead } from './request.js';
import type { RouteMatch } from './resource.js';
import {
  commonHeaders,
  errorResponse,
  finish,
  type HeaderLines,
  type HttpResponse,
  type PlainResponse,
  redirect,
  Variants,
} from './response.js';
import { createHostCheck } from './semantics/host.js';
import { clientKey, createRateLimiter, rateLines } from './semantics/rate-limit.js';
import { drawDelay } from './semantics/simulation.js';
import type { NextTurn } from './semantics/turns.js';
import { createSender } from './sender.js';
import { createServedStates, metadataOf, type ServedState } from './served-state.js';

export type Handler = ReturnType<typeof createHandler>;

/** The resources by path, and the responses where there is none. */
export interface Routes {
  /** The resource at a path in its normal form. */
  readonly find: (path: string) => RouteMatch | undefined;
  /** The 404 response, or a redirect to the path that was probably meant. */
  readonly notFound: (request: ApiRequest) => PlainResponse;
  /** The response while the first load runs. */
  readonly loading: (request: ApiRequest) => PlainResponse;
}

/** A request on its way through the steps, before it is known what it asks for. */
interface Arrival {
  readonly request: ApiRequest;
  /** The header lines that depend on the client; every response gets them. */
  lines: HeaderLines;
}

/** A request with what it asks for: a cached response, or else what stands at its path. */
interface Exchange extends Arrival {
  readonly state: ServedState;
  /** The key of the cache: the target, without a query string that makes no difference. */
  readonly key: string;
  readonly cachedVariants: Variants | undefined;
  /** Undefined where a response is cached, or nothing stands at the path. */
  readonly match: RouteMatch | undefined;
}

/** Null where the step lets the request pass. */
type HandlerStep<Way> = (way: Way) => HttpResponse | Promise<HttpResponse> | null;

export function createHandler(options: AppOptions, nextTurn: NextTurn, routes: Routes) {
  const { served, rateLimit, corsOrigin, hostNames = null } = options;
  const { simulation, random = Math.random } = options;
  const failShare = simulation?.failShare ?? 0;
  const hasDelay = simulation !== undefined && simulation.delayMs[1] > 0;
  const common = commonHeaders(corsOrigin);
  const limiter = rateLimit > 0 ? createRateLimiter(rateLimit, options.now) : null;
  const stateOf = createServedStates(options);
  const isOwnHost = createHostCheck(hostNames);
  const clients = createClients(options, common);
  const sender = createSender(common, nextTurn);

  const whileLoading: readonly HandlerStep<Arrival>[] = [
    otherHost, // 421
    stillLoading, // 503
  ];
  const whileServing: readonly HandlerStep<Exchange>[] = [
    otherHost, // 421
    otherSite, // 403
    overLimit, // 429
    drawnToFail, // 503
    cached, // 200, 304, 412
    nothingThere, // 404, 307
    otherMethod, // 204, 405
    fromResource, // 200, 206, 303, 304, 307, 400, 404, 412, 416, 422
  ];

  function answer(request: ApiRequest): HttpResponse | Promise<HttpResponse> {
    try {
      const exchange = exchangeOf(request);
      const awaited = awaitedBy(exchange);
      const isLate = awaited !== null || isDelayed(request);
      const response = isLate ? answerLate(request, awaited) : throughSteps(request, exchange);
      return response instanceof Promise ? response.catch((error: unknown) => failure(error, request)) : response;
    } catch (error) {
      return failure(error, request);
    }
  }

  /** The response that can be given at once; null, without any effect, where it comes later. */
  function answerAtOnce(request: ApiRequest): HttpResponse | null {
    try {
      if (isDelayed(request)) return null;
      const exchange = exchangeOf(request);
      if (exchange?.match?.resource.isDeferred || awaitedBy(exchange) !== null) return null;
      const response = throughSteps(request, exchange);
      if (response instanceof Promise) throw new Error(`${request.path} answers later, and is not marked as deferred`);
      return response;
    } catch (error) {
      return failure(error, request);
    }
  }

  async function answerLate(request: ApiRequest, awaited: Promise<void> | null): Promise<HttpResponse> {
    await awaited;
    if (simulation !== undefined && isDelayed(request)) await wait(drawDelay(simulation, random));
    return throughSteps(request, exchangeOf(request));
  }

  /** The promise of an index that a request needs, and that is still to be built; null where it needs none. */
  function awaitedBy(exchange: Exchange | null): Promise<void> | null {
    if (exchange?.match === undefined) return null;
    return exchange.match.resource.awaited?.(exchange.state.dataset, exchange.request.query) ?? null;
  }

  /** Looks into the cache, then for a resource; null while the first load runs. It has no effect. */
  function exchangeOf(request: ApiRequest): Exchange | null {
    const current = served();
    if (current === null) return null;
    const state = stateOf(current);
    const { method, path, query, target } = request;
    const lines = clients.originLines(request.fields);
    const cachedAt = (key: string): Variants | undefined => (isRead(method) ? state.cache.get(key) : undefined);
    const cachedVariants = cachedAt(target);
    if (cachedVariants !== undefined) return { request, lines, state, key: target, cachedVariants, match: undefined };
    const match = routes.find(normalPath(path));
    if (query === '' || match?.resource.parameters !== 'ignored')
      return { request, lines, state, key: target, cachedVariants, match };
    return { request, lines, state, key: path, cachedVariants: cachedAt(path), match };
  }

  /** Goes through the steps. */
  function throughSteps(request: ApiRequest, exchange: Exchange | null): HttpResponse | Promise<HttpResponse> {
    if (exchange === null) return firstResponse(whileLoading, { request, lines: clients.originLines(request.fields) });
    return firstResponse(whileServing, exchange);
  }

  function firstResponse<Way extends Arrival>(
    steps: readonly HandlerStep<Way>[],
    way: Way,
  ): HttpResponse | Promise<HttpResponse> {
    for (const step of steps) {
      const response = step(way);
      if (response === null) continue;
      return response instanceof Promise
        ? response.then((finished) => withLines(finished, way.lines))
        : withLines(response, way.lines);
    }
    throw new Error('the last step lets no request pass');
  }

  function otherHost({ request: { host } }: Arrival): HttpResponse | null {
    return isOwnHost(host) ? null : misdirectedTo(host);
  }

  function stillLoading({ request }: Arrival): HttpResponse {
    return refuse(routes.loading(request));
  }

  function otherSite({ request: { fields } }: Arrival): HttpResponse | null {
    return clients.isForeign(fields) ? refuse(crossSite) : null;
  }

  function overLimit(way: Arrival): HttpResponse | null {
    if (limiter === null || !isOfApi(way.request)) return null;
    const decision = limiter(clientKey(clients.addressOf(way.request)));
    way.lines += rateLines(rateLimit, decision);
    return decision.allowed ? null : refuse(tooManyRequests(rateLimit, decision.resetSeconds));
  }

  function drawnToFail({ request }: Arrival): HttpResponse | null {
    const isDrawn = failShare > 0 && isRead(request.method) && isOfApi(request) && random() < failShare;
    return isDrawn ? refuse(simulatedFailure(failShare)) : null;
  }

  function cached({ cachedVariants, request, state, key }: Exchange): HttpResponse | null {
    return cachedVariants === undefined ? null : sender.cached(cachedVariants, request.fields, state.cache, key);
  }

  function nothingThere({ match, request }: Exchange): HttpResponse | null {
    return match === undefined ? refuse(routes.notFound(request)) : null;
  }

  function otherMethod({ request: { method, fields } }: Exchange): HttpResponse | null {
    if (isRead(method)) return null;
    return method === 'OPTIONS' ? clients.preflight(fields) : refuse(methodNotAllowed(method));
  }

  /** Parameters, then the resource itself, and how it is sent. */
  function fromResource({ match, request, state, key }: Exchange): HttpResponse | Promise<HttpResponse> | null {
    if (match === undefined) return null;
    const { resource } = match;
    const { path, query, fields } = request;
    const { dataset, engine, cache } = state;
    const tidied = resource.tidied?.(query, dataset) ?? query;
    const parsed = parse(match, tidied);
    if (!parsed.ok)
      return refuse(resource.refuse?.(parsed.error, parsed.faulty, request) ?? errorResponse(parsed.error));
    if (tidied !== query) return refuse(redirect(originForm({ path, query: tidied }), 303));
    const { values, clockValues } = parsed;
    const representation = resource.handle({ dataset, engine, values, path, query });
    if ('status' in representation) return refuse(representation);
    const metadata = metadataOf(state, key, representation, clockValues);
    if ('open' in representation) return sender.download(representation, metadata, request);
    // An engine elsewhere takes longer than to cache its answer at once.
    const isKept = resource.parameters === 'ignored' || resource.isDeferred === true || cache.isAskedAgain(key);
    const isCached = clockValues === '' && isKept;
    const send = (variants: Variants): HttpResponse =>
      isCached ? sender.cached(variants, fields, cache, key) : sender.whole(variants, fields);
    return (
      sender.unmodified(fields, metadata) ??
      whenAnswered(representation.render(), (rendered) =>
        'status' in rendered ? refuse(rendered) : send(new Variants(representation.type, rendered, metadata)),
      )
    );
  }

  function refuse(refusal: PlainResponse): HttpResponse {
    return finish(refusal, common);
  }

  function misdirectedTo(host: string): HttpResponse {
    return refuse(misdirected(host, hostNames ?? []));
  }

  function isDelayed(request: ApiRequest): boolean {
    return hasDelay && isOfApi(request);
  }

  /** Tells of what a step threw: a bug, unless the engine does not answer. */
  function failure(error: unknown, { method, target, fields }: ApiRequest): HttpResponse {
    if (error instanceof EngineUnavailable)
      return withLines(refuse(engineUnavailable(error.message)), clients.originLines(fields));
    options.onError(error, { method, url: target });
    return withLines(refuse(internalErrorResponse), clients.originLines(fields));
  }

  return {
    answer,
    answerAtOnce,
    clientOf: clients.addressOf,
    /** The response to OPTIONS, the same for every target. */
    preflight: ({ host, fields }: Pick<RequestHead, 'host' | 'fields'>): HttpResponse =>
      withLines(isOwnHost(host) ? clients.preflight(fields) : misdirectedTo(host), clients.originLines(fields)),
    /** The headers of every response, also of those without a resource. */
    commonHeaders: common,
  };
}

const isOfApi = ({ path }: ApiRequest): boolean => isApiPath(normalPath(path));

const withLines = (response: HttpResponse, lines: HeaderLines): HttpResponse =>
  lines === '' ? response : { ...response, headers: response.headers + lines };

const noValues: ParameterValues = new Map();

function parse({ resource, segment }: RouteMatch, query: string): Parsed {
  const { pathParameter, parameters } = resource;
  if (parameters === 'ignored') return { ok: true, values: noValues, clockValues: '' };
  return parseParameters(query, parameters, pathParameter && { parameter: pathParameter, segment });
}
