/**
 * Plain words and their terms: those that `word-kernel.ts` reads, in its memory. Behind the kernel's own numbers come a
 * single word with a unit before and one behind it, its key and its term, a window of the text that is read, likewise, the
 * keys and the terms of that window, and the tables of words, of stems, and of clusters.
 */

import { endianness } from 'node:os';
import { KeySort } from '../key-sort.js';
import { wholeWords } from '../memory.js';
import { type Characters, SEPARATOR } from './characters.js';
import { ClusterTable } from './cluster-table.js';
import { BEFORE_A } from './stem-kernel.js';
import type { TermTable } from './tables.js';
import type { TermStream } from './term-stream.js';
import { isConnector, isSign } from './tokenize.js';
import { STEMS_OF_WORDS, WORDS, WordMemory, type WordTable, wholeLines } from './word-memory.js';
import {
  AT,
  AT_CLUSTER,
  BEHIND_FIELD,
  CLASSES,
  ENDS,
  ENDS_BEFORE_SEPARATOR,
  FOUND,
  FREE,
  IS_FULL,
  KEY_BYTES,
  KEYS_END,
  LETTER_COUNT,
  LETTERS,
  LISTED_BYTES,
  MOST_LETTERS,
  NEXT_KEY,
  OTHER,
  SEPARATES,
  SORT_BYTES,
  STEMS,
  STOPS_BEHIND_FIELD,
  TERM_BYTES,
  TERMS,
  TERMS_END,
  UNIT_BYTES,
  UNKNOWN,
} from './word-places.js';

const SPACE = 32;
const ASCII = 128;
const BACKSLASH = 92;
/** A code unit of no character, which is no plain word's. */
const NO_CHARACTER = 0xffff;

const WORD = FREE + UNIT_BYTES;
/** What the window leads to should stay in the nearer caches. */
const WINDOW_UNITS = 1 << 13;
const MOST_WORDS = (WINDOW_UNITS + 1) >> 1;
const WORD_KEY = wholeWords(WORD + (MOST_LETTERS + 2) * UNIT_BYTES);
const WORD_TERM = WORD_KEY + 2 * KEY_BYTES;
const WINDOW = WORD_TERM + TERM_BYTES + UNIT_BYTES;
const KEYS = wholeWords(WINDOW + (WINDOW_UNITS + 1) * UNIT_BYTES);
/** Behind the keys, one more number may be written. */
const KEY_TERMS = KEYS + (MOST_WORDS + 1) * KEY_BYTES;
const TABLES = wholeLines(KEY_TERMS + MOST_WORDS * TERM_BYTES);

/** Takes terms, which are lent. */
type UseTerms = (terms: Int32Array) => void;

/** Finds out what clusters stand for, and takes it. */
export interface ClusterReader {
  /** Takes what a cluster stands for; returns that, if it is kept: its term, or a number of the reader's below `UNKNOWN`. */
  learn(text: string, isKept: boolean): number;
  /** Takes what such a number stands for. */
  take(number: number): void;
  /** Whether there is something to add behind the field. */
  readonly hasMore: boolean;
  /** Adds it. */
  endField(): void;
}

/** Shorter texts are copied unit by unit in less time than a call takes. */
const SHORT_UNITS = 32;

export class PlainWords {
  private readonly memory = new WordMemory(TABLES);
  private readonly kernel = this.memory.kernel;
  private readonly clusters = new ClusterTable(this.memory);
  /** The window holds the units `from .. to` of `text`. */
  private text = '';
  private from = 0;
  private to = 0;

  /** Words have the terms of their `stems`, or each a term of its own. */
  constructor(characters: Characters, stems: boolean) {
    const { memory } = this;
    memory.numbers[STEMS >> 2] = stems ? 1 : 0;
    for (const table of stems ? [...WORDS, STEMS_OF_WORDS] : WORDS) memory.begin(table);
    for (const [first, last] of CLASSIFIED) {
      for (let unit = first; unit <= last; unit++) memory.bytes[CLASSES + unit] = classOf(unit, characters);
    }
  }

  /** Reads plain words from `at` on and adds their terms to the stream; returns where something else begins. */
  read(text: string, at: number, stream: TermStream): number {
    let next = at;
    let stops = false;
    while (next < text.length && !stops) {
      if (text !== this.text || next < this.from || next >= this.to) this.load(text, next);
      stops = this.readKeys(
        WINDOW + (next - this.from) * UNIT_BYTES,
        WINDOW + (this.to - this.from) * UNIT_BYTES,
        KEYS,
      );
      next = this.from + (this.memory.numbers[AT >> 2]! - WINDOW) / UNIT_BYTES;
      this.lookUp((terms) => stream.addMany(terms));
    }
    return next;
  }

