/** The origins whose scripts may read responses (CORS, Fetch standard, section 3.2). */

/** `*` allows any origin, `local` those of this machine; otherwise one origin, or null for the server's own only. */
export type CorsOrigin = string | null;

/** The origin `null` does not match: sandboxed frames and files send it, whoever made them. */
const LOCAL_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** The allowed origin in the response to a request from `origin`; undefined where none is allowed. */
export function allowedOrigin(cors: CorsOrigin, origin: string | undefined): string | undefined {
  if (cors !== 'local') return cors ?? undefined;
  return origin !== undefined && LOCAL_ORIGIN.test(origin) ? origin : undefined;
}

/** Whether responses vary by `Origin`. */
export const variesByOrigin = (cors: CorsOrigin): boolean => cors !== null && cors !== '*';
