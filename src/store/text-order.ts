/**
 * Rows ordered by text as `Intl.Collator('en')` compares, in a fraction of its time. The order of plain ASCII texts is
 * simple: by the characters' weights, case aside, then lower case before upper (Unicode Technical Standard #10, sections 4
 * and 7). Texts with other characters are sorted by the collator, and merged into the plain ones.
 */
import { firstWhere, int32, narrow, withRoom } from '../arrays.js';
import { type ColumnBuilder, hasText, TEXT, textOf } from '../batch.js';
import { ByteTable } from '../byte-table.js';
import { textOfBytes } from '../text.js';
import { sortPieces } from './byte-order.js';
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
  const otherCodes: number[] = [];
  for (let code = 0; code < size; code++) {
    if (isPlain(bytes, offsets[code]!, offsets[code + 1]!)) plain[plainCount++] = code;
    else otherCodes.push(code);
  }
  const sortedPlain = sortPieces({ bytes, offsets }, plain.subarray(0, plainCount), WEIGHTS, lowerCaseFirst);
  const ranks = new Uint32Array(size);
  if (otherCodes.length === 0) {
    for (let rank = 0; rank < size; rank++) ranks[sortedPlain[rank]!] = rank;
    return { ranks, distinct: size };
  }
  const { compare } = new Intl.Collator('en');
  const otherTexts = new Map(otherCodes.map((code) => [code, textOfCode(code)]));
  const byText = (a: number, b: number): number =>
    compare(otherTexts.get(a) ?? textOfCode(a), otherTexts.get(b) ?? textOfCode(b));
  const sorted = merged(sortedPlain, otherCodes.sort(byText), byText);
  let distinct = 0;
  for (const [i, code] of sorted.entries()) {
    const isSame =
      i > 0 && (otherTexts.has(code) || otherTexts.has(sorted[i - 1]!)) && byText(sorted[i - 1]!, code) === 0;
    ranks[code] = isSame ? distinct - 1 : distinct++;
  }
  return { ranks, distinct };

  function textOfCode(code: number): string {
    return textOfBytes(bytes, offsets[code]!, offsets[code + 1]!);
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

/** Merges a few codes into many; a binary search locates each of the few. */
function merged(many: Uint32Array, few: readonly number[], compare: (a: number, b: number) => number): Uint32Array {
  const all = new Uint32Array(many.length + few.length);
  let from = 0;
  for (const [i, code] of few.entries()) {
    const to = firstWhere(from, many.length, (position) => compare(many[position]!, code) > 0);
    all.set(many.subarray(from, to), from + i);
    all[to + i] = code;
    from = to;
  }
  all.set(many.subarray(from), from + few.length);
  return all;
}
