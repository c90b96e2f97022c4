/**
 * The resources as a Hono app: one handler for each path, and no middleware. Over a socket the wire answers plain requests
 * from the same resources before Hono is reached (`plain`).
 */
import { type Context, Hono } from 'hono';
import { type CollectionModel, collections, type Field } from '../model.js';
import { type Dataset, modelsOf } from '../store/dataset.js';
import {
  changesExportRoute,
  changesRoute,
  detailRoute,
  exportRoute,
  facetRoute,
  listRoute,
  type Route,
  type RouteOptions,
  searchRoute,
  similarRoute,
  statsRoute,
  valueRoute,
} from './api/routes.js';
import { type ApiRequest, createHandler, type Handler, targetOf } from './handler.js';
import { memoize } from './memoize.js';
import type { AppOptions } from './options.js';
import { createAssets } from './pages/frame/assets.js';
import { createPages, type Pages } from './pages/pages.js';
import { type HttpResponse, headerList } from './response.js';
import { createRouteTable, type Resource, type RouteTable } from './routing.js';
import { READ_FIELDS, type RequestFields } from './semantics/preconditions.js';
import { streamOf } from './semantics/stream.js';
import { createTurns, type NextTurn } from './semantics/turns.js';
import { serviceResources } from './service.js';
import { createFastPath, type FastPath } from './wire/fast-path.js';

export type { AppOptions, Served } from './options.js';

/** What the Node adapter passes along; absent where a test calls the app directly. */
export type Env = {
  Bindings: {
    readonly incoming?: { readonly socket: { readonly remoteAddress?: string }; readonly headers?: RequestFields };
  };
};
export type App = Hono<Env> & {
  readonly plain: FastPath;
  readonly nextTurn: NextTurn;
  readonly handler: Handler;
};

/** The operations of the API. Of two paths that match a request the first is meant, so parameters stand behind names. */
export const createRoutes = (
  options: RouteOptions,
  models: readonly CollectionModel[] = collections,
): readonly Route[] =>
  models.flatMap((model) => [
    listRoute(`/api/${model.name}`, model, options),
    searchRoute(`/api/${model.name}/search`, model, options),
    ...facets(model, (field, facet) => facetRoute(`/api/${model.name}/${facet}`, model, field, facet, options)),
    statsRoute(`/api/${model.name}/stats`, model),
    changesRoute(`/api/${model.name}/changes`, model, options),
    ...listed(model, ({ name }) => valueRoute(`/api/${model.name}/${name}/:${name}`, model, name, options)),
    detailRoute(`/api/${model.name}/:id`, model),
    similarRoute(`/api/${model.name}/:id/similar`, model, options),
    exportRoute(`/api/export/${model.name}`, model),
    changesExportRoute(`/api/export/${model.name}/changes`, model),
  ]);

const facets = <T>({ fields }: CollectionModel, make: (field: Field, facet: string) => T): readonly T[] =>
  fields.flatMap((field) => (field.facet === undefined ? [] : [make(field, field.facet)]));
const listed = <T>({ fields }: CollectionModel, make: (field: Field) => T): readonly T[] =>
  fields.filter((field) => field.listedByPath).map(make);

/** What is asked for, of the fields that a dataset has. */
interface Resources {
  readonly pages: Pages;
  readonly table: RouteTable;
  readonly byPath: ReadonlyMap<string, Resource>;
}

export function createApp(options: AppOptions): App {
  const app = new Hono<Env>();
  const assets = createAssets();
  const nextTurn = createTurns();
  const resourcesFor = (models: readonly CollectionModel[]): Resources => {
    const pages = createPages(options, models, assets);
    const routes = createRoutes(options, models);
    const resources = [...routes, ...serviceResources(options, routes, pages)];
    const table = createRouteTable(resources);
    return { pages, table, byPath: new Map(resources.map((resource) => [resource.path, resource])) };
  };
  // Fields may be others after a reload.
  const resourcesOf = memoize((dataset: Dataset) => resourcesFor(modelsOf(dataset)));
  const current = (): Resources => resourcesOf(options.served().dataset);
  const api = createHandler(options, nextTurn, (path, paths) => current().pages.nothingAt(path, paths));

  const send = (c: Context<Env>, reply: HttpResponse): Response => respond(reply, c.req.method, nextTurn);
  const nothing = (c: Context<Env>): Response => send(c, api.nothingAt(requestOf(c), [...current().byPath.keys()]));
  const answer = (c: Context<Env>, path: string): Response | Promise<Response> => {
    const resource = current().byPath.get(path);
    if (resource === undefined) return nothing(c);
    const request = requestOf(c);
    if (resource.streamed) return api.download(resource, request).then((reply) => send(c, reply));
    return send(c, api.fromCache(targetOf(request), request) ?? api.page(resource, request));
  };

  for (const path of resourcesFor(collections).byPath.keys()) app.all(path, (c) => answer(c, path));
  app.notFound(nothing);
  app.onError((error, c) => {
    options.onError(error, c.req.raw);
    return send(c, api.failure(requestOf(c).fields));
  });
  const plain = createFastPath(api, () => current().table, options.onError);
  return Object.assign(app, { plain, nextTurn, handler: api });
}

function requestOf(c: Context<Env>): ApiRequest {
  const { raw } = c.req;
  const incoming = c.env?.incoming;
  const fields =
    incoming?.headers ?? Object.fromEntries(READ_FIELDS.map((name) => [name, raw.headers.get(name) ?? undefined]));
  return { method: c.req.method, ...splitUrl(raw.url), fields, address: incoming?.socket.remoteAddress ?? '' };
}

/** Host, path and query string of an absolute URL, as they were sent. */
function splitUrl(url: string): { host: string; path: string; query: string } {
  const hostAt = url.indexOf('://') + 3;
  const start = url.indexOf('/', hostAt);
  const mark = url.indexOf('?', start);
  const host = url.slice(hostAt, start);
  return mark < 0
    ? { host, path: url.slice(start), query: '' }
    : { host, path: url.slice(start, mark), query: url.slice(mark + 1) };
}

/**
 * Headers are a plain object set before the response is made: `@hono/node-server` then sends it without building a
 * `Headers` or reading the body as a stream.
 */
export function respond({ status, headers: lines, body }: HttpResponse, method: string, nextTurn: NextTurn): Response {
  const headers: Record<string, string> = {};
  const list = headerList(lines);
  for (let i = 0; i + 1 < list.length; i += 2) headers[list[i] ?? ''] = list[i + 1] ?? '';
  if (body === null || method === 'HEAD') return new Response(null, { status, headers });
  return new Response(body instanceof Uint8Array ? body : streamOf(body, nextTurn), { status, headers });
}
