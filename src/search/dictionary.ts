/**
 * Words to terms: exactly, by prefix, and by nearest spelling. Both tables are sorted, so an exact look-up and the
 * words of a prefix are binary searches (some 0.3 µs). Near spellings are searched in one walk through the sorted words, which
 * passes over all words with a beginning that is too far from the word: one comparison each.
 */
import { firstWhere } from '../binary-search.js';
import type { IndexTables, StringTable } from './tables.js';
import { MAX_WORD_UNITS } from './tokenizer.js';

/** Words that begin with the same units, so many, are a group. */
export const GROUP_UNITS = 3;

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

/** How many edits a word of this length is forgiven. */
export const editsAllowed = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

/** A longer word has no near spellings: a bit for each of its beginnings is a number of 32 bits. */
const MAX_SPELLED_UNITS = 30;

/**
 * The nearest spellings of a word: all words at the smallest number of edits, if that is at most `most`, whose terms at
 * least `leastFrequency` records hold. An edit puts in, takes out or changes a letter, or swaps two neighbours (optimal
 * string alignment distance).
 */
export function nearestWords(tables: IndexTables, word: string, most: number, leastFrequency = 1): number[] {
  if (word.length > MAX_SPELLED_UNITS) return [];
  const spelling = new SpellingSearch(tables, word, leastFrequency);
  for (let edits = 1; edits <= most; edits++) {
    const found = spelling.wordsAt(edits);
    if (found.length > 0) return found;
  }
  return [];
}

/** As many as `editsAllowed` allows. */
const MAX_EDITS = 2;
const STATES = MAX_EDITS + 1;

/**
 * Goes through the sorted words with the states of an automaton (Wu & Manber 1992, "Fast text searching allowing errors")
 * after each unit of the word before: words that begin alike share them, and where a beginning is too far from the target
 * already, all words with it are passed over.
 */
class SpellingSearch {
  private readonly tables: IndexTables;
  private readonly leastFrequency: number;
  private readonly target: Uint16Array;
  /** State d after i units: bit j is set where d edits at most make the target's first j units of them. */
  private readonly states = new Int32Array((MAX_WORD_UNITS + 1) * STATES);

  constructor(tables: IndexTables, word: string, leastFrequency: number) {
    this.tables = tables;
    this.leastFrequency = leastFrequency;
    this.target = Uint16Array.from({ length: word.length }, (_, i) => word.charCodeAt(i));
    for (let d = 0; d < STATES; d++) this.states[d] = (1 << (d + 1)) - 1;
  }

  /** The words within `edits`; where fewer edits found nothing, those at exactly so many. */
  wordsAt(edits: number): number[] {
    const { words, commonUnits, groupStarts } = this.tables;
    const { offsets } = words;
    const { states } = this;
    const size = this.target.length;
    const found: number[] = [];
    const count = commonUnits.length;
    let group = 0;
    /** After how many units of the word before states are known. */
    let depth = 0;
    for (let word = 0; word < count; ) {
      if (word === groupStarts[group + 1]) group++;
      depth = Math.min(depth, commonUnits[word]!);
      const start = offsets[word]!;
      const length = offsets[word + 1]! - start;
      let isFar = false;
      while (depth < length && !isFar) isFar = this.step(start, ++depth, edits) === 0;
      if (!isFar && ((states[length * STATES + edits]! >>> size) & 1) === 1 && this.isFrequent(word)) found.push(word);
      word++;
      if (!isFar) continue;
      if (depth <= GROUP_UNITS) {
        // All groups with this beginning are passed over, and none of their words is looked at.
        do group++;
        while (group < groupStarts.length && commonUnits[groupStarts[group]!]! >= depth);
        word = groupStarts[group] ?? count;
      } else while (word < count && commonUnits[word]! >= depth) word++;
    }
    return found;
  }

  private isFrequent(word: number): boolean {
    const { documentFrequencies, words } = this.tables;
    return documentFrequencies[words.terms[word]!]! >= this.leastFrequency;
  }

  /** Writes the states after the first i units of the word that begins at `start`; returns the last of them. */
  private step(start: number, i: number, edits: number): number {
    const { units } = this.tables.words;
    const { target, states } = this;
    const unit = units[start + i - 1]!;
    const before = i > 1 ? units[start + i - 2]! : -1;
    /** The places of the unit in the target, near enough to be reached, and those where the unit before follows it. */
    let places = 0;
    let swaps = 0;
    const end = Math.min(i + edits, target.length);
    for (let j = i > edits ? i - 1 - edits : 0; j < end; j++) {
      if (target[j] !== unit) continue;
      places |= 1 << j;
      if (target[j + 1] === before) swaps |= 1 << j;
    }
    const from = (i - 1) * STATES;
    const all = (2 << target.length) - 1;
    let state = (states[from]! & places) << 1;
    states[from + STATES] = state;
    for (let d = 1; d <= edits; d++) {
      const fewer = states[from + d - 1]!;
      const swapped = i > 1 ? (states[from - STATES + d - 1]! & swaps) << 2 : 0;
      state = (((states[from + d]! & places) << 1) | fewer | (fewer << 1) | (state << 1) | swapped) & all;
      states[from + STATES + d] = state;
    }
    return state;
  }
}
