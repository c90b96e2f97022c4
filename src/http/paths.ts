/** Paths of requests: their normal form, whether one is of the API, and the paths of records. */
import { type ApiError, notFound } from '../errors.js';
import type { CollectionModel } from '../model.js';
import { mayBeId } from '../store/named-rows.js';
import { quoted } from '../text.js';

/** Path and query string as the client wrote them. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

/** Whether a path, in its normal form, is one of the API: its errors are JSON, and it has a rate limit. */
export const isApiPath = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/** A character that needs no escape is the same with one (RFC 3986, section 6.2.2.2); all other escapes stay. */
export const normalPath = (path: string): string =>
  path.includes('%')
    ? path.replace(/%[2-7][\da-f]/gi, (code) => {
        const character = decodeURIComponent(code);
        return /[\w.~-]/.test(character) ? character : code;
      })
    : path;

/** The error for a segment of a path that names no record; `hint` says where else it may be. */
export const noRecord = (model: CollectionModel, segment: string, hint = ''): ApiError =>
  mayBeId(model, segment)
    ? notFound(`${model.singular} with id ${segment.slice(0, MAX_ID_CHARACTERS)} not found.${hint}`)
    : notFound(`${model.singular} with ${(model.keys ?? []).join(' or ')} `, quoted(segment), ` not found.${hint}`);

/** Characters of an id that a message shows. */
const MAX_ID_CHARACTERS = 60;

/** The request's target with a record's id in place of its key, the path's segment at `index`: `/products/B07` → `/products/7`. */
export const recordPath = (path: string, index: number, id: number, query: string): string =>
  originForm({ path: path.split('/').with(index, String(id)).join('/'), query });

/** Path and query string as a request's target has them (RFC 9112, section 3.2.1). */
export const originForm = ({ path, query }: Target): string => (query === '' ? path : `${path}?${query}`);
