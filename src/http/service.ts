/** What is served besides the collections: the browse pages, an index, the state of the service, its description, and that as a page. */

import { collections } from '../model.js';
import type { Dataset } from '../store/dataset.js';
import { comparedCollection, comparisonKey } from './api/changes.js';
import type { Route } from './api/routes.js';
import { DOCS_PATH, docsPage } from './docs/page.js';
import { readDocument } from './docs/shape.js';
import { memoize } from './memoize.js';
import { HEALTH_PATH, INDEX_PATH, OPENAPI_PATH, openApiDocument } from './openapi/document.js';
import { templateOf } from './openapi/operations.js';
import type { AppOptions, Served } from './options.js';
import { headersFor, PAGE_TYPE } from './pages/frame/document.js';
import type { Pages } from './pages/pages.js';
import { JSON_TYPE, redirect } from './response.js';
import type { Resource } from './routing.js';

export function serviceResources(options: AppOptions, routes: readonly Route[], pages: Pages): readonly Resource[] {
  /** Its examples are answers to requests: some hundredths of a second, once a dataset. */
  const documentOf = memoize((dataset: Dataset) => openApiDocument(routes, options, dataset));
  const jsonOf = memoize((dataset: Dataset) => JSON.stringify(documentOf(dataset)));
  const docsOf = memoize((dataset: Dataset) =>
    pages.documentOf({
      title: 'API docs – Scraper Data',
      current: null,
      kind: 'docs',
      main: docsPage(readDocument(documentOf(dataset))),
    }),
  );
  const docsHeaders = { ...headersFor("'self'"), 'Cross-Origin-Opener-Policy': 'same-origin' };
  return [
    ...pages.resources,
    {
      path: INDEX_PATH,
      ignoresQuery: true,
      handle: () => ({ type: JSON_TYPE, render: () => ({ body: index(routes) }) }),
    },
    {
      path: HEALTH_PATH,
      ignoresQuery: true,
      handle() {
        const served = options.served();
        const key = `${served.loadedAt.toISOString()} ${served.reloadFault?.at}`;
        return { type: JSON_TYPE, key, render: () => ({ body: health(served) }) };
      },
    },
    {
      path: OPENAPI_PATH,
      ignoresQuery: true,
      handle: ({ dataset }) => ({
        type: JSON_TYPE,
        key: comparisonKeys(dataset),
        render: () => ({ body: jsonOf(dataset) }),
      }),
    },
    // Where many servers have their description.
    { path: '/openapi.json', ignoresQuery: true, handle: () => redirect(OPENAPI_PATH) },
    {
      path: DOCS_PATH,
      ignoresQuery: true,
      handle: ({ dataset }) => ({
        type: PAGE_TYPE,
        key: `${pages.assetsHash} ${comparisonKeys(dataset)}`,
        render: () => ({ body: docsOf(dataset), headers: docsHeaders }),
      }),
    },
  ];
}

/** The document's examples are of the records, and of what changed in them. */
const comparisonKeys = (dataset: Dataset): string =>
  collections.map((model) => comparisonKey(comparedCollection(dataset, model))).join(' ');

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

/** What searches, in which languages, and whether phrases and exclusions are more than words to it, and spellings told. */
function searchOf({ collections }: Dataset) {
  const engine = [...collections.values()][0]?.search.engine ?? 'bm25f';
  const isOurs = engine === 'bm25f';
  const languages = Object.fromEntries([...collections].map(([name, { search }]) => [name, search.language]));
  return { engine, languages, phrases: isOurs, exclusions: isOurs, suggestions: isOurs };
}

/** Since which version, and how many records. */
const changesOf = ({ comparisons }: Dataset) =>
  Object.fromEntries(
    [...comparisons].map(([name, { since, changes }]) => {
      const { added, removed, changed } = changes.counts;
      return [name, { since: since.version, added, removed, changed }];
    }),
  );
