/**
 * Words to terms: exactly, by prefix, and by nearest spelling. Both tables are sorted, so an exact look-up and the words of a
 * prefix are binary searches (some 0.3 µs). Near spellings take one walk through the sorted words. The walk skips all words
 * that share a prefix which is too far from the word already: one comparison each.
 */
import { firstWhere } from '../arrays.js';
import type { IndexTables, StringTable } from './tables.js';
import { MAX_WORD_UNITS } from './tokenizer.js';

/** Consecutive words of the sorted table; `to` is excluded. */
interface WordRange {
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
export function findTerm(table: StringTable, text: string): number {
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

/** The greatest edit distance of a near spelling: 0 for `tea`, 1 for `coffee` and for codes, 2 for `espresso`. */
export const editsAllowed = (word: string): number => (word.length < 4 ? 0 : word.length < 8 || hasDigit(word) ? 1 : 2);

/** Whether a word is a number or code: one with another digit is no misspelling of it. It may be suggested, but does not match. */
export const hasDigit = (word: string): boolean => /\p{N}/u.test(word);

/** A longer word has no near spellings: a state has one bit for each prefix of the word, in a number of 32 bits. */
const MAX_SPELLED_UNITS = 30;

/**
 * The nearest spellings of a word: all words at the smallest edit distance, up to `maxEdits`. An edit inserts, deletes or
 * replaces a letter, or swaps two neighbours (optimal string alignment distance).
 */
export function nearestWords(tables: IndexTables, word: string, maxEdits: number): number[] {
  if (word.length > MAX_SPELLED_UNITS) return [];
  const spelling = new SpellingSearch(tables, word);
  for (let edits = 1; edits <= maxEdits; edits++) {
    const words = spelling.wordsAt(edits);
    if (words.length > 0) return words;
  }
  return [];
}

const unitsOf = (word: string): Uint16Array => Uint16Array.from({ length: word.length }, (_, i) => word.charCodeAt(i));

/** The words one edit away whose terms have a document frequency of at least `minFrequency`, the most frequent first. */
export function frequentNeighbours(tables: IndexTables, word: string, minFrequency: number): number[] {
  const { documentFrequencies, words, wordsByFrequency } = tables;
  const target = unitsOf(word);
  const neighbours: number[] = [];
  for (let i = 0; i < wordsByFrequency.length; i++) {
    const candidate = wordsByFrequency[i]!;
    if (documentFrequencies[words.terms[candidate]!]! < minFrequency) break;
    if (isOneEditAway(words, candidate, target)) neighbours.push(candidate);
  }
  return neighbours;
}

/** Whether an edit, as `nearestWords` has it, turns string `i` into the target: its units before and behind the edit are equal. */
function isOneEditAway({ units, offsets }: StringTable, i: number, target: Uint16Array): boolean {
  const start = offsets[i]!;
  const length = offsets[i + 1]! - start;
  const [shorter, longer] = length < target.length ? [length, target.length] : [target.length, length];
  if (longer - shorter > 1) return false;
  let before = 0;
  while (before < shorter && units[start + before] === target[before]) before++;
  let behind = 0;
  while (behind < shorter - before && units[start + length - 1 - behind] === target[target.length - 1 - behind])
    behind++;
  const differing = longer - before - behind;
  // `recieve` is `receive` with two neighbours swapped.
  const isSwap =
    differing === 2 &&
    longer === shorter &&
    units[start + before] === target[before + 1] &&
    units[start + before + 1] === target[before];
  return differing === 1 || isSwap;
}

/** The greatest result of `editsAllowed`. */
const MAX_EDITS = 2;
const STATES = MAX_EDITS + 1;

/**
 * Walks the sorted words with the bit-parallel automaton of Wu & Manber (1992, "Fast text searching allowing errors"). The
 * states after each unit are stored, so that the next word begins at the prefix it shares with this one. If a prefix is
 * too far from the target already, the walk skips all words that begin with it.
 */
class SpellingSearch {
  private readonly tables: IndexTables;
  private readonly target: Uint16Array;
  /** State d after i units of a word: bit j is set if at most d edits turn them into the target's first j units. */
  private readonly states = new Int32Array((MAX_WORD_UNITS + 1) * STATES);

  constructor(tables: IndexTables, word: string) {
    this.tables = tables;
    this.target = unitsOf(word);
    for (let d = 0; d < STATES; d++) this.states[d] = (1 << (d + 1)) - 1;
  }

  /** The words within `edits`; exactly at that distance once smaller distances had no words. */
  wordsAt(edits: number): number[] {
    const { words, commonUnits } = this.tables;
    const { offsets } = words;
    const { states } = this;
    const size = this.target.length;
    const nearWords: number[] = [];
    const count = commonUnits.length;
    /** The units of the previous word whose states are stored. */
    let depth = 0;
    for (let word = 0; word < count; ) {
      depth = Math.min(depth, commonUnits[word]!);
      const start = offsets[word]!;
      const length = offsets[word + 1]! - start;
      let isFar = false;
      while (depth < length && !isFar) isFar = this.step(start, ++depth, edits) === 0;
      if (!isFar && ((states[length * STATES + edits]! >>> size) & 1) === 1) nearWords.push(word);
      word++;
      // The words that begin with these units are skipped.
      if (isFar) while (word < count && commonUnits[word]! >= depth) word++;
    }
    return nearWords;
  }

  /** Writes the states after the first i units of the word that begins at `start`; returns the last of them. */
  private step(start: number, i: number, edits: number): number {
    const { units } = this.tables.words;
    const { target, states } = this;
    const unit = units[start + i - 1]!;
    const before = i > 1 ? units[start + i - 2]! : -1;
    // Bits of the target's units near i that equal this unit; and those among them that the unit before follows there.
    let equalUnits = 0;
    let swaps = 0;
    const end = Math.min(i + edits, target.length);
    for (let j = i > edits ? i - 1 - edits : 0; j < end; j++) {
      if (target[j] !== unit) continue;
      equalUnits |= 1 << j;
      if (target[j + 1] === before) swaps |= 1 << j;
    }
    const from = (i - 1) * STATES;
    const all = (2 << target.length) - 1;
    let state = (states[from]! & equalUnits) << 1;
    states[from + STATES] = state;
    for (let d = 1; d <= edits; d++) {
      const fewer = states[from + d - 1]!;
      const swapped = i > 1 ? (states[from - STATES + d - 1]! & swaps) << 2 : 0;
      state = (((states[from + d]! & equalUnits) << 1) | fewer | (fewer << 1) | (state << 1) | swapped) & all;
      states[from + STATES + d] = state;
    }
    return state;
  }
}
