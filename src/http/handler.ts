/**
 * A request to a resource → a finished response: rate limit, method, parameters, preconditions, then the body, in this
 * order and each only if it is reached. Synchronous, without I/O. What is served is read once, at the start, so that no
 * response mixes two datasets; finished pages are kept for as long as theirs is served.
 */
import { internalError, notFound, rateLimitExceeded } from '../errors.js';
import { didYouMean } from '../query/nearest.js';
import { type Parsed, parseParameters } from '../query/parse.js';
import type { ParameterValues } from '../query/request.js';
import type { Dataset } from '../store/dataset.js';
import { quote } from '../text.js';
import { type ByteCache, createByteCache } from './cache.js';
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
import { allowedOrigin } from './semantics/cors.js';
import { etagOf, settingsEtag } from './semantics/etag.js';
import { createHostCheck } from './semantics/host.js';
import {
  evaluatePreconditions,
  fieldOf,
  type Modified,
  modifiedAt,
  type RequestFields,
  type Validators,
} from './semantics/preconditions.js';
import { unsatisfiedRange } from './semantics/range.js';
import { clientAddress, clientKey, createRateLimiter, type RateDecision, rateLines } from './semantics/rate-limit.js';
import type { NextTurn } from './semantics/turns.js';

export interface RequestHead {
  readonly method: string;
  readonly fields: RequestFields;
  /** The host that is asked, with its port. */
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
  /** The answer to a request for a resource, or to one for which nothing is found. */
  readonly answer: (request: ApiRequest, found: FoundResource | undefined) => HttpResponse | Promise<HttpResponse>;
  /** The same for a resource that is no download. */
  readonly answerWhole: (request: ApiRequest, found: FoundWhole) => HttpResponse;
  /** The same for a target, path and query string in one, whose response is kept; null, and nothing is done, where none is. */
  readonly fromCache: (target: string, request: RequestHead) => HttpResponse | null;
  /** The address that a request comes from, behind a proxy that is trusted. */
  readonly clientOf: (request: Pick<RequestHead, 'address' | 'fields'>) => string;
  /** The answer where a bug stopped another. */
  readonly failure: (fields: RequestFields) => HttpResponse;
  /** The answer to OPTIONS, whatever is asked about. */
  readonly preflight: (request: Pick<RequestHead, 'host' | 'fields'>) => HttpResponse;
  /** On every answer, also on those that no resource gives. */
  readonly commonHeaders: CommonHeaders;
}

type FoundWhole = FoundResource<WholeResource>;
type FoundDownload = FoundResource<DownloadResource>;
const isDownload = (found: FoundResource): found is FoundDownload => found.resource.isDownload === true;
const isWhole = (found: FoundResource): found is FoundWhole => !isDownload(found);

/** What is said instead of a resource, to people too. */
export interface Fallbacks {
  /** Paths that there are, for a hint. */
  readonly paths: () => readonly string[];
  readonly nothingPage: (path: string) => PlainResponse;
  readonly loadingPage: (message: string) => PlainResponse;
}

const ALLOW = 'GET, HEAD, OPTIONS';
const DEFAULT_CACHE_BYTES = 64 << 20;
const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';
/** Path and query string in one. */
export const targetOf = ({ path, query }: Pick<ApiRequest, 'path' | 'query'>): string =>
  query === '' ? path : `${path}?${query}`;
/** Whether asking for a path, in its normal form, counts against the rate limit. */
const isLimited = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** Whether a path that leads nowhere was asked for by a browser that wants a page. */
const wantsPage = ({ fields }: ApiRequest): boolean => /\btext\/html\b/.test(fieldOf(fields, 'accept') ?? '');

