/** The records that changed since an earlier dataset: one page of them, and their counts. */
import { type CollectionModel, collectionOf } from '../../model.js';
import { selectChanges } from '../../query/changes.js';
import { type CountsJson, countsJson, entryJson, isIncomplete, pairedBy } from '../../query/changes-json.js';
import { changesQueryOf } from '../../query/changes-parameters.js';
import type { Paging } from '../../query/query.js';
import { type ParameterValues, pagingOf } from '../../query/request.js';
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

interface ChangesPage {
  readonly body: string;
  readonly paging: Paging;
  readonly total: number;
}

export function changesJson(
  { collection, comparison }: ComparedCollection,
  values: ParameterValues,
  envelope: Envelope,
): ChangesPage {
  const paging = pagingOf(values);
  if (comparison === null) return { body: bodyOf([], paging, 0, envelope, NOTHING_COMPARED), paging, total: 0 };
  const { since, changes } = comparison;
  const list = selectChanges(collection, changes, changesQueryOf(values));
  const from = (paging.page - 1) * paging.limit;
  const entries = Array.from(list.slice(from, from + paging.limit), (entry) => entryAt(collection, changes, entry));
  const summary = {
    since: { version: since.version, modifiedAt: since.modifiedAt.toISOString() },
    counts: countsJson(changes),
    pairedBy: pairedBy(changes),
    incomplete: isIncomplete(changes),
  };
  return { body: bodyOf(entries.map(entryJson), paging, list.total, envelope, summary), paging, total: list.total };
}

interface Summary {
  readonly since: { readonly version: string; readonly modifiedAt: string } | null;
  readonly counts: CountsJson;
  readonly pairedBy: readonly string[];
  readonly incomplete: boolean;
}

const NOTHING_COMPARED: Summary = {
  since: null,
  counts: { added: 0, removed: 0, changed: 0, unchanged: 0, fields: {} },
  pairedBy: [],
  incomplete: false,
};

const bodyOf = (
  data: readonly unknown[],
  paging: Paging,
  total: number,
  envelope: Envelope,
  summary: Summary,
): string =>
  `{"data":${JSON.stringify(data)},${pageNumbers(total, paging, envelope)},${JSON.stringify(summary).slice(1)}`;
