/**
 * The HTML pages as resources: home, the search of everything, and for each collection its list, records, fields, groups,
 * completions and pictures. Their errors are HTML pages too.
 */
import { type ApiError, errorStatus, notFound } from '../../errors.js';
import { type CollectionModel, recordsOf } from '../../model.js';
import { didYouMean, nearestHint } from '../../nearest.js';
import { optionalTextParameter } from '../../query/parameters.js';
import { textParameter } from '../../query/request.js';
import { type Comparison, changesModel } from '../../store/changes/changes.js';
import { collectionIn, type Dataset, historyKey } from '../../store/dataset.js';
import { idOfRow, rowOfId } from '../../store/ids.js';
import { rowNamed } from '../../store/named-rows.js';
import { quoted } from '../../text.js';
import { awaitingTexts } from '../api/operations.js';
import { capitalised, separateWords } from '../markup/format.js';
import type { Content } from '../markup/html.js';
import type { AppOptions } from '../options.js';
import { noRecord, originForm, recordPath } from '../paths.js';
import type { NamedResource, Resource, ResourceRequest } from '../resource.js';
import { type PlainResponse, type Representation, redirect } from '../response.js';
import { DEFAULT_ORIGIN } from '../semantics/host.js';
import { percentDecode } from '../semantics/percent.js';
import type { Served } from '../served.js';
import { changesPath } from './changes/figures.js';
import { createFieldReader, fieldPage } from './fields/page.js';
import { address } from './frame/address.js';
import type { Assets } from './frame/assets.js';
import { createDocument, type DocumentOf, PAGE_TYPE, type PageFrame, pageHeaders } from './frame/document.js';
import { errorFrame, type RecoveryLink } from './frame/errors.js';
import { createGroupsReader, groupsPage } from './groups/page.js';
import { homePage } from './home/home.js';
import { completionResources } from './list/completions.js';
import { type ListOptions, listPage } from './list/page.js';
import { createViewReader, soundPairs, withoutBlanks } from './list/view.js';
import { comparedParameter, comparisonPage } from './record/comparison.js';
import { imageResources } from './record/image.js';
import { recordPage } from './record/page.js';
import { everywhereParameters, loadedCollections, searchEverywhere, searchPage } from './search/page.js';

/** The pages of one collection. */
interface CollectionPages {
  readonly list: Resource;
  readonly record: Resource;
  readonly field: Resource;
  readonly groups: Resource;
  readonly compare: Resource;
  readonly completions: readonly NamedResource[];
  readonly pictures: readonly NamedResource[];
}

export interface Pages {
  readonly home: Resource;
  /** The search of all collections. */
  readonly search: Resource;
  /** The pages of a collection by its name. */
  readonly of: (collection: unknown) => CollectionPages | undefined;
  /** The frame of every page. */
  readonly documentOf: DocumentOf;
  /** A part of the key of every page. */
  readonly assetsHash: string;
  /** The 404 response. */
  readonly nothingAt: (path: string, paths: readonly string[], reason?: ApiError) => PlainResponse;
}

interface PageOptions extends Pick<AppOptions, 'maxLimit' | 'hasAllFields' | 'origin' | 'simulation'> {
  readonly served: () => Served;
}

/** A longer link to the address without its faulty parameters is left out: error pages stay below 8 kB. */
const MAX_LINK_LENGTH = 512;

const home: RecoveryLink = { address: '/', label: 'Overview' };

/** Makes the representations of pages. */
interface PageMaking {
  /** A page that is only rendered if it has to be sent. */
  readonly page: (key: string, frameOf: () => PageFrame) => Representation;
  /** The page of an error, with the collection that it is about, and links to other pages. */
  readonly errorPage: (error: ApiError, current: string | null, ways: readonly RecoveryLink[]) => PlainResponse;
}

export function createPages(
  { served, maxLimit, hasAllFields, origin = DEFAULT_ORIGIN, simulation }: PageOptions,
  models: readonly CollectionModel[],
  /** The collections that pages name; each model has pages, named or not. */
  described: readonly CollectionModel[],
  assets: Assets,
): Pages {
  const documentOf = createDocument(assets, models, served, simulation);
  /** The search form with a collection as its scope, or all; null where nothing is loaded. */
  const searchForm = (current: string | null): Content => {
    const loaded = loadedCollections(models, served().dataset.collections);
    const scope = loaded.find(({ model }) => model.name === current);
    return loaded.length === 0 ? null : searchEverywhere(loaded, { scope });
  };
  const making: PageMaking = {
    page: (key, frameOf) => ({
      type: PAGE_TYPE,
      key: `${assets.hash} ${key}`,
      render: () => ({ body: documentOf(frameOf()), headers: pageHeaders }),
    }),
    errorPage: (error, current, ways) => ({
      status: errorStatus[error.code],
      type: PAGE_TYPE,
      headers: pageHeaders,
      body: documentOf(errorFrame(error, current, ways, error.code === 'not_found' ? searchForm(current) : null)),
    }),
  };
  const listOptions = { maxLimit, origin, ...(hasAllFields !== undefined && { hasAllFields }) };
  const all = models.flatMap((model) => [model, changesModel(model.name)]);
  const byName = new Map(all.map((model) => [model.name, collectionPages(model, making, served, listOptions)]));
  return {
    home: {
      parameters: 'ignored',
      handle() {
        const current = served();
        return making.page(current.loadedAt.toISOString(), () => homePage(current, models));
      },
    },
    search: searchResource(making, models),
    of: (name) => byName.get(String(name)),
    documentOf,
    assetsHash: assets.hash,
    nothingAt(path, paths, reason) {
      const error = reason ?? notFound('There is no page at ', quoted(path), '.', ...nearestHint(path, paths));
      const compared = described.find(({ name }) => served().dataset.comparisons.has(name));
      const changes = compared === undefined ? [] : [{ address: changesPath(compared), label: 'Changes' }];
      return making.errorPage(error, null, [home, ...described.map(allOf), ...changes]);
    },
  };
}

