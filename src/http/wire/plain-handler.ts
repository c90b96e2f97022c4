/**
 * Answers plain requests: a GET or HEAD whose target no URL parser would change. They lead to the same resources as all
 * others (`RouteTable`), without `Request`, `Context` and `Response` objects. Unusual requests are left to Hono and its adapter.
 */
import type { Handler, RequestHead } from '../handler.js';
import type { AppOptions } from '../options.js';
import { normalPath, type RouteMatch } from '../resource.js';
import type { HttpResponse } from '../response.js';

/** The response; null, without any effect, for a request that is not plain. */
export type PlainHandler = (target: string, head: RequestHead) => HttpResponse | null;

/** A target without dot segments, and without characters that a URL parser would change. */
const PLAIN_TARGET = /^\/(?!.*\/(?:\.|%2e))[\w\-.~!$&'()*+,;=:@%/]*(?:\?[\w\-.~!$&'()*+,;=:@%/?]*)?$/i;
const PLAIN_HOST = /^[\w.-]+(?::\d{1,5})?$/;

export const isPlainHost = (host: string): boolean => PLAIN_HOST.test(host);

export function createPlainHandler(
  handler: Handler,
  findResource: (path: string) => RouteMatch | undefined,
  onError: AppOptions['onError'],
): PlainHandler {
  function answer(target: string, head: RequestHead): HttpResponse | null {
    if (!PLAIN_TARGET.test(target)) return null;
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const match = findResource(normalPath(path));
    if (match === undefined || match.resource.isDownload) return null;
    const { method, host, fields, address } = head;
    const query = mark < 0 ? '' : target.slice(mark + 1);
    const response = handler.answer({ method, host, fields, address, path, query }, match);
    if (response instanceof Promise) throw new Error(`${path} is a download, and has no mark of one`);
    return response;
  }

  return (target, head) => {
    try {
      return answer(target, head);
    } catch (error) {
      onError(error, { method: head.method, url: target });
      return handler.failure(head.fields);
    }
  };
}
