/**
 * Rows ordered by text as `Intl.Collator('en')` compares, in a fraction of its time. The order of plain ASCII texts is
 * simple: by the characters' weights, case aside, then lower case before upper (Unicode Technical Standard #10, sections 4
 * and 7). Texts with other characters are sorted by the collator, and merged into the plain ones.
 */
import { firstWhere, int32, narrow, withRoom } from '../arrays.js';
import { type ColumnBuilder, hasText, TEXT, textOf } from '../batch.js';
import { ByteTable } from '../byte-table.js';
import { textOfBytes } from '../text.js';
import { type SortedPieces, sortPieces } from './byte-order.js';
import { sourceOf } from './chunks.js';
import { orderByKeys, type SortOrder } from './sort-order.js';

/** The code of a row without a text. */
const NO_TEXT = -1;

/** Collects the texts of rows as they arrive, each distinct one once. */
export function createTextOrderBuilder(): ColumnBuilder<SortOrder> {
  let texts = new ByteTable();
  let codes = int32(0);
  return {
    setAll(rows, size, batch, firstCell) {
      codes = withRoom(codes, size, int32);
      const source = sourceOf(batch.bytes);
      for (let i = 0; i < rows.length; i++) {
        const cell = firstCell + i;
        const kind = batch.kinds[cell]!;
        if (kind === TEXT) codes[rows[i]!] = texts.codeOf(source, batch.starts[cell]!, batch.ends[cell]!);
        else if (hasText(kind)) {
          const bytes = Buffer.from(textOf(batch, cell) ?? '');
          codes[rows[i]!] = texts.codeOf(sourceOf(bytes), 0, bytes.length);
        } else codes[rows[i]!] = NO_TEXT;
      }
    },
    finish(size) {
      const { ranks, distinct } = ranksOf(texts);
      const keys = narrow(size, distinct);
      for (let row = 0; row < size; row++) keys[row] = codes[row] === NO_TEXT ? distinct : ranks[codes[row]!]!;
      texts = new ByteTable();
      codes = int32(0);
      return orderByKeys(keys, distinct).order;
    },
  };
}

/** By code: the rank of a text. Texts that the collator does not tell apart (`"a"`, `"a\0"`) have the same rank. */
function ranksOf({ bytes, offsets, size }: ByteTable): { readonly ranks: Uint32Array; readonly distinct: number } {
  const plain = new Uint32Array(size);
  let plainCount = 0;
  const otherTexts: number[] = [];
  for (let text = 0; text < size; text++) {
    if (isPlain(bytes, offsets[text]!, offsets[text + 1]!)) plain[plainCount++] = text;
    else otherTexts.push(text);
  }
  const plainOrder = sortPieces({ bytes, offsets }, plain.subarray(0, plainCount), WEIGHTS, lowerCaseFirst);
  const { order, isRepeated } =
    otherTexts.length === 0 ? plainOrder : merged(plainOrder.order, otherTexts, comparison());
  const ranks = new Uint32Array(size);
  let distinct = 0;
  for (let place = 0; place < size; place++) ranks[order[place]!] = isRepeated[place] === 1 ? distinct - 1 : distinct++;
  return { ranks, distinct };

  function comparison(): (a: number, b: number) => number {
    const { compare } = new Intl.Collator('en');
    const textAt = (text: number): string => textOfBytes(bytes, offsets[text]!, offsets[text + 1]!);
    const decodedTexts = new Map(otherTexts.map((text) => [text, textAt(text)]));
    return (a, b) => compare(decodedTexts.get(a) ?? textAt(a), decodedTexts.get(b) ?? textAt(b));
  }

  // The order of different texts of equal weights: ASCII has the upper case of a letter first.
  function lowerCaseFirst(a: number, b: number): number {
    let [i, j] = [offsets[a]!, offsets[b]!];
    while (bytes[i] === bytes[j]) [i, j] = [i + 1, j + 1];
    return bytes[j]! - bytes[i]!;
  }
}

/** Printable ASCII only: no other character takes part in the comparison of such texts. */
function isPlain(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i]! < 0x20 || bytes[i]! > 0x7e) return false;
  return true;
}

/** As the collator orders printable ASCII; the two cases of a letter weigh the same. It takes ten milliseconds to load itself. */
const IN_ORDER = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';

/** The weight of each plain character. */
const WEIGHTS = new Uint8Array(256);
for (const [i, character] of [...IN_ORDER].entries()) {
  WEIGHTS[character.charCodeAt(0)] = i + 1;
  WEIGHTS[character.toUpperCase().charCodeAt(0)] = i + 1;
}

/** Merges other texts into the plain ones, no two of which compare as equal; a binary search finds the place of each. */
function merged(plain: Uint32Array, otherTexts: number[], compare: (a: number, b: number) => number): SortedPieces {
  const order = new Uint32Array(plain.length + otherTexts.length);
  const isRepeated = new Uint8Array(order.length);
  let from = 0;
  for (const [i, text] of otherTexts.sort(compare).entries()) {
    const to = firstWhere(from, plain.length, (place) => compare(plain[place]!, text) > 0);
    order.set(plain.subarray(from, to), from + i);
    order[to + i] = text;
    if (to + i > 0 && compare(order[to + i - 1]!, text) === 0) isRepeated[to + i] = 1;
    from = to;
  }
  order.set(plain.subarray(from), from + otherTexts.length);
  return { order, isRepeated };
}
