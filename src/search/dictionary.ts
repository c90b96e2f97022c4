/**
 * Words to terms: exactly, by prefix, and by nearest spelling. Both tables are sorted, so an exact look-up and the
 * words of a prefix are binary searches (some 0.3 µs). Spellings are searched among the words of a fitting length
 * whose letters differ by no more than the edits allow, one 32-bit comparison a word; only those that pass, about one
 * in a hundred, are compared letter by letter.
 */
import { firstWhere } from '../binary-search.js';
import type { IndexTables, StringTable } from './tables.js';

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

/** One bit for each letter that occurs, with 32 classes of letters. */
export function lettersOf(units: ArrayLike<number>, from: number, to: number): number {
  let letters = 0;
  for (let i = from; i < to; i++) letters |= 1 << (units[i]! & 31);
  return letters;
}

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

class SpellingSearch {
  private readonly target: Uint16Array;
  private readonly letters: number;
  /** Three rows of the distance table: the one being filled, the one before, the one before that. */
  private rows: [Uint8Array, Uint8Array, Uint8Array];
  private readonly tables: IndexTables;
  private readonly leastFrequency: number;

  constructor(tables: IndexTables, word: string, leastFrequency: number) {
    this.tables = tables;
    this.leastFrequency = leastFrequency;
    this.target = Uint16Array.from({ length: word.length }, (_, i) => word.charCodeAt(i));
    this.letters = lettersOf(this.target, 0, this.target.length);
    const row = (): Uint8Array => new Uint8Array(this.target.length + 1);
    this.rows = [row(), row(), row()];
  }

  /** The words within `edits`; where fewer edits found nothing, those at exactly so many. */
  wordsAt(edits: number): number[] {
    const { sizeStarts, letters, wordsBySize } = this.tables;
    const size = this.target.length;
    const from = sizeStarts[Math.max(size - edits, 1)]!;
    const to = sizeStarts[Math.min(size + edits + 1, sizeStarts.length - 1)]!;
    const own = this.letters;
    const found: number[] = [];
    for (let i = from; i < to; i++) {
      // One edit changes at most two of the letters present: take as many bits away, and nothing may remain.
      let different = letters[i]! ^ own;
      different &= different - 1;
      different &= different - 1;
      if (different !== 0 && edits === 2) {
        different &= different - 1;
        different &= different - 1;
      }
      if (different === 0 && this.isFrequent(wordsBySize[i]!) && this.isWithin(wordsBySize[i]!, edits))
        found.push(wordsBySize[i]!);
    }
    return found.sort((a, b) => a - b);
  }

  private isFrequent(word: number): boolean {
    const { documentFrequencies, words } = this.tables;
    return documentFrequencies[words.terms[word]!]! >= this.leastFrequency;
  }

  /** Whether a word is at most `edits` from the target: the distance table, row by row. */
  private isWithin(word: number, edits: number): boolean {
    const { units, offsets } = this.tables.words;
    const { target } = this;
    const start = offsets[word]!;
    const length = offsets[word + 1]! - start;
    let [row, above, aboveThat] = this.rows;
    for (let j = 0; j <= target.length; j++) above[j] = j;
    for (let i = 1; i <= length; i++) {
      const unit = units[start + i - 1]!;
      row[0] = i;
      let least = i;
      for (let j = 1; j <= target.length; j++) {
        let distance = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (unit === target[j - 1] ? 0 : 1));
        const swapped = i > 1 && j > 1 && unit === target[j - 2] && units[start + i - 2] === target[j - 1];
        if (swapped) distance = Math.min(distance, aboveThat[j - 2]! + 1);
        row[j] = distance;
        if (distance < least) least = distance;
      }
      if (least > edits) return false;
      [row, above, aboveThat] = [aboveThat, row, above];
    }
    return above[target.length]! <= edits;
  }
}
