/** The headers of all responses, and a component for each error of the catalogue. */
import { type ErrorCode, errorCodes, errorStatus } from '../../errors.js';
import type { AppOptions } from '../options.js';
import { JSON_TYPE } from '../response.js';
import { WINDOW_SECONDS } from '../semantics/rate-limit.js';
import { type Reference, reference } from './json-schema.js';
import type { OpenApiHeader, OpenApiResponse } from './types.js';

/** The options that switch headers on: a header that is never sent is not described. */
export type HeaderOptions = Pick<AppOptions, 'rateLimit' | 'corsOrigin'>;

type ResponseTexts = Readonly<Record<string, string>>;

const OF_EVERY_RESPONSE: ResponseTexts = {
  'X-Content-Type-Options': '`nosniff`: browsers take `Content-Type` as it is.',
  'Cross-Origin-Resource-Policy': 'The websites that may embed the response.',
  Vary: 'The request headers that the response depends on.',
};
const withCors = (origin: string): ResponseTexts => ({
  'Access-Control-Allow-Origin': `The origin whose scripts may read the response (CORS): ${origin === 'local' ? 'any of this machine' : `\`${origin}\``}.`,
  'Access-Control-Expose-Headers': 'The headers that such scripts may read (CORS).',
});
const withRateLimit = (limit: number): ResponseTexts => ({
  'RateLimit-Policy': `The requests of a client in a window (\`q\`), and its seconds (\`w\`): \`"default";q=${limit};w=${WINDOW_SECONDS}\`.`,
  RateLimit: 'The remaining requests of a client (`r`), and the seconds to its next window (`t`).',
});
const OF_RESOURCES: ResponseTexts = {
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
};
const OF_ERRORS: ResponseTexts = {
  Allow: 'The allowed methods, for a 405.',
  'Retry-After': 'The number of seconds to wait before the next request, for a 429 or 503.',
  'Content-Range': OF_RESOURCES['Content-Range'] ?? '',
};

export interface ResponseHeaders {
  readonly components: Readonly<Record<string, OpenApiHeader>>;
  /** References to the headers of a 200 and its likes. */
  readonly ofResources: Readonly<Record<string, Reference>>;
  readonly ofErrors: Readonly<Record<string, Reference>>;
}

export function responseHeaders({ rateLimit, corsOrigin }: HeaderOptions): ResponseHeaders {
  const common = {
    ...OF_EVERY_RESPONSE,
    ...(corsOrigin !== null && withCors(corsOrigin)),
    ...(rateLimit > 0 && withRateLimit(rateLimit)),
  };
  const texts: ResponseTexts = { ...common, ...OF_RESOURCES, ...OF_ERRORS };
  const referencesTo = (names: ResponseTexts) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, reference('headers', name)]));
  return {
    components: Object.fromEntries(
      Object.entries(texts).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
    ),
    ofResources: referencesTo({ ...common, ...OF_RESOURCES }),
    ofErrors: referencesTo({ ...common, ...OF_ERRORS }),
  };
}

/** By code: a description, and the message of an example. */
const ERRORS: Readonly<Record<ErrorCode, readonly [description: string, message: string]>> = {
  invalid_request: ['The request is unreadable, or a required parameter is missing.', '"q" must not be empty.'],
  not_found: ['There is no such record, value or path.', 'Article with id 7 not found.'],
  cross_site_request: [
    'A page of another site, whose origin is not allowed, made the request.',
    'A page of another site asked for this, and its origin is not allowed here.',
  ],
  method_not_allowed: [
    'The method is not GET, HEAD or OPTIONS.',
    'POST is not allowed here: this API is read-only. Allowed: GET, HEAD, OPTIONS.',
  ],
  precondition_failed: [
    '`If-Match` or `If-Unmodified-Since` does not hold.',
    'If-Match does not hold: the current ETag is "1f3a". Leave If-Match out to get the response.',
  ],
  range_not_satisfiable: [
    'The `Range` begins after the end of the file.',
    'The file has 121 bytes, none of them in Range "bytes=200-".',
  ],
  misdirected_request: [
    'The `Host` is not a name of this server.',
    '"evil.example" is not a name of this server, which answers to localhost, 127.0.0.1, [::1].',
  ],
  validation_error: [
    'A parameter is unknown, is given twice, or has a value that is not allowed.',
    '"page" must be an integer of at least 1, received "0".',
  ],
  rate_limit_exceeded: [
    'The client has reached the rate limit.',
    'The limit of 100 requests a minute is reached; try again in 60 s.',
  ],
  unavailable: [
    'The server is still loading the snapshots, its database does not answer in time, or it was started with `--fail`.',
    'The snapshots are being loaded, 43 % so far: try again in a second.',
  ],
  internal_error: [
    'The server has a bug, which its log describes.',
    'An unexpected error occurred; the server log has the details.',
  ],
  not_implemented: [
    'The database that the records are served from does not do this.',
    'These records are served from a database, without similar: /api lists what is there, and /docs describes it.',
  ],
};

export const errorComponents = ({ ofErrors }: ResponseHeaders, isLimited: boolean): Record<string, OpenApiResponse> =>
  Object.fromEntries(
    errorCodes
      .filter((code) => isLimited || code !== 'rate_limit_exceeded')
      .map((code) => {
        const [description, message] = ERRORS[code];
        const content = { schema: reference('schemas', 'Error'), example: { error: { code, message } } };
        return [code, { description, headers: ofErrors, content: { [JSON_TYPE]: content } }];
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
