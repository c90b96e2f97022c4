/**
 * Turns a request and its resource into a response. Its steps are host, loading, origin, rate limit, simulated failure, cache, path,
 * method, parameters, preconditions and body, in this order; each is reached only if those before it let the request pass. All is
 * synchronous except downloads, without I/O. The served dataset is read once, so that no response mixes two; its cached
 * responses live as long as it is served.
 */
import { type Parsed, parseParameters } from '../query/parse.js';
import type { ParameterValues } from '../query/query.js';
import { type Dataset, fieldsHash } from '../store/dataset.js';
import { type ByteCache, createByteCache } from './cache.js';
import {
  ALLOW,
  crossSite,
  internalErrorResponse,
  methodNotAllowed,
  misdirected,
  preconditionFailed,
  rangeNotSatisfiable,
  simulatedFailure,
  tooManyRequests,
} from './error-responses.js';
import { memoize } from './memoize.js';
import type { AppOptions, Served } from './options.js';
import { isApiPath, normalPath, originForm, type RouteMatch } from './resource.js';
import {
  commonHeaders,
  corsLines,
  downloadResponse,
  errorResponse,
  finish,
  type HeaderLines,
  type HttpResponse,
  linesOf,
  type Metadata,
  metadataLines,
  type PlainResponse,
  partResponse,
  type Representation,
  Variants,
} from './response.js';
import { acceptedCodings, type Coding } from './semantics/content-coding.js';
import { allowedOrigin, createHostCheck, isForeignRequest } from './semantics/host.js';
import {
  etagOf,
  evaluatePreconditions,
  fieldOf,
  type Modified,
  modifiedAt,
  type RequestFields,
  settingsEtag,
} from './semantics/preconditions.js';
import { clientAddress, clientKey, createRateLimiter, rateLines } from './semantics/rate-limit.js';
import type { NextTurn } from './semantics/turns.js';

export interface RequestHead {
  readonly method: string;
  readonly fields: RequestFields;
  /** The `Host` of the request, with its port. */
  readonly host: string;
  /** The client's address. */
  readonly address: string;
}

export interface ApiRequest extends RequestHead {
  /** Path and query string as they were sent. */
  readonly path: string;
  readonly query: string;
}

export type Handler = ReturnType<typeof createHandler>;

/** The responses where there is no resource. */
export interface Fallbacks {
  /** The 404 response, or a redirect to the path that was probably meant. */
  readonly notFound: (request: ApiRequest) => PlainResponse;
  /** The response while the first load runs. */
  readonly loading: (request: ApiRequest) => PlainResponse;
}

const DEFAULT_CACHE_BYTES = 64 << 20;
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

