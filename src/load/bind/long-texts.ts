/** Texts that no index can hold: one of more words than this leaves no room for those of other records. */
import { cellOf, NULL, type RecordBatch } from '../../batch.js';
import { BACKSLASH } from '../../kernels/ascii.js';
import type { CollectionModel } from '../../model.js';
import { count, isDigit, isLetter } from '../../text.js';

const MAX_TEXT_WORDS = 1 << 25;

/** Why the record behind those of a batch is refused for a text of too many words; undefined where it has none. */
export function tooLongText(
  { bytes, kinds, starts, ends, size }: RecordBatch,
  { fields }: CollectionModel,
  maxWords = MAX_TEXT_WORDS,
): string | undefined {
  // A word and what ends it are two bytes: shorter texts, which are nearly all, need not be counted.
  const minCountedBytes = 2 * maxWords - 1;
  if (bytes.length <= minCountedBytes) return undefined;
  for (const [index, { name }] of fields.entries()) {
    const cell = cellOf(index, size);
    if (kinds[cell]! <= NULL || ends[cell]! - starts[cell]! < minCountedBytes) continue;
    if (mostWords(bytes, starts[cell]!, ends[cell]!) > maxWords)
      return `${name}: expected at most ${count(maxWords, 'word')} in a text, found more`;
  }
  return undefined;
}

/**
 * An upper bound of the words in JSON text, without Unicode's tables. A character of two bytes is a letter or ends a word,
 * whichever makes more words: no script without spaces has such. Any longer one, and one that is escaped by its number, may be a
 * word by itself.
 */
function mostWords(bytes: Uint8Array, start: number, end: number): number {
  let words = 0;
  let isInWord = false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte < ASCII_END) {
      const isEscape = byte === BACKSLASH;
      const isNumbered = isEscape && bytes[++at] === SMALL_U;
      if (isNumbered) at += 4;
      const isOfWord = !isEscape && (isDigit(byte) || isLetter(byte));
      if (isNumbered || (isOfWord && !isInWord)) words++;
      isInWord = isOfWord;
    } else if (byte >= TWO_BYTES) {
      const isLong = byte >= THREE_BYTES;
      if (isLong || !isInWord) words++;
      isInWord = !isLong && !isInWord;
    }
  }
  return words;
}

const SMALL_U = 0x75;
const ASCII_END = 0x80;
/** First bytes of characters of at least two and three bytes in UTF-8. Those between are no first ones. */
const [TWO_BYTES, THREE_BYTES] = [0xc0, 0xe0];
