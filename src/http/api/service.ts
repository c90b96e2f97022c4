/** What is served besides the collections: the browse pages, an index, the state of the service, its description, and that as a page. */

import type { Dataset } from '../../store/dataset.js';
import { assetFile } from '../asset-file.js';
import { DOCS_PATH, docsPage, SCRIPT_PATH, STYLE_PATH } from '../docs/page.js';
import { readDocument } from '../docs/shape.js';
import { HEALTH_PATH, INDEX_PATH, OPENAPI_PATH, openApiDocument } from '../openapi/document.js';
import { templateOf } from '../openapi/operations.js';
import type { AppOptions, Served } from '../options.js';
import { headersFor, PAGE_TYPE } from '../pages/frame/document.js';
import type { Pages } from '../pages/pages.js';
import { JSON_TYPE, type Outcome, redirect } from '../response.js';
import type { Resource } from '../routing.js';
import type { Route } from './routes.js';

export const serviceResources = (options: AppOptions, routes: readonly Route[], pages: Pages): readonly Resource[] => [
  ...pages.resources,
  resource(INDEX_PATH, () => ({ status: 200, type: JSON_TYPE, render: () => ({ body: index(routes) }) })),
  resource(HEALTH_PATH, () => {
    const served = options.served();
    return {
      status: 200,
      type: JSON_TYPE,
      key: `${served.loadedAt.toISOString()} ${served.reloadFault?.at}`,
      render: () => ({ body: health(served) }),
    };
  }),
  resource(OPENAPI_PATH, () => {
    const { dataset } = options.served();
    const render = () => ({ body: JSON.stringify(openApiDocument(routes, options, dataset)) });
    return { status: 200, type: JSON_TYPE, render };
  }),
  // Where many servers have their description.
  resource('/openapi.json', () => redirect(OPENAPI_PATH)),
  resource(DOCS_PATH, () => {
    const { dataset } = options.served();
    const render = () => ({
      body: pages.documentOf({
        title: 'API docs – Scraper Data',
        current: null,
        kind: 'docs',
        main: docsPage(readDocument(openApiDocument(routes, options, dataset))),
        own: { stylesheet: STYLE_PATH, script: SCRIPT_PATH },
      }),
      headers: { ...headersFor("'self'"), 'Cross-Origin-Opener-Policy': 'same-origin' },
    });
    return { status: 200, type: PAGE_TYPE, render };
  }),
  resource(STYLE_PATH, () => text('text/css; charset=utf-8', assetFile('src/http/docs/docs.css'))),
  resource(SCRIPT_PATH, () => text('text/javascript; charset=utf-8', assetFile('src/http/docs/docs.js'))),
];

const text = (type: string, body: string): Outcome => ({ status: 200, type, render: () => ({ body }) });

const resource = (path: string, handle: () => Outcome): Resource => ({ path, handle });

/** Laid out for people: it is what one sees who asks for the API without knowing it. */
const index = (routes: readonly Route[]): string => {
  const operations = routes.map(({ path, summary, pathParameter, parameters }) => ({
    path: templateOf(path),
    summary,
    parameters: [...(pathParameter ? [pathParameter] : []), ...parameters].map(({ name }) => name),
  }));
  const addresses = { documentation: DOCS_PATH, openapi: OPENAPI_PATH, health: HEALTH_PATH };
  return `${JSON.stringify({ ...addresses, operations }, null, 2)}\n`;
};

const health = ({ dataset, report, loadedAt, reloadFault }: Served): string =>
  JSON.stringify({
    status: 'ok',
    version: dataset.version,
    loadedAt: loadedAt.toISOString(),
    collections: Object.fromEntries([...dataset.collections].map(([name, { size }]) => [name, size])),
    search: searchOf(dataset),
    ...(dataset.comparisons.size > 0 && { changes: changesOf(dataset) }),
    ...(reloadFault && { reloadFault }),
    report,
  });

/** What searches, and whether phrases and exclusions are more than words to it, and spellings told. */
function searchOf({ collections }: Dataset) {
  const engine = [...collections.values()][0]?.search.engine ?? 'bm25f';
  const isOurs = engine === 'bm25f';
  return { engine, phrases: isOurs, exclusions: isOurs, suggestions: isOurs };
}

/** Since which version, and how many records. */
const changesOf = ({ comparisons }: Dataset) =>
  Object.fromEntries(
    [...comparisons].map(([name, { since, changes }]) => {
      const { added, removed, changed } = changes.counts;
      return [name, { since: since.version, added, removed, changed }];
    }),
  );
