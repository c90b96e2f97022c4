/** The resources besides the collections: index, health, OpenAPI document, documentation (page, Markdown, `llms.txt`), types and `robots.txt`. */

import { pathText } from '../load/values/paths.js';
import type { CollectionModel } from '../model.js';
import { type Answer, whenAnswered } from '../query/engine.js';
import { reportParameter } from '../query/parameters.js';
import { textParameter } from '../query/request.js';
import { pairedBy } from '../store/changes/changes.js';
import { type Dataset, fieldsHash, historyKey, modelsOf, sizeIn } from '../store/dataset.js';
import { canonicalDate } from '../text.js';
import type { AddressedOperation } from './api/operations.js';
import { llmsText } from './docs/llms.js';
import { docsMarkdown } from './docs/markdown.js';
import { docsPage, operationPage } from './docs/page.js';
import { DOCS_PATH } from './docs/text.js';
import { baseName } from './markup/format.js';
import { memoize } from './memoize.js';
import {
  type DocumentOptions,
  HEALTH_PATH,
  OPENAPI_PATH,
  openApiDocument,
  operationsByPath,
  servicePaths,
} from './openapi/document.js';
import { operationId, templateOf } from './openapi/operations.js';
import { typesText } from './openapi/typescript.js';
import type { AppOptions } from './options.js';
import type { Assets } from './pages/frame/assets.js';
import { headersFor, PAGE_TYPE } from './pages/frame/document.js';
import type { Pages } from './pages/pages.js';
import type { Resource } from './resource.js';
import { type Headers, JSON_TYPE, redirect } from './response.js';
import { DEFAULT_ORIGIN } from './semantics/host.js';
import { inTurns, type NextTurn } from './semantics/turns.js';
import type { Served } from './served.js';

export type Service = ReturnType<typeof createService>;

export function createService(
  options: DocumentOptions &
    Pick<AppOptions, 'origin' | 'rateLimit' | 'simulation'> & { readonly served: () => Served },
  operations: readonly AddressedOperation[],
  pages: Pick<Pages, 'documentOf' | 'assetsHash'>,
  { guide }: Pick<Assets, 'guide'>,
  nextTurn: NextTurn,
) {
  const { origin = DEFAULT_ORIGIN, rateLimit } = options;
  /** Made once for each dataset, in turns with other requests: all of it takes 40 ms or more. */
  const documentOf = memoize(async (dataset: Dataset) => {
    const described = [];
    for await (const each of inTurns(operationsByPath(operations, dataset), nextTurn)) described.push(each);
    return openApiDocument(operations, options, dataset, described);
  });
  const jsonOf = memoize(async (dataset: Dataset) => JSON.stringify(await documentOf(dataset)));
  const docsText = memoize(async (dataset: Dataset) => {
    const document = await documentOf(dataset);
    await nextTurn();
    const main = docsPage(document, { origin, rateLimit });
    return pages.documentOf({ title: 'API docs – Scraper Data', current: null, kind: 'docs', main });
  });
  const idOf = ({ path, model }: AddressedOperation): string => operationId(path, model.changesOf ?? model.name);
  const operationIds = new Set([...operations.map(idOf), ...servicePaths.map((path) => operationId(path))]);
  /** The page of one operation; undefined where there is none of this id. */
  const docsOf = (id = ''): Resource | undefined =>
    operationIds.has(id)
      ? { ...file(PAGE_TYPE, pageKey, (dataset) => operationText(dataset, id), docsHeaders), isDeferred: true }
      : undefined;
  async function operationText(dataset: Dataset, id: string): Promise<string> {
    const document = await documentOf(dataset);
    const { title, main } = operationPage(document, id, origin);
    return pages.documentOf({ title: `${title} – API docs – Scraper Data`, current: null, kind: 'docs', main });
  }
  const healthKey = ({ loadedAt, reloadFault }: Served): string => `${loadedAt.toISOString()} ${reloadFault?.at}`;
  const pageKey = (dataset: Dataset): string => `${pages.assetsHash} ${comparisonKeys(dataset)}`;
  return {
    index: file(
      JSON_TYPE,
      () => '',
      () => index(operations),
    ),
    health: {
      parameters: [reportParameter],
      handle({ values }) {
        const served = options.served();
        const hasReport = textParameter(values, reportParameter.name) === '1';
        const body = (): string =>
          JSON.stringify({
            ...health(served),
            ...(options.simulation && { simulation: options.simulation }),
            ...(hasReport && { report: served.report }),
          });
        return { type: JSON_TYPE, key: healthKey(served), render: () => ({ body: body(), headers: {} }) };
      },
    },
    openApi: { ...file(JSON_TYPE, comparisonKeys, jsonOf), isDeferred: true },
    /** A redirect from `/openapi.json`, where many servers have their OpenAPI document. */
    openApiElsewhere: { parameters: 'ignored', handle: () => redirect(OPENAPI_PATH) },
    docs: { ...file(PAGE_TYPE, pageKey, docsText, docsHeaders), isDeferred: true },
    docsOf,
    types: file(
      TEXT_TYPE,
      () => '',
      (dataset) => typesText(servedModels(dataset), options),
    ),
    llms: file(TEXT_TYPE, () => '', llmsText),
    robots: file(
      TEXT_TYPE,
      () => '',
      () => ROBOTS,
    ),
    docsMarkdown: {
      ...file(MARKDOWN_TYPE, comparisonKeys, async (dataset) => docsMarkdown(await documentOf(dataset), guide, origin)),
      isDeferred: true,
    },
  } satisfies Record<string, Resource | ((name?: string) => Resource | undefined)>;
}

