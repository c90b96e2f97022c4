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
  type CommonHeaders,
  commonHeaders,
  corsLines,
  downloadResponse,
  type ErrorResponse,
  errorResponse,
  finishError,
  type HeaderLines,
  type HttpResponse,
  linesOf,
  notModified,
  Page,
  partResponse,
  redirect,
  validatorLines,
  type WholeResponse,
} from './response.js';
import { type FileResource, meantPath, type PageResource, type Resource, segmentIn } from './routing.js';
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
  /** Of a page that is not kept: `fromCache` is to be asked first. */
  readonly page: (resource: PageResource, request: ApiRequest) => WholeResponse;
  readonly download: (resource: FileResource, request: ApiRequest) => Promise<HttpResponse>;
  /** The same for a target, path and query string in one, whose page is kept; null where none is. */
  readonly fromCache: (target: string, request: RequestHead) => WholeResponse | null;
  /** The address that a request comes from, behind a proxy that is trusted. */
  readonly clientOf: (request: Pick<RequestHead, 'address' | 'fields'>) => string;
  /** For a path at which there is nothing. */
  readonly nothingAt: (request: ApiRequest, paths: readonly string[]) => WholeResponse;
  /** The answer where a bug stopped another. */
  readonly failure: (fields: RequestFields) => WholeResponse;
  /** The answer to OPTIONS, whatever is asked about. */
  readonly preflight: (request: Pick<RequestHead, 'host' | 'fields'>) => WholeResponse;
  /** On every answer, also on those that no route gives. */
  readonly commonHeaders: CommonHeaders;
}

const ALLOW = 'GET, HEAD, OPTIONS';
const DEFAULT_CACHE_BYTES = 64 << 20;
const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';
/** Path and query string in one. */
export const targetOf = ({ path, query }: Pick<ApiRequest, 'path' | 'query'>): string =>
  query === '' ? path : `${path}?${query}`;
const isLimited = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** Whether a path that leads nowhere was asked for by a browser that wants a page. */
const wantsPage = ({ fields }: ApiRequest): boolean => /\btext\/html\b/.test(fieldOf(fields, 'accept') ?? '');

