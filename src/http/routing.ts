/**
 * What can be asked for at a path, and the wire's own way to find it: by three look-ups, of the path as it is, without its last
 * segment, and without the one before that. Literal names win over parameters, so `/api/articles/search` is no record's id.
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
  /** A Hono pattern; the path parameter, if there is one, is its last segment or the one before. */
  readonly path: string;
  readonly pathParameter?: Parameter;
  /** Its query string changes nothing, whatever it says. */
  readonly ignoresQuery?: true;
  /** Undefined for a resource that ignores its query string, or reads it itself. */
  readonly parameters?: readonly Parameter[];
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
  /** By the path with nothing in the place of its parameter. */
  readonly patterns: ReadonlyMap<string, Resource>;
}

export function createRouteTable(resources: readonly Resource[]): RouteTable {
  const isLiteral = ({ pathParameter }: Resource): boolean => pathParameter === undefined;
  const patterns = resources.filter((resource) => !isLiteral(resource));
  return {
    literals: new Map(resources.filter(isLiteral).map((resource) => [resource.path, resource])),
    patterns: new Map(patterns.map((resource) => [resource.path.replace(/:\w+/, ''), resource])),
  };
}

export function findResource({ literals, patterns }: RouteTable, path: string): Resource | null {
  const literal = literals.get(path);
  if (literal !== undefined) return literal;
  const last = path.lastIndexOf('/');
  const found = last + 1 < path.length ? patterns.get(path.slice(0, last + 1)) : undefined;
  if (found !== undefined) return found;
  const before = path.lastIndexOf('/', last - 1);
  return (before + 1 < last ? patterns.get(path.slice(0, before + 1) + path.slice(last)) : undefined) ?? null;
}

/** The segment of a path that stands in the place of its pattern's parameter. */
export function segmentIn(path: string, pattern: string): string {
  let end = path.length;
  for (let at = pattern.indexOf('/', pattern.indexOf(':')); at >= 0; at = pattern.indexOf('/', at + 1))
    end = path.lastIndexOf('/', end - 1);
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

/**
 * The known path that was meant by one with slashes too many at its end or in other case; null where there is none.
 * `paths` are Hono patterns.
 */
export function meantPath(path: string, paths: readonly string[]): string | null {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  const given = path.slice(0, end).split('/');
  for (const known of paths) {
    const names = known.split('/').map((name, i) => (name.startsWith(':') ? (given[i] ?? '') : name));
    const meant = names.join('/');
    const isMeant = names.length === given.length && meant.toLowerCase() === given.join('/').toLowerCase();
    if (isMeant && meant !== path) return meant;
  }
  return null;
}
