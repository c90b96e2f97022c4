/**
 * The resources of the served dataset, made once for each: they depend on its collections and fields, and a reload may bring
 * others. The fallbacks answer where there is no resource: at any other path, and while the first load runs.
 */
import { type ApiError, takenForAnother } from '../errors.js';
import { ownNameOf } from '../load/source/folder.js';
import type { CollectionModel } from '../model.js';
import type { Collection } from '../store/collection.js';
import { type Dataset, describedModels, modelsOf } from '../store/dataset.js';
import { rowNamed } from '../store/named-rows.js';
import { lackingResource, operationOf, type SiteOperation } from './api/lacks.js';
import type { AddressedOperation, Operation, OperationOptions } from './api/operations.js';
import { noPath, unavailable } from './error-responses.js';
import { isForeignSegment, lineForPath } from './foreign-paths.js';
import type { Routes } from './handler.js';
import { memoize } from './memoize.js';
import { type AppOptions, NOTHING_READ } from './options.js';
import type { Assets } from './pages/frame/assets.js';
import { loadingPage } from './pages/loading.js';
import { createPages, type Pages } from './pages/pages.js';
import { isApiPath, normalPath, originForm } from './paths.js';
import { type ApiRequest, isRead } from './request.js';
import { errorResponse, type PlainResponse, redirect } from './response.js';
import { percentDecode, percentEncode } from './semantics/percent.js';
import { headerField } from './semantics/preconditions.js';
import type { NextTurn } from './semantics/turns.js';
import { engineOf, type Served } from './served.js';
import { createService, type Service } from './service.js';

/** By pattern of a path: the operation that answers it for a collection, or several whose paths differ by a name. */
export type ApiRoutes = Readonly<
  Record<string, (model: CollectionModel, options: OperationOptions) => Operation | readonly Operation[]>
>;

export interface Site {
  readonly assets: Assets;
  readonly pages: Pages;
  readonly service: Service;
  /** The operation of a collection at a pattern of the API's routes. */
  readonly operationAt: (
    pattern: string,
    parameters: { readonly collection?: string; readonly name?: string; readonly id?: string },
  ) => Operation | undefined;
}

/** `patterns` are those of all routes; the paths among them are for the hint in a 404 response. */
export function createSites(
  options: AppOptions,
  routes: ApiRoutes,
  assets: Assets,
  patterns: readonly string[],
  nextTurn: NextTurn,
) {
  /** Resources exist only once a dataset is loaded, so for them it is never null. */
  const served = (): Served => {
    const current = options.served();
    if (current === null) throw new Error('nothing is served yet');
    return current;
  };

  const siteOf = memoize((dataset: Dataset): Site & { readonly paths: readonly string[] } => {
    const models = modelsOf(dataset);
    const dumpDate = (): Date => served().modifiedAt ?? served().loadedAt;
    const engine = engineOf(served());
    const operationOptions = { ...options, dumpDate };
    const byCollection = new Map<unknown, readonly SiteOperation[]>(
      models.map((model) => [
        model.name,
        operationsOf(routes, operationOptions, [model]).map((operation) => operationOf(operation, engine)),
      ]),
    );
    const described = describedModels(dataset);
    const operations = described
      .flatMap(({ name }) => byCollection.get(name) ?? [])
      .filter(({ isLacking }) => isLacking !== true);
    const allPages = createPages({ ...options, served }, models, described, assets);
    const pages = engine.lacks?.pages ? withoutPages(allPages) : allPages;
    return {
      assets,
      pages,
      service: createService({ ...options, served }, operations, pages, assets, nextTurn),
      operationAt: (pattern, { collection, name, id }) =>
        // Words such as `count` stand for no record unless one has them as its key: the 404 says what works.
        id !== undefined && isForeignIn(dataset.collections.get(String(collection)), id)
          ? undefined
          : byCollection.get(collection)?.find((operation) => operation.pattern === pattern && operation.name === name),
      paths: [
        ...operations.map(({ path }) => path),
        ...described.flatMap(({ name }) => ['', '/changes', '/:id'].map((rest) => `/${percentEncode(name)}${rest}`)),
        ...patterns.filter((pattern) => !pattern.includes(':')),
      ],
    };
  });

  /** The resources of the dataset that is served now; undefined while the first load runs. */
  const now = (): Site | undefined => {
    const current = options.served();
    return current === null ? undefined : siteOf(current.dataset);
  };

  /** Why the collection of a path is not there: its file was taken for another one. */
  function absence(path: string): ApiError | undefined {
    const name = collectionAtPath(path);
    const { dataset, report } = served();
    if (dataset.collections.has(name)) return undefined;
    const file = report.files.find((each) => ownNameOf(each.file) === name);
    return file && takenForAnother(name, file.file, file.collection);
  }

  function notFound(request: ApiRequest): PlainResponse {
    const { path, query, method } = request;
    const { paths, pages } = siteOf(served().dataset);
    const reason = absence(path);
    const lineOf = (): string | null => lineForPath(path, (name) => served().dataset.collections.get(name)?.model);
    const intendedPath = reason === undefined ? meantPath(path, paths) : null;
    const likelyPaths = intendedPath === null ? paths : [intendedPath];
    const error = () => (reason === undefined ? noPath(path, likelyPaths, lineOf()) : errorResponse(reason));
    if (isApiPath(normalPath(path))) return error();
    if (intendedPath !== null && isRead(method)) return redirect(originForm({ path: intendedPath, query }));
    return varyingByAccept(wantsPage(request) ? pages.nothingAt(path, paths, reason) : error());
  }

  function loading(request: ApiRequest): PlainResponse {
    const progress = options.progress?.() ?? NOTHING_READ;
    const error = unavailable(progress);
    const path = normalPath(request.path);
    if (isApiPath(path) || path === '/health') return error;
    const response = wantsPage(request) ? loadingPage(originForm(request), progress) : error;
    return varyingByAccept({ ...response, headers: { ...response.headers, ...error.headers } });
  }

  return { now, fallbacks: { notFound, loading } satisfies Omit<Routes, 'find'> };
}

