/**
 * Words to terms: exactly, by prefix, and by nearest spelling. Both tables are sorted, so an exact look-up and the
 * words of a prefix are binary searches (some 0.3 µs). Near spellings are searched in one walk through the sorted words, which
 * passes over all words with a beginning that is too far from the word: one comparison each.
 */
import { firstWhere } from '../binary-search.js';
import type { IndexTables, StringTable } from './tables.js';
import { MAX_WORD_UNITS } from './tokenizer.js';

/** Words that stand one after the other in the sorted table. */
export interface WordRange {
  readonly from: number;
  readonly to: number;
}

/** Below zero where string `i` sorts before `text`; a string that begins with `text` is equal if `asPrefix`. */
function compareAt(table: StringTable, i: number, text: string, asPrefix: boolean): number {
  const { units, offsets } = table;
  const start = offsets[i]!;
  const length = offsets[i + 1]! - start;
  const common = Math.min(length, text.length);
  for (let j = 0; j < common; j++) {
    const difference = units[start + j]! - text.charCodeAt(j);
    if (difference !== 0) return difference;
  }
  return asPrefix && length >= text.length ? 0 : length - text.length;
}

/** The position of `text` in a sorted table, or -1. */
export function find(table: StringTable, text: string): number {
  const count = table.offsets.length - 1;
  const at = firstWhere(0, count, (i) => compareAt(table, i, text, false) >= 0);
  return at < count && compareAt(table, at, text, false) === 0 ? at : -1;
}

/** The words that begin with `prefix`. */
export function wordsWithPrefix(table: StringTable, prefix: string): WordRange {
  const count = table.offsets.length - 1;
  const from = firstWhere(0, count, (i) => compareAt(table, i, prefix, true) >= 0);
  const to = firstWhere(from, count, (i) => compareAt(table, i, prefix, true) > 0);
  return { from, to };
}

export const initialAt = ({ units, offsets }: StringTable, i: number): number => units[offsets[i]!]!;

export const wordAt = (table: StringTable, i: number): string =>
  String.fromCharCode(...table.units.subarray(table.offsets[i]!, table.offsets[i + 1]!));

/** A distance that is more than any number of edits allowed. */
const FAR = 100;

/** How many edits a word of this length is forgiven. */
export const editsAllowed = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

/**
 * The nearest spellings of a word: all words at the smallest number of edits, if that is at most `most`, whose terms at
 * least `leastFrequency` records hold. An edit puts in, takes out or changes a letter, or swaps two neighbours (optimal
 * string alignment distance).
 */
export function nearestWords(tables: IndexTables, word: string, most: number, leastFrequency = 1): number[] {
  const spelling = new SpellingSearch(tables, word, leastFrequency);
  for (let edits = 1; edits <= most; edits++) {
    const found = spelling.wordsAt(edits);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * Goes through the sorted words with a row of the distance table for each unit of the word before: words that begin alike
 * share these rows, and where a beginning is too far from the target already, all words with it are passed over.
 */
class SpellingSearch {
  private readonly tables: IndexTables;
  private readonly leastFrequency: number;
  private readonly target: Uint16Array;
  private readonly width: number;
  /** Row i: the distances of the first i units of the word looked at from each beginning of the target. */
  private readonly distances: Uint8Array;

  constructor(tables: IndexTables, word: string, leastFrequency: number) {
    this.tables = tables;
    this.leastFrequency = leastFrequency;
    this.target = Uint16Array.from({ length: word.length }, (_, i) => word.charCodeAt(i));
    this.width = word.length + 1;
    this.distances = new Uint8Array((MAX_WORD_UNITS + 1) * this.width);
    for (let j = 0; j < this.width; j++) this.distances[j] = j;
  }

  /** The words within `edits`; where fewer edits found nothing, those at exactly so many. */
  wordsAt(edits: number): number[] {
    const { words, commonUnits } = this.tables;
    const { offsets } = words;
    const { distances, width } = this;
    const found: number[] = [];
    /** How many units of the word before have a row, and whether they are too far from the target. */
    let depth = 0;
    let isFar = false;
    for (let word = 0; word < commonUnits.length; word++) {
      const common = commonUnits[word]!;
      if (isFar && common >= depth) continue;
      if (common < depth) depth = common;
      const start = offsets[word]!;
      const length = offsets[word + 1]! - start;
      isFar = false;
      while (depth < length && !isFar) isFar = this.writeRow(start, ++depth, edits) > edits;
      if (!isFar && width - 1 - length <= edits && distances[length * width + width - 1]! <= edits && this.isFrequent(word))
        found.push(word);
    }
    return found;
  }

  private isFrequent(word: number): boolean {
    const { documentFrequencies, words } = this.tables;
    return documentFrequencies[words.terms[word]!]! >= this.leastFrequency;
  }

  /** Writes row i of a word that begins at `start`, as far as it is within `edits` of the diagonal; returns the least of it. */
  private writeRow(start: number, i: number, edits: number): number {
    const { units } = this.tables.words;
    const { target, distances, width } = this;
    const row = i * width;
    const above = row - width;
    const unit = units[start + i - 1]!;
    const before = i > 1 ? units[start + i - 2]! : -1;
    const first = Math.max(i - edits, 0);
    const last = Math.min(i + edits, target.length);
    let least = FAR;
    for (let j = first; j <= last; j++) {
      let distance = j === 0 ? i : distances[above + j - 1]! + (unit === target[j - 1] ? 0 : 1);
      if (j > first) distance = Math.min(distance, distances[row + j - 1]! + 1);
      if (j < i + edits) distance = Math.min(distance, distances[above + j]! + 1);
      const isSwapped = j > 1 && unit === target[j - 2] && before === target[j - 1];
      if (isSwapped) distance = Math.min(distance, distances[above - width + j - 2]! + 1);
      distances[row + j] = distance;
      if (distance < least) least = distance;
    }
    return least;
  }
}
