/** Between Hono's `Request` and `Response` and those of the handler. */
import type { Context } from 'hono';
import { type ApiRequest, requestFor } from './request.js';
import { type HttpResponse, headerList } from './response.js';
import { READ_FIELDS, type RequestFields } from './semantics/preconditions.js';
import { type NextTurn, streamOf } from './semantics/turns.js';

/** Node's request, from the adapter; absent where a test calls the app directly. */
export type Env = {
  Bindings: {
    readonly incoming?: { readonly socket: { readonly remoteAddress?: string }; readonly headers?: RequestFields };
  };
};

export function requestOf(c: Context<Env>): ApiRequest {
  const { raw } = c.req;
  const incoming = c.env?.incoming;
  const fields =
    incoming?.headers ?? Object.fromEntries(READ_FIELDS.map((name) => [name, raw.headers.get(name) ?? undefined]));
  const { host, target } = splitUrl(raw.url);
  return requestFor(target, { method: c.req.method, host, fields, address: incoming?.socket.remoteAddress ?? '' });
}

/** Host and target of an absolute URL, as they were sent, without the fragment. */
function splitUrl(url: string): { readonly host: string; readonly target: string } {
  const [address = ''] = url.split('#', 1);
  const hostAt = address.indexOf('://') + 3;
  const start = address.indexOf('/', hostAt);
  return { host: address.slice(hostAt, start), target: address.slice(start) };
}

/**
 * Headers are a plain object, so that `@hono/node-server` sends the response without building a `Headers` or reading the
 * body as a stream.
 */
export function respond(
  { status, headers: lines, body, stream }: HttpResponse,
  method: string,
  nextTurn: NextTurn,
): Response {
  const headers: Record<string, string> = {};
  const list = headerList(lines);
  for (let i = 0; i + 1 < list.length; i += 2) headers[list[i] ?? ''] = list[i + 1] ?? '';
  const isBodiless = method === 'HEAD';
  return new Response(isBodiless ? null : stream ? streamOf(stream, nextTurn) : body, { status, headers });
}
