/**
 * Rows ordered by title as `Intl.Collator('en')` compares, in a fraction of its time. The order of plain ASCII texts is
 * simple: by the characters' weights, case aside, then lower case before upper (Unicode Technical Standard #10, sections 4
 * and 7). Their first twenty weights are the key of a radix sort; texts of equal keys are compared weight by weight. Texts with
 * other characters are sorted by the collator, and merged into the plain ones.
 */
import { firstWhere } from '../arrays.js';
import { endOfString, hasEscape, stringAt } from '../batch.js';
import { forEachRun, type Keys, sortByKeys } from './radix-sort.js';
import { buildSortOrder, type SortOrder } from './sort-order.js';

/** The JSON text of a string; its opening quote stands at `start`. */
export interface JsonString {
  readonly bytes: Buffer;
  readonly start: number;
}

/** Characters whose weights make a word of a key. */
const KEY_CHARACTERS = 5;
const WORD_STARTS = [0, 5, 10, 15];

type TextOf = (row: number) => string;

/** The order of `size` rows by their texts; `jsonOf` returns null for a row without one. */
export function buildTextOrder(size: number, jsonOf: (row: number) => JsonString | null): SortOrder {
  const [plainRows, otherRows, missingRows]: [number[], number[], number[]] = [[], [], []];
  const keys = WORD_STARTS.map(() => new Uint32Array(size));
  for (let row = 0; row < size; row++) {
    const json = jsonOf(row);
    if (json === null) {
      missingRows.push(row);
      continue;
    }
    const { bytes, from, to } = contentsOf(json);
    if (isPlain(bytes, from, to)) plainRows.push(row);
    else otherRows.push(row);
    for (let word = 0; word < keys.length; word++) keys[word]![row] = keyWord(bytes, from + word * KEY_CHARACTERS, to);
  }
  const textOf: TextOf = (row) => {
    const json = jsonOf(row);
    return json === null ? '' : stringAt(json.bytes, json.start, endOfString(json.bytes, json.start));
  };
  const plain = sortPlain(Uint32Array.from(plainRows), keys, textOf);
  const sorted = otherRows.length === 0 ? plain : withOthers(plain, Uint32Array.from(otherRows), textOf);
  const rows = new Uint32Array(size);
  rows.set(sorted);
  rows.set(missingRows, sorted.length);
  return buildSortOrder(rows, sorted.length);
}

/** A string's UTF-8 without escapes. */
function contentsOf({ bytes, start }: JsonString): {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
} {
  const end = endOfString(bytes, start);
  if (!hasEscape(bytes, start, end)) return { bytes, from: start + 1, to: end - 1 };
  const contents = Buffer.from(stringAt(bytes, start, end));
  return { bytes: contents, from: 0, to: contents.length };
}

function withOthers(plain: Uint32Array, others: Uint32Array, textOf: TextOf): Uint32Array {
  const { compare } = new Intl.Collator('en');
  const texts = new Map(Array.from(others, (row) => [row, textOf(row)]));
  const cachedTextOf: TextOf = (row) => texts.get(row) ?? textOf(row);
  const byText = (a: number, b: number): number => compare(cachedTextOf(a), cachedTextOf(b)) || a - b;
  return merge(plain, others.sort(byText), byText);
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

/** Rows of plain texts in order: a radix sort by key, then a sort by text within runs of equal keys. */
function sortPlain(plainRows: Uint32Array, keys: Keys, textOf: TextOf): Uint32Array {
  const rows = sortByKeys(plainRows, keys);
  forEachRun(rows.slice(), keys, (from, to) => sortByText(rows.subarray(from, to), textOf));
  return rows;
}

function sortByText(rows: Uint32Array, textOf: TextOf): void {
  const entries = Array.from(rows, (row) => ({ row, text: textOf(row) }));
  entries.sort((a, b) => comparePlain(a.text, b.text) || a.row - b.row);
  for (let i = 0; i < entries.length; i++) rows[i] = entries[i]!.row;
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
