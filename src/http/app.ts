/**
 * The resources as a Hono app: one synchronous handler for each pattern and no middleware. Over a socket the same
 * resources are answered directly where the request is a plain one (`direct`).
 */
import { type Context, Hono } from 'hono';
import { type Api, type ApiRequest, createApi, targetOf } from './api.js';
import { READ_FIELDS, type RequestFields } from './conditional.js';
import type { AppOptions } from './options.js';
import { createPages } from './pages/pages.js';
import { createPlainAnswer, type PlainAnswer } from './plain.js';
import { type HeaderLines, headerList, type Reply } from './reply.js';
import { createRoutes } from './routes.js';
import { createRouteTable, findResource, honoPatterns } from './routing.js';
import { siteResources } from './site.js';
import { streamOf } from './stream.js';
import { createTurns, type NextTurn } from './turns.js';

export type { AppOptions, Served } from './options.js';

/** What the Node adapter passes along; absent where a test calls the app directly. */
export type Env = {
  Bindings: {
    readonly incoming?: { readonly socket: { readonly remoteAddress?: string }; readonly headers?: RequestFields };
  };
};
export type App = Hono<Env> & {
  readonly plain: PlainAnswer;
  readonly preflight: Reply;
  readonly nextTurn: NextTurn;
  readonly clientOf: Api['clientOf'];
  /** On every answer, also on those that no route gives. */
  readonly commonHeaders: HeaderLines;
};

export function createApp(options: AppOptions): App {
  const app = new Hono<Env>();
  const pages = createPages(options);
  const nextTurn = createTurns();
  const api = createApi(options, nextTurn, pages.nothingAt);
  const routes = createRoutes(options);
  const table = createRouteTable([...routes, ...siteResources(options, routes, pages)]);
  const paths = [...table.literals.keys(), ...[...table.parents.values()].map(({ path }) => path)];

  const send = (c: Context<Env>, reply: Reply): Response => respond(reply, c.req.method, nextTurn);
  const nothing = (c: Context<Env>): Response => send(c, api.nothingAt(requestOf(c), paths));
  const answer = (c: Context<Env>): Response | Promise<Response> => {
    const resource = findResource(table, c.req.path);
    if (resource === null) return nothing(c);
    const request = requestOf(c);
    if (resource.streamed) return api.download(resource, request).then((reply) => send(c, reply));
    return send(c, api.keptReply(targetOf(request), request) ?? api.page(resource, request));
  };

  for (const pattern of honoPatterns(table)) app.all(pattern, answer);
  app.notFound(nothing);
  app.onError((error, c) => {
    options.onError(error, c.req.raw);
    return send(c, api.failure);
  });
  const plain = createPlainAnswer(api, table, options.onError);
  return Object.assign(app, {
    plain,
    preflight: api.preflight,
    nextTurn,
    clientOf: api.clientOf,
    commonHeaders: api.commonHeaders,
  });
}

function requestOf(c: Context<Env>): ApiRequest {
  const { raw } = c.req;
  const incoming = c.env?.incoming;
  const fields =
    incoming?.headers ?? Object.fromEntries(READ_FIELDS.map((name) => [name, raw.headers.get(name) ?? undefined]));
  return { method: c.req.method, ...splitTarget(raw.url), fields, address: incoming?.socket.remoteAddress ?? '' };
}

/** Path and query string of an absolute URL, as they were sent. */
function splitTarget(url: string): { path: string; query: string } {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const mark = url.indexOf('?', start);
  return mark < 0
    ? { path: url.slice(start), query: '' }
    : { path: url.slice(start, mark), query: url.slice(mark + 1) };
}

/**
 * Headers are a plain object set before the response is made: `@hono/node-server` then sends it without building a
 * `Headers` or reading the body as a stream.
 */
export function respond({ status, headers: lines, body }: Reply, method: string, nextTurn: NextTurn): Response {
  const headers: Record<string, string> = {};
  const list = headerList(lines);
  for (let i = 0; i + 1 < list.length; i += 2) headers[list[i] ?? ''] = list[i + 1] ?? '';
  if (body === null || method === 'HEAD') return new Response(null, { status, headers });
  return new Response(body instanceof Uint8Array ? body : streamOf(body, nextTurn), { status, headers });
}
