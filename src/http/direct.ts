/**
 * Replies straight to a socket. For a GET or HEAD of a plain target this leaves out the `Request`, `Context` and
 * `Response` objects between Node and a reply that is ready; whatever is unusual about a request is left to Hono and
 * its adapter, which answer from the same routes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Api } from './api.js';
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
  return (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    if (method !== 'GET' && method !== 'HEAD') return false;
    if (!PLAIN_TARGET.test(url) || !PLAIN_HOST.test(headers.host ?? '')) return false;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const resource = findResource(table, path);
    if (resource === null) return false;
    const query = mark < 0 ? '' : url.slice(mark + 1);
    const address = incoming.socket.remoteAddress ?? '';
    const fail = (error: unknown): void => onError(error, { method, url });
    let reply: Reply;
    try {
      reply = api.reply(resource, { method, path, query, fields: headers, address });
    } catch (error) {
      fail(error);
      reply = api.failure;
    }
    send(reply, method, response, fail);
    return true;
  };
}

function send(
  { status, headers, body }: Reply,
  method: string,
  response: ServerResponse,
  onError: (error: unknown) => void,
): void {
  response.writeHead(status, headers);
  if (body === null || method === 'HEAD') response.end();
  else if (typeof body === 'string' || body instanceof Uint8Array) response.end(body);
  else sendSource(body, response, onError);
}
