/**
 * A fixed window of a minute per client, which begins with the client's first request (RateLimit header fields for HTTP,
 * draft-ietf-httpapi-ratelimit-headers). Windows end in the order in which they began, which is the map's order, so
 * dropping ended windows costs a constant time per request. Dropping the oldest window bounds the memory.
 */
import { isIP } from 'node:net';

const WINDOW_SECONDS = 60;
/** A client takes about 130 bytes with IPv4, and 170 with IPv6. Beyond the limit, the oldest windows are dropped. */
const MAX_CLIENTS = 250_000;

interface Window {
  count: number;
  readonly endsAt: number;
}

interface RateDecision {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

/** Allows each client `limit` requests a window; `now` is a monotonic clock in milliseconds. */
export function createRateLimiter(limit: number, now: () => number, maxClients = MAX_CLIENTS) {
  const windows = new Map<string, Window>();

  function dropEnded(time: number): void {
    for (const [client, window] of windows) {
      if (window.endsAt > time && windows.size < maxClients) return;
      windows.delete(client);
    }
  }

  return (client: string): RateDecision => {
    // Whole numbers: sums of fractions could make a window a second longer.
    const time = Math.floor(now());
    let window = windows.get(client);
    if (window === undefined || window.endsAt <= time) {
      if (window !== undefined) windows.delete(client);
      dropEnded(time);
      window = { count: 0, endsAt: time + WINDOW_SECONDS * 1000 };
      // A string of its own: a slice would keep the whole request that it was cut from.
      windows.set(Buffer.from(client).toString(), window);
    }
    const allowed = window.count < limit;
    if (allowed) window.count++;
    return {
      allowed,
      remaining: limit - window.count,
      resetSeconds: Math.max(1, Math.ceil((window.endsAt - time) / 1000)),
    };
  };
}

/** The two header lines with the client's remaining requests and the time to its next window. */
export const rateLines = (limit: number, { remaining, resetSeconds }: RateDecision): string =>
  `RateLimit-Policy: "default";q=${limit};w=${WINDOW_SECONDS}\r\nRateLimit: "default";r=${remaining};t=${resetSeconds}\r\n`;

/**
 * The address that a request comes from. `forwardedFor` is passed only where a proxy is trusted: its last address is the
 * one that the proxy saw.
 */
export function clientAddress(address: string, forwardedFor?: string): string {
  const forwarded = bareAddress(forwardedFor?.split(',').at(-1)?.trim() ?? '');
  return isIP(forwarded) ? forwarded : address;
}

/** Some proxies append a port, or write the address as a URL has it: `203.0.113.7:5555`, `"[2001:db8::1]:80"`. */
const bareAddress = (text: string): string =>
  text
    .replace(/^"(.*)"$/, '$1')
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1');

/**
 * The key that a client is counted under: an IPv4 address, also one mapped into IPv6 (RFC 4291, section 2.5.5.2; RFC 6052,
 * section 2.1), or the first 64 bits of an IPv6 address. One subscriber usually has all addresses with the same 64 bits.
 */
export function clientKey(client: string): string {
  if (isIP(client) !== 6) return client;
  const groups = groupsOfAddress(client);
  const [, high, low] = /^(?:(?:0:){5}ffff|64:ff9b(?::0){4}):(\w+):(\w+)$/.exec(groups.join(':')) ?? [];
  if (high === undefined || low === undefined) return `${groups.slice(0, 4).join(':')}::/64`;
  return [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.');
}

/** The eight groups of an IPv6 address, its zone left out: `2001:db8::1` → `2001 db8 0 0 0 0 0 1`. */
function groupsOfAddress(address: string): readonly string[] {
  // A URL has the shortest spelling, in which no group is an IPv4 address.
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`);
  const halves = hostname.slice(1, -1).split('::');
  const [before = [], after = []] = halves.map((half) => half.split(':').filter((group) => group !== ''));
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}
