/**
 * A request to a resource → a finished reply: rate limit, method, parameters, preconditions, then the body, in this
 * order and each only if it is reached. Synchronous, without I/O. What is served is read once, at the start, so that no
 * reply mixes two datasets; finished pages are kept for as long as theirs is served.
 */
import { internalError, notFound, rateLimitExceeded } from '../errors.js';
import { didYouMean } from '../query/nearest.js';
import { parseParameters } from '../query/parse.js';
import { createByteCache } from './cache.js';
import { CachedResponse, commonHeaders, downloadResponse, errorResponse, finishError, linesOf, notModified, partResponse, redirect, validatorLines, } from './response.js';
import { meantPath } from './routing.js';
import { createNegotiator } from './semantics/content-coding.js';
import { etagOf, settingsEtag } from './semantics/etag.js';
import { evaluatePreconditions, fieldOf, modifiedAt, } from './semantics/preconditions.js';
import { unsatisfiedRange } from './semantics/range.js';
import { clientAddress, clientKey, createRateLimiter, rateLines } from './semantics/rate-limit.js';
const ALLOW = 'GET, HEAD, OPTIONS';
const DEFAULT_CACHE_BYTES = 64 << 20;
const isRead = (method) => method === 'GET' || method === 'HEAD';
/** Path and query string in one. */
export const targetOf = ({ path, query }) => query === '' ? path : `${path}?${query}`;
const isLimited = (path) => path === '/api' || path.startsWith('/api/');
/** Whether a path that leads nowhere was asked for by a browser that wants a page. */
const wantsPage = ({ fields }) => /\btext\/html\b/.test(fieldOf(fields, 'accept') ?? '');
/** `pageAt` is the page for a path at which there is nothing. */
export function createHandler(options, nextTurn, pageAt) {
    const { served, rateLimit, cacheBytes = DEFAULT_CACHE_BYTES } = options;
    const common = commonHeaders(options.corsOrigin);
    const limiter = rateLimit > 0 ? createRateLimiter(rateLimit, options.now) : null;
    const codingsOf = createNegotiator();
    const settings = settingsEtag(options.version ?? '', options.envelope, options.maxLimit);
    const states = new WeakMap();
    const preflight = finishError(preflightAnswer, common);
    /** Counts a request: the lines that stand on its answer, and the answer itself where it is one too many. */
    function count(request, path) {
        if (limiter === null || !isLimited(path))
            return NOT_COUNTED;
        const decision = limiter(clientKey(clientOf(request)));
        const refusal = decision.allowed ? null : refuse(tooMany(rateLimit, decision));
        return { refusal, lines: rateLines(rateLimit, decision) };
    }
    const clientOf = ({ address, fields }) => options.trustProxy ? clientAddress(address, fieldOf(fields, 'x-forwarded-for')) : address;
    const refuse = (refusal) => finishError(refusal, common);
    function unlessRead(method) {
        if (isRead(method))
            return null;
        return method === 'OPTIONS' ? preflight : refuse(methodNotAllowed(method));
    }
    function page(resource, request) {
        const { path, query, fields } = request;
        const current = served();
        const { cache, version, modified } = stateOf(current);
        const parsed = parse(resource, path, query);
        if (!parsed.ok)
            return refuse(errorResponse(parsed.error));
        const answer = resource.handle({ dataset: current.dataset, values: parsed.values, path, query });
        if (!('render' in answer))
            return refuse(answer);
        const validators = { tag: etagOf(version, resource.path, parsed.values, answer.key), modified };
        const made = new CachedResponse(answer, validators, common);
        const target = targetOf(request);
        return cache.isAskedAgain(target) ? sendCached(made, fields, cache, target) : sendPage(made, fields);
    }
    async function download(resource, { path, query, fields, method }) {
        const current = served();
        const { version, modified } = stateOf(current);
        const parsed = parse(resource, path, query);
        if (!parsed.ok)
            return refuse(errorResponse(parsed.error));
        const { type, key, headers, open } = resource.handle({
            dataset: current.dataset,
            values: parsed.values,
            path,
            query,
        });
        const validators = { tag: etagOf(version, resource.path, parsed.values, key), modified };
        const coding = codingFor(fields);
        const verdict = evaluatePreconditions(fields, validators, coding);
        if (verdict === 'notModified')
            return notModified(validators, coding, common);
        if (verdict === 'failed')
            return refuse(preconditionFailed);
        await nextTurn();
        const file = await open(nextTurn);
        const complete = validatorLines(validators, coding, common) + linesOf({ ...headers, 'Content-Type': type });
        const part = method === 'GET' ? partResponse(file, complete, fields, validators) : null;
        if (part === 'unsatisfiable')
            return refuse(rangeNotSatisfiable(file.size ?? 0));
        return part ?? downloadResponse(file, complete, coding);
    }
    /** Parts are always of the uncoded bytes, so a client that asks for one gets these. */
    const codingFor = (fields) => fields.range === undefined ? best(codingsOf(fieldOf(fields, 'accept-encoding'))) : 'identity';
    function sendPage(page, fields) {
        const coding = codingFor(fields);
        const verdict = evaluatePreconditions(fields, page.validators, coding);
        if (verdict === 'failed')
            return refuse(preconditionFailed);
        return verdict === 'notModified' ? page.notModified(coding) : page.reply(coding);
    }
    /** What the page has come to keep since it was last used counts from now on. */
    function sendCached(page, fields, cache, target) {
        const { bytes } = page;
        const reply = sendPage(page, fields);
        if (page.bytes !== bytes)
            cache.set(target, page, page.bytes);
        return reply;
    }
    function stateOf(current) {
        const found = states.get(current);
        if (found !== undefined)
            return found;
        const state = {
            cache: createByteCache(cacheBytes),
            version: `${current.dataset.version}-${settings}`,
            modified: lastModified(current),
        };
        states.set(current, state);
        return state;
    }
    return {
        clientOf,
        fromCache(target, request) {
            const { cache } = stateOf(served());
            const page = isRead(request.method) ? cache.get(target) : undefined;
            if (page === undefined)
                return null;
            const { refusal, lines } = count(request, target);
            return withLines(refusal ?? sendCached(page, request.fields, cache, target), lines);
        },
        page(resource, request) {
            const { refusal, lines } = count(request, resource.path);
            return withLines(refusal ?? unlessRead(request.method) ?? page(resource, request), lines);
        },
        async download(resource, request) {
            const { refusal, lines } = count(request, resource.path);
            return withLines(refusal ?? unlessRead(request.method) ?? (await download(resource, request)), lines);
        },
        nothingAt(request, paths) {
            const { path } = request;
            const { refusal, lines } = count(request, path);
            if (refusal !== null)
                return withLines(refusal, lines);
            if (isLimited(path))
                return withLines(refuse(nothingAt(path, paths)), lines);
            const meant = isRead(request.method) ? meantPath(path, paths) : null;
            if (meant !== null)
                return refuse(redirect(targetOf({ path: meant, query: request.query })));
            const nothing = (wantsPage(request) ? pageAt : nothingAt)(path, paths);
            return refuse({ ...nothing, headers: { ...nothing.headers, Vary: 'Accept' } });
        },
        failure: refuse(errorResponse(internalError)),
        preflight,
        commonHeaders: common,
    };
}
const NOT_COUNTED = { refusal: null, lines: '' };
const withLines = (reply, lines) => lines === '' ? reply : { status: reply.status, headers: reply.headers + lines, body: reply.body };
/** Never later than now, whatever a file claims (RFC 9110, section 8.8.2.1). */
const lastModified = ({ modifiedAt: newest, loadedAt }) => newest === undefined ? null : modifiedAt(Math.min(newest.getTime(), loadedAt.getTime()));
const best = (accepted) => accepted[0] ?? 'identity';
const noValues = new Map();
function parse({ pathParameter, parameters }, path, query) {
    if (parameters === null)
        return { ok: true, values: noValues };
    const segment = pathParameter && { parameter: pathParameter, segment: path.slice(path.lastIndexOf('/') + 1) };
    return parseParameters(query, parameters, segment);
}
/** Answers OPTIONS, and with it what a browser asks before a cross-origin request (Fetch standard, section 3.3). */
const preflightAnswer = {
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
function methodNotAllowed(method) {
    const message = `${method} is not allowed here: this API is read-only. Allowed: ${ALLOW}.`;
    return errorResponse({ code: 'method_not_allowed', message }, { Allow: ALLOW });
}
const MAX_SHOWN_PATH = 200;
function nothingAt(path, paths) {
    const shown = path.length > MAX_SHOWN_PATH ? `${path.slice(0, MAX_SHOWN_PATH)}…` : path;
    return errorResponse(notFound(`There is no path ${shown}.${didYouMean(path, paths)}`));
}
const preconditionFailed = errorResponse({
    code: 'precondition_failed',
    message: 'The representation has changed: If-Match or If-Unmodified-Since does not hold.',
});
const rangeNotSatisfiable = (size) => errorResponse({ code: 'range_not_satisfiable', message: `The range begins past the end: there are ${size} bytes.` }, { 'Content-Range': unsatisfiedRange(size) });
const tooMany = (limit, { resetSeconds }) => errorResponse(rateLimitExceeded(limit, resetSeconds), { 'Retry-After': String(resetSeconds) });