/** Pages that are not there, in place of those that read records. */
function withoutPages(pages: Pages): Pages {
  const lacking = lackingResource('pages');
  const ofCollection = {
    ...{ list: lacking, record: lacking, field: lacking, groups: lacking, compare: lacking },
    ...{ completions: [], pictures: [] },
  };
  return {
    ...pages,
    home: lacking,
    search: lacking,
    of: (name) => (pages.of(name) === undefined ? undefined : ofCollection),
  };
}

/** The operations of collections, with their paths: `/api/products/category/:category`. */
export const operationsOf = (
  routes: ApiRoutes,
  options: OperationOptions,
  models: readonly CollectionModel[],
): readonly AddressedOperation[] =>
  models.flatMap((model) =>
    Object.entries(routes).flatMap(([pattern, operationOf]) =>
      [operationOf(model, options)].flat().map((operation) => ({
        ...operation,
        pattern,
        path: pattern
          .replace(':collection', () => percentEncode(model.name))
          .replace(':name', () => operation.name ?? '')
          .replace(':value', () => `:${operation.name}`),
      })),
    ),
  );

/** Whether a segment in the place of an id is a word of other APIs, and no record's key. */
const isForeignIn = (collection: Collection | undefined, segment: string): boolean =>
  collection !== undefined &&
  isForeignSegment(segment, collection.model) &&
  rowNamed(collection, segment) === undefined;

/** The collection that a path is about, if there is one: `jobs` of `/jobs/1`, `/api/jobs` and `/api/export/jobs`. */
const collectionAtPath = (path: string): string =>
  percentDecode(/^(?:\/api)?(?:\/export)?\/([^/]*)/.exec(path)?.[1] ?? '');

/** Whether the client accepts HTML: a browser gets an HTML page instead of a JSON error. */
const wantsPage = ({ fields }: ApiRequest): boolean => /\btext\/html\b/.test(headerField(fields, 'accept') ?? '');

const varyingByAccept = (response: PlainResponse): PlainResponse => ({
  ...response,
  headers: { ...response.headers, Vary: 'Accept' },
});

/**
 * The existing path that differs from a requested one only by trailing slashes or by case; null where there is none.
 * `paths` are patterns.
 */
function meantPath(path: string, paths: readonly string[]): string | null {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  const segments = path.slice(0, end).split('/');
  for (const pattern of paths) {
    const candidateSegments = pattern.split('/').map((name, i) => (name.startsWith(':') ? (segments[i] ?? '') : name));
    const candidate = candidateSegments.join('/');
    const isMeant =
      candidateSegments.length === segments.length && candidate.toLowerCase() === segments.join('/').toLowerCase();
    if (isMeant && candidate !== path) return candidate;
  }
  return null;
}
