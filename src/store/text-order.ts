/**
 * Rows ordered by text as `Intl.Collator('en')` compares, in a fraction of its time. The order of plain ASCII texts is
 * simple: by the characters' weights, case aside, then lower case before upper (Unicode Technical Standard #10, sections 4
 * and 7). Their first twenty weights are a key for a radix sort; texts of equal keys are compared weight by weight. Texts with
 * other characters are sorted by the collator, and merged into the plain ones.
 */

import { firstWhere, uint8, withRoom } from '../arrays.js';
import { ESCAPED_TEXT, type RecordBatch, TEXT, textOf } from '../batch.js';
import { KeySort } from './key-sort.js';
import type { SortOrder } from './sort-order.js';

/** The kinds of rows: without a text, with a text of printable ASCII only, with another text. */
const MISSING_TEXT = 0;
const PLAIN = 1;
const OTHER = 2;
/** Characters whose weights make a word of a key. */
const KEY_CHARACTERS = 5;

type TextOf = (row: number) => string;

/** Collects the keys of texts as rows arrive: the weights of their first characters. */
export function createTextOrderBuilder() {
  let kinds = uint8(0);
  // Keys of plain rows only.
  let keys = new KeySort();

  function setText(row: number, bytes: Uint8Array, from: number, to: number): void {
    kinds[row] = isPlain(bytes, from, to) ? PLAIN : OTHER;
    const wordAt = (at: number): number => keyWord(bytes, at, to);
    const second = from + KEY_CHARACTERS;
    const third = second + KEY_CHARACTERS;
    keys.set(row, row, wordAt(from), wordAt(second), wordAt(third), wordAt(third + KEY_CHARACTERS));
  }

  return {
    /** Sets the text of `rows[i]` to that of cell `firstCell` + i. There are `size` rows afterwards. */
    setAll(rows: Int32Array, size: number, batch: RecordBatch, firstCell: number): void {
      kinds = withRoom(kinds, size, uint8);
      keys.reserve(size);
      for (let i = 0; i < rows.length; i++) {
        const cell = firstCell + i;
        const kind = batch.kinds[cell]!;
        if (kind === TEXT) setText(rows[i]!, batch.bytes, batch.starts[cell]!, batch.ends[cell]!);
        else if (kind === ESCAPED_TEXT) {
          const bytes = Buffer.from(textOf(batch, cell) ?? '');
          setText(rows[i]!, bytes, 0, bytes.length);
        } else kinds[rows[i]!] = MISSING_TEXT;
      }
    },
    /** Ends the builder. `textOf` returns the text of a row that has one. */
    finish(size: number, textOf: TextOf): SortOrder {
      const count = keys.keep(size, (row) => kinds[row] === PLAIN);
      const repeated = new Uint8Array(size);
      const plain = sortPlain(keys, count, textOf, repeated);
      keys = new KeySort();
      const otherRows = rowsOf(kinds, size, OTHER);
      const sorted = otherRows.length === 0 ? plain : withOthers(plain, otherRows, textOf, repeated);
      const rows = new Uint32Array(size);
      rows.set(sorted);
      rows.set(rowsOf(kinds, size, MISSING_TEXT), sorted.length);
      return { rows, keys: keysOf(rows, repeated), valued: sorted.length };
    },
  };
}

/** By row: the position of the first row that has the same text; of a row without a text its own position. */
function keysOf(rows: Uint32Array, repeated: Uint8Array): Uint32Array {
  const keys = new Uint32Array(rows.length);
  for (let position = 0, first = 0; position < rows.length; position++) {
    const row = rows[position]!;
    if (repeated[row] === 0) first = position;
    keys[row] = first;
  }
  return keys;
}

/** The rows of a kind, ascending. */
function rowsOf(kinds: Uint8Array, size: number, kind: number): Uint32Array<ArrayBuffer> {
  let count = 0;
  for (let row = 0; row < size; row++) if (kinds[row] === kind) count++;
  const rows = new Uint32Array(count);
  let at = 0;
  for (let row = 0; at < count; row++) if (kinds[row] === kind) rows[at++] = row;
  return rows;
}

