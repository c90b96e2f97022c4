/**
 * Plain words and their terms: those that `word-kernel.ts` reads, in its memory. Behind the kernel's own numbers come a
 * single word with a unit before and one behind it, a window of the text that is read, likewise, the keys and the terms
 * of that window, and the table of words.
 */
import { endianness } from 'node:os';
import { createMemory, MEMORY_PAGE_BYTES } from '../wasm.js';
import { type Characters, SEPARATOR } from './characters.js';
import type { TermStream } from './term-stream.js';
import { isConnector, isSign } from './tokenize.js';
import {
  AT,
  CLASSES,
  createWordKernel,
  ENDS,
  ENDS_BEFORE_SEPARATOR,
  ENTRY_BYTES,
  FREE,
  KEY_BYTES,
  KEYS_END,
  LETTER_BITS,
  LETTERS,
  MOST_LETTERS,
  NEXT_KEY,
  OTHER,
  SEPARATES,
  SLOT,
  TERM,
  TERM_BYTES,
  TERMS_END,
  UNIT_BYTES,
} from './word-kernel.js';
import type { WordTerms } from './word-terms.js';

const SPACE = 32;
const ASCII = 128;
const BEFORE_A = 96;
/** A number of a key is two halves, of six letters each. */
const HALF_BITS = 6 * LETTER_BITS;
/** A code unit of no character, which is no plain word's. */
const NO_CHARACTER = 0xffff;

const WORD = FREE + UNIT_BYTES;
/** What the window leads to should stay in the nearer caches. */
const WINDOW_UNITS = 1 << 13;
const MOST_WORDS = (WINDOW_UNITS + 1) >> 1;
const WINDOW = WORD + (MOST_LETTERS + 2) * UNIT_BYTES;
const KEYS = (WINDOW + (WINDOW_UNITS + 1) * UNIT_BYTES + 7) & -8;
const TERMS = KEYS + MOST_WORDS * KEY_BYTES;
const TABLE = TERMS + MOST_WORDS * TERM_BYTES;
const START_ENTRIES = 1 << 12;

/** Shorter texts are copied unit by unit in less time than a call takes. */
const SHORT_UNITS = 32;

export class PlainWords {
  private readonly memory = createMemory(TABLE + START_ENTRIES * ENTRY_BYTES);
  private readonly kernel = createWordKernel(this.memory);
  private bytes = Buffer.from(this.memory.buffer);
  private units = new Uint16Array(this.memory.buffer);
  private numbers = new Int32Array(this.memory.buffer);
  private readonly letters = Buffer.alloc(MOST_LETTERS);
  private table = TABLE;
  private entries = START_ENTRIES;
  private used = 0;
  private readonly words: WordTerms;

  /** The window holds the units `from .. to` of `text`. */
  private text = '';
  private from = 0;
  private to = 0;

  /** `words` gives a word that is new its term. */
  constructor(characters: Characters, words: WordTerms) {
    this.words = words;
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
      this.takeTerms(stream);
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
    const most = MOST_WORDS * KEY_BYTES;
    for (let from = 0; from < keys.length; from += most) {
      const some = keys.subarray(from, from + most);
      this.bytes.set(some, KEYS);
      this.numbers[KEYS_END >> 2] = KEYS + some.length;
      this.lookUp();
      this.takeTerms(stream);
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
    return this.numbers[TERMS >> 2]!;
  }

  /** Reads units to keys; returns whether it stops before something else than a plain word. */
  private readKeys(at: number, end: number): boolean {
    return this.kernel.read(at, end, KEYS) !== 0;
  }

  /** Turns the keys into terms, and adds those that are new. */
  private lookUp(): void {
    const end = this.numbers[KEYS_END >> 2]!;
    let key = KEYS;
    let terms = TERMS;
    while (this.kernel.lookUp(key, end, terms, this.table, this.entries - 1) !== 0) {
      key = this.numbers[NEXT_KEY >> 2]!;
      terms = this.numbers[TERMS_END >> 2]!;
      this.add(key);
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

  private takeTerms(stream: TermStream): void {
    stream.addMany(this.numbers.subarray(TERMS >> 2, this.numbers[TERMS_END >> 2]! >> 2));
  }

  /** Adds the word of a key that the kernel did not find. */
  private add(key: number): void {
    const { numbers } = this;
    const slot = numbers[SLOT >> 2]! >> 2;
    const term = this.words.add(this.wordOf(key));
    numbers.copyWithin(slot, key >> 2, (key + KEY_BYTES) >> 2);
    numbers[slot + (TERM >> 2)] = term;
    if (++this.used * 2 > this.entries) this.grow();
  }

  private wordOf(key: number): string {
    const { numbers } = this;
    let end = 0;
    for (let at = key >> 2; at < (key + KEY_BYTES) >> 2; at += 2) {
      const low = numbers[at]!;
      end = this.writeLetters((numbers[at + 1]! << (32 - HALF_BITS)) | (low >>> HALF_BITS), end);
      end = this.writeLetters(low, end);
    }
    return this.letters.toString('latin1', 0, end);
  }

  /** Writes the letters of a half, the first of which may be missing; returns where they end. */
  private writeLetters(half: number, from: number): number {
    let end = from;
    for (let shift = HALF_BITS - LETTER_BITS; shift >= 0; shift -= LETTER_BITS) {
      const letter = (half >>> shift) & ((1 << LETTER_BITS) - 1);
      if (letter > 0) this.letters[end++] = BEFORE_A + letter;
    }
    return end;
  }

  /** Moves the table to a place with room for twice as many words. */
  private grow(): void {
    const { table, entries } = this;
    this.entries = entries * 2;
    const pages = Math.ceil((this.entries * ENTRY_BYTES) / MEMORY_PAGE_BYTES);
    this.table = this.memory.grow(pages) * MEMORY_PAGE_BYTES;
    const { buffer } = this.memory;
    this.bytes = Buffer.from(buffer);
    this.units = new Uint16Array(buffer);
    this.numbers = new Int32Array(buffer);
    // In pieces, for a function is run as optimised once it is called again.
    const piece = START_ENTRIES * ENTRY_BYTES;
    for (let from = table; from < table + entries * ENTRY_BYTES; from += piece)
      this.kernel.move(from, from + piece, this.table, this.entries - 1);
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
  return letter >= 1 && letter <= LETTERS ? letter : OTHER;
}

/** Most tie nothing to a word of letters; a connector does where a word follows. */
function separatorOf(unit: number): number {
  if (isConnector(unit)) return ENDS_BEFORE_SEPARATOR;
  return isSign(unit) ? SEPARATES : ENDS;
}
