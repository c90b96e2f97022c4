/** Which pages' scripts may read answers (CORS, Fetch standard, section 3.2). */

/** `*` for those of any origin, `local` for those of this machine, one origin, or null for none but the server's own. */
export type CorsOrigin = string | null;

/** Not `null`, which sandboxed frames and files send whoever made them. */
const LOCAL_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** The origin that an answer to a request from `origin` allows; undefined where it allows none. */
export function allowedOrigin(cors: CorsOrigin, origin: string | undefined): string | undefined {
  if (cors !== 'local') return cors ?? undefined;
  return origin !== undefined && LOCAL_ORIGIN.test(origin) ? origin : undefined;
}

/** Whether answers say that they vary by `Origin`. */
export const variesByOrigin = (cors: CorsOrigin): boolean => cors !== null && cors !== '*';
