/**
 * Every address of the server as a Hono app. Hono only routes: with a middleware that changes responses after `next()`, a
 * request takes more than twice the processor time (`src/README.md`). Over a socket, the wire answers plain requests by the
 * same routes before Hono makes a `Request` of them (`wire/plain-handler.ts`).
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Context, Hono } from 'hono';
import { type CollectionModel, collections } from '../model.js';
import { type Env, requestOf, respond, splitUrl } from './adapter.js';
import {
  type AddressedOperation,
  changes,
  exportAll,
  exportChanges,
  facets,
  list,
  listsByValue,
  type OperationOptions,
  record,
  search,
  similar,
  stats,
  values,
} from './api/operations.js';
import { createHandler, type Handler } from './handler.js';
import type { AppOptions } from './options.js';
import { createAssets } from './pages/frame/assets.js';
import {
  decodedParameters,
  isApiPath,
  type NamedResource,
  normalPath,
  type PathParameters,
  parametersIn,
  type Resource,
  type RouteMatch,
  RouteTable,
} from './resource.js';
import { drawDelay } from './semantics/simulation.js';
import { createTurns, type NextTurn } from './semantics/turns.js';
import { type ApiRoutes, createSites, operationsOf, type Site } from './site.js';
import { createPlainHandler, type PlainHandler } from './wire/plain-handler.js';

export type { AppOptions, Served } from './options.js';

export type App = Hono<Env> & {
  /** Answers the plain requests that the wire reads. */
  readonly plain: PlainHandler;
  readonly nextTurn: NextTurn;
  readonly handler: Handler;
};

/**
 * The operations of the API, which its OpenAPI document describes. Patterns are tried in this order. One without an operation
 * for the path's `:collection` and `:name` is passed over (`operationAt` in `site.ts`): `/api/products/7` is no facet, so a
 * record, and `export` is no collection.
 */
const api: ApiRoutes = {
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

/** The operations with their paths in each collection: `/api/articles/search`. */
export const createRoutes = (
  options: OperationOptions,
  models: readonly CollectionModel[] = collections,
): readonly AddressedOperation[] => operationsOf(api, options, models);

/** The resource of a route; undefined where the path's parameters name none. */
type ResourceAt = (site: Site, parameters: PathParameters) => Resource | undefined;

export function createApp(options: AppOptions): App {
  // Only needless escapes are decoded here; the path's parameters decode the others.
  const app = new Hono<Env>({ getPath: ({ url }) => normalPath(splitUrl(url).path) });
  /** The same routes for the wire: Hono's router would take a third of the time of a record's response. */
  const table = new RouteTable<ResourceAt>();
  const assets = createAssets();
  // The paths are read late: routes are added below.
  const sites = createSites(options, api, assets, () => app.routes.map(({ path }) => path));
  const nextTurn = createTurns();
  const handler = createHandler(options, nextTurn, sites.fallbacks);
  const { simulation, random = Math.random } = options;
  const hasDelay = simulation !== undefined && simulation.delayMs[1] > 0;
  /** `path` is in its normal form. */
  const isDelayed = (path: string): boolean => hasDelay && isApiPath(path);

  // Pages, documents and files of the server. `pages` are made in `pages/pages.ts`, `service` in `service.ts`.
  route('/', ({ pages }) => pages.home);
  route('/docs', ({ service }) => service.docs);
  route('/docs.md', ({ service }) => service.docsMarkdown);
  route('/llms.txt', ({ service }) => service.llms);
  route('/robots.txt', ({ service }) => service.robots);
  route('/health', ({ service }) => service.health);
  route('/openapi.json', ({ service }) => service.openApiElsewhere);
  route('/assets/:hash/:file', (_, { hash, file }) =>
    // An asset's name is its whole address.
    named(assets.resources, `/assets/${hash}/${file}`),
  );

  // The API: its index and document, then the operations above.
  route('/api', ({ service }) => service.index);
  route('/api/openapi.json', ({ service }) => service.openApi);
  route('/api/types.d.ts', ({ service }) => service.types);
  for (const pattern of Object.keys(api)) route(pattern, ({ operationAt }, names) => operationAt(pattern, names));

  // Pages of a collection, their pictures and completions.
  route('/:collection', ({ pages }, { collection }) => pages.of(collection)?.list);
  route('/:collection/changes', ({ pages }, { collection }) => pages.of(collection)?.changes);
  route('/:collection/complete/:parameter', ({ pages }, { collection, parameter }) =>
    named(pages.of(collection)?.completions, parameter),
  );
  route('/:collection/:field/:id', ({ pages }, { collection, field }) => named(pages.of(collection)?.pictures, field));
  route('/:collection/:id', ({ pages }, { collection }) => pages.of(collection)?.record);

  // Any other path: a 404 that names the nearest path, or a redirect to the same path in lower case.
  app.notFound((c) => answer(c));
  app.onError((error, c) => {
    options.onError(error, c.req.raw);
    return respond(handler.failure(requestOf(c).fields), c.req.method, nextTurn);
  });

  /** Adds a route for all methods: the handler refuses those that are not allowed. */
  function route(pattern: string, resourceAt: ResourceAt): void {
    table.add(pattern, resourceAt);
    // Hono would decode parameters, and throw at some.
    const segments = pattern.split('/');
    app.all(pattern, (c, next) => {
      const match = matchOf(resourceAt, parametersIn(segments, c.req.path.split('/')) ?? {});
      return match === undefined ? next() : answer(c, match);
    });
  }

  /** The resource, with the segment that its `pathParameter` checks, as it was sent: a pattern has at most one such segment. */
  function matchOf(resourceAt: ResourceAt, parameters: PathParameters): RouteMatch | undefined {
    const site = sites.now();
    const resource = site && resourceAt(site, decodedParameters(parameters));
    return resource && { resource, segment: parameters.value ?? parameters.id ?? parameters.field ?? '' };
  }

  async function answer(c: Context<Env>, match?: RouteMatch): Promise<Response> {
    if (simulation !== undefined && isDelayed(c.req.path)) await wait(drawDelay(simulation, random));
    return respond(await handler.answer(requestOf(c), match), c.req.method, nextTurn);
  }

  // The wire answers at once: what is delayed it leaves to Hono.
  const plainMatch = (path: string) => (isDelayed(path) ? undefined : table.first(path, matchOf));
  const plain = createPlainHandler(handler, plainMatch, options.onError);
  return Object.assign(app, { plain, nextTurn, handler });
}

const named = (resources: readonly NamedResource[] | undefined, name: string | undefined): Resource | undefined =>
  resources?.find((resource) => resource.name === name);