function withOthers(plain: Uint32Array, others: Uint32Array, textOf: TextOf, repeated: Uint8Array): Uint32Array {
  const { compare } = new Intl.Collator('en');
  const texts = new Map(Array.from(others, (row) => [row, textOf(row)]));
  const cachedTextOf: TextOf = (row) => texts.get(row) ?? textOf(row);
  const byText = (a: number, b: number): number => compare(cachedTextOf(a), cachedTextOf(b)) || a - b;
  const rows = merge(plain, others.sort(byText), byText);
  // Texts may differ and compare equal: "" and "\0". Then one may stand between two plain texts that are the same.
  for (let i = 1; i < rows.length; i++) {
    const [row, before] = [rows[i]!, rows[i - 1]!];
    if (texts.has(row) || texts.has(before)) repeated[row] = cachedTextOf(row) === cachedTextOf(before) ? 1 : 0;
  }
  return rows;
}

/** Printable ASCII only: no other character takes part in the comparison of such texts. */
function isPlain(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i]! < 0x20 || bytes[i]! > 0x7e) return false;
  return true;
}

/** As the collator orders printable ASCII; the two cases of a letter weigh the same. It takes ten milliseconds to load itself. */
const IN_ORDER = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';

/** Weight of each plain character, from 1 on; 0 of any other byte. */
const WEIGHTS = new Uint8Array(256);
for (const [i, character] of [...IN_ORDER].entries()) {
  WEIGHTS[character.charCodeAt(0)] = i + 1;
  WEIGHTS[character.toUpperCase().charCodeAt(0)] = i + 1;
}
/** Five digits to this base are less than 2^31. */
const WEIGHT_BASE = IN_ORDER.length + 1;

/** The weights of the characters from `at` on as a number, 0 for those behind the end of the text. */
function keyWord(bytes: Uint8Array, at: number, end: number): number {
  let word = 0;
  for (let i = at; i < at + KEY_CHARACTERS; i++)
    word = Math.imul(word, WEIGHT_BASE) + (i < end ? WEIGHTS[bytes[i]!]! : 0);
  return word;
}

/**
 * The rows of the first `count` keys in order: a radix sort by key, then a sort by text within runs of equal keys. Marks in
 * `repeated` the rows whose text is that of the row before.
 */
function sortPlain(keys: KeySort, count: number, textOf: TextOf, repeated: Uint8Array): Uint32Array {
  keys.sort(count);
  const rows = keys.rows(count);
  keys.forEachRun(count, (from, to) => sortByText(rows.subarray(from, to), textOf, repeated));
  return rows;
}

function sortByText(rows: Uint32Array, textOf: TextOf, repeated: Uint8Array): void {
  const entries = Array.from(rows, (row) => ({ row, text: textOf(row) }));
  entries.sort((a, b) => comparePlain(a.text, b.text) || a.row - b.row);
  for (const [i, { row, text }] of entries.entries()) {
    rows[i] = row;
    if (text === entries[i - 1]?.text) repeated[row] = 1;
  }
}

/** Compares plain texts: weights first, then lower case before upper. */
function comparePlain(a: string, b: string): number {
  const common = Math.min(a.length, b.length);
  let caseOrder = 0;
  for (let i = 0; i < common; i++) {
    const [codeA, codeB] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (codeA === codeB) continue;
    const difference = WEIGHTS[codeA]! - WEIGHTS[codeB]!;
    if (difference !== 0) return difference;
    // Same weight, other code: the two cases of a letter, of which ASCII has the upper one first.
    if (caseOrder === 0) caseOrder = codeB - codeA;
  }
  return a.length - b.length || caseOrder;
}

/** Merges a few rows into many; a binary search locates each of the few. */
function merge(many: Uint32Array, few: Uint32Array, compare: (a: number, b: number) => number): Uint32Array {
  const merged = new Uint32Array(many.length + few.length);
  let mergedCount = 0;
  for (const [i, row] of few.entries()) {
    const place = firstWhere(mergedCount, many.length, (position) => compare(many[position]!, row) > 0);
    merged.set(many.subarray(mergedCount, place), mergedCount + i);
    merged[place + i] = row;
    mergedCount = place;
  }
  merged.set(many.subarray(mergedCount), mergedCount + few.length);
  return merged;
}
