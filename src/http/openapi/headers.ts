/** The headers of responses: a description of each, and the responses that have it. */
import type { AppOptions } from '../options.js';
import { resourcePolicy } from '../response.js';
import { variesByOrigin } from '../semantics/cors.js';
import { WINDOW_SECONDS } from '../semantics/rate-limit.js';
import { type JsonSchema, reference } from './json-schema.js';

type Where = 'found' | 'page' | 'file' | 'part' | 'every' | 'limited' | 'tooMany' | 'range' | 'method';

interface HeaderDescription {
  readonly description: string;
  readonly where: readonly Where[];
  /** Present on every such response. */
  readonly always?: true;
  /** Members of its schema besides `type: string`. */
  readonly schema?: JsonSchema;
}

/** The options that switch headers on: a header that is never sent is not described. */
export type HeaderOptions = Pick<AppOptions, 'rateLimit' | 'corsOrigin'>;

const describe = ({ rateLimit, corsOrigin }: HeaderOptions): Readonly<Record<string, HeaderDescription>> => ({
  ETag: {
    description: 'Strong entity tag, for `If-None-Match`.',
    where: ['found'],
    always: true,
    schema: { pattern: '^"[^"]+"$' },
  },
  'Last-Modified': { description: 'When the newest file of the snapshot was modified.', where: ['found'] },
  'Cache-Control': { description: '`no-cache`: keep it, but ask before using it.', where: ['found'], always: true },
  Vary: {
    description: 'The request headers that an answer depends on.',
    where: variesByOrigin(corsOrigin) ? ['every'] : ['found'],
    always: true,
  },
  'Content-Encoding': { description: '`br` or `gzip` as asked for, from 1 kB on.', where: ['found'] },
  Link: { description: 'Pages and exports of this view (RFC 8288).', where: ['page'] },
  'Content-Disposition': { description: 'A file name for the download.', where: ['file', 'part'], always: true },
  'Accept-Ranges': { description: '`bytes` where a part can be asked for.', where: ['file', 'part'] },
  'Content-Range': { description: 'Which part this is, of how many bytes.', where: ['part', 'range'], always: true },
  'X-Content-Type-Options': {
    description: 'No guessing of types.',
    where: ['every'],
    always: true,
    schema: { const: 'nosniff' },
  },
  'Cross-Origin-Resource-Policy': {
    description: 'Who may embed the answer.',
    where: ['every'],
    always: true,
    schema: { const: resourcePolicy(corsOrigin) },
  },
  ...(corsOrigin !== null && {
    'Access-Control-Allow-Origin': {
      description: 'The origin whose pages may read the answer (CORS).',
      where: ['every'],
      ...(corsOrigin === 'local'
        ? { schema: { pattern: '^https?://' } }
        : { always: true, schema: { const: corsOrigin } }),
    },
    'Access-Control-Expose-Headers': {
      description: 'The headers that scripts may read (CORS).',
      where: ['every'],
      ...(corsOrigin !== 'local' && { always: true }),
    },
  }),
  ...(rateLimit > 0 && {
    'RateLimit-Policy': {
      description: 'Requests per window of so many seconds.',
      where: ['limited'],
      schema: { const: `"default";q=${rateLimit};w=${WINDOW_SECONDS}` },
    },
    RateLimit: {
      description: 'Requests and seconds left.',
      where: ['limited'],
      schema: { pattern: '^"default";r=[0-9]+;t=[0-9]+$' },
    },
  }),
  Allow: { description: 'The methods that are allowed.', where: ['method'], always: true },
  'Retry-After': { description: 'Seconds to wait.', where: ['tooMany'], always: true, schema: { pattern: '^[0-9]+$' } },
});

export interface OpenApiHeaders {
  readonly components: JsonSchema;
  /** References to the headers of a response. */
  readonly of: (...where: readonly Where[]) => JsonSchema;
}

export function createHeaders(options: HeaderOptions): OpenApiHeaders {
  const headers = Object.entries(describe(options));
  return {
    components: Object.fromEntries(
      headers.map(([name, { description, always, schema }]) => [
        name,
        { description, ...(always && { required: true }), schema: { type: 'string', ...schema } },
      ]),
    ),
    of: (...where) =>
      Object.fromEntries(
        headers
          .filter(([, header]) => header.where.some((place) => place === 'every' || where.includes(place)))
          .map(([name]) => [name, reference('headers', name)]),
      ),
  };
}
