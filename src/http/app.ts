/**
 * All routes of the server, as a Hono app. Hono only routes: a middleware that changes responses after `next()` would cost
 * two thirds of the throughput. Over a socket, the wire answers plain requests from the same router before Hono makes a
 * `Request` of them (`wire/fast-path.ts`).
 */
import { type Context, Hono } from 'hono';
import { type CollectionModel, collections } from '../model.js';
import { type Dataset, modelsOf } from '../store/dataset.js';
import {
  type AddressedOperation,
  changes,
  exportAll,
  exportChanges,
  facets,
  list,
  listsByValue,
  type Operation,
  type OperationOptions,
  record,
  search,
  similar,
  stats,
  values,
} from './api/operations.js';
import { type ApiRequest, createHandler, type Handler } from './handler.js';
import { memoize } from './memoize.js';
import type { AppOptions, Served } from './options.js';
import { createAssets } from './pages/frame/assets.js';
import { loadingPage } from './pages/loading.js';
import { createPages, type Pages } from './pages/pages.js';
import {
  type FoundResource,
  type NamedResource,
  normalPath,
  type PathParameters,
  parametersIn,
  type Resource,
  RouteTable,
} from './resource.js';
import { type HttpResponse, headerList } from './response.js';
import { percentDecode, percentEncode } from './semantics/percent.js';
import { READ_FIELDS, type RequestFields } from './semantics/preconditions.js';
import { createTurns, type NextTurn, streamOf } from './semantics/turns.js';
import { createService, type Service } from './service.js';
import { createFastPath, type FastPath } from './wire/fast-path.js';

export type { AppOptions, Served } from './options.js';

/** Node's request, from the adapter; absent where a test calls the app directly. */
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

/** Makes the operation of a route for a collection; several, by field, where the path names a field. */
type OperationsOf = (model: CollectionModel, options: OperationOptions) => Operation | ReadonlyMap<string, Operation>;

/** The routes of the API. Several may match a path: the first that has an operation for it answers. */
const api: Readonly<Record<string, OperationsOf>> = {
  '/api/:collection': list,
  '/api/:collection/search': search,
  '/api/:collection/:name': facets, // /api/products/categories
  '/api/:collection/stats': stats,
  '/api/:collection/changes': changes,
  '/api/:collection/:name/:value': listsByValue, // /api/products/category/Books
  '/api/:collection/values/:field': values,
  '/api/:collection/:id': record,
  '/api/:collection/:id/similar': similar,
  '/api/export/:collection': exportAll,
  '/api/export/:collection/changes': exportChanges,
};

/** A route's path in a collection: `/api/products/category/:category`. */
const addressIn = (pattern: string, collection: string, name: string): string =>
  pattern
    .replace(':collection', () => collection)
    .replace(':name', () => name)
    .replace(':value', () => `:${name}`);

/** The operations of the API with their paths, for each collection. */
export const createRoutes = (
  options: OperationOptions,
  models: readonly CollectionModel[] = collections,
): readonly AddressedOperation[] =>
  models.flatMap((model) =>
    Object.entries(api).flatMap(([pattern, operationsOf]) => {
      const operations = operationsOf(model, options);
      const byName = 'handle' in operations ? [['', operations] as const] : [...operations];
      return byName.map(([name, operation]) => ({
        ...operation,
        path: addressIn(pattern, percentEncode(model.name), name),
      }));
    }),
  );

/** The resources of one dataset, which depend on its fields. A reload may bring other fields. */
interface Site {
  readonly pages: Pages;
  readonly service: Service;
  /** Operations by collection, then by the pattern of their route. */
  readonly operations: ReadonlyMap<unknown, ReadonlyMap<string, ReturnType<OperationsOf>>>;
  /** Existing paths, for the hint in a 404 response. */
  readonly paths: readonly string[];
}

/** The resource of a route for the path's parameters; undefined where there is none. */
type ResourceAt = (site: Site, parameters: PathParameters) => Resource | undefined;

