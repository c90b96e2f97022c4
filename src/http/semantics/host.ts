/**
 * The `Host` names that a server answers to. A website may point its own name at this machine (DNS rebinding), so that its
 * scripts read this server as their own site. Such a request has the website's name as its `Host`, and is refused. Below are
 * the origins whose scripts may read responses (CORS, Fetch standard, section 3.2).
 */

/** The origin of a server with default options. */
export const DEFAULT_ORIGIN = 'http://127.0.0.1:3000';

const OWN_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Whether an address to listen on is reached from this machine only. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|(?:::ffff:127\..*)|::1)$/i.test(host);

/**
 * The names that a server listening on `host` answers to; null for all. A server that other machines reach answers to all
 * names, unless some are allowed: the names that those machines use are not known here.
 */
export function hostNames(host: string, allowed: readonly string[], trustsProxy: boolean): readonly string[] | null {
  if (allowed.length === 0 && (trustsProxy || !isLoopback(host))) return null;
  return [...new Set([...OWN_NAMES, host.includes(':') ? `[${host}]` : host, ...allowed])];
}

/** Whether a `Host` field, without its port, is one of the names. Any name below `localhost` is of this machine. */
export function createHostCheck(names: readonly string[] | null): (host: string) => boolean {
  if (names === null) return () => true;
  const lowerCaseNames = new Set(names.map((name) => name.toLowerCase()));
  return (host) => {
    const name = host.replace(/:\d*$/, '').toLowerCase();
    return lowerCaseNames.has(name) || name.endsWith('.localhost');
  };
}

/** `*` allows any origin, `local` those of this machine; otherwise one origin, or null for the server's own only. */
export type CorsOrigin = string | null;

/** The origin `null` does not match: sandboxed frames and files send it, whoever made them. */
const LOCAL_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** The allowed origin in the response to a request from `origin`; undefined where none is allowed. */
export function allowedOrigin(cors: CorsOrigin, origin: string | undefined): string | undefined {
  if (cors !== 'local') return cors ?? undefined;
  return origin !== undefined && LOCAL_ORIGIN.test(origin) ? origin : undefined;
}

/** Fields that a browser adds to a request: `Sec-Fetch-Site`, `-Mode` and `-Dest`, and `Origin` (Fetch Metadata, section 2). */
interface FetchMetadata {
  readonly site: string | undefined;
  readonly mode: string | undefined;
  readonly destination: string | undefined;
  readonly origin: string | undefined;
}

/**
 * Whether a page of another site made the request and may not read its response: its `<img>` or `fetch` would still use up
 * the rate limit of whoever visits it. A link that is followed is the visitor's own request; a frame is the page's.
 */
export function isForeignRequest(
  cors: CorsOrigin,
  { site, mode, destination = 'document', origin }: FetchMetadata,
): boolean {
  const isFollowedLink = mode === 'navigate' && destination === 'document';
  if (site !== 'cross-site' || isFollowedLink || cors === '*') return false;
  return origin === undefined || allowedOrigin(cors, origin) !== origin;
}

/** Whether responses vary by `Origin`. */
export const variesByOrigin = (cors: CorsOrigin): boolean => cors !== null && cors !== '*';
