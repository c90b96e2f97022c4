/**
 * Plain words and their terms: those that `word-kernel.ts` reads, in its memory. Behind the kernel's own numbers come a
 * single word with a unit before and one behind it, a window of the text that is read, likewise, the keys and the terms
 * of that window, and the tables of words and of stems.
 */
import { endianness } from 'node:os';
import { KeySort } from '../key-sort.js';
import { wholeWords } from '../memory.js';
import { createMemory, MEMORY_PAGE_BYTES } from '../wasm.js';
import { type Characters, SEPARATOR } from './characters.js';
import { IndexLimitError } from './limits.js';
import { BEFORE_A } from './stem-kernel.js';
import type { TermTable } from './tables.js';
import type { TermStream } from './term-stream.js';
import { isConnector, isSign } from './tokenize.js';
import {
  AT,
  CLASSES,
  ENDS,
  ENDS_BEFORE_SEPARATOR,
  KEY_BYTES,
  KEYS_END,
  LETTERS as LETTER_COUNT,
  MOST_LETTERS,
  OTHER,
  SEPARATES,
  UNIT_BYTES,
} from './word-kernel.js';
import {
  createWordKernel,
  FREE,
  LETTERS,
  LISTED_BYTES,
  LONG_BYTES,
  LONG_TABLE,
  NEXT_KEY,
  SHORT_BYTES,
  SHORT_TABLE,
  SORT_BYTES,
  STEM_TABLE,
  STEMS,
  TERM_BYTES,
  TERMS,
  TERMS_END,
} from './word-table-kernel.js';

/** Of the usual processors. */
const LINE_BYTES = 64;
const wholeLines = (bytes: number): number => Math.ceil(bytes / LINE_BYTES) * LINE_BYTES;

const SPACE = 32;
const ASCII = 128;
/** A code unit of no character, which is no plain word's. */
const NO_CHARACTER = 0xffff;

const WORD = FREE + UNIT_BYTES;
/** What the window leads to should stay in the nearer caches. */
const WINDOW_UNITS = 1 << 13;
const MOST_WORDS = (WINDOW_UNITS + 1) >> 1;
const WINDOW = WORD + (MOST_LETTERS + 2) * UNIT_BYTES;
const KEYS = wholeWords(WINDOW + (WINDOW_UNITS + 1) * UNIT_BYTES);
/** Behind the keys, one more number may be written. */
const KEY_TERMS = KEYS + (MOST_WORDS + 1) * KEY_BYTES;
const TABLES = wholeLines(KEY_TERMS + MOST_WORDS * TERM_BYTES);
const START_ENTRIES = 1 << 12;
/** Entries that are moved together. */
const MOVED_ENTRIES = START_ENTRIES;

/** A table of the kernel's: where its numbers stand, how many bytes an entry has, and what the kernel does with it. */
interface Table {
  readonly numbers: number;
  readonly bytes: number;
  readonly kind: 'Short' | 'Long';
}
const SHORT_WORDS: Table = { numbers: SHORT_TABLE, bytes: SHORT_BYTES, kind: 'Short' };
const LONG_WORDS: Table = { numbers: LONG_TABLE, bytes: LONG_BYTES, kind: 'Long' };
const STEMS_OF_WORDS: Table = { numbers: STEM_TABLE, bytes: LONG_BYTES, kind: 'Long' };
const WORDS = [SHORT_WORDS, LONG_WORDS];

/** What a memory of this kind can have. */
const MOST_BYTES = 2 ** 32;

/** Shorter texts are copied unit by unit in less time than a call takes. */
const SHORT_UNITS = 32;

export class PlainWords {
  private readonly memory = createMemory(TABLES);
  /** Where the memory ends that is in use. */
  private end = TABLES;
  private readonly kernel = createWordKernel(this.memory);
  private bytes = Buffer.from(this.memory.buffer);
  private units = new Uint16Array(this.memory.buffer);
  private numbers = new Int32Array(this.memory.buffer);
  /** The window holds the units `from .. to` of `text`. */
  private text = '';
  private from = 0;
  private to = 0;

  /** Words have the terms of their `stems`, or each a term of its own. */
  constructor(characters: Characters, stems: boolean) {
    this.numbers[STEMS >> 2] = stems ? 1 : 0;
    for (const table of stems ? [...WORDS, STEMS_OF_WORDS] : WORDS) this.setTable(table, START_ENTRIES);
    for (const [first, last] of CLASSIFIED) {
      for (let unit = first; unit <= last; unit++) this.bytes[CLASSES + unit] = classOf(unit, characters);
    }
  }

