/** Resources, and how the path of a request leads to one. */
import { type ApiError, notFound } from '../errors.js';
import type { CollectionModel } from '../model.js';
import type { Parameter } from '../query/parameters.js';
import type { ParameterValues } from '../query/query.js';
import { mayBeId } from '../store/collection.js';
import type { Dataset } from '../store/dataset.js';
import { quoted } from '../text.js';
import type { PlainResponse, Representation } from './response.js';
import { percentDecode } from './semantics/percent.js';

/** A request whose parameters have been checked. */
export interface ResourceRequest {
  readonly dataset: Dataset;
  readonly values: ParameterValues;
  /** Path and query string as the client wrote them. */
  readonly path: string;
  readonly query: string;
}

/** A resource answers GET and HEAD at a path. */
export interface Resource {
  /** The path's parameter that the router does not check: an id, or a field's value. */
  readonly pathParameter?: Parameter;
  /**
   * The parameters of the query string. An `ignored` one makes no difference to the response; an `unchecked` one is parsed
   * by the resource itself.
   */
  readonly parameters: readonly Parameter[] | 'ignored' | 'unchecked';
  /** Whether its bodies are made while they are sent. */
  readonly isDownload?: true;
  readonly handle: (request: ResourceRequest) => Representation | PlainResponse;
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

/** Values by name, as they were sent. */
export type PathParameters = Readonly<Record<string, string>>;

/** The parameters with their escapes decoded: names of collections and fields may be of any script. */
export function decodedParameters(parameters: PathParameters): PathParameters {
  const names = Object.entries(parameters);
  if (names.every(([, segment]) => !segment.includes('%'))) return parameters;
  return Object.fromEntries(names.map(([name, segment]) => [name, percentDecode(segment)]));
}

/** A character that needs no escape is the same with one (RFC 3986, section 6.2.2.2); all other escapes stay. */
export const normalPath = (path: string): string =>
  path.includes('%')
    ? path.replace(/%[2-7][\da-f]/gi, (code) => {
        const character = decodeURIComponent(code);
        return /[\w.~-]/.test(character) ? character : code;
      })
    : path;

/** Routes by the number of their segments, in the order in which they were added. */
export class RouteTable<Value> {
  readonly #routes: { readonly segments: readonly string[]; readonly value: Value }[][] = [];

  /** `/:collection/changes` matches every path of two segments whose second one is `changes`. */
  add(pattern: string, value: Value): void {
    const segments = pattern.split('/');
    this.#routes[segments.length] ??= [];
    this.#routes[segments.length]?.push({ segments, value });
  }

  /** The first result among the routes that match the path. */
  first<Result>(path: string, resultOf: (value: Value, parameters: PathParameters) => Result | undefined) {
    const pathSegments = path.split('/');
    for (const { segments, value } of this.#routes[pathSegments.length] ?? []) {
      const parameters = parametersIn(segments, pathSegments);
      const result = parameters && resultOf(value, parameters);
      if (result !== undefined) return result;
    }
    return undefined;
  }
}

/** The path's segments where the pattern has a name: `/:collection` and `/articles` give `articles`. Undefined where they differ. */
export function parametersIn(pattern: readonly string[], path: readonly string[]): PathParameters | undefined {
  const parameters: Record<string, string> = {};
  for (let i = 0; i < pattern.length; i++) {
    const name = pattern[i] ?? '';
    const segment = path[i] ?? '';
    if (name.startsWith(':') && segment !== '') parameters[name.slice(1)] = segment;
    else if (name !== segment) return undefined;
  }
  return parameters;
}

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
export const originForm = ({ path, query }: { readonly path: string; readonly query: string }): string =>
  query === '' ? path : `${path}?${query}`;
