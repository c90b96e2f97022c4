/**
 * Answers plain requests: a GET or HEAD whose target no URL parser would change. They go the way of all others, without
 * `Request`, `Context` and `Response` objects. Unusual requests are left to Hono and its adapter.
 */
import type { Handler } from '../handler.js';
import { type RequestHead, requestFor } from '../request.js';
import type { HttpResponse } from '../response.js';

/** The response; null, without any effect, for a request that is not plain, or whose response comes later. */
export type PlainHandler = (target: string, head: RequestHead) => HttpResponse | null;

/** A target without dot segments, and without characters that a URL parser would change. */
const PLAIN_TARGET = /^\/(?!.*\/(?:\.|%2e))[\w\-.~!$&'()*+,;=:@%/]*(?:\?[\w\-.~!$&'()*+,;=:@%/?]*)?$/i;
const PLAIN_HOST = /^[\w.-]+(?::\d{1,5})?$/;

export const isPlainHost = (host: string): boolean => PLAIN_HOST.test(host);

export const createPlainHandler =
  ({ answerAtOnce }: Pick<Handler, 'answerAtOnce'>): PlainHandler =>
  (target, head) =>
    PLAIN_TARGET.test(target) ? answerAtOnce(requestFor(target, head)) : null;
