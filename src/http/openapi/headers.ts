/** Every header that answers carry, described once, and which answers carry it. */
import type { JsonSchema } from './json-schema.js';
import { reference } from './json-schema.js';

type Where = 'found' | 'page' | 'file' | 'part' | 'every' | 'limited' | 'tooMany' | 'range' | 'method';

interface Described {
  readonly description: string;
  readonly where: readonly Where[];
  /** On every such answer, not only where it applies. */
  readonly always?: true;
  readonly pattern?: string;
}

export const headers = {
  ETag: {
    description: 'Strong entity tag, for `If-None-Match`.',
    where: ['found'],
    always: true,
    pattern: '^"[^"]+"$',
  },
  'Last-Modified': { description: 'When the newest file of the snapshot was modified.', where: ['found'] },
  'Cache-Control': { description: '`no-cache`: keep it, but ask before using it.', where: ['found'], always: true },
  Vary: { description: 'What else an answer depends on.', where: ['found'], always: true },
  'Content-Encoding': { description: '`br` or `gzip` as asked for, from 1 kB on.', where: ['found'] },
  Link: { description: 'Pages and exports of this view (RFC 8288).', where: ['page'] },
  'Content-Disposition': { description: 'A file name for the download.', where: ['file', 'part'], always: true },
  'Accept-Ranges': { description: '`bytes` where a part can be asked for.', where: ['file', 'part'] },
  'Content-Range': { description: 'Which part this is, of how many bytes.', where: ['part', 'range'], always: true },
  'X-Content-Type-Options': { description: '`nosniff`.', where: ['every'], always: true },
  'Cross-Origin-Resource-Policy': { description: 'Who may embed the answer.', where: ['every'], always: true },
  'Access-Control-Allow-Origin': { description: 'Who may read the answer (CORS).', where: ['every'] },
  'Access-Control-Expose-Headers': { description: 'Headers that scripts may read (CORS).', where: ['every'] },
  'RateLimit-Policy': { description: 'Requests per window: `"default";q=100;w=60`.', where: ['limited'] },
  RateLimit: { description: 'Requests and seconds left: `"default";r=99;t=60`.', where: ['limited'] },
  Allow: { description: 'The methods that are.', where: ['method'], always: true },
  'Retry-After': { description: 'Seconds to wait.', where: ['tooMany'], always: true, pattern: '^[0-9]+$' },
} as const satisfies Record<string, Described>;

export const componentHeaders = (): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    Object.entries<Described>(headers).map(([name, { description, always, pattern }]) => [
      name,
      { description, ...(always && { required: true }), schema: { type: 'string', ...(pattern && { pattern }) } },
    ]),
  );

/** References to the headers of an answer. */
export const headersOf = (...where: readonly Where[]): JsonSchema =>
  Object.fromEntries(
    Object.entries<Described>(headers)
      .filter(([, header]) => header.where.some((place) => place === 'every' || where.includes(place)))
      .map(([name]) => [name, reference('headers', name)]),
  );
