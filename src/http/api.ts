/**
 * A request to a resource → a finished reply: rate limit, method, parameters, preconditions, then the body, in this
 * order and each only if it is reached. Synchronous, without I/O. What is served is read once, at the start, so that no
 * reply mixes two datasets; finished pages are kept for as long as theirs is served.
 */
import { internalError, notFound, rateLimitExceeded } from '../errors.js';
import { didYouMean } from '../query/nearest.js';
import { type Parsed, parseParameters } from '../query/parse.js';
import type { ParameterValues } from '../query/request.js';
import { errorAnswer, isDownload, type Refusal, type Representation } from './answer.js';
import { type ByteCache, createByteCache } from './cache.js';
import { type Coding, createNegotiator } from './coding.js';
import { fieldOf, judge, type Modified, modifiedAt, type RequestFields, type Validators } from './conditional.js';
import { Finished } from './finished.js';
import type { AppOptions, Served } from './options.js';
import { unsatisfiedRange } from './range.js';
import { clientAddress, clientKey, createRateLimiter, type RateDecision, rateLines } from './rate-limit.js';
import {
  commonHeaders,
  downloadReply,
  type HeaderLines,
  linesOf,
  notModified,
  partReply,
  type Reply,
  refusalReply,
  validatorLines,
} from './reply.js';
import type { Resource } from './routing.js';
import { settingsTag, tagOf } from './tag.js';

export interface Asking {
  readonly method: string;
  readonly fields: RequestFields;
  /** The client's address. */
  readonly address: string;
}

export interface ApiRequest extends Asking {
  /** Path and query string as they were sent. */
  readonly path: string;
  readonly query: string;
}

export interface Api {
  readonly reply: (resource: Resource, request: ApiRequest) => Reply;
  /** The same for GET and HEAD of a target, path and query string in one, whose page is kept; null where none is. */
  readonly keptReply: (target: string, request: Asking) => Reply | null;
  /** The address that a request comes from, behind a proxy that is trusted. */
  readonly clientOf: (request: Pick<Asking, 'address' | 'fields'>) => string;
  /** For a path at which there is nothing. */
  readonly nothingAt: (request: ApiRequest, paths: readonly string[]) => Reply;
  readonly failure: Reply;
  readonly preflight: Reply;
  readonly commonHeaders: HeaderLines;
}

const ALLOW = 'GET, HEAD, OPTIONS';
const DEFAULT_CACHE_BYTES = 64 << 20;
const isLimited = (path: string): boolean => path.startsWith('/api/');

/** Whether a path that leads nowhere was asked for by a browser that wants a page. */
const wantsPage = ({ fields }: ApiRequest): boolean => /\btext\/html\b/.test(fieldOf(fields, 'accept') ?? '');

