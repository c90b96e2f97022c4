/**
 * Which step answers a request?
 * Takes: a request of either server (`ApiRequest`).
 * Gives: a response. `whileServing` lists the steps: the first one that has a response ends the request. The cache is looked into
 * before a route is sought. All is synchronous except downloads, promised bodies and simulated delays. The served dataset is read once,
 * so that no response mixes two.
 * Skip: who may ask (`gate.ts`, `clients.ts`), how a resource answers (`answers.ts`), and how that is sent (`sender.ts`, `response.ts`).
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, EngineUnavailable, whenAnswered } from '../query/engine.js';
import { answersLater, createAnswers, type Exchange } from './answers.js';
import { createClients } from './clients.js';
import { engineUnavailable, internalErrorResponse, methodNotAllowed } from './error-responses.js';
import { type Arrival, createGate, isOfApi } from './gate.js';
import type { AppOptions } from './options.js';
import { normalPath } from './paths.js';
import { type ApiRequest, isRead, type RequestHead } from './request.js';
import type { RouteMatch } from './resource.js';
import { commonHeaders, finish, type HeaderLines, type HttpResponse, type PlainResponse } from './response.js';
import { drawDelay } from './semantics/simulation.js';
import type { NextTurn } from './semantics/turns.js';
import { createServedStates } from './served-state.js';

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

/** Null where the step lets the request pass. */
type HandlerStep<Way> = (way: Way) => Answer<HttpResponse | PlainResponse> | null;

export function createHandler(options: AppOptions, nextTurn: NextTurn, routes: Routes) {
  const { served, corsOrigin, simulation, random = Math.random } = options;
  const hasDelay = simulation !== undefined && simulation.delayMs[1] > 0;
  const common = commonHeaders(corsOrigin);
  const stateOf = createServedStates(options);
  const clients = createClients(options, common);
  const gate = createGate(options, clients);
  const answers = createAnswers(common, nextTurn);

  const whileLoading: readonly HandlerStep<Arrival>[] = [
    gate.otherHost, // 421
    stillLoading, // 503
  ];
  const whileServing: readonly HandlerStep<Exchange>[] = [
    gate.otherHost, // 421
    gate.otherSite, // 403
    gate.overLimit, // 429
    gate.drawnToFail, // 503
    answers.cached, // 200, 304, 412
    nothingThere, // 404, 307
    otherMethod, // 204, 405
    answers.fromResource, // 200, 206, 303, 304, 307, 400, 404, 412, 416, 422
  ];

  function answer(request: ApiRequest): Answer<HttpResponse> {
    return unlessFailing(request, () =>
      simulation !== undefined && isDelayed(request)
        ? wait(drawDelay(simulation, random)).then(() => throughSteps(request, exchangeOf(request)))
        : throughSteps(request, exchangeOf(request)),
    );
  }

  /** The response that can be given at once; null, without any effect, where it may come later. */
  function answerAtOnce(request: ApiRequest): HttpResponse | null {
    if (isDelayed(request)) return null;
    const response = unlessFailing(request, () => {
      const exchange = exchangeOf(request);
      return exchange?.match && answersLater(exchange.match.resource) ? null : throughSteps(request, exchange);
    });
    if (response instanceof Promise) throw new Error(`${request.path} answers later than it says`);
    return response;
  }

  /** Looks into the cache, then for a resource; null while the first load runs. It has no effect. */
  function exchangeOf(request: ApiRequest): Exchange | null {
    const current = served();
    if (current === null) return null;
    const state = stateOf(current);
    const { method, path, query, target } = request;
    const lines = clients.originLines(request.fields);
    const cachedAt = (key: string) => (isRead(method) ? state.cache.get(key) : undefined);
    const cachedVariants = cachedAt(target);
    if (cachedVariants !== undefined) return { request, lines, state, key: target, cachedVariants, match: undefined };
    const match = routes.find(normalPath(path));
    if (query === '' || match?.resource.parameters !== 'ignored')
      return { request, lines, state, key: target, cachedVariants, match };
    return { request, lines, state, key: path, cachedVariants: cachedAt(path), match };
  }

  function throughSteps(request: ApiRequest, exchange: Exchange | null): Answer<HttpResponse> {
    if (exchange === null) return firstResponse(whileLoading, { request, lines: clients.originLines(request.fields) });
    return firstResponse(whileServing, exchange);
  }

  function firstResponse<Way extends Arrival>(steps: readonly HandlerStep<Way>[], way: Way): Answer<HttpResponse> {
    for (const step of steps) {
      const response = step(way);
      if (response !== null) return whenAnswered(response, (known) => withLines(finished(known), way.lines));
    }
    throw new Error('the last step lets no request pass');
  }

  function stillLoading({ request }: Arrival): PlainResponse {
    return routes.loading(request);
  }

  function nothingThere({ match, request }: Exchange): PlainResponse | null {
    return match === undefined ? routes.notFound(request) : null;
  }

  function otherMethod({ request: { method, fields } }: Exchange): HttpResponse | PlainResponse | null {
    if (isRead(method)) return null;
    return method === 'OPTIONS' ? clients.preflight(fields) : methodNotAllowed(method);
  }

  function finished(response: HttpResponse | PlainResponse): HttpResponse {
    return 'type' in response ? finish(response, common) : response;
  }

  function isDelayed(request: ApiRequest): boolean {
    return hasDelay && isOfApi(request);
  }

  /** The response, or the one to what a step throws: a bug, unless the engine does not answer. */
  function unlessFailing<T extends Answer<HttpResponse> | null>(request: ApiRequest, respond: () => T) {
    try {
      const response = respond();
      return response instanceof Promise ? response.catch((error: unknown) => failure(error, request)) : response;
    } catch (error) {
      return failure(error, request);
    }
  }

  function failure(error: unknown, { method, target, fields }: ApiRequest): HttpResponse {
    const isExpected = error instanceof EngineUnavailable;
    if (!isExpected) options.onError(error, { method, url: target });
    const response = isExpected ? engineUnavailable(error.message) : internalErrorResponse;
    return withLines(finish(response, common), clients.originLines(fields));
  }

  return {
    answer,
    answerAtOnce,
    clientOf: clients.addressOf,
    /** The response to OPTIONS, the same for every target. */
    preflight: (request: Pick<RequestHead, 'host' | 'fields'>): HttpResponse =>
      withLines(
        finished(gate.otherHost({ request }) ?? clients.preflight(request.fields)),
        clients.originLines(request.fields),
      ),
    /** The headers of every response, also of those without a resource. */
    commonHeaders: common,
  };
}

const withLines = (response: HttpResponse, lines: HeaderLines): HttpResponse =>
  lines === '' ? response : { ...response, headers: response.headers + lines };
