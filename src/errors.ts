/**
 * The catalogue of everything the API can answer but success: code → HTTP status. An `ApiError` is a value: parsing
 * and querying return it, and one place in `http` turns it into a response.
 */
import { type Message, messageText } from './text.js';

export const errorStatus = {
  invalid_request: 400,
  cross_site_request: 403,
  not_found: 404,
  method_not_allowed: 405,
  precondition_failed: 412,
  range_not_satisfiable: 416,
  misdirected_request: 421,
  validation_error: 422,
  rate_limit_exceeded: 429,
  internal_error: 500,
  not_implemented: 501,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

const isErrorCode = (name: string): name is ErrorCode => name in errorStatus;
export const errorCodes: readonly ErrorCode[] = Object.keys(errorStatus).filter(isErrorCode);

/** A fault of one request parameter. */
export interface ParameterFault {
  readonly parameter: string;
  /** A whole sentence, as the API sends it. */
  readonly message: string;
  /** The sentence without the parameter's name, for a reader who sees the name before it. */
  readonly says: Message;
}

/** A fault whose sentence begins with the parameter's name. */
export const faultOf = (parameter: string, ...says: Message): ParameterFault => ({
  parameter,
  message: `"${parameter}" ${messageText(says)}`,
  says,
});

export interface ApiError {
  readonly code: ErrorCode;
  readonly message: string;
  /** The message in its parts, where it quotes a text. */
  readonly parts?: Message;
  readonly details?: readonly ParameterFault[];
  /** The number of parameters at fault that `details` does not describe. */
  readonly more?: number;
  /** A sentence of the message that belongs to no parameter. */
  readonly note?: string;
}

export const internalError: ApiError = {
  code: 'internal_error',
  message: 'An unexpected error occurred; the server log has the details.',
};

export const notFound = (...parts: Message): ApiError => ({ code: 'not_found', message: messageText(parts), parts });

/** The error for addresses of a collection that a file is named after, but was not taken for. */
export const takenForAnother = (name: string, file: string, collection: string): ApiError =>
  notFound(
    `There is no collection ${name}: ${file} was taken for ${collection}. Start the server with --as ${name} to serve it as ${name}.`,
  );

export const rateLimitExceeded = (limit: number, resetSeconds: number): ApiError => ({
  code: 'rate_limit_exceeded',
  message: `The limit of ${limit} requests a minute is reached; try again in ${resetSeconds} s. Whoever runs the server lifts it with --rate-limit 0.`,
});

/** Faults that an error describes; of any others it says how many there are. */
export const MAX_DETAILS = 10;

/** The error for all faults of a request: details and message describe the first ones, the message has `note`, and counts `more`. */
export const parameterError = (
  code: ErrorCode,
  details: readonly ParameterFault[],
  more = 0,
  note?: string,
): ApiError => ({
  code,
  message: [
    ...details.map((fault) => fault.message),
    ...(note === undefined ? [] : [note]),
    ...(more > 0 ? [andMore(more)] : []),
  ].join(' '),
  details,
  more,
  ...(note !== undefined && { note }),
});

export const andMore = (more: number): string => `And ${more} more.`;