/** `pageAt` is the page for a path at which there is nothing. */
export function createHandler(
  options: AppOptions,
  nextTurn: NextTurn,
  pageAt: (path: string, paths: readonly string[]) => ErrorResponse,
): Handler {
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
      cache: createByteCache<Page>(cacheBytes),
      version: `${current.dataset.version}-${settings}`,
      modified: lastModified(current),
    }),
  );
  const options204 = finishError(optionsAnswer, common);
  const crossOrigin204 = finishError(crossOriginAnswer, common);
  const isOwnHost = createHostCheck(options.hostNames ?? null);
  const misdirectedTo = (host: string): WholeResponse => refuse(misdirected(host, options.hostNames ?? []));

  /** Whether a request may be answered: the answer where not, and the lines that stand on any answer to it. */
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
  const preflightFor = (fields: RequestFields): WholeResponse =>
    allowedOrigin(options.corsOrigin, fieldOf(fields, 'origin')) === undefined ? options204 : crossOrigin204;

  const clientOf = ({ address, fields }: Pick<RequestHead, 'address' | 'fields'>): string =>
    options.trustProxy ? clientAddress(address, fieldOf(fields, 'x-forwarded-for')) : address;

  const refuse = (refusal: ErrorResponse): WholeResponse => finishError(refusal, common);

  function unlessRead({ method, fields }: RequestHead): WholeResponse | null {
    if (isRead(method)) return null;
    return method === 'OPTIONS' ? preflightFor(fields) : refuse(methodNotAllowed(method));
  }

  /** What is answered in place of a representation, where the request's preconditions say so. */
  function unlessProceeding(
    fields: RequestFields,
    validators: Validators,
    coding: Coding,
    cacheControl?: string,
  ): WholeResponse | null {
    const verdict = evaluatePreconditions(fields, validators, coding);
    if (verdict === 'failed') return refuse(preconditionFailed);
    return verdict === 'notModified' ? notModified(validators, coding, common, cacheControl) : null;
  }

  function page(resource: PageResource, request: ApiRequest): WholeResponse {
    const { path, query, fields } = request;
    const { dataset, cache, version, modified } = stateOf(served());
    const target = resource.ignoresQuery ? path : targetOf(request);
    const kept = resource.ignoresQuery ? cache.get(target) : undefined;
    if (kept !== undefined) return sendKept(kept, fields, cache, target);
    const parsed = parse(resource, path, query);
    if (!parsed.ok) return refuse(errorResponse(parsed.error));
    const outcome = resource.handle({ dataset, values: parsed.values, path, query });
    if (!('render' in outcome)) return refuse(outcome);
    const validators = { tag: etagOf(version, target, outcome.key), modified: outcome.isOfSnapshot ? modified : null };
    const page = new Page(outcome, validators, isLimited(resource.path));
    return resource.ignoresQuery || cache.isAskedAgain(target)
      ? sendKept(page, fields, cache, target)
      : send(page, fields);
  }

  async function download(resource: FileResource, request: ApiRequest): Promise<HttpResponse> {
    const { path, query, fields, method } = request;
    const { dataset, version, modified } = stateOf(served());
    const parsed = parse(resource, path, query);
    if (!parsed.ok) return refuse(errorResponse(parsed.error));
    const file = resource.handle({ dataset, values: parsed.values, path, query });
    const tag = etagOf(version, targetOf(request), file.key);
    const validators = { tag, modified: file.isOfSnapshot ? modified : null };
    const coding = codingFor(fields);
    const early = unlessProceeding(fields, validators, coding);
    if (early !== null) return early;
    await nextTurn();
    const opened = await file.open(nextTurn);
    const lines = validatorLines(validators, coding, common) + linesOf({ ...file.headers, 'Content-Type': file.type });
    const part = method === 'GET' ? partResponse(opened, lines, fields, validators) : null;
    if (part === 'unsatisfiable') return refuse(rangeNotSatisfiable(opened.size ?? 0));
    return part ?? downloadResponse(opened, lines, coding);
  }

  /** Parts are always of the uncoded bytes, so a client that asks for one gets these. */
  const codingFor = (fields: RequestFields): Coding =>
    fields.range === undefined ? best(codingsOf(fieldOf(fields, 'accept-encoding'))) : 'identity';

  function send(page: Page, fields: RequestFields): WholeResponse {
    const coding = codingFor(fields);
    return unlessProceeding(fields, page.validators, coding, page.cacheControl) ?? page.response(coding, common);
  }

  /** What the page has come to keep since it was last used counts from now on. */
  function sendKept(page: Page, fields: RequestFields, cache: ByteCache<Page>, target: string): WholeResponse {
    const { bytes } = page;
    const response = send(page, fields);
    if (page.bytes !== bytes) cache.set(target, page, page.bytes);
    return response;
  }

  return {
    clientOf,
    fromCache(target, request) {
      const { cache } = stateOf(served());
      const page = isRead(request.method) ? cache.get(target) : undefined;
      if (page === undefined) return null;
      const { refusal, lines } = admit(request, page.isLimited);
      return withLines(refusal ?? sendKept(page, request.fields, cache, target), lines);
    },
    page(resource, request) {
      const { refusal, lines } = admit(request, isLimited(resource.path));
      return withLines(refusal ?? unlessRead(request) ?? page(resource, request), lines);
    },
    async download(resource, request) {
      const { refusal, lines } = admit(request, isLimited(resource.path));
      return withLines(refusal ?? unlessRead(request) ?? (await download(resource, request)), lines);
    },
    nothingAt(request, paths) {
      const { path } = request;
      const { refusal, lines } = admit(request, isLimited(path));
      if (refusal !== null) return withLines(refusal, lines);
      if (isLimited(path)) return withLines(refuse(nothingAt(path, paths)), lines);
      const meant = isRead(request.method) ? meantPath(path, paths) : null;
      if (meant !== null) return withLines(refuse(redirect(targetOf({ path: meant, query: request.query }))), lines);
      const nothing = (wantsPage(request) ? pageAt : nothingAt)(path, paths);
      return withLines(refuse({ ...nothing, headers: { ...nothing.headers, Vary: 'Accept' } }), lines);
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
  readonly refusal: WholeResponse | null;
  readonly lines: HeaderLines;
}

const withLines = <R extends HttpResponse>(response: R, lines: HeaderLines): R =>
  lines === '' ? response : { ...response, headers: response.headers + lines };

/** What belongs to one dataset, and goes with it. */
interface ServedState {
  readonly dataset: Dataset;
  readonly cache: ByteCache<Page>;
  /** Begins every tag. */
  readonly version: string;
  readonly modified: Modified | null;
}

/** Never later than now, whatever a file claims (RFC 9110, section 8.8.2.1). */
const lastModified = ({ modifiedAt: newest, loadedAt }: Served): Modified | null =>
  newest === undefined ? null : modifiedAt(Math.min(newest.getTime(), loadedAt.getTime()));

const best = (accepted: readonly Coding[]): Coding => accepted[0] ?? 'identity';
const noValues: ParameterValues = new Map();

function parse({ path: pattern, pathParameter, parameters }: Resource, path: string, query: string): Parsed {
  if (parameters === undefined) return { ok: true, values: noValues };
  const segment = pathParameter && { parameter: pathParameter, segment: segmentIn(path, pattern) };
  return parseParameters(query, parameters, segment);
}

const optionsAnswer: ErrorResponse = { status: 204, type: '', body: null, headers: { Allow: ALLOW } };

/** With what a browser asks before a cross-origin request (Fetch standard, section 3.3). */
const crossOriginAnswer: ErrorResponse = {
  ...optionsAnswer,
  headers: {
    ...optionsAnswer.headers,
    'Access-Control-Allow-Methods': ALLOW,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  },
};

function misdirected(host: string, names: readonly string[]): ErrorResponse {
  const message = `${quote(host)} is not a name of this server, which answers to ${names.join(', ')}. Whoever runs it allows another with --allowed-host NAME.`;
  return errorResponse({ code: 'misdirected_request', message });
}

function methodNotAllowed(method: string): ErrorResponse {
  const message = `${method} is not allowed here: this API is read-only. Allowed: ${ALLOW}.`;
  return errorResponse({ code: 'method_not_allowed', message }, { Allow: ALLOW });
}

const MAX_SHOWN_PATH = 200;

function nothingAt(path: string, paths: readonly string[]): ErrorResponse {
  const shown = path.length > MAX_SHOWN_PATH ? `${path.slice(0, MAX_SHOWN_PATH)}…` : path;
  return errorResponse(notFound(`There is no path ${shown}.${didYouMean(path, paths)}`));
}

const preconditionFailed: ErrorResponse = errorResponse({
  code: 'precondition_failed',
  message: 'The representation has changed: If-Match or If-Unmodified-Since does not hold.',
});

const rangeNotSatisfiable = (size: number): ErrorResponse =>
  errorResponse(
    { code: 'range_not_satisfiable', message: `The range begins past the end: there are ${size} bytes.` },
    { 'Content-Range': unsatisfiedRange(size) },
  );

const tooMany = (limit: number, { resetSeconds }: RateDecision): ErrorResponse =>
  errorResponse(rateLimitExceeded(limit, resetSeconds), { 'Retry-After': String(resetSeconds) });