export function createApp(options: AppOptions): App {
  // Only needless escapes are decoded here; the path's parameters decode the others.
  const app = new Hono<Env>({ getPath: ({ url }) => normalPath(splitUrl(url).path) });
  const assets = createAssets();
  const nextTurn = createTurns();
  /** The served state, for resources. They exist only once a dataset is loaded, so it is never null. */
  const served = (): Served => {
    const current = options.served();
    if (current === null) throw new Error('nothing is served yet');
    return current;
  };
  /** The names of all collections that were served so far: a reload may bring and take collections. */
  const namesServed = new Set<string>();
  const siteOf = memoize((dataset: Dataset): Site => {
    const models = modelsOf(dataset);
    const routes = createRoutes(options, models);
    const linesOf = (model: CollectionModel) =>
      new Map(Object.entries(api).map(([pattern, operationsOf]) => [pattern, operationsOf(model, options)]));
    const operations = new Map(models.map((model) => [model.name, linesOf(model)]));
    const pages = createPages({ served, maxLimit: options.maxLimit }, models, assets);
    const service = createService({ ...options, served }, routes, pages);
    const pathsOf = ({ name }: CollectionModel) =>
      ['', '/changes', '/:id'].map((rest) => `/${percentEncode(name)}${rest}`);
    for (const { name } of models) namesServed.add(name);
    const fixed = app.routes.map(({ path }) => path).filter((path) => !path.includes(':'));
    const paths = [...routes.map(({ path }) => path), ...models.flatMap(pathsOf), ...fixed];
    return { pages, service, operations, paths };
  });
  const siteNow = (): Site | undefined => {
    const served = options.served();
    return served === null ? undefined : siteOf(served.dataset);
  };
  const paths = (): readonly string[] => siteNow()?.paths ?? [];
  const handler = createHandler(options, nextTurn, {
    paths,
    goneCollection: (path) => {
      const name = collectionIn(path);
      return namesServed.has(name) && options.served()?.dataset.collections.has(name) === false ? name : undefined;
    },
    nothingPage: (path, gone) => siteNow()?.pages.nothingAt(path, paths(), gone) ?? loadingPage(''),
    loadingPage,
  });

  /** The same routes for the wire: Hono's router would take a third of the time of a record's response. */
  const table = new RouteTable<ResourceAt>();
  function at(resourceAt: ResourceAt, parameters: PathParameters): FoundResource | undefined {
    const site = siteNow();
    const resource = site && resourceAt(site, decodedNames(parameters));
    return resource && { resource, segment: parameters.value ?? parameters.id ?? parameters.field ?? '' };
  }

  function send(c: Context<Env>, found?: FoundResource): Response | Promise<Response> {
    const response = handler.answer(requestOf(c), found);
    const finished = (complete: HttpResponse): Response => respond(complete, c.req.method, nextTurn);
    return response instanceof Promise ? response.then(finished) : finished(response);
  }
  /** Adds a route for all methods: `handler` refuses those that are not allowed. */
  function get(pattern: string, resourceAt: ResourceAt): void {
    table.add(pattern, resourceAt);
    // Hono would decode parameters, and throw at some.
    const segments = pattern.split('/');
    app.all(pattern, (c, next) => {
      const match = at(resourceAt, parametersIn(segments, c.req.path.split('/')) ?? {});
      return match === undefined ? next() : send(c, match);
    });
  }

  get('/', ({ pages }) => pages.home);
  get('/docs', ({ service }) => service.docs);
  get('/docs.md', ({ service }) => service.docsMarkdown);
  get('/health', ({ service }) => service.health);
  get('/openapi.json', ({ service }) => service.openApiElsewhere);
  get('/assets/:hash/:file', (_, { hash, file }) => named(assets.resources, `/assets/${hash}/${file}`));
  get('/api', ({ service }) => service.index);
  get('/api/openapi.json', ({ service }) => service.openApi);
  for (const pattern of Object.keys(api))
    get(pattern, ({ operations }, { collection, name }) => {
      const operation = operations.get(collection)?.get(pattern);
      return operation === undefined || 'handle' in operation ? operation : operation.get(String(name));
    });
  get('/:collection', ({ pages }, { collection }) => pages.of(collection)?.list);
  get('/:collection/changes', ({ pages }, { collection }) => pages.of(collection)?.changes);
  get('/:collection/complete/:parameter', ({ pages }, { collection, parameter }) =>
    named(pages.of(collection)?.completions, parameter),
  );
  get('/:collection/:field/:id', ({ pages }, { collection, field }) => named(pages.of(collection)?.pictures, field));
  get('/:collection/:id', ({ pages }, { collection }) => pages.of(collection)?.record);
  app.notFound((c) => send(c));
  app.onError((error, c) => {
    options.onError(error, c.req.raw);
    return respond(handler.failure(requestOf(c).fields), c.req.method, nextTurn);
  });
  const find = (path: string): FoundResource | undefined => table.first(path, at);
  const plain = createFastPath(handler, find, options.onError);
  return Object.assign(app, { plain, nextTurn, handler });
}

/** The collection that a path is about, if there is one: `jobs` of `/jobs/1`, `/api/jobs` and `/api/export/jobs`. */
function collectionIn(path: string): string {
  const segments = path.split('/').slice(1);
  if (segments[0] === 'api') segments.shift();
  if (segments[0] === 'export') segments.shift();
  return percentDecode(segments[0] ?? '');
}

/** Names of collections and fields may be of any script. */
function decodedNames(parameters: PathParameters): PathParameters {
  const names = Object.entries(parameters);
  if (names.every(([, segment]) => !segment.includes('%'))) return parameters;
  return Object.fromEntries(names.map(([name, segment]) => [name, percentDecode(segment)]));
}

const named = (resources: readonly NamedResource[] | undefined, name: unknown): Resource | undefined =>
  resources?.find((resource) => resource.name === name);

function requestOf(c: Context<Env>): ApiRequest {
  const { raw } = c.req;
  const incoming = c.env?.incoming;
  const fields =
    incoming?.headers ?? Object.fromEntries(READ_FIELDS.map((name) => [name, raw.headers.get(name) ?? undefined]));
  return { method: c.req.method, ...splitUrl(raw.url), fields, address: incoming?.socket.remoteAddress ?? '' };
}

/** Host, path and query string of an absolute URL, as they were sent, without the fragment. */
function splitUrl(url: string): { host: string; path: string; query: string } {
  const [address = ''] = url.split('#', 1);
  const hostAt = address.indexOf('://') + 3;
  const start = address.indexOf('/', hostAt);
  const mark = address.indexOf('?', start);
  const host = address.slice(hostAt, start);
  return mark < 0
    ? { host, path: address.slice(start), query: '' }
    : { host, path: address.slice(start, mark), query: address.slice(mark + 1) };
}

/**
 * Headers are a plain object, so that `@hono/node-server` sends the response without building a `Headers` or reading the
 * body as a stream.
 */
export function respond(
  { status, headers: lines, body, stream }: HttpResponse,
  method: string,
  nextTurn: NextTurn,
): Response {
  const headers: Record<string, string> = {};
  const list = headerList(lines);
  for (let i = 0; i + 1 < list.length; i += 2) headers[list[i] ?? ''] = list[i + 1] ?? '';
  const isBodiless = method === 'HEAD';
  return new Response(isBodiless ? null : stream ? streamOf(stream, nextTurn) : body, { status, headers });
}