export function createHandler(options: AppOptions, nextTurn: NextTurn, { notFound, loading }: Fallbacks) {
  const { served, rateLimit, corsOrigin, hostNames = null, cacheBytes = DEFAULT_CACHE_BYTES } = options;
  const { simulation, random = Math.random } = options;
  const failShare = simulation?.failShare ?? 0;
  const common = commonHeaders(corsOrigin);
  const limiter = rateLimit > 0 ? createRateLimiter(rateLimit, options.now) : null;
  const settings = settingsEtag(
    options.version ?? '',
    options.envelope,
    String(options.hasAllFields === true),
    options.maxLimit,
    rateLimit,
    corsOrigin ?? 'off',
    ...(simulation ? [JSON.stringify(simulation)] : []),
  );
  const stateOf = memoize(
    (current: Served): ServedState => ({
      dataset: current.dataset,
      cache: createByteCache<Variants>(cacheBytes),
      // The records alone are not all: a page shows £ or $, and a document says what a field is and where it came from.
      version: `${current.dataset.version}-${settingsEtag(settings, fieldsHash(current.dataset))}`,
      modified: lastModified(current),
    }),
  );
  const options204 = finish(optionsAnswer, common);
  const crossOrigin204 = finish(crossOriginAnswer, common);
  const isOwnHost = createHostCheck(hostNames);

  /**
   * The response of a resource, or the 404 response where there is none; only that of a download is a promise. Host, loading,
   * origin and rate limit come first, then the steps of `answerAdmitted`. The headers that depend on the client are added last.
   */
  function answer(request: ApiRequest, match: RouteMatch | undefined): HttpResponse | Promise<HttpResponse> {
    const lines = originLines(request.fields);
    if (!isOwnHost(request.host)) return withLines(misdirectedTo(request.host), lines);
    const current = served();
    if (current === null) return withLines(refuse(loading(request)), lines);
    if (isForeign(request.fields)) return withLines(refuse(crossSite), lines);
    const decision =
      limiter !== null && isApiPath(normalPath(request.path)) ? limiter(clientKey(clientOf(request))) : null;
    const allLines = decision === null ? lines : lines + rateLines(rateLimit, decision);
    if (decision?.allowed === false)
      return withLines(refuse(tooManyRequests(rateLimit, decision.resetSeconds)), allLines);
    if (failShare > 0 && isRead(request.method) && isApiPath(normalPath(request.path)) && random() < failShare)
      return withLines(refuse(simulatedFailure(failShare)), allLines);
    const response = answerAdmitted(request, match, stateOf(current));
    return response instanceof Promise
      ? response.then((finished) => withLines(finished, allLines))
      : withLines(response, allLines);
  }

  /** Cache, path, method and parameters; then the resource itself, and how it is sent. */
  function answerAdmitted(
    request: ApiRequest,
    match: RouteMatch | undefined,
    state: ServedState,
  ): HttpResponse | Promise<HttpResponse> {
    const { method, path, query, fields } = request;
    const ignoresQuery = match?.resource.parameters === 'ignored';
    const target = ignoresQuery ? path : originForm(request);
    const cached = isRead(method) ? state.cache.get(target) : undefined;
    if (cached !== undefined) return cachedResponse(cached, fields, state.cache, target);
    if (match === undefined) return refuse(notFound(request));
    if (method === 'OPTIONS') return preflightFor(fields);
    if (!isRead(method)) return refuse(methodNotAllowed(method));
    const parsed = parse(match, query);
    if (!parsed.ok) return refuse(errorResponse(parsed.error));
    const { dataset } = state;
    const representation = match.resource.handle({ dataset, values: parsed.values, path, query });
    if ('status' in representation) return refuse(representation);
    const metadata = metadataOf(state, target, representation);
    if ('open' in representation) return streamedResponse(representation, metadata, request);
    const variants = new Variants(representation, metadata);
    const isCached = ignoresQuery || state.cache.isAskedAgain(target);
    return isCached ? cachedResponse(variants, fields, state.cache, target) : wholeResponse(variants, fields);
  }

  /** Preconditions and body of a representation that is held whole. */
  function wholeResponse(variants: Variants, fields: RequestFields): HttpResponse {
    const coding = codingFor(fields);
    return unlessProceeding(fields, variants.metadata, coding) ?? variants.response(coding, common);
  }

  /** The same, cached: bytes that were made for the response are added to the cache's count. */
  function cachedResponse(
    variants: Variants,
    fields: RequestFields,
    cache: ByteCache<Variants>,
    target: string,
  ): HttpResponse {
    const { bytes } = variants;
    const response = wholeResponse(variants, fields);
    if (variants.bytes !== bytes) cache.set(target, variants, variants.bytes);
    return response;
  }

  /** Preconditions and body of a download. */
  async function streamedResponse(
    { type, headers, open }: Extract<Representation, { readonly open: unknown }>,
    metadata: Metadata,
    { fields, method }: ApiRequest,
  ): Promise<HttpResponse> {
    const coding = codingFor(fields);
    const conditionalResponse = unlessProceeding(fields, metadata, coding);
    if (conditionalResponse !== null) return conditionalResponse;
    await nextTurn();
    const download = await open(nextTurn);
    const lines = metadataLines(metadata, coding, common) + linesOf({ ...headers, 'Content-Type': type });
    const part = method === 'GET' ? partResponse(download, lines, fields, metadata) : null;
    if (part === 'unsatisfiable')
      return refuse(rangeNotSatisfiable(fieldOf(fields, 'range') ?? '', download.size ?? 0));
    return part ?? downloadResponse(download, lines, coding);
  }

  /** The 304 or 412 that the request's preconditions lead to; null where the representation is sent. */
  function unlessProceeding(fields: RequestFields, metadata: Metadata, coding: Coding): HttpResponse | null {
    const verdict = evaluatePreconditions(fields, metadata, coding);
    if (verdict === 'proceed') return null;
    if (verdict !== 'notModified') return refuse(preconditionFailed(verdict));
    return { status: 304, headers: metadataLines(metadata, coding, common), body: null };
  }

  const refuse = (refusal: PlainResponse): HttpResponse => finish(refusal, common);
  const misdirectedTo = (host: string): HttpResponse => refuse(misdirected(host, hostNames ?? []));

  const originLines = (fields: RequestFields): HeaderLines =>
    corsOrigin === 'local' && fields.origin !== undefined
      ? corsLines(allowedOrigin('local', fieldOf(fields, 'origin')))
      : '';

  const isForeign = (fields: RequestFields): boolean =>
    fields['sec-fetch-site'] !== undefined &&
    isForeignRequest(corsOrigin, {
      site: fieldOf(fields, 'sec-fetch-site'),
      mode: fieldOf(fields, 'sec-fetch-mode'),
      destination: fieldOf(fields, 'sec-fetch-dest'),
      origin: fieldOf(fields, 'origin'),
    });

  /** The response to OPTIONS, with the fields of a CORS preflight where the origin is allowed. */
  const preflightFor = (fields: RequestFields): HttpResponse =>
    allowedOrigin(corsOrigin, fieldOf(fields, 'origin')) === undefined ? options204 : crossOrigin204;

  /** The client's address; behind a trusted proxy, the one that the proxy gives. */
  const clientOf = ({ address, fields }: Pick<RequestHead, 'address' | 'fields'>): string =>
    options.trustProxy ? clientAddress(address, fieldOf(fields, 'x-forwarded-for')) : address;

  return {
    answer,
    clientOf,
    /** The response to a request whose handling threw. */
    failure: (fields: RequestFields): HttpResponse => withLines(refuse(internalErrorResponse), originLines(fields)),
    /** The response to OPTIONS, the same for every target. */
    preflight: ({ host, fields }: Pick<RequestHead, 'host' | 'fields'>): HttpResponse =>
      withLines(isOwnHost(host) ? preflightFor(fields) : misdirectedTo(host), originLines(fields)),
    /** The headers of every response, also of those without a resource. */
    commonHeaders: common,
  };
}

