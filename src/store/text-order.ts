/**
 * The order of texts as `Intl.Collator('en')` compares, in a fraction of its time. The order of plain ASCII texts is
 * simple: by the characters' weights, case aside, then lower case before upper (Unicode Technical Standard #10, sections 4
 * and 7). Texts with other characters are sorted by the collator, each distinct one once, and merged into the plain ones.
 */
import { firstWhere } from '../arrays.js';
import { textOfBytes } from '../text.js';
import { type PieceBytes, type SortedPieces, sortPieces } from './byte-order.js';

/** Sorts texts, whose numbers ascend. A text that the collator does not tell from the one before (`"a"`, `"a\0"`) counts as repeated. */
export function collated(texts: PieceBytes, numbers: Uint32Array): SortedPieces {
  const { bytes, offsets } = texts;
  const isPlainText = (text: number): boolean => isPlain(bytes, offsets[text]!, offsets[text + 1]!);
  const plain = sortPieces(texts, numbers.filter(isPlainText), WEIGHTS, lowerCaseFirst);
  if (plain.order.length === numbers.length) return plain;
  const otherPieces = sortPieces(
    texts,
    numbers.filter((text) => !isPlainText(text)),
  );
  return mergedOrder(plain, otherPieces, comparison(otherPieces));

  function comparison({ order, isRepeated }: SortedPieces): (a: number, b: number) => number {
    const { compare } = new Intl.Collator('en');
    const textAt = (text: number): string => textOfBytes(bytes, offsets[text]!, offsets[text + 1]!);
    const distinct = order.filter((_, place) => isRepeated[place] === 0);
    const decodedTexts = new Map(Array.from(distinct, (text) => [text, textAt(text)]));
    return (a, b) => compare(decodedTexts.get(a) ?? textAt(a), decodedTexts.get(b) ?? textAt(b));
  }

  // The order of texts of equal weights, and so of one length: ASCII has the upper case of a letter first.
  function lowerCaseFirst(a: number, b: number): number {
    for (let i = offsets[a]!, j = offsets[b]!; i < offsets[a + 1]!; i++, j++)
      if (bytes[i] !== bytes[j]) return bytes[j]! - bytes[i]!;
    return 0;
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

/** Merges other texts into the plain ones; a binary search finds the place of each distinct one. */
function mergedOrder(
  plain: SortedPieces,
  others: SortedPieces,
  compare: (a: number, b: number) => number,
): SortedPieces {
  const order = new Uint32Array(plain.order.length + others.order.length);
  const isRepeated = new Uint8Array(order.length);
  let size = 0;
  let plainSize = 0;
  /** Where each distinct one of the others begins. */
  const starts = [...others.order.keys()].filter((place) => others.isRepeated[place] === 0);
  for (const from of starts.sort((a, b) => compare(others.order[a]!, others.order[b]!))) {
    const text = others.order[from]!;
    let to = from + 1;
    while (others.isRepeated[to] === 1) to++;
    const plainEnd = firstWhere(plainSize, plain.order.length, (place) => compare(plain.order[place]!, text) > 0);
    append(plain, plainSize, plainEnd);
    plainSize = plainEnd;
    const isLikeLast = size > 0 && compare(order[size - 1]!, text) === 0;
    append(others, from, to);
    if (isLikeLast) isRepeated[size - (to - from)] = 1;
  }
  append(plain, plainSize, plain.order.length);
  return { order, isRepeated };

  function append(sorted: SortedPieces, from: number, to: number): void {
    order.set(sorted.order.subarray(from, to), size);
    isRepeated.set(sorted.isRepeated.subarray(from, to), size);
    size += to - from;
  }
}
