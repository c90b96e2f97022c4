/** Records that are like another record, by the words of its searched texts. */
import type { Collection } from '../store/collection.js';
import { briefRecord } from '../store/record-values.js';

/** Limits of the text that counts: the beginning of a larger record, and the first names of a long list, suffice. */
const MAX_SIMILAR_BYTES = 1 << 18;
const MAX_TEXTS_OF_FIELD = 100;

/** The `limit` rows that are most like a row, the most similar first, without the row itself. */
export function similarTo(collection: Collection, row: number, limit: number): readonly number[] {
  const { model, search } = collection;
  const record = briefRecord(collection, row, MAX_SIMILAR_BYTES);
  const texts = model.fields.flatMap(({ name, searchWeight: weight }) =>
    weight === undefined
      ? []
      : [record[name] ?? []]
          .flat()
          .slice(0, MAX_TEXTS_OF_FIELD)
          .map((one) => ({ text: String(one), weight })),
  );
  return Array.from(search.similar(texts, limit + 1))
    .filter((other) => other !== row)
    .slice(0, limit);
}
