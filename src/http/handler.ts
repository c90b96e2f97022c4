/**
 * Turns a request and its resource into a response: rate limit, method, parameters, preconditions and body, in this order.
 * A step runs only if the steps before it let the request pass. All is synchronous except downloads, without I/O. The
 * served dataset is read once, so that no response mixes two; its cached responses live as long as it is served.
 */
import { collectionGone } from '../errors.js';
import { type Parsed, parseParameters } from '../query/parse.js';
import type { ParameterValues } from '../query/request.js';
import type { Dataset } from '../store/dataset.js';
import { type ByteCache, createByteCache } from './cache.js';
import {
  ALLOW,
  failed,
  methodNotAllowed,
  misdirected,
  noPath,
  preconditionFailed,
  rangeNotSatisfiable,
  stillLoading,
  tooManyRequests,
  unavailable,
} from './error-responses.js';
import { memoize } from './memoize.js';
import type { AppOptions, Served } from './options.js';
import {
  type DownloadResource,
  type FoundResource,
  meantPath,
  normalPath,
  type ResourceRequest,
  type WholeResource,
} from './resource.js';
import {
  type CommonHeaders,
  commonHeaders,
  corsLines,
  type DownloadRepresentation,
  downloadResponse,
  errorResponse,
  finish,
  type HeaderLines,
  type HttpResponse,
  linesOf,
  notModified,
  type PlainResponse,
  partResponse,
  type Representation,
  redirect,
  Variants,
  validatorLines,
} from './response.js';
import { type Coding, createNegotiator } from './semantics/content-coding.js';
import { allowedOrigin, createHostCheck } from './semantics/host.js';
import {
  etagOf,
  evaluatePreconditions,
  fieldOf,
  type Modified,
  modifiedAt,
  type RequestFields,
  settingsEtag,
  type Validators,
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

export interface Handler {
  /** The response of a resource, or the 404 response where there is none. */
  readonly answer: (request: ApiRequest, found: FoundResource | undefined) => HttpResponse | Promise<HttpResponse>;
  /** The response of a resource that is no download. */
  readonly answerWhole: (request: ApiRequest, found: FoundWhole) => HttpResponse;
  /** The cached response of a target (path and query string). Null where there is none; then nothing was counted. */
  readonly fromCache: (target: string, request: RequestHead) => HttpResponse | null;
  /** The client's address; behind a trusted proxy, the one that the proxy gives. */
  readonly clientOf: (request: Pick<RequestHead, 'address' | 'fields'>) => string;
  /** The response to a request whose handling threw. */
  readonly failure: (fields: RequestFields) => HttpResponse;
  /** The response to OPTIONS, the same for every target. */
  readonly preflight: (request: Pick<RequestHead, 'host' | 'fields'>) => HttpResponse;
  /** The headers of every response, also of those without a resource. */
  readonly commonHeaders: CommonHeaders;
}

type FoundWhole = FoundResource<WholeResource>;
type FoundDownload = FoundResource<DownloadResource>;
const isDownload = (found: FoundResource): found is FoundDownload => found.resource.isDownload === true;
const isWhole = (found: FoundResource): found is FoundWhole => !isDownload(found);

/** Responses where there is no resource: data for the hint, and HTML pages for browsers. */
export interface Fallbacks {
  /** Existing paths, for the hint `Did you mean …?`. */
  readonly paths: () => readonly string[];
  /** The name of the collection that was served at the path before a reload. */
  readonly goneCollection: (path: string) => string | undefined;
  readonly nothingPage: (path: string, goneCollection: string | undefined) => PlainResponse;
  readonly loadingPage: (message: string) => PlainResponse;
}

const DEFAULT_CACHE_BYTES = 64 << 20;
const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';
/** Path and query string in one. */
export const targetOf = ({ path, query }: Pick<ApiRequest, 'path' | 'query'>): string =>
  query === '' ? path : `${path}?${query}`;
/** Whether requests for a path, in its normal form, count against the rate limit. */
const isLimited = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** Whether the client accepts HTML: a browser gets an HTML page instead of a JSON error. */
const wantsPage = ({ fields }: ApiRequest): boolean => /\btext\/html\b/.test(fieldOf(fields, 'accept') ?? '');

export function createHandler(options: AppOptions, nextTurn: NextTurn, fallbacks: Fallbacks): Handler {
  const { served, rateLimit, cacheBytes = DEFAULT_CACHE_BYTES } = options;
  const common = commonHeaders(options.corsOrigin);
  const limiter = rateLimit > 0 ? createRateLimiter(rateLimit, options.now) : null;
  const codingsOf = createNegotiator();
  const settings = settingsEtag(
    options.version ?? '',
    options.envelope,
    String(options.hasAllFields === true),
    options.maxLimit,
    rateLimit,
    options.corsOrigin ?? 'off',
  );
  const stateOf = memoize(
    (current: Served): ServedState => ({
      dataset: current.dataset,
      cache: createByteCache<Variants>(cacheBytes),
      version: `${current.dataset.version}-${settings}`,
      modified: lastModified(current),
    }),
  );
  const options204 = finish(optionsAnswer, common);
  const crossOrigin204 = finish(crossOriginAnswer, common);
  const isOwnHost = createHostCheck(options.hostNames ?? null);
  const misdirectedTo = (host: string): HttpResponse => refuse(misdirected(host, options.hostNames ?? []));

  /**
   * The steps before the resource: host, loading, rate limit, cache, path, method, parameters. Each is reached only if
   * the one before it lets the request pass. The resource's handler, preconditions and body come after them.
   */
  function pass(request: ApiRequest, found: FoundResource | undefined): Passed {
    const { path, query, fields, method } = request;
    const current = served();
    const { refusal, lines } = admit(request, current !== null && isLimited(normalPath(path)));
    const refused = (response: HttpResponse): Passed => ({ response: withLines(response, lines) });
    if (refusal !== null) return refused(refusal);
    if (current === null) return refused(loadingResponse(request));
    const state = stateOf(current);
    const target = found?.resource.parameters === 'ignored' ? path : targetOf(request);
    const cachedResponse = isRead(method) ? state.cache.get(target) : undefined;
    if (cachedResponse !== undefined) return refused(sendCached(cachedResponse, fields, state.cache, target));
    if (found === undefined) return refused(nothingAt(request));
    if (method === 'OPTIONS') return refused(preflightFor(fields));
    if (!isRead(method)) return refused(refuse(methodNotAllowed(method)));
    const parsed = parse(found, query);
    if (!parsed.ok) return refused(refuse(errorResponse(parsed.error)));
    return { state, lines, target, asked: { dataset: state.dataset, values: parsed.values, path, query } };
  }

  /** Checks host and rate limit: the refusal, if any, and the header lines of every response to the request. */
  function admit(request: RequestHead, isCounted: boolean): Admission {
    const lines = originLines(request.fields);
    if (!isOwnHost(request.host)) return { refusal: misdirectedTo(request.host), lines };
    if (limiter === null || !isCounted) return { refusal: null, lines };
    const decision = limiter(clientKey(clientOf(request)));
    const refusal = decision.allowed ? null : refuse(tooManyRequests(rateLimit, decision.resetSeconds));
    return { refusal, lines: lines + rateLines(rateLimit, decision) };
  }

  const originLines = (fields: RequestFields): HeaderLines =>
    options.corsOrigin === 'local' && fields.origin !== undefined
      ? corsLines(allowedOrigin('local', fieldOf(fields, 'origin')))
      : '';

  /** The response to OPTIONS, with the fields of a CORS preflight where the origin is allowed. */
  const preflightFor = (fields: RequestFields): HttpResponse =>
    allowedOrigin(options.corsOrigin, fieldOf(fields, 'origin')) === undefined ? options204 : crossOrigin204;

  const clientOf = ({ address, fields }: Pick<RequestHead, 'address' | 'fields'>): string =>
    options.trustProxy ? clientAddress(address, fieldOf(fields, 'x-forwarded-for')) : address;

  const refuse = (refusal: PlainResponse): HttpResponse => finish(refusal, common);

  /** The 304 or 412 that the request's preconditions lead to; null where the representation is sent. */
  function unlessProceeding(
    fields: RequestFields,
    validators: Validators,
    coding: Coding,
    cacheControl?: string,
  ): HttpResponse | null {
    const verdict = evaluatePreconditions(fields, validators, coding);
    if (verdict === 'failed') return refuse(preconditionFailed);
    return verdict === 'notModified' ? notModified(validators, coding, common, cacheControl) : null;
  }

  function answerWhole(request: ApiRequest, found: FoundWhole): HttpResponse {
    const passed = pass(request, found);
    if ('response' in passed) return passed.response;
    const { state, lines, target, asked } = passed;
    const { resource } = found;
    const representation = resource.handle(asked);
    if (!('render' in representation)) return withLines(refuse(representation), lines);
    const validators = validatorsOf(state, target, representation);
    const variants = new Variants(representation, validators, isLimited(normalPath(request.path)));
    const isCached = resource.parameters === 'ignored' || state.cache.isAskedAgain(target);
    const { fields } = request;
    return withLines(isCached ? sendCached(variants, fields, state.cache, target) : send(variants, fields), lines);
  }

  async function answerDownload(request: ApiRequest, found: FoundDownload): Promise<HttpResponse> {
    const passed = pass(request, found);
    if ('response' in passed) return passed.response;
    const { state, lines, target, asked } = passed;
    const { fields, method } = request;
    const representation = found.resource.handle(asked);
    if ('status' in representation) return withLines(refuse(representation), lines);
    const validators = validatorsOf(state, target, representation);
    const coding = codingFor(fields);
    const conditionalResponse = unlessProceeding(fields, validators, coding);
    if (conditionalResponse !== null) return withLines(conditionalResponse, lines);
    await nextTurn();
    const download = await representation.open(nextTurn);
    const described = { ...representation.headers, 'Content-Type': representation.type };
    const headers = validatorLines(validators, coding, common) + linesOf(described);
    const part = method === 'GET' ? partResponse(download, headers, fields, validators) : null;
    if (part === 'unsatisfiable') return withLines(refuse(rangeNotSatisfiable(download.size ?? 0)), lines);
    return withLines(part ?? downloadResponse(download, headers, coding), lines);
  }

  const validatorsOf = (
    { version, modified }: ServedState,
    target: string,
    { key, isOfSnapshot }: Representation | DownloadRepresentation,
  ): Validators => ({ tag: etagOf(version, target, key), modified: isOfSnapshot ? modified : null });

  function loadingResponse(request: ApiRequest): HttpResponse {
    const share = options.loadedShare?.() ?? 0;
    const error = unavailable(share);
    const path = normalPath(request.path);
    if (isLimited(path) || path === '/health') return refuse(error);
    const response = wantsPage(request) ? fallbacks.loadingPage(stillLoading(share)) : error;
    return refuse({ ...response, headers: { ...response.headers, ...error.headers, Vary: 'Accept' } });
  }

  /** The 404 response, or a redirect to the path that was probably meant. */
  function nothingAt(request: ApiRequest): HttpResponse {
    const { path, query, method } = request;
    const paths = fallbacks.paths();
    const gone = fallbacks.goneCollection(path);
    const missing = gone === undefined ? noPath(path, paths) : errorResponse(collectionGone(gone));
    if (isLimited(normalPath(path))) return refuse(missing);
    const intendedPath = isRead(method) && gone === undefined ? meantPath(path, paths) : null;
    if (intendedPath !== null) return refuse(redirect(targetOf({ path: intendedPath, query })));
    const fallback = wantsPage(request) ? fallbacks.nothingPage(path, gone) : missing;
    return refuse({ ...fallback, headers: { ...fallback.headers, Vary: 'Accept' } });
  }

  /** A range is always one of the uncoded bytes, so a request with `Range` gets no coding. */
  const codingFor = (fields: RequestFields): Coding =>
    fields.range === undefined ? best(codingsOf(fieldOf(fields, 'accept-encoding'))) : 'identity';

  function send(variants: Variants, fields: RequestFields): HttpResponse {
    const coding = codingFor(fields);
    const { validators, cacheControl } = variants;
    return unlessProceeding(fields, validators, coding, cacheControl) ?? variants.response(coding, common);
  }

  /** Sends a cached response. Bytes that were made for it are added to the cache's count. */
  function sendCached(
    variants: Variants,
    fields: RequestFields,
    cache: ByteCache<Variants>,
    target: string,
  ): HttpResponse {
    const { bytes } = variants;
    const response = send(variants, fields);
    if (variants.bytes !== bytes) cache.set(target, variants, variants.bytes);
    return response;
  }

  return {
    clientOf,
    answerWhole,
    answer(request, found) {
      if (found !== undefined && isDownload(found)) return answerDownload(request, found);
      if (found !== undefined && isWhole(found)) return answerWhole(request, found);
      const passed = pass(request, undefined);
      return 'response' in passed ? passed.response : nothingAt(request);
    },
    fromCache(target, request) {
      const current = served();
      if (current === null || !isRead(request.method)) return null;
      const { cache } = stateOf(current);
      const cachedResponse = cache.get(target);
      if (cachedResponse === undefined) return null;
      const { refusal, lines } = admit(request, cachedResponse.isLimited);
      return withLines(refusal ?? sendCached(cachedResponse, request.fields, cache, target), lines);
    },
    failure: (fields) => withLines(refuse(failed), originLines(fields)),
    preflight({ host, fields }) {
      const response = isOwnHost(host) ? preflightFor(fields) : misdirectedTo(host);
      return withLines(response, originLines(fields));
    },
    commonHeaders: common,
  };
}

interface Admission {
  readonly refusal: HttpResponse | null;
  readonly lines: HeaderLines;
}

/** A final response, or the values that the resource's handler needs. */
type Passed =
  | { readonly response: HttpResponse }
  | {
      readonly state: ServedState;
      readonly lines: HeaderLines;
      /** The key in the cache; the entity tag is made of it. */
      readonly target: string;
      readonly asked: ResourceRequest;
    };

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

/** Never later than now, whatever a file claims (RFC 9110, section 8.8.2.1). */
const lastModified = ({ modifiedAt: newest, loadedAt }: Served): Modified | null =>
  newest === undefined ? null : modifiedAt(Math.min(newest.getTime(), loadedAt.getTime()));

const best = (accepted: readonly Coding[]): Coding => accepted[0] ?? 'identity';
const noValues: ParameterValues = new Map();

function parse({ resource, segment }: FoundResource, query: string): Parsed {
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
