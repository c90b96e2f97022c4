/** Which records are like one: by the words of its searched texts, as the search weighs them. */
import type { Collection } from '../store/collection.js';
import { recordView } from '../store/record-text.js';

/** The rows of the `limit` records most like that of a row, the nearest first, without itself. */
export function similarTo({ model, search, text }: Collection, row: number, limit: number): readonly number[] {
  const record: Readonly<Record<string, unknown>> = JSON.parse(recordView(text, row).toString());
  const texts = model.fields.flatMap(({ name, searchWeight: weight }) =>
    weight === undefined ? [] : [record[name] ?? []].flat().map((one) => ({ text: String(one), weight })),
  );
  return Array.from(search.similar(texts, limit + 1))
    .filter((other) => other !== row)
    .slice(0, limit);
}
