/** Resources: what answers at a path. */
import { type ApiError, notFound } from '../errors.js';
import type { CollectionModel } from '../model.js';
import type { QueryEngine } from '../query/engine.js';
import type { Parameter } from '../query/parameters.js';
import type { ParameterValues } from '../query/query.js';
import type { Dataset } from '../store/dataset.js';
import { mayBeId } from '../store/named-rows.js';
import { quoted } from '../text.js';
import type { PlainResponse, Representation } from './response.js';

/** A request whose parameters have been checked. */
export interface ResourceRequest extends Target {
  readonly dataset: Dataset;
  /** Answers for the records of the dataset. */
  readonly engine: QueryEngine;
  readonly values: ParameterValues;
}

/** A resource answers GET and HEAD at a path. */
export interface Resource {
  /** The path's parameter that the router does not check: an id, or a field's value. */
  readonly pathParameter?: Parameter;
  /** The parameters of the query string; `ignored` where it makes no difference to the response. */
  readonly parameters: readonly Parameter[] | 'ignored';
  /**
   * The query string in place of one that a form has sent: without its empty fields, for example. The tidied one is checked;
   * a sound request is redirected to it where the two differ.
   */
  readonly tidied?: (query: string, dataset: Dataset) => string;
  /** The response to faulty parameters, in place of an error as JSON. */
  readonly refuse?: (error: ApiError, faulty: ReadonlySet<string>, request: Target) => PlainResponse;
  /** Whether its bodies come later: they are promised, or made while they are sent. */
  readonly isDeferred?: true;
  readonly handle: (request: ResourceRequest) => Representation | PlainResponse;
}

/** Path and query string as the client wrote them. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

/** A resource among several whose paths differ by a name. */
export type NamedResource = Resource & { readonly name: string };

/** A resource, and the segment of the path that its `pathParameter` checks. */
export interface RouteMatch {
  readonly resource: Resource;
  readonly segment: string;
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

/** The error for a segment of a path that names no record. */
export const noRecord = (model: CollectionModel, segment: string): ApiError =>
  mayBeId(model, segment)
    ? notFound(`${model.singular} with id ${segment.slice(0, MAX_ID_CHARACTERS)} not found.`)
    : notFound(`${model.singular} with ${(model.keys ?? []).join(' or ')} `, quoted(segment), ' not found.');

/** Characters of an id that a message shows. */
const MAX_ID_CHARACTERS = 60;

/** The request's target with a record's id in place of its key, the path's segment at `index`: `/products/B07` → `/products/7`. */
export const recordPath = (path: string, index: number, id: number, query: string): string =>
  originForm({ path: path.split('/').with(index, String(id)).join('/'), query });

/** Path and query string as a request's target has them (RFC 9112, section 3.2.1). */
export const originForm = ({ path, query }: Target): string => (query === '' ? path : `${path}?${query}`);