  /** The class of each byte of a text that ends in a quote; an escape is of none. */
  cellClasses(): Uint8Array {
    const classes = new Uint8Array(256).fill(OTHER);
    classes.set(this.memory.bytes.subarray(CLASSES, CLASSES + ASCII));
    classes[BACKSLASH] = OTHER;
    return classes;
  }

  /** Hands over the terms of keys, and the marks between them, some at a time. There is a reader of clusters where there are some among them. */
  lookUpMany(keys: Uint8Array, use: UseTerms, clusters?: ClusterReader): void {
    const most = MOST_WORDS * KEY_BYTES;
    for (let from = 0; from < keys.length; ) {
      const some = keys.subarray(from, from + most);
      this.memory.bytes.set(some, KEYS);
      this.memory.numbers[KEYS_END >> 2] = KEYS + some.length;
      // Of the last key a part may stand behind these.
      from += this.lookUp(use, clusters) - KEYS;
    }
    if (clusters) this.endField(clusters);
  }

  /** The term of the word `units[0 .. length)`; -1 if it is no plain word. */
  termOf(units: Uint16Array, length: number): number {
    if (length > MOST_LETTERS) return -1;
    const first = WORD / UNIT_BYTES;
    for (let i = 0; i < length; i++) this.memory.units[first + i] = units[i]!;
    this.memory.units[first + length] = SPACE;
    if (this.readKeys(WORD, WORD + length * UNIT_BYTES, WORD_KEY)) return -1;
    while (this.kernel.lookUp(WORD_KEY, this.memory.numbers[KEYS_END >> 2]!, WORD_TERM) === IS_FULL) this.makeRoom();
    return this.memory.numbers[WORD_TERM >> 2]!;
  }

  /** How many terms there are. */
  get terms(): number {
    return this.memory.numbers[TERMS >> 2]!;
  }

  /** A term that is no plain word's. */
  addTerm(): number {
    return this.memory.numbers[TERMS >> 2]!++;
  }

  /** The stem of the word `units[0 .. length)`, all of which are letters a to z, however many. */
  stemOf(units: Uint16Array, length: number): Uint16Array {
    for (let i = 0; i < length; i++) this.memory.bytes[LETTERS + i] = units[i]! - BEFORE_A;
    const end = this.kernel.stem(length);
    return Uint16Array.from(this.memory.bytes.subarray(LETTERS, LETTERS + end), (letter) => letter + BEFORE_A);
  }

  /** The term of the stem that was asked for last; -1 if that is longer than any plain word. */
  termOfStem({ length }: Uint16Array): number {
    if (length > MOST_LETTERS) return -1;
    this.makeRoom();
    return this.kernel.termOfStem(length);
  }

  /** The keys of all words, as those of a list; each has a term of its own: that is its place. Those of other words are 0. */
  keysByTerm(): Uint8Array {
    const keys = this.memory.reserve(this.terms * LISTED_BYTES);
    for (const table of WORDS) {
      const { at, end } = this.memory.tableAt(table);
      this.kernel[table.place](at, end, keys);
    }
    return new Uint8Array(this.memory.bytes.buffer.slice(keys, keys + this.terms * LISTED_BYTES));
  }

  /** All words, sorted, and all stems, each with its term; nothing can be read after it. */
  dictionary(): { readonly words: TermTable; readonly stems: TermTable } {
    return { words: this.sorted(WORDS), stems: this.sorted([STEMS_OF_WORDS]) };
  }

  private listOf(tables: readonly WordTable[]) {
    const count = tables.reduce((sum, table) => sum + this.memory.tableAt(table).taken, 0);
    const keys = this.memory.reserve(count * (LISTED_BYTES + TERM_BYTES));
    const terms = keys + count * LISTED_BYTES;
    let listed = 0;
    for (const table of tables) {
      const { at, end } = this.memory.tableAt(table);
      const [to, toTerms] = [keys + listed * LISTED_BYTES, terms + listed * TERM_BYTES];
      listed += this.kernel[table.list](at, end, to, toTerms);
    }
    return { keys, terms, count };
  }

  private sorted(tables: readonly WordTable[]): TermTable {
    const { end } = this.memory;
    const { keys, terms, count } = this.listOf(tables);
    const entries = this.memory.reserve(count * SORT_BYTES);
    this.kernel.toSort(keys, keys + count * LISTED_BYTES, entries);
    const sort = new KeySort();
    sort.reserve(count);
    sort.setMany(0, new Uint32Array(this.memory.bytes.buffer, entries, (count * SORT_BYTES) / 4));
    sort.sort(count);
    this.memory.numbers.set(sort.rows(count), entries / 4);
    const ends = this.memory.reserve(count * (2 * TERM_BYTES + MOST_LETTERS * UNIT_BYTES));
    const sortedTerms = ends + count * TERM_BYTES;
    const units = sortedTerms + count * TERM_BYTES;
    const unitsEnd = this.kernel.spell(entries, entries + count * TERM_BYTES, keys, terms, units, ends, sortedTerms);
    const offsets = new Uint32Array(count + 1);
    offsets.set(this.memory.numbers.subarray(ends / 4, ends / 4 + count), 1);
    // All of it is copied: what is sorted next may stand in its place.
    this.memory.end = end;
    return {
      units: this.memory.units.slice(units / UNIT_BYTES, (unitsEnd >>> 0) / UNIT_BYTES),
      offsets,
      terms: this.termsFrom(sortedTerms, count),
    };
  }

