/** The error responses: a component for each code of the catalogue, with an example body. */
import { type ErrorCode, errorCodes, errorStatus, internalError, rateLimitExceeded } from '../../errors.js';
import { type Parameter, pageParameter, searchTextParameter } from '../../query/parameters.js';
import { parseParameters } from '../../query/parse.js';
import { errorResponse, JSON_TYPE } from '../response.js';
import type { OpenApiHeaders } from './headers.js';
import { type JsonSchema, reference } from './json-schema.js';

interface ErrorDescription {
  readonly description: string;
  readonly message: string;
  /** A faulty request, from which the example is made. */
  readonly faulty?: { readonly query: string; readonly parameters: readonly Parameter[] };
}

const descriptions: Readonly<Record<ErrorCode, ErrorDescription>> = {
  invalid_request: {
    description: 'The request cannot be understood, or misses a required parameter.',
    message: '',
    faulty: { query: '', parameters: [searchTextParameter] },
  },
  not_found: { description: 'There is no such record, category or path.', message: 'Article with id 7 not found.' },
  method_not_allowed: {
    description: 'Another method than GET, HEAD and OPTIONS.',
    message: 'POST is not allowed here: this API is read-only. Allowed: GET, HEAD, OPTIONS.',
  },
  precondition_failed: {
    description: '`If-Match` or `If-Unmodified-Since` does not hold.',
    message: 'The representation has changed: If-Match or If-Unmodified-Since does not hold.',
  },
  range_not_satisfiable: {
    description: 'The `Range` begins past the end.',
    message: 'The range begins past the end: there are 121 bytes.',
  },
  misdirected_request: {
    description: 'The `Host` is not a name of this server.',
    message:
      '"evil.example" is not a name of this server, which answers to localhost, 127.0.0.1, [::1]. Whoever runs it allows another with --allowed-host NAME.',
  },
  validation_error: {
    description: 'A parameter has a value that is not allowed, is given twice, or is unknown.',
    message: '',
    faulty: { query: 'page=0', parameters: [pageParameter] },
  },
  rate_limit_exceeded: {
    description: 'Over the rate limit.',
    message: rateLimitExceeded(100, 60).message,
  },
  unavailable: {
    description: 'The snapshots are being loaded for the first time.',
    message: 'The snapshots are being loaded, 43 % so far: try again in a second.',
  },
  internal_error: {
    description: 'A bug; the log of the server has the details.',
    message: internalError.message,
  },
};

export const componentResponses = (headers: OpenApiHeaders, isLimited: boolean): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    errorCodes
      .filter((code) => isLimited || code !== 'rate_limit_exceeded')
      .map((code) => [code, errorComponent(code, descriptions[code], headers)]),
  );

function errorComponent(
  code: ErrorCode,
  { description, message, faulty }: ErrorDescription,
  headers: OpenApiHeaders,
): JsonSchema {
  const parsed = faulty && parseParameters(faulty.query, faulty.parameters);
  const error = parsed === undefined || parsed.ok ? { code, message } : parsed.error;
  const { body } = errorResponse(error);
  return {
    description,
    headers: headers.of('limited', ...(special[code] ?? [])),
    content: { [JSON_TYPE]: { schema: reference('schemas', 'Error'), example: JSON.parse(body ?? 'null') } },
  };
}

const special: Readonly<Partial<Record<ErrorCode, readonly ('tooMany' | 'range' | 'method')[]>>> = {
  method_not_allowed: ['method'],
  rate_limit_exceeded: ['tooMany'],
  unavailable: ['tooMany'],
  range_not_satisfiable: ['range'],
};

/** References to the response components, by status. */
export const errorResponses = (codes: readonly ErrorCode[]): JsonSchema =>
  Object.fromEntries(codes.map((code) => [String(errorStatus[code]), reference('responses', code)]));
