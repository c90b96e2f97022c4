/**
 * What do requests reach, and what is its version?
 * Takes: the stores and search indexes of all collections.
 * Gives: a `Dataset`: immutable, reached through one reference, replaced in whole. Equal records have the same version everywhere.
 * Skip: what has changed since earlier dumps (`changes/`).
 */
import { createHash } from 'node:crypto';
import { type CollectionModel, collectionOf } from '../model.js';
import type { SearchIndex } from '../search/search.js';
import { emptyChanges } from './changes/change-collection.js';
import type { Comparison } from './changes/changes.js';
import type { Collection, RecordStore } from './collection.js';
import { separatedJson, sideBySide } from './record-text.js';

export interface Dataset {
  /** A hash of the records as they are served: equal for every server of the same snapshot. */
  readonly version: string;
  readonly collections: ReadonlyMap<string, Collection>;
  /** Per collection that was compared with an earlier dataset: its changes since then. */
  readonly comparisons: ReadonlyMap<string, Comparison>;
  /** How many records each collection has, where an engine holds them and the collections are empty. */
  readonly sizes?: ReadonlyMap<string, number>;
}

/** How many records a collection has. */
export const sizeIn = ({ collections, sizes }: Dataset, name: string): number =>
  sizes?.get(name) ?? collectionOf(collections, name).size;

/** The models of a dataset's collections. */
export const modelsOf = ({ collections }: Dataset): readonly CollectionModel[] =>
  [...collections.values()].map(({ model }) => model);

/**
 * A hash of the collections' fields: names, kinds, currencies, columns of the source. Two dumps may have equal records, and so
 * equal versions, whose pages differ: one shows £ where the other shows $.
 */
export const fieldsHash = (dataset: Dataset): string =>
  createHash('sha256')
    .update(JSON.stringify(modelsOf(dataset)))
    .digest('hex')
    .slice(0, 12);

/** The collection of a model: one of the dump's, or the changes of one, which are none where nothing was compared. */
export const collectionIn = (
  { collections, comparisons }: Dataset,
  { name, changesOf }: CollectionModel,
): Collection =>
  changesOf === undefined
    ? collectionOf(collections, name)
    : (comparisons.get(changesOf)?.changes ?? emptyChanges(changesOf));

/** A key for responses that show a collection's history: two servers of one dump may have others. */
export const historyKey = ({ comparisons }: Dataset, { name, changesOf }: CollectionModel): string =>
  comparisons.get(changesOf ?? name)?.hash ?? '';

/**
 * The collections that documents and pages name. Articles and products are not among them where the dump has others and no record of
 * either; their addresses answer all the same.
 */
export function describedModels(dataset: Dataset): readonly CollectionModel[] {
  const models = modelsOf(dataset);
  const isFilled = ({ name }: CollectionModel): boolean => sizeIn(dataset, name) > 0;
  const hasOthersOnly = models.some(({ isOwn }) => isOwn) && !models.some((model) => !model.isOwn && isFilled(model));
  return hasOthersOnly ? models.filter(({ isOwn }) => isOwn) : models;
}

export type RecordStores = ReadonlyMap<string, RecordStore>;

/** Puts a dataset together of its parts. */
export function assembleDataset(
  version: string,
  stores: RecordStores,
  indexes: ReadonlyMap<string, SearchIndex>,
): Dataset {
  const collections = [...stores].map(
    ([name, store]) => [name, { ...store, search: collectionOf(indexes, name) }] as const,
  );
  return { version, collections: new Map(collections), comparisons: new Map() };
}

/** SHA-256 of every record's text and a separator behind it, in row order, cut to 96 bits. */
export function versionOf(stores: RecordStores): string {
  const hash = createHash('sha256');
  for (const [name, { size, text, model }] of stores) {
    hash.update(`${name} ${size}\n`);
    // The version depends on `splitBy`: the same texts have other values if they are split.
    for (const field of model.fields) if (field.splitBy !== undefined) hash.update(`${field.name} ${field.splitBy}\n`);
    for (let row = 0; row < size; ) {
      const end = sideBySide(text, row, size);
      hash.update(separatedJson(text, row, end));
      row = end;
    }
  }
  return hash.digest('base64url').slice(0, 16);
}
