/** The first words of a record's content, which stand for its title where it has none. */
import { cellOf, type RecordBatch, textOf } from '../../batch.js';
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
