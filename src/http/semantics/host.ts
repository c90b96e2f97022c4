/**
 * Which `Host` a server answers to. A page elsewhere may point its own name at this machine (DNS rebinding), and its
 * scripts then read what listens here as their own site; such a request names a host that this server is not.
 */

const OWN_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Whether an address to listen on is reached from this machine only. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|(?:::ffff:127\..*)|::1)$/i.test(host);

/**
 * The names that a server answers to which listens on `host`; null for all. Names are not looked at where other machines
 * reach it, whose names for it are not known here, unless some are given.
 */
export function hostNames(host: string, allowed: readonly string[], trustsProxy: boolean): readonly string[] | null {
  if (allowed.length === 0 && (trustsProxy || !isLoopback(host))) return null;
  return [...new Set([...OWN_NAMES, host.includes(':') ? `[${host}]` : host, ...allowed])];
}

/** Whether a `Host` field, its port aside, has one of the names; any name below `localhost` is one of this machine. */
export function createHostCheck(names: readonly string[] | null): (host: string) => boolean {
  const known = names && new Set(names.map((name) => name.toLowerCase()));
  let latest = '';
  let isLatestKnown = known === null;
  return (host) => {
    if (known === null) return true;
    // Nearly every request names the host of the request before.
    if (host !== latest) {
      const name = host.replace(/:\d*$/, '').toLowerCase();
      latest = host;
      isLatestKnown = known.has(name) || name.endsWith('.localhost');
    }
    return isLatestKnown;
  };
}
