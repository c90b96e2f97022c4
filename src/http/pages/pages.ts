/**
 * The browse pages as resources: home, a list and a record page for every collection of the model, pictures, assets. They
 * parse their parameters themselves, since their errors are pages too.
 */
import { type ApiError, errorStatus, notFound } from '../../errors.js';
import { type CollectionModel, collectionOf } from '../../model.js';
import { didYouMean } from '../../query/nearest.js';
import { idParameter } from '../../query/parameters.js';
import { rowOfId } from '../../store/ids.js';
import { quote } from '../../text.js';
import { type ComparedCollection, comparedCollection, comparisonKey } from '../api/changes.js';
import type { AppOptions } from '../options.js';
import type { ErrorResponse, Outcome } from '../response.js';
import type { Resource, RouteRequest } from '../routing.js';
import { changesPage } from './changes/page.js';
import { changesPath, createChangesParser } from './changes/view.js';
import { address } from './frame/address.js';
import type { Assets } from './frame/assets.js';
import { createDocument, type DocumentOf, PAGE_TYPE, type PageFrame, pageHeaders } from './frame/document.js';
import { errorFrame, type RecoveryLink } from './frame/errors.js';
import { MAX_SHOWN_RECORDS } from './frame/toolbar.js';
import { homePage } from './home/home.js';
import { completionResources } from './list/completions.js';
import { listPage } from './list/page.js';
import { createViewParser, type NoView, soundPairs, type ViewParser } from './list/view.js';
import { imageResources } from './record/image.js';
import { recordPage } from './record/page.js';

export interface Pages {
  readonly resources: readonly Resource[];
  /** The frame of every page. */
  readonly documentOf: DocumentOf;
  /** A part of the key of every page. */
  readonly assetsHash: string;
  /** For a path at which there is nothing. */
  readonly nothingAt: (path: string, paths: readonly string[]) => ErrorResponse;
}

/** A longer link to the rest of a faulty address is left out: no error page is larger than 8 kB. */
const MAX_LINK_LENGTH = 512;

const home: RecoveryLink = { address: '/', label: 'See what is loaded' };

export function createPages(
  { served, maxLimit: apiLimit }: Pick<AppOptions, 'served' | 'maxLimit'>,
  models: readonly CollectionModel[],
  assets: Assets,
): Pages {
  const maxLimit = Math.min(apiLimit, MAX_SHOWN_RECORDS);
  const documentOf = createDocument(assets, models);
  const errorPage = (error: ApiError, current: string | null, ways: readonly RecoveryLink[]): ErrorResponse => ({
    status: errorStatus[error.code],
    type: PAGE_TYPE,
    headers: pageHeaders,
    body: documentOf(errorFrame(error, current, ways)),
  });

  /** A page that is only rendered if it has to be sent. */
  const page = (key: string, frameOf: () => PageFrame): Outcome => ({
    type: PAGE_TYPE,
    key: `${assets.hash} ${key}`,
    render: () => ({ body: documentOf(frameOf()), headers: pageHeaders }),
  });

  const homeResource: Resource = {
    path: '/',
    ignoresQuery: true,
    handle() {
      const current = served();
      return page(current.loadedAt.toISOString(), () => homePage(current, models));
    },
  };

  /** A page of what an address asks for, or what is wrong with it. */
  function show<Shown>(
    model: CollectionModel,
    { dataset, path, query }: RouteRequest,
    parse: ViewParser<Shown>,
    frameOf: (view: Shown, compared: ComparedCollection) => PageFrame,
  ): Outcome {
    const result = parse(dataset, path, query);
    if (result.kind !== 'view') return refuse(model, path, query, result);
    const compared = comparedCollection(dataset, model);
    return page(`${path}?${query} ${comparisonKey(compared)}`, () => frameOf(result.view, compared));
  }

  function viewResources(model: CollectionModel): readonly Resource[] {
    const parse = createViewParser(model, maxLimit);
    const parseChanges = createChangesParser(model, maxLimit);
    return [
      {
        path: `/${model.name}`,
        handle: (request) => show(model, request, parse, (view) => listPage(view, maxLimit)),
      },
      {
        path: changesPath(model),
        handle: (request) => show(model, request, parseChanges, (view) => changesPage(view, maxLimit)),
      },
      {
        path: `/${model.name}/:id`,
        pathParameter: idParameter,
        handle(request) {
          const id = idIn(request.path);
          const row = id === null ? -1 : rowOfId(collectionOf(request.dataset.collections, model.name).ids, id);
          if (row < 0) return errorPage(noRecord(model, request.path), model.name, [allOf(model), home]);
          return show(model, request, parse, (view, { comparison }) => recordPage(view, row, comparison));
        },
      },
    ];
  }

  function refuse(model: CollectionModel, path: string, query: string, result: NoView): ErrorResponse {
    if (result.kind === 'elsewhere')
      return { status: 303, type: '', body: null, headers: { Location: result.address } };
    const sound = address(path, soundPairs(query, result.faulty));
    const without: RecoveryLink = { address: sound, label: 'The same without it' };
    const ways = [...(sound.length <= MAX_LINK_LENGTH ? [without] : []), allOf(model), home];
    return errorPage(result.error, model.name, ways);
  }

  return {
    resources: [
      homeResource,
      ...models.flatMap((model) => [
        ...viewResources(model),
        ...completionResources(model, maxLimit),
        ...imageResources(model),
      ]),
      ...assets.resources,
    ],
    documentOf,
    assetsHash: assets.hash,
    nothingAt(path, paths) {
      const error = notFound(`There is no page at ${quote(path)}.${didYouMean(path, paths)}`);
      return errorPage(error, null, [home, ...models.map(allOf)]);
    },
  };
}

const allOf = ({ name }: CollectionModel): RecoveryLink => ({ address: `/${name}`, label: `All ${name}` });

const idIn = (path: string): number | null => {
  const segment = path.slice(path.lastIndexOf('/') + 1);
  return /^-?\d+$/.test(segment) ? Number(segment) : null;
};

function noRecord({ singular }: CollectionModel, path: string): ApiError {
  const id = path.slice(path.lastIndexOf('/') + 1);
  return notFound(`${singular} with id ${id.slice(0, 60)} not found.`);
}
