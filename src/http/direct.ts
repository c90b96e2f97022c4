/**
 * Replies straight to a socket. For a GET or HEAD of a plain target this leaves out the `Request`, `Context` and
 * `Response` objects between Node and a reply that is ready; whatever is unusual about a request is left to Hono and
 * its adapter, which answer from the same routes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Api, Asking } from './api.js';
import type { AppOptions } from './options.js';
import type { Reply } from './reply.js';
import { findResource, type RouteTable } from './routing.js';
import { sendSource } from './stream.js';

/** Answers, or returns false and leaves the request as it was. */
export type Direct = (request: IncomingMessage, response: ServerResponse) => boolean;

/** No dot segments, nothing that a URL parser would change; escapes may stand in a parameter or the query string. */
const PLAIN_TARGET = /^\/(?!.*\/\.)[\w\-.~!$&'()*+,;=:@%/]*(?:\?[\w\-.~!$&'()*+,;=:@%/?]*)?$/;
const PLAIN_HOST = /^[\w.-]+(?::\d{1,5})?$/;

export function createDirect(api: Api, table: RouteTable, onError: AppOptions['onError']): Direct {
  const answer = (url: string, asking: Asking): Reply | null => {
    const kept = api.keptReply(url, asking);
    if (kept !== null) return kept;
    if (!PLAIN_TARGET.test(url)) return null;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const resource = findResource(table, path);
    return resource && api.reply(resource, { ...asking, path, query: mark < 0 ? '' : url.slice(mark + 1) });
  };

  return (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    if (method === 'OPTIONS' && url === '*') return send(api.preflight, method, response, () => {});
    if ((method !== 'GET' && method !== 'HEAD') || !PLAIN_HOST.test(headers.host ?? '')) return false;
    const fail = (error: unknown): void => onError(error, { method, url });
    let reply: Reply | null;
    try {
      reply = answer(url, { method, fields: headers, address: incoming.socket.remoteAddress ?? '' });
    } catch (error) {
      fail(error);
      reply = api.failure;
    }
    return reply !== null && send(reply, method, response, fail);
  };
}

function send(
  { status, headers, body }: Reply,
  method: string,
  response: ServerResponse,
  onError: (error: unknown) => void,
): true {
  response.writeHead(status, [...headers]);
  if (body === null || method === 'HEAD') response.end();
  else if (typeof body === 'string' || body instanceof Uint8Array) response.end(body);
  else sendSource(body, response, onError);
  return true;
}
