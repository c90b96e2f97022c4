/** All collections of one snapshot and their version: immutable, reached through one reference, replaced in whole. */
import { createHash } from 'node:crypto';
import { type CollectionModel, type CollectionName, collections, type RecordValues } from '../model.js';
import type { SearchField, SearchIndexBuilder } from '../search/search.js';
import { type Collection, type CollectionBuilder, createCollectionBuilder } from './collection.js';
import { recordView } from './record-text.js';

export interface Dataset {
  /** A hash of the records as they are served: equal for every server of the same snapshot. */
  readonly version: string;
  readonly collections: ReadonlyMap<CollectionName, Collection>;
}

export interface DatasetBuilder {
  add(collection: CollectionName, values: RecordValues): 'added' | 'replaced';
  finish(): Dataset;
}

export type SearchBuilderFactory = (fields: readonly SearchField[]) => SearchIndexBuilder;

export function collectionOf<T>(parts: ReadonlyMap<CollectionName, T>, name: CollectionName): T {
  const part = parts.get(name);
  if (part === undefined) throw new Error(`there is no collection ${name}`);
  return part;
}

export function createDatasetBuilder(createSearchBuilder: SearchBuilderFactory): DatasetBuilder {
  const builders = new Map<CollectionName, CollectionBuilder>(
    collections.map((model) => [
      model.name,
      createCollectionBuilder(model, createSearchBuilder(searchFieldsOf(model.fields))),
    ]),
  );
  return {
    add: (collection, values) => collectionOf(builders, collection).add(values),
    finish() {
      const built = new Map([...builders].map(([name, builder]) => [name, builder.finish()]));
      return { version: versionOf(built), collections: built };
    },
  };
}

const searchFieldsOf = (fields: CollectionModel['fields']): readonly SearchField[] =>
  fields.flatMap(({ name, searchWeight }) => (searchWeight ? [{ name, weight: searchWeight }] : []));

/** SHA-256 over every record's text in row order, cut to 96 bits. */
function versionOf(built: ReadonlyMap<CollectionName, Collection>): string {
  const hash = createHash('sha256');
  for (const [name, { size, text }] of built) {
    hash.update(`${name} ${size}\n`);
    for (let row = 0; row < size; row++) hash.update(recordView(text, row));
  }
  return hash.digest('base64url').slice(0, 16);
}
