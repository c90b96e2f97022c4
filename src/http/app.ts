/**
 * What stands at which address?
 * Takes: the options of the server.
 * Gives: every address of the server, as a Hono app. Its router leads to resources, whichever way a request comes: over a socket the
 * wire answers plain ones before Hono makes a `Request` of them (`wire/plain-handler.ts`). There is no middleware: with one that
 * changes responses after `next()`, a request takes more than twice the processor time (`src/README.md`).
 * Skip: pages, documents, and the resources of a dataset (`site.ts`).
 */
import { Hono } from 'hono';
import { PatternRouter } from 'hono/router/pattern-router';
import { type CollectionModel, collections } from '../model.js';
import { type Env, requestOf, respond } from './adapter.js';
import { facets, stats, values } from './api/counts.js';
import { exportAll, exportStats } from './api/exports.js';
import { listOperation, search } from './api/lists.js';
import { listsByValue } from './api/lists-by-value.js';
import { type AddressedOperation, type OperationOptions, ofChanges } from './api/operations.js';
import { history, record, similar } from './api/records.js';
import { createHandler, type Handler } from './handler.js';
import type { AppOptions } from './options.js';
import { createAssets } from './pages/frame/assets.js';
import type { NamedResource, Resource, RouteMatch } from './resource.js';
import { percentDecode } from './semantics/percent.js';
import { createTurns, type NextTurn } from './semantics/turns.js';
import { type ApiRoutes, createSites, operationsOf, type Site } from './site.js';
import { createPlainHandler, type PlainHandler } from './wire/plain-handler.js';

export type { AppOptions } from './options.js';
export type { Served } from './served.js';

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
  '/api/:collection': listOperation,
  '/api/:collection/search': search,
  '/api/:collection/:name': facets, // /api/products/categories
  '/api/:collection/stats': stats,
  '/api/:collection/changes': ofChanges(listOperation),
  '/api/:collection/changes/search': ofChanges(search),
  '/api/:collection/changes/stats': ofChanges(stats),
  '/api/:collection/changes/values/:countedField': ofChanges(values),
  '/api/:collection/changes/:id': ofChanges(record),
  '/api/:collection/:name/:value': listsByValue, // /api/products/category/Books
  '/api/:collection/values/:field': values,
  '/api/:collection/:id': record,
  '/api/:collection/:id/similar': similar,
  '/api/:collection/:record/history': history,
  '/api/export/:collection': exportAll,
  '/api/export/:collection/changes': ofChanges(exportAll),
  '/api/export/:collection/stats': exportStats,
};

/** The operations with their paths in each collection: `/api/articles/search`. */
export const createRoutes = (
  options: OperationOptions,
  models: readonly CollectionModel[] = collections,
): readonly AddressedOperation[] => operationsOf(api, options, models);

/** Names and decoded segments of a path: names of collections and fields may be of any script. */
type PathParameters = Readonly<Record<string, string>>;

/** The resource at a pattern of paths; undefined where the path's parameters name none, and the next pattern is tried. */
type ResourceAt = (site: Site, parameters: PathParameters) => Resource | undefined;

