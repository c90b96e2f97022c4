/** What is served besides the collections: the state of the service, and the pages. */
import { JSON_TYPE } from './answer.js';
import type { AppOptions, Served } from './options.js';
import type { Route } from './routes.js';
import type { Resource } from './routing.js';

export const siteResources = (
  options: AppOptions,
  _routes: readonly Route[],
  pages: readonly Resource[],
): readonly Resource[] => [
  ...pages,
  {
    path: '/health',
    pathParameter: null,
    parameters: null,
    handle() {
      const served = options.served();
      const render = () => ({ body: health(served) });
      return { status: 200, type: JSON_TYPE, key: served.loadedAt.toISOString(), render };
    },
  },
];

const health = ({ dataset, report, loadedAt }: Served): string =>
  JSON.stringify({
    status: 'ok',
    version: dataset.version,
    loadedAt: loadedAt.toISOString(),
    collections: Object.fromEntries([...dataset.collections].map(([name, { size }]) => [name, size])),
    report,
  });
