/**
 * What can be asked for at a path, and the wire's own way to find it: by two look-ups, of the path as it is, else of its
 * parent with one parameter behind it. Literal names win over parameters, so `/api/articles/search` is no record's id.
 */
import type { Parameter } from '../query/parameters.js';
import type { ParameterValues } from '../query/request.js';
import type { Dataset } from '../store/dataset.js';
import type { FileRepresentation, Outcome } from './response.js';

/** A request whose parameters have been checked. */
export interface RouteRequest {
  readonly dataset: Dataset;
  readonly values: ParameterValues;
  /** Path and query string as the client wrote them. */
  readonly path: string;
  readonly query: string;
}

/** What answers GET and HEAD at a path. */
interface AnyResource {
  /** A Hono pattern; the path parameter, if there is one, is its last segment. */
  readonly path: string;
  readonly pathParameter: Parameter | null;
  /** Null where a query string is of no interest. */
  readonly parameters: readonly Parameter[] | null;
}

/** Its bodies are held whole, and may be kept. */
export interface PageResource extends AnyResource {
  readonly streamed?: never;
  readonly handle: (request: RouteRequest) => Outcome;
}

/** Its bodies are downloads: they are made while they are sent. */
export interface FileResource extends AnyResource {
  readonly streamed: true;
  readonly handle: (request: RouteRequest) => FileRepresentation;
}

export type Resource = PageResource | FileResource;

export interface RouteTable {
  readonly literals: ReadonlyMap<string, Resource>;
  /** By the path up to the parameter, slash included. */
  readonly parents: ReadonlyMap<string, Resource>;
}

export const createRouteTable = (resources: readonly Resource[]): RouteTable => ({
  literals: new Map(resources.filter(isLiteral).map((resource) => [resource.path, resource])),
  parents: new Map(
    resources.filter((resource) => !isLiteral(resource)).map((resource) => [parentOf(resource.path), resource]),
  ),
});

const isLiteral = ({ pathParameter }: Resource): boolean => pathParameter === null;
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

export function findResource({ literals, parents }: RouteTable, path: string): Resource | null {
  const literal = literals.get(path);
  if (literal !== undefined) return literal;
  const parent = parentOf(path);
  return (parent.length < path.length ? parents.get(parent) : undefined) ?? null;
}

/**
 * The known path that was meant by one with slashes too many at its end or in other case; null where there is none.
 * `paths` are Hono patterns.
 */
export function meantPath(path: string, paths: readonly string[]): string | null {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  const plain = path.slice(0, end);
  const parent = parentOf(plain);
  for (const known of paths) {
    const isParameter = known.includes(':');
    const fixed = isParameter ? parentOf(known) : known;
    if ((isParameter ? parent : plain).toLowerCase() !== fixed.toLowerCase()) continue;
    const meant = isParameter ? fixed + plain.slice(parent.length) : fixed;
    if (meant !== path) return meant;
  }
  return null;
}