/** All paths, in the order in which they are tried. */
const routes: Readonly<Record<string, ResourceAt>> = {
  // Pages, documents and files of the server. `pages` are made in `pages/pages.ts`, `service` in `service.ts`.
  '/': ({ pages }) => pages.home,
  '/search': ({ pages }) => pages.search,
  '/docs': ({ service }) => service.docs,
  '/docs/:operation': ({ service }, { operation }) => service.docsOf(operation),
  '/docs.md': ({ service }) => service.docsMarkdown,
  '/llms.txt': ({ service }) => service.llms,
  '/robots.txt': ({ service }) => service.robots,
  '/health': ({ service }) => service.health,
  '/openapi.json': ({ service }) => service.openApiElsewhere,
  // An asset's name is its whole address.
  '/assets/:hash/:file': ({ assets }, { hash, file }) => named(assets.resources, `/assets/${hash}/${file}`),

  // The API: its index and documents, then the operations above.
  '/api': ({ service }) => service.index,
  '/api/openapi.json': ({ service }) => service.openApi,
  '/api/types.d.ts': ({ service }) => service.types,
  ...Object.fromEntries(
    Object.keys(api).map((pattern): [string, ResourceAt] => [
      pattern,
      ({ operationAt }, names) => operationAt(pattern, names),
    ]),
  ),

  // Pages of a collection, their pictures and completions.
  '/:collection': ({ pages }, { collection }) => pages.of(collection)?.list,
  '/:collection/changes': ({ pages }, { collection }) => pages.of(`${collection}/changes`)?.list,
  '/:collection/changes/complete/:parameter': ({ pages }, { collection, parameter }) =>
    named(pages.of(`${collection}/changes`)?.completions, parameter),
  '/:collection/changes/:id': ({ pages }, { collection }) => pages.of(`${collection}/changes`)?.record,
  '/:collection/stats': ({ pages }, { collection }) => pages.of(collection)?.groups,
  '/:collection/compare': ({ pages }, { collection }) => pages.of(collection)?.compare,
  '/:collection/complete/:parameter': ({ pages }, { collection, parameter }) =>
    named(pages.of(collection)?.completions, parameter),
  '/:collection/fields/:name': ({ pages }, { collection }) => pages.of(collection)?.field,
  '/:collection/:field/:id': ({ pages }, { collection, field }) => named(pages.of(collection)?.pictures, field),
  '/:collection/:id': ({ pages }, { collection }) => pages.of(collection)?.record,

  // Any other path: a 404 that names the nearest path, or a redirect to the same path in lower case (`site.ts`).
};

export function createApp(options: AppOptions): App {
  const router = new PatternRouter<ResourceAt>();
  for (const [pattern, resourceAt] of Object.entries(routes)) router.add('ALL', pattern, resourceAt);
  const nextTurn = createTurns();
  const sites = createSites(options, api, createAssets(), Object.keys(routes), nextTurn);

  /** The match of the last path: most requests have the path of the one before, with another query string. */
  let lastMatch: { readonly site: Site; readonly path: string; readonly match: RouteMatch | undefined } | undefined;

  /** The resource at a path in its normal form. */
  function find(path: string): RouteMatch | undefined {
    const site = sites.now();
    if (site === undefined) return undefined;
    if (lastMatch?.path !== path || lastMatch.site !== site) lastMatch = { site, path, match: findIn(site, path) };
    return lastMatch.match;
  }

  /** A match has the segment that its resource's `pathParameter` checks: a pattern has one at most. */
  function findIn(site: Site, path: string): RouteMatch | undefined {
    // Hono's patterns match a path with a slash at its end too, which leads nowhere here.
    if (path.length > 1 && path.endsWith('/')) return undefined;
    for (const [resourceAt, segments] of router.match('GET', path)[0]) {
      const resource = resourceAt(site, decoded(segments));
      const { value, id, field, countedField, record } = segments;
      if (resource !== undefined)
        return { resource, segment: String(value ?? id ?? field ?? countedField ?? record ?? '') };
    }
    return undefined;
  }

  const handler = createHandler(options, nextTurn, { find, ...sites.fallbacks });
  const app = new Hono<Env>();
  app.all('*', async (c) => respond(await handler.answer(requestOf(c)), c.req.method, nextTurn));
  // The handler answers for its own errors: this one is thrown by `onError` itself, or by the adapter.
  app.onError((error) => {
    throw error;
  });
  return Object.assign(app, { plain: createPlainHandler(handler), nextTurn, handler });
}

function decoded(segments: Readonly<Record<string, string | number>>): PathParameters {
  const parameters: Record<string, string> = {};
  for (const name in segments) parameters[name] = percentDecode(String(segments[name]));
  return parameters;
}

const named = (resources: readonly NamedResource[] | undefined, name: string | undefined): Resource | undefined =>
  resources?.find((resource) => resource.name === name);
