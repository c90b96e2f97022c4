/**
 * What is built of the texts of collections beside their stores: search tables, and the indexes of values, of which a dump may have a
 * hundred. It takes about as long as the stores do, so a second thread can do it. It takes each batch with the rows of its records,
 * which the stores have given them.
 */
import type { RecordBatch } from '../batch.js';
import type { Language } from '../languages.js';
import type { CollectionModel, Field } from '../model.js';
import { createTablesBuilder } from '../search/build/builder.js';
import type { IndexTables } from '../search/tables.js';
import { type Collection, createValuesBuilder, hasValueIndex } from '../store/collection.js';
import { DocumentRows, searchColumns, searchFields } from '../store/documents.js';

interface TextParts {
  readonly tables: IndexTables;
  readonly values: Collection['values'];
}
export type TextPartsByName = ReadonlyMap<string, TextParts>;

/** Takes a batch, and the rows of its records; there are `size` rows afterwards. */
export type RowsSink = (batch: RecordBatch, rows: Int32Array, size: number) => void;

/** Takes the batches of collections, each of which begins anew when it is opened once more; `finish` returns what they make, or promises it. */
export interface TextPartsBuilder<Made> {
  readonly openCollection: (model: CollectionModel, language: Language) => RowsSink;
  finish(): Made;
}

/** Whether a field's cells are needed here. */
export const isNeededHere = (field: Field): boolean => field.searchWeight !== undefined || hasValueIndex(field);

export function createTextPartsBuilder(): TextPartsBuilder<TextPartsByName> {
  const collections = new Map<string, () => TextParts>();
  return {
    openCollection(model, language) {
      const tables = createTablesBuilder(searchFields(model), { language });
      const searched = searchColumns(model);
      const values = createValuesBuilder(model);
      const documents = new DocumentRows();
      let rowCount = 0;
      collections.set(model.name, () => {
        // Memory of the indexes is free before the tables take most.
        const finishedValues = values.finish(rowCount);
        return { tables: tables.finish(documents.finish(rowCount)), values: finishedValues };
      });
      return (batch, rows, size) => {
        rowCount = size;
        values.setAll(rows, size, batch);
        documents.addAll(rows);
        tables.addBatch(batch, searched);
      };
    },
    finish: () => new Map([...collections].map(([name, finish]) => [name, finish()])),
  };
}