const searchResource = ({ page, errorPage }: PageMaking, models: readonly CollectionModel[]): Resource => ({
  parameters: everywhereParameters,
  tidied: withoutBlanks,
  refuse: (error) => errorPage(error, null, [{ address: '/search', label: 'Search' }, home]),
  handle(request) {
    const text = textParameter(request.values, 'q') ?? '';
    const loaded = loadedCollections(models, request.dataset.collections);
    const scope = loaded.find(({ model }) => model.name === textParameter(request.values, 'in'));
    return page(originForm(request), () => searchPage(loaded, text, scope));
  },
});

function collectionPages(
  model: CollectionModel,
  { page, errorPage }: PageMaking,
  served: () => Served,
  listOptions: ListOptions,
): CollectionPages {
  const { maxLimit, origin } = listOptions;
  const { viewOf, ...reading } = createViewReader(model, maxLimit);
  const awaiting = awaitingTexts(model);
  const { viewOf: groupsViewOf, ...readingGroups } = createGroupsReader(model, maxLimit);
  const { viewOf: fieldViewOf, ...readingFields } = createFieldReader(model);
  const show = (request: ResourceRequest, frameOf: () => PageFrame): Representation =>
    page(`${originForm(request)} ${historyKey(request.dataset, model)}`, frameOf);
  const comparisonIn = ({ comparisons }: Dataset): Comparison | null =>
    comparisons.get(model.changesOf ?? model.name) ?? null;
  const missing = (error: ApiError): PlainResponse => errorPage(error, model.name, [allOf(model), home]);
  const refuse: Resource['refuse'] = (error, faulty, { path, query }) => {
    const sound = address(path, soundPairs(query, faulty));
    const all = allOf(model);
    const without: RecoveryLink = { address: sound, label: `Go on without ${faulty.size > 1 ? 'them' : 'it'}` };
    const isAnother = sound !== all.address && sound.length <= MAX_LINK_LENGTH;
    return errorPage(error, model.changesOf ?? model.name, [...(isAnother ? [without] : []), all, home]);
  };
  return {
    list: {
      ...reading,
      ...awaiting,
      refuse,
      handle: (request) => show(request, () => listPage(viewOf(request), listOptions, comparisonIn(request.dataset))),
    },
    record: {
      ...reading,
      // The page of a change lists similar ones, by the index of texts.
      ...(model.changesOf !== undefined && {
        awaited: (dataset: Dataset) => comparisonIn(dataset)?.indexTexts() ?? null,
      }),
      refuse,
      handle(request) {
        const collection = collectionIn(request.dataset, model);
        const segment = lastSegment(request);
        const named = rowNamed(collection, segment);
        if (named === undefined) return missing(noRecord(model, segment));
        const { row, isByKey } = named;
        if (isByKey) return redirect(recordPath(request.path, 2, idOfRow(collection.ids, row), request.query));
        return show(request, () => recordPage(viewOf(request), row, comparisonIn(request.dataset), origin));
      },
    },
    field: {
      ...readingFields,
      refuse,
      handle(request) {
        const name = lastSegment(request);
        const field = model.fields.find((one) => one.name === name);
        if (field === undefined) return missing(noField(model, name));
        return show(request, () => fieldPage(fieldViewOf(request), field, served().report, origin));
      },
    },
    groups: {
      ...readingGroups,
      refuse,
      handle: (request) => show(request, () => groupsPage(groupsViewOf(request), origin)),
    },
    compare: {
      ...awaiting,
      parameters: [comparedParameter, optionalTextParameter],
      tidied: withoutBlanks,
      refuse,
      handle(request) {
        const collection = collectionIn(request.dataset, model);
        const ids = (request.values.get('id') ?? []).map(String);
        const unknown = ids.find((id) => rowOfId(collection.ids, Number(id)) < 0);
        if (unknown !== undefined) return missing(noRecord(model, unknown));
        const rows = new Set(ids.map((id) => rowOfId(collection.ids, Number(id))));
        return show(request, () => comparisonPage(collection, [...rows], textParameter(request.values, 'q') ?? null));
      },
    },
    completions: completionResources(model, maxLimit).map((resource) => ({ ...resource, ...awaiting })),
    pictures: imageResources(model),
  };
}

/** The id or the name at the end of a page's path. */
const lastSegment = ({ path }: ResourceRequest): string => percentDecode(path.slice(path.lastIndexOf('/') + 1));

const noField = (model: CollectionModel, field: string): ApiError =>
  notFound(
    `${capitalised(recordsOf(model))} have no field `,
    quoted(field),
    '.',
    didYouMean(
      field,
      model.fields.map((one) => one.name),
    ),
  );

const allOf = (model: CollectionModel): RecoveryLink => ({
  address: `/${model.name}`,
  label: `All ${separateWords(recordsOf(model))}`,
});