/** `pageAt` is the page for a path at which there is nothing. */
export function createApi(options: AppOptions, pageAt: (path: string, paths: readonly string[]) => Refusal): Api {
  const { served, rateLimit, cacheBytes = DEFAULT_CACHE_BYTES } = options;
  const common = commonHeaders(options.corsOrigin);
  const limiter = rateLimit > 0 ? createRateLimiter(rateLimit, options.now) : null;
  const codingsOf = createNegotiator();
  const settings = settingsTag(options.version ?? '', options.envelope, options.maxLimit);
  const states = new WeakMap<Served, ServedState>();
  const preflight = refusalReply(preflightAnswer, common);

  /** Counts the request; the limit's headers stand on every answer that was counted. */
  function limited(request: Asking, path: string, answer: () => Reply): Reply {
    if (limiter === null || !isLimited(path)) return answer();
    const decision = limiter(clientKey(clientOf(request)));
    const { status, headers, body } = decision.allowed ? answer() : refuse(tooMany(rateLimit, decision));
    return { status, headers: headers + rateLines(rateLimit, decision), body };
  }

  const clientOf = ({ address, fields }: Pick<Asking, 'address' | 'fields'>): string =>
    options.trustProxy ? clientAddress(address, fieldOf(fields, 'x-forwarded-for')) : address;

  const refuse = (refusal: Refusal): Reply => refusalReply(refusal, common);

  function byMethod(resource: Resource, request: ApiRequest): Reply {
    const { method } = request;
    if (method === 'GET' || method === 'HEAD') return get(resource, request, served());
    return method === 'OPTIONS' ? preflight : refuse(methodNotAllowed(method));
  }

  function get(resource: Resource, request: ApiRequest, current: Served): Reply {
    const { path, query, fields } = request;
    const { cache, version, modified } = stateOf(current);
    const target = query === '' ? path : `${path}?${query}`;
    const kept = cache.get(target);
    if (kept !== undefined) return ofFinished(kept, fields, cache, target);

    const parsed = parse(resource, path, query);
    if (!parsed.ok) return refuse(errorAnswer(parsed.error));
    const answer = resource.handle({ dataset: current.dataset, values: parsed.values, path, query });
    if (!('render' in answer)) return refuse(answer);
    const validators = { tag: tagOf(version, resource.path, parsed.values, answer.key), modified };
    if (resource.streamed) return download(answer, validators, request);
    return ofFinished(new Finished(answer, validators, common), fields, cache, target);
  }

  function download(answer: Representation, validators: Validators, { fields, method }: ApiRequest): Reply {
    const coding = codingFor(fields);
    const judgement = judge(fields, validators, coding);
    if (judgement === 'known') return notModified(validators, coding, common);
    if (judgement === 'failed') return refuse(preconditionFailed);
    const { body, headers } = answer.render();
    if (!isDownload(body)) throw new Error('a download has no body of its own');
    const shared = validatorLines(validators, coding, common);
    const complete = shared + linesOf({ ...headers, 'Content-Type': answer.type });
    const part = method === 'GET' ? partReply(body, complete, fields, validators) : null;
    if (part === 'unsatisfiable') return refuse(rangeNotSatisfiable(body.size ?? 0));
    return part ?? downloadReply(body, complete, coding);
  }

  /** Parts are always of the uncoded bytes, so a client that asks for one gets these. */
  const codingFor = (fields: RequestFields): Coding =>
    fields.range === undefined ? best(codingsOf(fieldOf(fields, 'accept-encoding'))) : 'identity';

  /** What the page has come to keep since it was last used counts from now on. */
  function ofFinished(page: Finished, fields: RequestFields, cache: ByteCache<Finished>, target: string): Reply {
    const { bytes } = page;
    const coding = codingFor(fields);
    const judgement = judge(fields, page.validators, coding);
    if (judgement === 'failed') return refuse(preconditionFailed);
    const reply = judgement === 'known' ? page.notModified(coding) : page.reply(coding);
    if (page.bytes !== bytes) cache.set(target, page, page.bytes);
    return reply;
  }

  function stateOf(current: Served): ServedState {
    const found = states.get(current);
    if (found !== undefined) return found;
    const state = {
      cache: createByteCache<Finished>(cacheBytes),
      version: `${current.dataset.version}-${settings}`,
      modified: lastModified(current),
    };
    states.set(current, state);
    return state;
  }

  return {
    clientOf,
    keptReply(target, request) {
      const { cache } = stateOf(served());
      const page = cache.get(target);
      if (page === undefined) return null;
      return limited(request, target, () => ofFinished(page, request.fields, cache, target));
    },
    reply: (resource, request) => limited(request, resource.path, () => byMethod(resource, request)),
    nothingAt: (request, paths) =>
      limited(request, request.path, () => {
        if (isLimited(request.path)) return refuse(nothingAt(request.path, paths));
        const refusal = (wantsPage(request) ? pageAt : nothingAt)(request.path, paths);
        return refuse({ ...refusal, headers: { ...refusal.headers, Vary: 'Accept' } });
      }),
    failure: refuse(errorAnswer(internalError)),
    preflight,
    commonHeaders: common,
  };
}

/** What belongs to one dataset, and goes with it. */
interface ServedState {
  readonly cache: ByteCache<Finished>;
  /** Begins every tag. */
  readonly version: string;
  readonly modified: Modified | null;
}

/** Never later than now, whatever a file claims (RFC 9110, section 8.8.2.1). */
const lastModified = ({ modifiedAt: newest, loadedAt }: Served): Modified | null =>
  newest === undefined ? null : modifiedAt(Math.min(newest.getTime(), loadedAt.getTime()));

const best = (accepted: readonly Coding[]): Coding => accepted[0] ?? 'identity';
const noValues: ParameterValues = new Map();

function parse({ pathParameter, parameters }: Resource, path: string, query: string): Parsed {
  if (parameters === null) return { ok: true, values: noValues };
  const segment = pathParameter && { parameter: pathParameter, segment: path.slice(path.lastIndexOf('/') + 1) };
  return parseParameters(query, parameters, segment);
}

/** Answers OPTIONS, and with it what a browser asks before a cross-origin request (Fetch standard, section 3.3). */
const preflightAnswer: Refusal = {
  status: 204,
  type: '',
  body: null,
  headers: {
    Allow: ALLOW,
    'Access-Control-Allow-Methods': ALLOW,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  },
};

function methodNotAllowed(method: string): Refusal {
  const message = `${method} is not allowed here: this API is read-only. Allowed: ${ALLOW}.`;
  return errorAnswer({ code: 'method_not_allowed', message }, { Allow: ALLOW });
}

const MAX_SHOWN_PATH = 200;

function nothingAt(path: string, paths: readonly string[]): Refusal {
  const shown = path.length > MAX_SHOWN_PATH ? `${path.slice(0, MAX_SHOWN_PATH)}…` : path;
  return errorAnswer(notFound(`There is no path ${shown}.${didYouMean(path, paths)}`));
}

const preconditionFailed: Refusal = errorAnswer({
  code: 'precondition_failed',
  message: 'The representation has changed: If-Match or If-Unmodified-Since does not hold.',
});

const rangeNotSatisfiable = (size: number): Refusal =>
  errorAnswer(
    { code: 'range_not_satisfiable', message: `The range begins past the end: there are ${size} bytes.` },
    { 'Content-Range': unsatisfiedRange(size) },
  );

const tooMany = (limit: number, { resetSeconds }: RateDecision): Refusal =>
  errorAnswer(rateLimitExceeded(limit, resetSeconds), { 'Retry-After': String(resetSeconds) });
