/** An index of records that are added one by one. */
import { createTablesBuilder } from '../src/search/index/builder.js';
import { type OpenIndex, openIndex } from '../src/search/index.js';
import type { FieldText, SearchField } from '../src/search/search.js';

export interface SearchBuilder {
  /** Adds the next record; `texts[i]` belongs to the i-th of the builder's fields. */
  add(texts: readonly FieldText[]): void;
  /** `rowOf[i]` is the row of the i-th record, -1 if a later one replaced it. */
  finish(rowOf: Int32Array): OpenIndex;
}

export function createSearchBuilder(fields: readonly SearchField[]): SearchBuilder {
  const builder = createTablesBuilder(fields);
  return { add: builder.add, finish: (rowOf) => openIndex(builder.finish(rowOf)) };
}
