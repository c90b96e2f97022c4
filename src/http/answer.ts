/** An answer as a value, and the one place that turns it into a response. */
import { type ApiError, errorStatus } from '../errors.js';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export const JSON_TYPE = 'application/json';

export const jsonAnswer = (value: unknown): Answer => ({ status: 200, type: JSON_TYPE, body: JSON.stringify(value) });

export const errorAnswer = (
  { code, message, details }: ApiError,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status: errorStatus[code],
  type: JSON_TYPE,
  body: JSON.stringify({ error: details === undefined ? { code, message } : { code, message, details } }),
  headers,
});

/** Bytes of a body that is held whole; null for a stream. */
function bodyBytes(body: Answer['body']): number | null {
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.byteLength;
  return body === null ? 0 : null;
}

/**
 * The response to an answer. Headers are a plain object set before the response is made: `@hono/node-server` then
 * sends it without building a `Headers` or reading the body as a stream.
 */
export function respond(answer: Answer, common: Readonly<Record<string, string>>): Response {
  const headers: Record<string, string> = { ...common, ...answer.headers };
  const bytes = bodyBytes(answer.body);
  if (answer.body !== null) headers['Content-Type'] = answer.type;
  // Said explicitly so that a HEAD answer carries it too.
  if (bytes !== null && answer.status !== 204) headers['Content-Length'] = String(bytes);
  return new Response(answer.body, { status: answer.status, headers });
}
