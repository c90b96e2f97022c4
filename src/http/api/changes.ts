/** The records that changed since an earlier dataset: one page of them, and their counts. */
import { type CollectionModel, collectionOf } from '../../model.js';
import { selectChanges } from '../../query/changes.js';
import { comparisonJson, entryJson } from '../../query/changes-json.js';
import { changesQueryOf } from '../../query/changes-parameters.js';
import type { Paging, ParameterValues } from '../../query/query.js';
import { pagingOf } from '../../query/request.js';
import type { Comparison } from '../../store/changes/changes.js';
import { entryAt } from '../../store/changes/entries.js';
import type { Collection } from '../../store/collection.js';
import type { Dataset } from '../../store/dataset.js';
import type { Envelope } from '../options.js';
import { pageNumbers } from './list.js';

/** A collection and its comparison with an earlier dataset; null where it was not compared. */
export interface ComparedCollection {
  readonly collection: Collection;
  readonly comparison: Comparison | null;
}

export const comparedCollection = (
  { collections, comparisons }: Dataset,
  { name }: CollectionModel,
): ComparedCollection => ({
  collection: collectionOf(collections, name),
  comparison: comparisons.get(name) ?? null,
});

/** A key for responses of one dataset: it differs if the dataset is compared with another one. */
export const comparisonKey = ({ comparison }: ComparedCollection): string =>
  comparison === null ? '' : `since ${comparison.since.version} ${comparison.since.modifiedAt.toISOString()}`;

/** A page of changes and the counts of all, as the bytes of its envelope. */
export function changesJson(
  { collection, comparison }: ComparedCollection,
  values: ParameterValues,
  envelope: Envelope,
): { readonly body: string; readonly paging: Paging; readonly total: number } {
  const paging = pagingOf(values);
  const { data, total, ...summary } =
    comparison === null ? NOTHING_COMPARED : changesPage(collection, comparison, values, paging);
  const numbers = pageNumbers(total, paging, envelope);
  return { body: `{"data":${JSON.stringify(data)},${numbers},${JSON.stringify(summary).slice(1)}`, paging, total };
}

const NOTHING_COMPARED = {
  data: [],
  total: 0,
  since: null,
  counts: { added: 0, removed: 0, changed: 0, unchanged: 0, fields: {} },
  pairedBy: [],
  incomplete: false,
};

function changesPage(collection: Collection, comparison: Comparison, values: ParameterValues, { page, limit }: Paging) {
  const { changes } = comparison;
  const list = selectChanges(collection, changes, changesQueryOf(values));
  const entries = list.slice((page - 1) * limit, page * limit);
  return {
    data: Array.from(entries, (entry) => entryJson(entryAt(collection, changes, entry))),
    total: list.total,
    ...comparisonJson(comparison),
  };
}
