/** An index of records that are added one by one. */
import type { CollectionModel } from '../../src/model.js';
import { createTablesBuilder, type TablesOptions } from '../../src/search/build/builder.js';
import { type OpenIndex, openIndex } from '../../src/search/index.js';
import type { FieldText, SearchField } from '../../src/search/search.js';
import type { IndexTables, RankingParameters } from '../../src/search/tables.js';
import { BatchWriter } from './batch-writer.js';

export interface SearchBuilder {
  /** Adds the next record; `texts[i]` belongs to the i-th of the builder's fields. */
  add(texts: readonly FieldText[]): void;
  /** `rowOf[i]` is the row of the i-th record, -1 if a later one replaced it. */
  finish(rowOf: Int32Array): OpenIndex;
  /** The same, before the index is opened. */
  finishTables(rowOf: Int32Array): IndexTables;
}

/** A collection of so many fields, all of them texts. */
export const collectionOfTexts = (fields: number): CollectionModel => ({
  name: 'texts',
  singular: 'Text',
  fields: Array.from({ length: fields }, () => ({ name: 'text', kind: 'text', description: '' })),
});

export function createSearchBuilder(
  fields: readonly SearchField[],
  ranking?: RankingParameters,
  options: Omit<TablesOptions, 'ranking'> = {},
): SearchBuilder {
  const builder = createTablesBuilder(fields, { ranking, ...options });
  const batch = new BatchWriter(collectionOfTexts(fields.length));
  const columns = fields.map((_, column) => column);
  const flush = (): void => {
    builder.addBatch(batch, columns);
    batch.clear();
  };
  function finishTables(rowOf: Int32Array): IndexTables {
    flush();
    return builder.finish(rowOf);
  }
  return {
    add(texts) {
      batch.add(texts);
      if (batch.isFull) flush();
    },
    finish: (rowOf) => openIndex(finishTables(rowOf)),
    finishTables,
  };
}