  /** Reads plain words from `at` on and adds their terms to the stream; returns where something else begins. */
  read(text: string, at: number, stream: TermStream): number {
    let next = at;
    let stops = false;
    while (next < text.length && !stops) {
      if (text !== this.text || next < this.from || next >= this.to) this.load(text, next);
      stops = this.readKeys(WINDOW + (next - this.from) * UNIT_BYTES, WINDOW + (this.to - this.from) * UNIT_BYTES);
      next = this.from + (this.numbers[AT >> 2]! - WINDOW) / UNIT_BYTES;
      this.lookUp();
      stream.addMany(this.keyTerms());
    }
    return next;
  }

  /** The class of each byte of a text without escapes that ends in a quote. */
  cellClasses(): Uint8Array {
    const classes = new Uint8Array(256).fill(OTHER);
    classes.set(this.bytes.subarray(CLASSES, CLASSES + ASCII));
    return classes;
  }

  /** Adds the terms of keys, and the marks between them, to the stream. */
  take(keys: Uint8Array, stream: TermStream): void {
    this.lookUpMany(keys, (terms) => stream.addMany(terms));
  }

  /** Hands over the terms of keys, some at a time. */
  lookUpMany(keys: Uint8Array, use: (terms: Int32Array) => void): void {
    const most = MOST_WORDS * KEY_BYTES;
    for (let from = 0; from < keys.length; ) {
      const some = keys.subarray(from, from + most);
      this.bytes.set(some, KEYS);
      this.numbers[KEYS_END >> 2] = KEYS + some.length;
      this.lookUp();
      use(this.keyTerms());
      // Of the last key a part may stand behind these.
      from += this.numbers[NEXT_KEY >> 2]! - KEYS;
    }
  }

  /** The term of the word `units[0 .. length)`; -1 if it is no plain word. */
  termOf(units: Uint16Array, length: number): number {
    if (length > MOST_LETTERS) return -1;
    const first = WORD / UNIT_BYTES;
    for (let i = 0; i < length; i++) this.units[first + i] = units[i]!;
    this.units[first + length] = SPACE;
    if (this.readKeys(WORD, WORD + length * UNIT_BYTES)) return -1;
    this.lookUp();
    return this.numbers[KEY_TERMS >> 2]!;
  }

  /** How many terms there are. */
  get terms(): number {
    return this.numbers[TERMS >> 2]!;
  }

  /** A term that is no plain word's. */
  addTerm(): number {
    return this.numbers[TERMS >> 2]!++;
  }

  /** The stem of the word `units[0 .. length)`, all of which are letters a to z, however many. */
  stemOf(units: Uint16Array, length: number): Uint16Array {
    for (let i = 0; i < length; i++) this.bytes[LETTERS + i] = units[i]! - BEFORE_A;
    const end = this.kernel.stem(length);
    return Uint16Array.from(this.bytes.subarray(LETTERS, LETTERS + end), (letter) => letter + BEFORE_A);
  }

  /** The term of the stem that was asked for last; -1 if that is longer than any plain word. */
  termOfStem({ length }: Uint16Array): number {
    if (length > MOST_LETTERS) return -1;
    this.makeRoom();
    return this.kernel.termOfStem(length);
  }

  /** The keys of all words, as those of a list; each has a term of its own: that is its place. Those of other words are 0. */
  keysByTerm(): Uint8Array {
    const keys = this.reserve(this.terms * LISTED_BYTES);
    for (const table of WORDS) {
      const { at, end } = this.tableAt(table);
      this.kernel[`place${table.kind}`](at, end, keys);
    }
    return new Uint8Array(this.memory.buffer.slice(keys, keys + this.terms * LISTED_BYTES));
  }

  /** All words, sorted, and all stems, each with its term; nothing can be read after it. */
  dictionary(): { readonly words: TermTable; readonly stems: TermTable } {
    return { words: this.sorted(WORDS), stems: this.sorted([STEMS_OF_WORDS]) };
  }

  private listOf(tables: readonly Table[]) {
    const count = tables.reduce((sum, table) => sum + this.tableAt(table).taken, 0);
    const keys = this.reserve(count * (LISTED_BYTES + TERM_BYTES));
    const terms = keys + count * LISTED_BYTES;
    let listed = 0;
    for (const table of tables) {
      const { at, end } = this.tableAt(table);
      const [to, toTerms] = [keys + listed * LISTED_BYTES, terms + listed * TERM_BYTES];
      listed += this.kernel[`list${table.kind}`](at, end, to, toTerms);
    }
    return { keys, terms, count };
  }

