/** Resources: what answers at a path. */
import type { ApiError } from '../errors.js';
import type { QueryEngine } from '../query/engine.js';
import type { Parameter } from '../query/parameters.js';
import type { ParameterValues } from '../query/query.js';
import type { Dataset } from '../store/dataset.js';
import type { Target } from './paths.js';
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
  /** The promise of an index that a query needs, and that is still to be built; null where it needs none. */
  readonly awaited?: (dataset: Dataset, query: string) => Promise<void> | null;
  /** Whether its bodies come later: they are promised, or made while they are sent. */
  readonly isDeferred?: true;
  readonly handle: (request: ResourceRequest) => Representation | PlainResponse;
}

/** A resource among several whose paths differ by a name. */
export type NamedResource = Resource & { readonly name: string };

/** A resource, and the segment of the path that its `pathParameter` checks. */
export interface RouteMatch {
  readonly resource: Resource;
  readonly segment: string;
}
