/** Plain requests that `node:http` has parsed, answered without its adapter to the Fetch API. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppOptions } from './options.js';
import { isPlainHost, type PlainAnswer } from './plain.js';
import { headerList, type Reply } from './reply.js';
import { sendSource } from './stream.js';

/** Answers, or returns false and leaves the request as it was. */
export type Direct = (request: IncomingMessage, response: ServerResponse) => boolean;

export function createDirect(plain: PlainAnswer, preflight: Reply, onError: AppOptions['onError']): Direct {
  return (incoming, response) => {
    const { method = '', url = '', headers, socket } = incoming;
    if (method === 'OPTIONS' && url === '*') return send(preflight, method, response, () => {});
    if ((method !== 'GET' && method !== 'HEAD') || !isPlainHost(headers.host)) return false;
    const reply = plain(url, { method, fields: headers, address: socket.remoteAddress ?? '' }, true);
    return reply !== null && send(reply, method, response, (error) => onError(error, { method, url }));
  };
}

function send(
  { status, headers, body }: Reply,
  method: string,
  response: ServerResponse,
  onError: (error: unknown) => void,
): true {
  response.writeHead(status, headerList(headers));
  if (body === null || method === 'HEAD') response.end();
  else if (typeof body === 'string') response.end(body, 'latin1');
  else if (body instanceof Uint8Array) response.end(body);
  else sendSource(body, response, onError);
  return true;
}
