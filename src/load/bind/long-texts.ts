/** Texts that no index can hold: one of more words than this leaves no room for those of other records. */
import { cellOf, NULL, type RecordBatch } from '../../batch.js';
import type { CollectionModel } from '../../model.js';
import { count } from '../../text.js';

const MAX_TEXT_WORDS = 1 << 25;
/** A word and the space behind it are two bytes: shorter texts, which are nearly all, need not be counted. */
const MIN_COUNTED_BYTES = 2 * MAX_TEXT_WORDS - 1;

/** Why the record behind those of a batch is refused for a text of too many words; undefined where it has none. */
export function tooLongText(
  { bytes, kinds, starts, ends, size }: RecordBatch,
  { fields }: CollectionModel,
): string | undefined {
  if (bytes.length <= MIN_COUNTED_BYTES) return undefined;
  for (const [index, { name }] of fields.entries()) {
    const cell = cellOf(index, size);
    if (kinds[cell]! <= NULL || ends[cell]! - starts[cell]! < MIN_COUNTED_BYTES) continue;
    if (asciiWordCount(bytes, starts[cell]!, ends[cell]!) > MAX_TEXT_WORDS)
      return `${name}: expected at most ${count(MAX_TEXT_WORDS, 'word')} in a text, found more`;
  }
  return undefined;
}

/** The number of words of ASCII in a text, at least: runs of letters and digits. */
function asciiWordCount(bytes: Uint8Array, start: number, end: number): number {
  let words = 0;
  let isInWord = false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    const isOfWord = (byte >= 0x30 && byte <= 0x39) || (byte | 0x20) >= 0x61;
    if (isOfWord && !isInWord) words++;
    isInWord = isOfWord;
  }
  return words;
}
