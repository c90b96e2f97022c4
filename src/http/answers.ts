/**
 * How does a resource answer? Its parameters are checked, it makes a representation, and that is sent; or a cached response is, for
 * which no resource is sought. An answer that needs an index which is still to be built waits for it.
 */
import { type Answer, whenAnswered } from '../query/engine.js';
import { type Parsed, parseParameters } from '../query/parse.js';
import type { ParameterValues } from '../query/query.js';
import type { Arrival } from './gate.js';
import { originForm } from './paths.js';
import type { ApiRequest } from './request.js';
import type { Resource, RouteMatch } from './resource.js';
import {
  type CommonHeaders,
  errorResponse,
  finish,
  type HttpResponse,
  type Metadata,
  type PlainResponse,
  type Representation,
  redirect,
  Variants,
} from './response.js';
import type { NextTurn } from './semantics/turns.js';
import { createSender } from './sender.js';
import { metadataOf, type ServedState } from './served-state.js';

/** A request with what it asks for: a cached response, or else what stands at its path. */
export interface Exchange extends Arrival {
  readonly state: ServedState;
  /** The key of the cache: the target, without a query string that makes no difference. */
  readonly key: string;
  readonly cachedVariants: Variants | undefined;
  /** Undefined where a response is cached, or nothing stands at the path. */
  readonly match: RouteMatch | undefined;
}

export function createAnswers(common: CommonHeaders, nextTurn: NextTurn) {
  const sender = createSender(common, nextTurn);
  return { cached, fromResource };

  function cached({ cachedVariants, request, state, key }: Exchange): HttpResponse | null {
    return cachedVariants === undefined ? null : sender.cached(cachedVariants, request.fields, state.cache, key);
  }

  /** Null where nothing stands at the path. */
  function fromResource(exchange: Exchange): Answer<HttpResponse> | null {
    const { match, request, state } = exchange;
    if (match === undefined) return null;
    const { resource } = match;
    const ready = resource.awaited?.(state.dataset, request.query) ?? null;
    const answer = whenAnswered(ready, () => checked(exchange, match));
    if (answer instanceof Promise && !answersLater(resource))
      throw new Error(`${request.path} answers later, and is not marked as deferred`);
    return answer;
  }

  /** Checks the parameters, and lets the resource answer. */
  function checked({ request, state, key }: Exchange, match: RouteMatch): Answer<HttpResponse> {
    const { resource } = match;
    const { path, query } = request;
    const { dataset, engine } = state;
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
    const isKept = resource.parameters === 'ignored' || resource.isDeferred === true;
    const isCached = clockValues === '' && (isKept || state.cache.isAskedAgain(key));
    return rendered(representation, metadata, request, isCached ? { state, key } : null);
  }

  /** `cache` is where the response is kept; null for a response that is not. */
  function rendered(
    { type, render }: Extract<Representation, { readonly render: unknown }>,
    metadata: Metadata,
    { fields }: ApiRequest,
    cache: Pick<Exchange, 'state' | 'key'> | null,
  ): Answer<HttpResponse> {
    const unmodified = sender.unmodified(fields, metadata);
    if (unmodified !== null) return unmodified;
    return whenAnswered(render(), (body) => {
      if ('status' in body) return refuse(body);
      const variants = new Variants(type, body, metadata);
      return cache === null
        ? sender.whole(variants, fields)
        : sender.cached(variants, fields, cache.state.cache, cache.key);
    });
  }

  function refuse(refusal: PlainResponse): HttpResponse {
    return finish(refusal, common);
  }
}

/** Whether a resource may answer with a promise. */
export const answersLater = ({ isDeferred, awaited }: Resource): boolean =>
  isDeferred === true || awaited !== undefined;

const noValues: ParameterValues = new Map();

function parse({ resource, segment }: RouteMatch, query: string): Parsed {
  const { pathParameter, parameters } = resource;
  if (parameters === 'ignored') return { ok: true, values: noValues, clockValues: '' };
  return parseParameters(query, parameters, pathParameter && { parameter: pathParameter, segment });
}
