/** What answers at an address, and how an address is read. */
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

/** What answers GET and HEAD at an address. */
interface AnyResource {
  /** What is checked of the path, where the router leaves something to check: an id, or a field's value. */
  readonly pathParameter?: Parameter;
  /** Its query string changes nothing, whatever it says. */
  readonly ignoresQuery?: true;
  /** Undefined for a resource that ignores its query string, or reads it itself. */
  readonly parameters?: readonly Parameter[];
}

/** One whose bodies are held whole, and may be kept. */
export interface WholeResource extends AnyResource {
  readonly isDownload?: never;
  readonly handle: (request: ResourceRequest) => Representation | PlainResponse;
}

/** One whose bodies are made while they are sent. */
export interface DownloadResource extends AnyResource {
  readonly isDownload: true;
  readonly handle: (request: ResourceRequest) => DownloadRepresentation | PlainResponse;
}

export type Resource = WholeResource | DownloadResource;

/** One of several at addresses that differ by a name in the path. */
export type NamedResource = Resource & { readonly name: string };

/** A resource, and the segment of the path that is left for it to check. */
export interface FoundResource<Kind extends Resource = Resource> {
  readonly resource: Kind;
  readonly segment: string;
}

/** By name, as they were sent. Some of Hono's routers number them. */
export type PathParameters = Readonly<Record<string, string | number>>;

/** A character that needs no escape is the same with one (RFC 3986, section 6.2.2.2); all other escapes stay. */
export const normalPath = (path: string): string =>
  path.includes('%')
    ? path.replace(/%[2-7][\da-f]/gi, (code) => {
        const character = decodeURIComponent(code);
        return /[\w.~-]/.test(character) ? character : code;
      })
    : path;

/** The segments of a path that stand in the place of its pattern's parameters. */
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
 * The known path that was meant by one with slashes too many at its end or in other case; null where there is none.
 * `paths` are patterns.
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
