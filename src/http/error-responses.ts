/** The error responses that a request may get before or instead of a resource's own. */
import { internalError, notFound, rateLimitExceeded } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { quote } from '../text.js';
import type { LoadProgress } from './options.js';
import { errorResponse, type PlainResponse } from './response.js';
import type { FailedPrecondition } from './semantics/preconditions.js';
import { shareInPercent } from './semantics/simulation.js';

export const ALLOW = 'GET, HEAD, OPTIONS';

export function misdirected(host: string, names: readonly string[]): PlainResponse {
  const message = `${quote(host)} is not a name of this server, which answers to ${names.join(', ')}. Whoever runs it allows another with --allowed-host NAME.`;
  return errorResponse({ code: 'misdirected_request', message });
}

export const crossSite: PlainResponse = errorResponse({
  code: 'cross_site_request',
  message:
    'A page of another site asked for this, and its origin is not allowed here. Whoever runs the server allows it with --cors ORIGIN.',
});

const RETRY_SOON = { 'Retry-After': '1' };

const stillLoading = ({ share }: LoadProgress): string =>
  `The snapshots are being loaded, ${Math.floor(share * 100)}% so far: try again in a second.`;

export const unavailable = (progress: LoadProgress): PlainResponse =>
  errorResponse({ code: 'unavailable', message: stillLoading(progress) }, RETRY_SOON);

/** `what` are parameters, operations or pages that the engine lacks. */
export const notImplemented = (what: string): PlainResponse =>
  errorResponse({
    code: 'not_implemented',
    message: `These records are served from a database, without ${what}: /api lists what is there, and /docs describes it.`,
  });

/** The engine does not answer now. */
export const engineUnavailable = (message: string): PlainResponse =>
  errorResponse({ code: 'unavailable', message }, RETRY_SOON);

export const simulatedFailure = (share: number): PlainResponse =>
  errorResponse(
    {
      code: 'unavailable',
      message: `This answer fails on purpose, as ${shareInPercent(share)} of them do: the server was started with --fail.`,
    },
    RETRY_SOON,
  );

export const tooManyRequests = (limit: number, resetSeconds: number): PlainResponse =>
  errorResponse(rateLimitExceeded(limit, resetSeconds), { 'Retry-After': String(resetSeconds) });

export function methodNotAllowed(method: string): PlainResponse {
  const message = `${method} is not allowed here: this API is read-only. Allowed: ${ALLOW}.`;
  return errorResponse({ code: 'method_not_allowed', message }, { Allow: ALLOW });
}

const MAX_SHOWN_PATH = 200;

/** `line` says what works in place of the path, where that is known. */
export function noPath(path: string, paths: readonly string[], line: string | null): PlainResponse {
  const shortPath = path.length > MAX_SHOWN_PATH ? `${path.slice(0, MAX_SHOWN_PATH)}…` : path;
  const advice = line === null ? didYouMean(path, paths) || ' The paths of the API are listed at /api.' : ` ${line}`;
  return errorResponse(notFound(`There is no path ${shortPath}.${advice}`));
}

/** By field of a request: the header of the response that it is compared with. */
const comparedHeaders = { 'If-Match': 'ETag', 'If-Unmodified-Since': 'Last-Modified' } as const;

export function preconditionFailed({ field, current }: FailedPrecondition): PlainResponse {
  const message = `${field} does not hold: the current ${comparedHeaders[field]} is ${current}. Leave ${field} out to get the response.`;
  return errorResponse({ code: 'precondition_failed', message });
}

/** `range` is the request's field. */
export const rangeNotSatisfiable = (range: string, size: number): PlainResponse =>
  errorResponse(
    { code: 'range_not_satisfiable', message: `The file has ${size} bytes, none of them in Range ${quote(range)}.` },
    { 'Content-Range': `bytes */${size}` },
  );

export const internalErrorResponse: PlainResponse = errorResponse(internalError);
