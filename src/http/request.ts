/** A request as the handler takes it, from whichever server. */
import type { Target } from './paths.js';
import type { RequestFields } from './semantics/preconditions.js';

export interface RequestHead {
  readonly method: string;
  readonly fields: RequestFields;
  /** The `Host` of the request, with its port. */
  readonly host: string;
  /** The client's address. */
  readonly address: string;
}

export interface ApiRequest extends RequestHead, Target {
  /** Path and query string together. */
  readonly target: string;
}

export function requestFor(target: string, { method, fields, host, address }: RequestHead): ApiRequest {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return { method, fields, host, address, target, path, query: mark < 0 ? '' : target.slice(mark + 1) };
}

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';
