/** The headers of all responses, and a component for each error of the catalogue. */
import { type ErrorCode, errorCodes, errorStatus } from '../../errors.js';
import type { AppOptions } from '../options.js';
import { JSON_TYPE } from '../response.js';
import { type Reference, reference } from './json-schema.js';
import type { OpenApiHeader, OpenApiResponse } from './types.js';

/** The headers that responses may have. Any response refers to all of them. */
const HEADERS = {
  'X-Content-Type-Options': '`nosniff`: browsers take `Content-Type` as it is.',
  'Cross-Origin-Resource-Policy': 'The websites that may embed the response.',
  Vary: 'The request headers that the response depends on.',
  'Access-Control-Allow-Origin': 'The origin whose scripts may read the response (CORS).',
  'Access-Control-Expose-Headers': 'The headers that such scripts may read (CORS).',
  'RateLimit-Policy': 'The requests of a client in a window (`q`), and its seconds (`w`).',
  RateLimit: 'The remaining requests of a client (`r`), and the seconds to its next window (`t`).',
  ETag: 'A strong entity tag, for `If-None-Match`.',
  'Last-Modified': 'The modification time of the newest file of the snapshot.',
  'Cache-Control': '`no-cache`: a stored response is used only after the server has confirmed it.',
  'Content-Encoding': '`br` or `gzip`, as `Accept-Encoding` allows, for bodies of 1 kB or more.',
  Link: 'The addresses of other pages and of exports of the same list (RFC 8288).',
  'X-Total-Count': 'The number of records that match, for lists.',
  'Content-Disposition': 'A name for a downloaded file.',
  'Accept-Ranges': '`bytes` where a `Range` of a file can be requested.',
  'Content-Range': 'The place of a part in its file, and the size of the file.',
  Location: 'The address of the record by its id, in place of its key.',
  Allow: 'The allowed methods, for a 405.',
  'Retry-After': 'The number of seconds to wait before the next request, for a 429 or 503.',
} as const;

/** Headers that are never sent under some options are not described. */
export function headerComponents({
  rateLimit,
  corsOrigin,
}: Pick<AppOptions, 'rateLimit' | 'corsOrigin'>): Readonly<Record<string, OpenApiHeader>> {
  const isSent = (name: string): boolean =>
    name.startsWith('RateLimit') ? rateLimit > 0 : !name.startsWith('Access-Control') || corsOrigin !== null;
  const sentHeaders = Object.entries(HEADERS).filter(([name]) => isSent(name));
  return Object.fromEntries(
    sentHeaders.map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

export type HeaderReferences = Readonly<Record<string, Reference>>;

export const referencesTo = (headers: Readonly<Record<string, OpenApiHeader>>): HeaderReferences =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, reference('headers', name)]));

const ERRORS: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'The request is unreadable, or a required parameter is missing.',
  not_found: 'There is no such record, value or path.',
  cross_site_request: 'A page of another site, whose origin is not allowed, made the request.',
  method_not_allowed: 'The method is not GET, HEAD or OPTIONS.',
  precondition_failed: '`If-Match` or `If-Unmodified-Since` does not hold.',
  range_not_satisfiable: 'The `Range` begins after the end of the file.',
  misdirected_request: 'The `Host` is not a name of this server.',
  validation_error: 'A parameter is unknown, is given twice, or has a value that is not allowed.',
  rate_limit_exceeded: 'The client has reached the rate limit.',
  unavailable:
    'The server is still loading the snapshots, its database does not answer in time, or it was started with `--fail`.',
  internal_error: 'The server has a bug, which its log describes.',
  not_implemented: 'The database that the records are served from does not do this.',
};

export const errorComponents = (headers: HeaderReferences, isLimited: boolean): Record<string, OpenApiResponse> =>
  Object.fromEntries(
    errorCodes
      .filter((code) => isLimited || code !== 'rate_limit_exceeded')
      .map((code) => {
        const example = { error: { code, message: ERRORS[code] } };
        const content = { [JSON_TYPE]: { schema: reference('schemas', 'Error'), example } };
        return [code, { description: ERRORS[code], headers, content }];
      }),
  );

const COMMON_CODES: readonly ErrorCode[] = [
  'cross_site_request',
  'precondition_failed',
  'misdirected_request',
  'internal_error',
  'unavailable',
];

/** References to the error components, by status: those that every operation has, and those of `codes`. */
export const errorResponses = (
  isLimited: boolean,
  codes: readonly ErrorCode[] = [],
): Readonly<Record<string, Reference>> =>
  Object.fromEntries(
    [...codes, ...COMMON_CODES, ...(isLimited ? (['rate_limit_exceeded'] as const) : [])].map((code) => [
      String(errorStatus[code]),
      reference('responses', code),
    ]),
  );
