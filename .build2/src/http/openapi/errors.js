/** What goes wrong, from the catalogue of error codes: one response component each, with an example as it is sent. */
import { errorCodes, errorStatus, internalError, rateLimitExceeded } from '../../errors.js';
import { pageParameter, searchTextParameter } from '../../query/parameters.js';
import { parseParameters } from '../../query/parse.js';
import { errorResponse, JSON_TYPE } from '../response.js';
import { reference } from './json-schema.js';
const described = {
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
    validation_error: {
        description: 'A parameter has a value that is not allowed, is given twice, or is unknown.',
        message: '',
        faulty: { query: 'page=0', parameters: [pageParameter] },
    },
    rate_limit_exceeded: {
        description: 'Over the rate limit.',
        message: rateLimitExceeded(100, 60).message,
    },
    internal_error: {
        description: 'A bug; the log of the server has the details.',
        message: internalError.message,
    },
};
export const componentResponses = (headers, isLimited) => Object.fromEntries(errorCodes
    .filter((code) => isLimited || code !== 'rate_limit_exceeded')
    .map((code) => [code, response(code, described[code], headers)]));
function response(code, { description, message, faulty }, headers) {
    const parsed = faulty && parseParameters(faulty.query, faulty.parameters, null);
    const error = parsed === undefined || parsed.ok ? { code, message } : parsed.error;
    const { body } = errorResponse(error);
    return {
        description,
        headers: headers.of('limited', ...(special[code] ?? [])),
        content: { [JSON_TYPE]: { schema: reference('schemas', 'Error'), example: JSON.parse(body ?? 'null') } },
    };
}
const special = {
    method_not_allowed: ['method'],
    rate_limit_exceeded: ['tooMany'],
    range_not_satisfiable: ['range'],
};
/** Per status, a reference to what it means. */
export const errorResponses = (codes) => Object.fromEntries(codes.map((code) => [String(errorStatus[code]), reference('responses', code)]));