  private termsFrom(at: number, count: number): Uint32Array {
    return new Uint32Array(this.memory.bytes.buffer.slice(at, at + count * TERM_BYTES));
  }

  /** Reads units to keys; returns whether it stops before something else than a plain word. */
  private readKeys(at: number, end: number, keys: number): boolean {
    return this.kernel.read(at, end, keys) !== 0;
  }

  /** Turns the keys into terms, and adds those that are new; returns where the first stands that was not looked up. */
  private lookUp(use: UseTerms, clusters?: ClusterReader): number {
    const end = this.memory.numbers[KEYS_END >> 2]!;
    for (let key = KEYS; ; ) {
      const why = this.kernel.lookUp(key, end, KEY_TERMS);
      key = this.memory.numbers[NEXT_KEY >> 2]!;
      use(this.memory.numbers.subarray(KEY_TERMS >> 2, this.memory.numbers[TERMS_END >> 2]! >> 2));
      if (why === IS_FULL) this.makeRoom();
      else if (why === AT_CLUSTER && clusters) key = this.passCluster(key, clusters);
      else if (why === BEHIND_FIELD && clusters) this.endField(clusters);
      else return key;
    }
  }

  private load(text: string, from: number): void {
    const length = Math.min(text.length - from, WINDOW_UNITS);
    const first = WINDOW / UNIT_BYTES;
    this.memory.units[first - 1] = from === 0 ? SPACE : text.charCodeAt(from - 1);
    if (COPIES_WHOLE && length > SHORT_UNITS) {
      this.memory.bytes.write(length === text.length ? text : text.slice(from, from + length), WINDOW, 'utf16le');
    } else for (let i = 0; i < length; i++) this.memory.units[first + i] = text.charCodeAt(from + i);
    // A word that reaches the end of the window but not that of the text is not read here.
    this.memory.units[first + length] = from + length === text.length ? SPACE : NO_CHARACTER;
    this.text = text;
    this.from = from;
    this.to = from + length;
  }

  /** Has the cluster read whose key stands at an address; returns where the next key does. */
  private passCluster(key: number, clusters: ClusterReader): number {
    const length = this.memory.numbers[key >> 2]!;
    const at = key + KEY_BYTES;
    const found = this.memory.numbers[FOUND >> 2]!;
    if (found < UNKNOWN) clusters.take(found);
    else {
      const json = this.memory.bytes.toString('utf8', at, at + length);
      const text = json.includes('\\') ? String(JSON.parse(`"${json}"`)) : json;
      const isKept = this.clusters.hasRoomFor(length);
      const standsFor = clusters.learn(text, isKept);
      if (isKept) this.clusters.keep(at, length, standsFor);
    }
    this.memory.numbers[STOPS_BEHIND_FIELD >> 2] = clusters.hasMore ? 1 : 0;
    return at + wholeWords(length);
  }

  private endField(clusters: ClusterReader): void {
    clusters.endField();
    this.memory.numbers[STOPS_BEHIND_FIELD >> 2] = 0;
  }

  /** Moves the tables that are full to places with room for twice as many words. */
  private makeRoom(): void {
    for (const table of [...WORDS, STEMS_OF_WORDS]) this.memory.makeRoom(table);
  }
}

/** The machine's order of bytes is the one that texts can be copied in. */
const COPIES_WHOLE = endianness() === 'LE';

/** Units that are told apart here: Latin letters and the usual punctuation. All others are for the tokeniser. */
const CLASSIFIED = [
  [0, 0x24f],
  [0x2000, 0x206f],
] as const;

function classOf(unit: number, { resolve }: Characters): number {
  const folded = resolve(unit);
  if (folded === SEPARATOR) return separatorOf(unit);
  const letter = folded - BEFORE_A;
  return letter >= 1 && letter <= LETTER_COUNT ? letter : OTHER;
}

/** Most tie nothing to a word of letters; a connector does where a word follows. */
function separatorOf(unit: number): number {
  if (isConnector(unit)) return ENDS_BEFORE_SEPARATOR;
  return isSign(unit) ? SEPARATES : ENDS;
}
