/** The headers of responses: a description of each, and the responses that have it. */
import type { AppOptions } from '../options.js';
import { resourcePolicy } from '../response.js';
import { variesByOrigin } from '../semantics/host.js';
import { WINDOW_SECONDS } from '../semantics/rate-limit.js';
import { type JsonSchema, type Reference, reference } from './json-schema.js';
import type { OpenApiHeader } from './types.js';

/** Kinds of responses, by the headers that they have. */
type ResponseKind = 'every' | 'found' | 'page' | 'file' | 'part' | 'limited' | 'retry' | 'range' | 'method' | 'moved';

/** The options that switch headers on: a header that is never sent is not described. */
export type HeaderOptions = Pick<AppOptions, 'rateLimit' | 'corsOrigin'>;

type DescribedHeader = OpenApiHeader & { readonly kinds: readonly ResponseKind[] };

const sometimes = (kinds: readonly ResponseKind[], description: string, schema: JsonSchema = {}): DescribedHeader => ({
  kinds,
  description,
  schema: { type: 'string', ...schema },
});
const always: typeof sometimes = (...header) => ({ ...sometimes(...header), required: true });

const describe = ({ rateLimit, corsOrigin }: HeaderOptions): Readonly<Record<string, DescribedHeader>> => ({
  ETag: always(['found'], 'A strong entity tag, for `If-None-Match`.', { pattern: '^"[^"]+"$' }),
  'Last-Modified': sometimes(['found'], 'The modification time of the newest file of the snapshot.'),
  'Cache-Control': always(['found'], '`no-cache`: a stored response is used only after the server has confirmed it.'),
  Vary: always([variesByOrigin(corsOrigin) ? 'every' : 'found'], 'The request headers that the response depends on.'),
  'Content-Encoding': sometimes(['found'], '`br` or `gzip`, as `Accept-Encoding` allows, for bodies of 1 kB or more.'),
  Link: sometimes(['page'], 'The addresses of other pages and of exports of the same list (RFC 8288).'),
  'X-Total-Count': always(['page'], 'The number of records that match.', { pattern: '^[0-9]+$' }),
  'Content-Disposition': always(['file', 'part'], 'A name for the downloaded file.'),
  'Accept-Ranges': sometimes(['file', 'part'], '`bytes` where a `Range` of the file can be requested.'),
  'Content-Range': always(['part', 'range'], 'The place of the part in the file, and the size of the file.'),
  'X-Content-Type-Options': always(['every'], 'Browsers take `Content-Type` as it is.', { const: 'nosniff' }),
  'Cross-Origin-Resource-Policy': always(['every'], 'The websites that may embed the response.', {
    const: resourcePolicy(corsOrigin),
  }),
  ...(corsOrigin !== null && corsHeaders(corsOrigin)),
  ...(rateLimit > 0 && {
    'RateLimit-Policy': sometimes(['limited'], 'The requests of a client in a window (`q`), and its seconds (`w`).', {
      const: `"default";q=${rateLimit};w=${WINDOW_SECONDS}`,
    }),
    RateLimit: sometimes(['limited'], 'The remaining requests of a client (`r`), seconds to its next window (`t`).', {
      pattern: '^"default";r=[0-9]+;t=[0-9]+$',
    }),
  }),
  Location: always(['moved'], 'The address of the record by its id.'),
  Allow: always(['method'], 'The allowed methods.'),
  'Retry-After': always(['retry'], 'The number of seconds to wait before the next request.', { pattern: '^[0-9]+$' }),
});

/** With `--cors local` only requests from local origins get these headers. */
function corsHeaders(corsOrigin: string): Readonly<Record<string, DescribedHeader>> {
  const isLocal = corsOrigin === 'local';
  const header = isLocal ? sometimes : always;
  const origin = isLocal ? { pattern: '^https?://' } : { const: corsOrigin };
  return {
    'Access-Control-Allow-Origin': header(['every'], 'The origin whose scripts may read the response (CORS).', origin),
    'Access-Control-Expose-Headers': header(['every'], 'The headers that such scripts may read (CORS).'),
  };
}

export interface OpenApiHeaders {
  readonly components: Readonly<Record<string, OpenApiHeader>>;
  /** References to the headers of a response. */
  readonly of: (...kinds: readonly ResponseKind[]) => Readonly<Record<string, Reference>>;
}

export function createHeaders(options: HeaderOptions): OpenApiHeaders {
  const headers = Object.entries(describe(options));
  return {
    components: Object.fromEntries(headers.map(([name, { kinds: _, ...header }]) => [name, header])),
    of: (...kinds) =>
      Object.fromEntries(
        headers
          .filter(([, header]) => header.kinds.some((kind) => kind === 'every' || kinds.includes(kind)))
          .map(([name]) => [name, reference('headers', name)]),
      ),
  };
}
