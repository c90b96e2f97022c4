/** The error responses: a component for each code of the catalogue, with an example body. */
import { type ErrorCode, errorCodes, errorStatus, notFound } from '../../errors.js';
import { type Parameter, pageParameter, searchTextParameter } from '../../query/parameters.js';
import { parseParameters } from '../../query/parse.js';
import {
  crossSite,
  internalErrorResponse,
  methodNotAllowed,
  misdirected,
  notImplemented,
  preconditionFailed,
  rangeNotSatisfiable,
  tooManyRequests,
  unavailable,
} from '../error-responses.js';
import { errorResponse, JSON_TYPE, type PlainResponse } from '../response.js';
import type { OpenApiHeaders } from './headers.js';
import { type Reference, reference } from './json-schema.js';
import type { OpenApiResponse } from './types.js';

/** The response to a request with this query string. */
function faultyQuery(query: string, parameter: Parameter): PlainResponse {
  const parsed = parseParameters(query, [parameter]);
  return parsed.ok ? internalErrorResponse : errorResponse(parsed.error);
}

const errors: Readonly<
  Record<ErrorCode, readonly [description: string, example: PlainResponse, header?: 'retry' | 'range' | 'method']>
> = {
  invalid_request: [
    'The request is unreadable, or a required parameter is missing.',
    faultyQuery('', searchTextParameter),
  ],
  not_found: ['There is no such record, value or path.', errorResponse(notFound('Article with id 7 not found.'))],
  cross_site_request: ['A page of another site, whose origin is not allowed, made the request.', crossSite],
  method_not_allowed: ['The method is not GET, HEAD or OPTIONS.', methodNotAllowed('POST'), 'method'],
  precondition_failed: [
    '`If-Match` or `If-Unmodified-Since` does not hold.',
    preconditionFailed({ field: 'If-Match', current: '"1f3a"' }),
  ],
  range_not_satisfiable: [
    'The `Range` begins after the end of the file.',
    rangeNotSatisfiable('bytes=200-', 121),
    'range',
  ],
  misdirected_request: [
    'The `Host` is not a name of this server.',
    misdirected('evil.example', ['localhost', '127.0.0.1', '[::1]']),
  ],
  validation_error: [
    'A parameter is unknown, is given twice, or has a value that is not allowed.',
    faultyQuery('page=0', pageParameter),
  ],
  rate_limit_exceeded: ['The client has reached the rate limit.', tooManyRequests(100, 60), 'retry'],
  unavailable: [
    'The server is still loading the snapshots, its database does not answer in time, or it was started with `--fail`.',
    unavailable(0.43),
    'retry',
  ],
  internal_error: ['The server has a bug, which its log describes.', internalErrorResponse],
  not_implemented: ['The database that the records are served from does not do this.', notImplemented('similar')],
};

export const componentResponses = (
  headers: OpenApiHeaders,
  isLimited: boolean,
): Readonly<Record<string, OpenApiResponse>> =>
  Object.fromEntries(
    errorCodes
      .filter((code) => isLimited || code !== 'rate_limit_exceeded')
      .map((code) => [code, errorComponent(code, headers)]),
  );

function errorComponent(code: ErrorCode, headers: OpenApiHeaders): OpenApiResponse {
  const [description, { body }, header] = errors[code];
  return {
    description,
    headers: headers.of('limited', ...(header === undefined ? [] : [header])),
    content: { [JSON_TYPE]: { schema: reference('schemas', 'Error'), example: JSON.parse(body ?? 'null') } },
  };
}

const COMMON_CODES: readonly ErrorCode[] = [
  'cross_site_request',
  'precondition_failed',
  'misdirected_request',
  'internal_error',
  'unavailable',
];

/** References to the response components, by status: those that every operation has, and those of `codes`. */
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