export function createHandler(options: AppOptions, nextTurn: NextTurn, fallbacks: Fallbacks): Handler {
  const { served, rateLimit, cacheBytes = DEFAULT_CACHE_BYTES } = options;
  const common = commonHeaders(options.corsOrigin);
  const limiter = rateLimit > 0 ? createRateLimiter(rateLimit, options.now) : null;
  const codingsOf = createNegotiator();
  const settings = settingsEtag(
    options.version ?? '',
    options.envelope,
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
   * The steps to an answer, each reached only if the one before it lets the request pass: host, loading, rate limit, cache,
   * address, method, parameters. Behind them the resource looks up what it is, and preconditions and body follow.
   */
  function pass(request: ApiRequest, found: FoundResource | undefined): Passed {
    const { path, query, fields, method } = request;
    const current = served();
    const { refusal, lines } = admit(request, current !== null && isLimited(normalPath(path)));
    const refused = (response: HttpResponse): Passed => ({ response: withLines(response, lines) });
    if (refusal !== null) return refused(refusal);
    if (current === null) return refused(stillLoading(request));
    const state = stateOf(current);
    const target = found?.resource.ignoresQuery ? path : targetOf(request);
    const kept = isRead(method) ? state.cache.get(target) : undefined;
    if (kept !== undefined) return refused(sendKept(kept, fields, state.cache, target));
    if (found === undefined) return refused(nothingAt(request));
    if (method === 'OPTIONS') return refused(preflightFor(fields));
    if (!isRead(method)) return refused(refuse(methodNotAllowed(method)));
    const parsed = parse(found, query);
    if (!parsed.ok) return refused(refuse(errorResponse(parsed.error)));
    return { state, lines, target, asked: { dataset: state.dataset, values: parsed.values, path, query } };
  }

  /** Host and rate limit: the answer where a request does not pass, and the lines that stand on any answer to it. */
  function admit(request: RequestHead, isCounted: boolean): Admission {
    const lines = originLines(request.fields);
    if (!isOwnHost(request.host)) return { refusal: misdirectedTo(request.host), lines };
    if (limiter === null || !isCounted) return { refusal: null, lines };
    const decision = limiter(clientKey(clientOf(request)));
    const refusal = decision.allowed ? null : refuse(tooMany(rateLimit, decision));
    return { refusal, lines: lines + rateLines(rateLimit, decision) };
  }

  const originLines = (fields: RequestFields): HeaderLines =>
    options.corsOrigin === 'local' && fields.origin !== undefined
      ? corsLines(allowedOrigin('local', fieldOf(fields, 'origin')))
      : '';

  /** Answers OPTIONS: what a browser asks before a cross-origin request too, where its page may ask. */
  const preflightFor = (fields: RequestFields): HttpResponse =>
    allowedOrigin(options.corsOrigin, fieldOf(fields, 'origin')) === undefined ? options204 : crossOrigin204;

  const clientOf = ({ address, fields }: Pick<RequestHead, 'address' | 'fields'>): string =>
    options.trustProxy ? clientAddress(address, fieldOf(fields, 'x-forwarded-for')) : address;

  const refuse = (refusal: PlainResponse): HttpResponse => finish(refusal, common);

  /** What is answered in place of a representation, where the request's preconditions say so. */
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
    const isKept = resource.ignoresQuery || state.cache.isAskedAgain(target);
    const { fields } = request;
    return withLines(isKept ? sendKept(variants, fields, state.cache, target) : send(variants, fields), lines);
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
    const early = unlessProceeding(fields, validators, coding);
    if (early !== null) return withLines(early, lines);
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

  function stillLoading(request: ApiRequest): HttpResponse {
    const message = `The snapshots are being loaded, ${Math.floor((options.loadedShare?.() ?? 0) * 100)} % so far: try again in a second.`;
    const error = errorResponse({ code: 'unavailable', message }, RETRY_SOON);
    const path = normalPath(request.path);
    if (isLimited(path) || path === '/health') return refuse(error);
    const response = wantsPage(request) ? fallbacks.loadingPage(message) : error;
    return refuse({ ...response, headers: { ...response.headers, ...RETRY_SOON, Vary: 'Accept' } });
  }

  /** For a path at which there is nothing. */
  function nothingAt(request: ApiRequest): HttpResponse {
    const { path, query, method } = request;
    const paths = fallbacks.paths();
    if (isLimited(normalPath(path))) return refuse(noPath(path, paths));
    const meant = isRead(method) ? meantPath(path, paths) : null;
    if (meant !== null) return refuse(redirect(targetOf({ path: meant, query })));
    const nothing = wantsPage(request) ? fallbacks.nothingPage(path) : noPath(path, paths);
    return refuse({ ...nothing, headers: { ...nothing.headers, Vary: 'Accept' } });
  }

  /** Parts are always of the uncoded bytes, so a client that asks for one gets these. */
  const codingFor = (fields: RequestFields): Coding =>
    fields.range === undefined ? best(codingsOf(fieldOf(fields, 'accept-encoding'))) : 'identity';

  function send(variants: Variants, fields: RequestFields): HttpResponse {
    const coding = codingFor(fields);
    const { validators, cacheControl } = variants;
    return unlessProceeding(fields, validators, coding, cacheControl) ?? variants.response(coding, common);
  }

  /** What was made for this answer counts in the cache from now on. */
  function sendKept(
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
      const kept = cache.get(target);
      if (kept === undefined) return null;
      const { refusal, lines } = admit(request, kept.isLimited);
      return withLines(refusal ?? sendKept(kept, request.fields, cache, target), lines);
    },
    failure: (fields) => withLines(refuse(errorResponse(internalError)), originLines(fields)),
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

/** A response already, or what the rest of the way needs. */
type Passed =
  | { readonly response: HttpResponse }
  | {
      readonly state: ServedState;
      readonly lines: HeaderLines;
      /** The key in the cache, and what the tag is made of. */
      readonly target: string;
      readonly asked: ResourceRequest;
    };

const withLines = (response: HttpResponse, lines: HeaderLines): HttpResponse =>
  lines === '' ? response : { ...response, headers: response.headers + lines };

/** What belongs to one dataset, and goes with it. */
interface ServedState {
  readonly dataset: Dataset;
  readonly cache: ByteCache<Variants>;
  /** Begins every tag. */
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
  if (parameters === undefined) return { ok: true, values: noValues };
  return parseParameters(query, parameters, pathParameter && { parameter: pathParameter, segment });
}

const optionsAnswer: PlainResponse = { status: 204, type: '', body: null, headers: { Allow: ALLOW } };

/** With what a browser asks before a cross-origin request (Fetch standard, section 3.3). */
const crossOriginAnswer: PlainResponse = {
  ...optionsAnswer,
  headers: {
    ...optionsAnswer.headers,
    'Access-Control-Allow-Methods': ALLOW,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  },
};

function misdirected(host: string, names: readonly string[]): PlainResponse {
  const message = `${quote(host)} is not a name of this server, which answers to ${names.join(', ')}. Whoever runs it allows another with --allowed-host NAME.`;
  return errorResponse({ code: 'misdirected_request', message });
}

function methodNotAllowed(method: string): PlainResponse {
  const message = `${method} is not allowed here: this API is read-only. Allowed: ${ALLOW}.`;
  return errorResponse({ code: 'method_not_allowed', message }, { Allow: ALLOW });
}

const RETRY_SOON = { 'Retry-After': '1' };

const MAX_SHOWN_PATH = 200;

function noPath(path: string, paths: readonly string[]): PlainResponse {
  const shown = path.length > MAX_SHOWN_PATH ? `${path.slice(0, MAX_SHOWN_PATH)}…` : path;
  return errorResponse(notFound(`There is no path ${shown}.${didYouMean(path, paths)}`));
}

const preconditionFailed: PlainResponse = errorResponse({
  code: 'precondition_failed',
  message: 'The representation has changed: If-Match or If-Unmodified-Since does not hold.',
});

const rangeNotSatisfiable = (size: number): PlainResponse =>
  errorResponse(
    { code: 'range_not_satisfiable', message: `The range begins past the end: there are ${size} bytes.` },
    { 'Content-Range': unsatisfiedRange(size) },
  );

const tooMany = (limit: number, { resetSeconds }: RateDecision): PlainResponse =>
  errorResponse(rateLimitExceeded(limit, resetSeconds), { 'Retry-After': String(resetSeconds) });