const withLines = (response: HttpResponse, lines: HeaderLines): HttpResponse =>
  lines === '' ? response : { ...response, headers: response.headers + lines };

/** The state of one served dataset, dropped with it. */
interface ServedState {
  readonly dataset: Dataset;
  readonly cache: ByteCache<Variants>;
  /** The beginning of every entity tag. */
  readonly version: string;
  readonly modified: Modified | null;
}

const metadataOf = (
  { version, modified }: ServedState,
  target: string,
  { key, isOfSnapshot, cacheControl = 'no-cache' }: Representation,
): Metadata => ({ tag: etagOf(version, target, key), modified: isOfSnapshot ? modified : null, cacheControl });

/** A range is always one of the uncoded bytes, so a request with `Range` gets no coding. */
function codingFor(fields: RequestFields): Coding {
  const [best] = fields.range === undefined ? acceptedCodings(fieldOf(fields, 'accept-encoding')) : [];
  return best ?? 'identity';
}

/** Never later than now, whatever a file claims (RFC 9110, section 8.8.2.1). */
const lastModified = ({ modifiedAt: newest, loadedAt }: Served): Modified | null =>
  newest === undefined ? null : modifiedAt(Math.min(newest.getTime(), loadedAt.getTime()));

const noValues: ParameterValues = new Map();

function parse({ resource, segment }: RouteMatch, query: string): Parsed {
  const { pathParameter, parameters } = resource;
  if (typeof parameters === 'string') return { ok: true, values: noValues };
  return parseParameters(query, parameters, pathParameter && { parameter: pathParameter, segment });
}

const optionsAnswer: PlainResponse = { status: 204, type: '', body: null, headers: { Allow: ALLOW } };

/** The response to a CORS preflight (Fetch standard, section 3.3). */
const crossOriginAnswer: PlainResponse = {
  ...optionsAnswer,
  headers: {
    ...optionsAnswer.headers,
    'Access-Control-Allow-Methods': ALLOW,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  },
};
