/** Resources, and how the path of a request leads to one. */
import type { Parameter } from '../query/parameters.js';
import type { ParameterValues } from '../query/request.js';
import type { Dataset } from '../store/dataset.js';
import type { DownloadRepresentation, PlainResponse, Representation } from './response.js';

/** A request whose parameters have been checked. */
export interface ResourceRequest {
  readonly dataset: Dataset;
  readonly values: ParameterValues;
  /** Path and query string as the client wrote them. */
  readonly path: string;
  readonly query: string;
}

/** A resource answers GET and HEAD at a path. */
interface AnyResource {
  /** The path's parameter that the router does not check: an id, or a field's value. */
  readonly pathParameter?: Parameter;
  /** The query string makes no difference. */
  readonly ignoresQuery?: true;
  /** Undefined for a resource that ignores its query string, or reads it itself. */
  readonly parameters?: readonly Parameter[];
}

/** A resource whose bodies are held whole, and may be cached. */
export interface WholeResource extends AnyResource {
  readonly isDownload?: never;
  readonly handle: (request: ResourceRequest) => Representation | PlainResponse;
}

/** A resource whose bodies are made while they are sent. */
export interface DownloadResource extends AnyResource {
  readonly isDownload: true;
  readonly handle: (request: ResourceRequest) => DownloadRepresentation | PlainResponse;
}

export type Resource = WholeResource | DownloadResource;

/** A resource among several whose paths differ by a name. */
export type NamedResource = Resource & { readonly name: string };

/** A resource, and the segment of the path that its `pathParameter` checks. */
export interface FoundResource<Kind extends Resource = Resource> {
  readonly resource: Kind;
  readonly segment: string;
}

/** Values by name, as they were sent. Some of Hono's routers have numbers as values. */
export type PathParameters = Readonly<Record<string, string | number>>;

/** A character that needs no escape is the same with one (RFC 3986, section 6.2.2.2); all other escapes stay. */
export const normalPath = (path: string): string =>
  path.includes('%')
    ? path.replace(/%[2-7][\da-f]/gi, (code) => {
        const character = decodeURIComponent(code);
        return /[\w.~-]/.test(character) ? character : code;
      })
    : path;

/** The path's segments where the pattern has parameters: `/:collection` and `/articles` give `articles`. */
export function parametersIn(pattern: string, path: string): PathParameters {
  const parameters: Record<string, string> = {};
  if (!pattern.includes(':')) return parameters;
  const segments = path.split('/');
  for (const [i, name] of pattern.split('/').entries()) {
    if (name.startsWith(':')) parameters[name.slice(1)] = segments[i] ?? '';
  }
  return parameters;
}

/**
 * The existing path that differs from a requested one only by trailing slashes or by case; null where there is none.
 * `paths` are patterns.
 */
export function meantPath(path: string, paths: readonly string[]): string | null {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  const segments = path.slice(0, end).split('/');
  for (const pattern of paths) {
    const candidateSegments = pattern.split('/').map((name, i) => (name.startsWith(':') ? (segments[i] ?? '') : name));
    const candidate = candidateSegments.join('/');
    const isMeant =
      candidateSegments.length === segments.length && candidate.toLowerCase() === segments.join('/').toLowerCase();
    if (isMeant && candidate !== path) return candidate;
  }
  return null;
}