/** A resource without parameters, made from the dataset. `keyOf` gives a part of its entity tag. */
const file = (
  type: string,
  keyOf: (dataset: Dataset) => string,
  bodyOf: (dataset: Dataset) => Answer<string>,
  headers: Headers = {},
): Resource => ({
  parameters: 'ignored',
  handle: ({ dataset }) => ({
    type,
    key: keyOf(dataset),
    render: () => whenAnswered(bodyOf(dataset), (body) => ({ body, headers })),
  }),
});

/** The collections that hold records; all of them where none does. */
function servedModels(dataset: Dataset): readonly CollectionModel[] {
  const models = modelsOf(dataset);
  const filledModels = models.filter(({ name }) => sizeIn(dataset, name) > 0);
  return filledModels.length > 0 ? filledModels : models;
}

/** The records are copies of other sites' pages, and filters have more addresses than a crawler can visit. */
const ROBOTS = 'User-agent: *\nAllow: /llms.txt\nAllow: /docs\nDisallow: /\n';

const TEXT_TYPE = 'text/plain; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

const docsHeaders = { ...headersFor("'self'"), 'Cross-Origin-Opener-Policy': 'same-origin' };

/** The OpenAPI document has examples of changes, so its tag depends on the comparisons too. */
const comparisonKeys = (dataset: Dataset): string =>
  modelsOf(dataset)
    .map((model) => historyKey(dataset, model))
    .join(' ');

/** Indented JSON: people who open `/api` in a browser read it. Of a found field it tells where the dump has its values. */
const index = (operations: readonly AddressedOperation[]): string => {
  const described = operations.map(({ path, summary, pathParameter, parameters }) => ({
    path: templateOf(path),
    summary,
    parameters: [...(pathParameter ? [pathParameter] : []), ...parameters].map(({ name }) => name),
  }));
  const models = [...new Set(operations.map(({ model }) => model))].filter(({ changesOf }) => changesOf === undefined);
  const collections = models.map(({ name, keys, fields }) => ({
    name,
    ...(keys !== undefined && { keys }),
    fields: fields.map((field) => ({
      name: field.name,
      kind: field.kind,
      ...(field.sourcePath && { from: pathText(field.sourcePath) }),
    })),
  }));
  const addresses = { documentation: DOCS_PATH, openapi: OPENAPI_PATH, health: HEALTH_PATH };
  return `${JSON.stringify({ ...addresses, collections, operations: described }, null, 2)}\n`;
};

/** Small: every open page asks for it, and every probe of a container. */
const health = ({ dataset, engine, loadedAt, reloadFault }: Served) => ({
  status: 'ok',
  version: dataset.version,
  fields: fieldsHash(dataset),
  loadedAt: loadedAt.toISOString(),
  collections: Object.fromEntries([...dataset.collections.keys()].map((name) => [name, sizeIn(dataset, name)])),
  search: searchOf(dataset, engine?.name),
  ...(dataset.comparisons.size > 0 && { changes: changesOf(dataset) }),
  ...(reloadFault && { reloadFault }),
});

/** The search engine, its languages, and its support for phrases, exclusions and spelling suggestions. */
function searchOf({ collections }: Dataset, databaseName: string | undefined) {
  const index = [...collections.values()][0]?.search.engine ?? 'bm25f';
  const engine = databaseName ?? index;
  const isOurs = index === 'bm25f';
  const languages = Object.fromEntries([...collections].map(([name, { search }]) => [name, search.language]));
  return { engine, languages, phrases: isOurs, exclusions: isOurs, suggestions: isOurs && databaseName === undefined };
}

/** By collection: the dump before the last one, what changed since then, and the history as far as it is kept. */
const changesOf = ({ comparisons }: Dataset) =>
  Object.fromEntries(
    [...comparisons].map(([name, { since, last, dumps, changes, knownSinceMs }]) => {
      const { added, removed, changed } = last.counts;
      const incomplete = dumps.filter(({ isIncomplete }) => isIncomplete);
      return [
        name,
        {
          since: since.version,
          ...{ added, removed, changed },
          pairedBy: pairedBy(last.pairing),
          dumps: dumps.length,
          changes: changes.size,
          knownSince: canonicalDate(knownSinceMs),
          ...(incomplete.length > 0 && {
            incomplete: incomplete.map(({ name, timeMs }) =>
              name === undefined ? canonicalDate(timeMs) : baseName(name),
            ),
          }),
        },
      ];
    }),
  );
