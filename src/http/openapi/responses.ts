/** The headers of all responses, and a component for each error of the catalogue. */
import { type ErrorCode, errorCodes, errorStatus } from '../../errors.js';
import { JSON_TYPE } from '../response.js';
import { type Reference, reference } from './json-schema.js';
import type { OpenApiContent, OpenApiResponse } from './types.js';

/** The headers that clients of the API read; HTTP's own, such as `Content-Encoding`, are not described. Any response refers to all. */
const HEADERS = {
  'RateLimit-Policy': 'The requests of a client in a window (`q`), and its seconds (`w`), where requests are limited.',
  RateLimit: 'The remaining requests of a client (`r`), and the seconds to its next window (`t`).',
  ETag: 'A strong entity tag, for `If-None-Match`.',
  'Last-Modified': 'The modification time of the newest file of the snapshot.',
  Link: 'The addresses of other pages and of exports of the same list (RFC 8288).',
  'X-Total-Count': 'The number of records that match, for lists.',
  Location: 'The address of the record by its id, in place of its key.',
  'Retry-After': 'The number of seconds to wait before the next request, for a 429 or 503.',
} as const;

export const headerComponents = Object.fromEntries(
  Object.entries(HEADERS).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
);

const headerReferences: Readonly<Record<string, Reference>> = Object.fromEntries(
  Object.keys(HEADERS).map((name) => [name, reference('headers', name)]),
);

export const response = (description: string, content?: OpenApiContent): OpenApiResponse => ({
  description,
  headers: headerReferences,
  ...(content !== undefined && { content }),
});

const ERRORS: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'The request is unreadable, or a required parameter is missing.',
  not_found: 'There is no such record, value or path.',
  cross_site_request: 'A page of another site, whose origin is not allowed, made the request.',
  method_not_allowed: 'The method is not GET, HEAD or OPTIONS.',
  precondition_failed: '`If-Match` or `If-Unmodified-Since` does not hold.',
  range_not_satisfiable: 'The `Range` begins after the end of the file.',
  misdirected_request: 'The `Host` is not a name of this server.',
  validation_error: 'A parameter is unknown, is given twice, or has a value that is not allowed.',
  rate_limit_exceeded: 'The client has reached the rate limit, where there is one.',
  unavailable:
    'The server is still loading the snapshots, its database does not answer in time, or it was started with `--fail`.',
  internal_error: 'The server has a bug, which its log describes.',
  not_implemented: 'The database that the records are served from does not do this.',
};

export const errorComponents: Readonly<Record<string, OpenApiResponse>> = Object.fromEntries(
  errorCodes.map((code) => {
    const example = { error: { code, message: ERRORS[code] } };
    return [code, response(ERRORS[code], { [JSON_TYPE]: { schema: reference('schemas', 'Error'), example } })];
  }),
);

/** References to the error components, by status: any operation may fail in each of these ways. */
export const errorReferences: Readonly<Record<string, Reference>> = Object.fromEntries(
  errorCodes.map((code) => [String(errorStatus[code]), reference('responses', code)]),
);
