/** The texts of the record behind those of a batch: the first words of its content, which stand for a missing title; one that is too long. */
import { cellOf, NULL, type RecordBatch, textOf } from '../../batch.js';
import type { CollectionModel } from '../../model.js';
import type { TextForm } from '../values/text-forms.js';
import { firstWords } from '../values/texts.js';
import type { CellContext } from '../values/values.js';

/** Only the first characters of a content give a title. */
const MAX_CHARS = 4000;

/** The first words of the content in the record behind those of a batch, as people read them; empty where it has none. */
export function contentBegun(
  batch: RecordBatch,
  field: number,
  { context, forms }: { readonly context: CellContext; readonly forms: readonly TextForm[] },
): string {
  const text = (textOf(batch, cellOf(field, batch.size)) ?? '').slice(0, MAX_CHARS);
  const { markup, isOurExport } = context;
  // HTML is text already, and an export is what it is.
  const mayHoldEntities = forms[field] !== 'html' && isOurExport !== true && text.includes('&');
  return firstWords(mayHoldEntities && markup !== undefined ? markup.withoutEntities(text) : text);
}

/**
 * An index holds 2^25 words of a text. A word and what ends it are two bytes, and so is the shortest character that is a word by itself.
 */
const MAX_INDEXED_BYTES = 1 << 26;

/** Why the record behind those of a batch is refused for a text that no index holds; undefined where it has none. */
export function tooLongText(
  { bytes, kinds, starts, ends, size }: RecordBatch,
  { fields }: CollectionModel,
): string | undefined {
  if (bytes.length <= MAX_INDEXED_BYTES) return undefined;
  for (const [i, { name }] of fields.entries()) {
    const cell = cellOf(i, size);
    if (kinds[cell]! > NULL && ends[cell]! - starts[cell]! > MAX_INDEXED_BYTES)
      return `${name}: expected a text of at most 64 MB, found more`;
  }
  return undefined;
}
