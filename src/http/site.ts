/** What is served besides the collections: the state of the service, and its description. */
import { type Answer, JSON_TYPE } from './answer.js';
import { HEALTH_PATH, OPENAPI_PATH, openApiDocument } from './openapi/document.js';
import type { AppOptions, Served } from './options.js';
import type { Route } from './routes.js';
import type { Resource } from './routing.js';

export const siteResources = (options: AppOptions, routes: readonly Route[]): readonly Resource[] => [
  resource(HEALTH_PATH, () => {
    const served = options.served();
    return {
      status: 200,
      type: JSON_TYPE,
      key: served.loadedAt.toISOString(),
      render: () => ({ body: health(served) }),
    };
  }),
  resource(OPENAPI_PATH, () => {
    const { dataset } = options.served();
    const render = () => ({ body: JSON.stringify(openApiDocument(routes, options, dataset)) });
    return { status: 200, type: JSON_TYPE, render };
  }),
];

const resource = (path: string, handle: () => Answer): Resource => ({
  path,
  pathParameter: null,
  parameters: null,
  handle,
});

const health = ({ dataset, report, loadedAt }: Served): string =>
  JSON.stringify({
    status: 'ok',
    version: dataset.version,
    loadedAt: loadedAt.toISOString(),
    collections: Object.fromEntries([...dataset.collections].map(([name, { size }]) => [name, size])),
    report,
  });