  private sorted(tables: readonly Table[]): TermTable {
    const { end } = this;
    const { keys, terms, count } = this.listOf(tables);
    const entries = this.reserve(count * SORT_BYTES);
    this.kernel.toSort(keys, keys + count * LISTED_BYTES, entries);
    const sort = new KeySort();
    sort.reserve(count);
    sort.setMany(0, new Uint32Array(this.memory.buffer, entries, (count * SORT_BYTES) / 4));
    sort.sort(count);
    this.numbers.set(sort.rows(count), entries / 4);
    const ends = this.reserve(count * (2 * TERM_BYTES + MOST_LETTERS * UNIT_BYTES));
    const sortedTerms = ends + count * TERM_BYTES;
    const units = sortedTerms + count * TERM_BYTES;
    const unitsEnd = this.kernel.spell(entries, entries + count * TERM_BYTES, keys, terms, units, ends, sortedTerms);
    const offsets = new Uint32Array(count + 1);
    offsets.set(this.numbers.subarray(ends / 4, ends / 4 + count), 1);
    // All of it is copied: what is sorted next may stand in its place.
    this.end = end;
    return {
      units: this.units.slice(units / UNIT_BYTES, (unitsEnd >>> 0) / UNIT_BYTES),
      offsets,
      terms: this.termsFrom(sortedTerms, count),
    };
  }

  private termsFrom(at: number, count: number): Uint32Array {
    return new Uint32Array(this.memory.buffer.slice(at, at + count * TERM_BYTES));
  }

  /** Reads units to keys; returns whether it stops before something else than a plain word. */
  private readKeys(at: number, end: number): boolean {
    return this.kernel.read(at, end, KEYS) !== 0;
  }

  /** Turns the keys into terms, and adds those that are new. */
  private lookUp(): void {
    const end = this.numbers[KEYS_END >> 2]!;
    let key = KEYS;
    let terms = KEY_TERMS;
    while (this.kernel.lookUp(key, end, terms) !== 0) {
      key = this.numbers[NEXT_KEY >> 2]!;
      terms = this.numbers[TERMS_END >> 2]!;
      this.makeRoom();
    }
  }

  private load(text: string, from: number): void {
    const length = Math.min(text.length - from, WINDOW_UNITS);
    const first = WINDOW / UNIT_BYTES;
    this.units[first - 1] = from === 0 ? SPACE : text.charCodeAt(from - 1);
    if (COPIES_WHOLE && length > SHORT_UNITS) {
      this.bytes.write(length === text.length ? text : text.slice(from, from + length), WINDOW, 'utf16le');
    } else for (let i = 0; i < length; i++) this.units[first + i] = text.charCodeAt(from + i);
    // A word that reaches the end of the window but not that of the text is not read here.
    this.units[first + length] = from + length === text.length ? SPACE : NO_CHARACTER;
    this.text = text;
    this.from = from;
    this.to = from + length;
  }

  /** The terms of the keys that were looked up last. */
  private keyTerms(): Int32Array {
    return this.numbers.subarray(KEY_TERMS >> 2, this.numbers[TERMS_END >> 2]! >> 2);
  }

  /** Moves the tables that are full to places with room for twice as many words. */
  private makeRoom(): void {
    for (const table of [...WORDS, STEMS_OF_WORDS]) {
      const { at, end, entries, taken } = this.tableAt(table);
      if (2 * (entries - 1) >= 3 * taken) continue;
      const larger = this.setTable(table, 2 * entries, taken);
      // Pages that are read before they are written to are given twice, and other threads are waited for in between.
      this.bytes.fill(0, larger, larger + 2 * entries * table.bytes);
      const move = this.kernel[`move${table.kind}`];
      // In pieces, for a function is run as optimised once it is called again.
      const some = MOVED_ENTRIES * table.bytes;
      for (let from = at; from < end; from += some) move(from, from + some, larger, 2 * entries - 1);
    }
  }

  private tableAt({ numbers, bytes }: Table) {
    const [at, mask, taken] = this.numbers.subarray(numbers >> 2, (numbers >> 2) + 3);
    const entries = mask! + 1;
    return { at: at! >>> 0, end: (at! >>> 0) + entries * bytes, entries, taken: taken! };
  }

  /** Gives a table another place, with room for so many entries, and returns it. */
  private setTable({ numbers, bytes }: Table, entries: number, taken = 0): number {
    const at = this.reserve(entries * bytes);
    this.numbers.set([at, entries - 1, taken], numbers >> 2);
    return at;
  }

  /** The address of so many bytes more, which are 0 and begin with a cache line. */
  private reserve(bytes: number): number {
    const at = this.end;
    this.end += wholeLines(bytes);
    const missing = this.end - this.bytes.length;
    if (this.end > MOST_BYTES) throw new IndexLimitError('the records have more different words than an index holds');
    if (missing > 0) {
      this.memory.grow(Math.ceil(missing / MEMORY_PAGE_BYTES));
      const { buffer } = this.memory;
      this.bytes = Buffer.from(buffer);
      this.units = new Uint16Array(buffer);
      this.numbers = new Int32Array(buffer);
    }
    return at;
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
