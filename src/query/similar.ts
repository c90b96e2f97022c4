/** Which records are like one: by the words of its searched texts, as the search weighs them. */
import type { Collection } from '../store/collection.js';
import { briefRecord } from '../store/record-values.js';

/** Of a larger record the beginning of its text counts, and of long lists the first names: more tell little else of it. */
const MAX_BYTES = 1 << 18;
const MAX_TEXTS = 100;

/** The rows of the `limit` records most like that of a row, the nearest first, without itself. */
export function similarTo(collection: Collection, row: number, limit: number): readonly number[] {
  const { model, search } = collection;
  const record = briefRecord(collection, row, MAX_BYTES);
  const texts = model.fields.flatMap(({ name, searchWeight: weight }) =>
    weight === undefined
      ? []
      : [record[name] ?? []]
          .flat()
          .slice(0, MAX_TEXTS)
          .map((one) => ({ text: String(one), weight })),
  );
  return Array.from(search.similar(texts, limit + 1))
    .filter((other) => other !== row)
    .slice(0, limit);
}
