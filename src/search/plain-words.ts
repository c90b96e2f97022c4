/**
 * Plain words and their terms: those that `word-kernel.ts` reads, in its memory. Behind the kernel's own numbers come a
 * single word with a unit before and one behind it, a window of the text that is read, likewise, the terms of that
 * window, and the table of words.
 */
import { endianness } from 'node:os';
import { createMemory, MEMORY_PAGE_BYTES } from '../wasm.js';
import { type Characters, SEPARATOR } from './characters.js';
import type { TermStream } from './term-stream.js';
import {
  AT,
  CLASSES,
  createWordKernel,
  ENDS,
  ENDS_BEFORE_SPACE,
  ENTRY_BYTES,
  FREE,
  KEY,
  LETTERS,
  MOST_LETTERS,
  NEW_WORD,
  OTHER,
  OUT,
  SEPARATES,
  SLOT,
  START,
  STOPPED,
  TERM,
  TERM_BYTES,
  UNIT_BYTES,
} from './word-kernel.js';

const SPACE = 32;
const BEFORE_A = 96;
/** A code unit of no character, which is no plain word's. */
const NO_CHARACTER = 0xffff;

const WORD = FREE + UNIT_BYTES;
const WINDOW_UNITS = 1 << 15;
const WINDOW = WORD + (MOST_LETTERS + 2) * UNIT_BYTES;
const TERMS = (WINDOW + (WINDOW_UNITS + 1) * UNIT_BYTES + 7) & -8;
const TABLE = TERMS + ((WINDOW_UNITS + 1) >> 1) * TERM_BYTES;
const START_ENTRIES = 1 << 12;

/** Shorter texts are copied unit by unit in less time than a call takes. */
const SHORT_UNITS = 32;

export class PlainWords {
  private readonly memory = createMemory(TABLE + START_ENTRIES * ENTRY_BYTES);
  private readonly kernel = createWordKernel(this.memory);
  private bytes = Buffer.from(this.memory.buffer);
  private units = new Uint16Array(this.memory.buffer);
  private numbers = new Int32Array(this.memory.buffer);
  private table = TABLE;
  private entries = START_ENTRIES;
  private used = 0;
  private readonly addWord: (word: string) => number;

  /** The window holds the units `from .. to` of `text`. */
  private text = '';
  private from = 0;
  private to = 0;

  /** `addWord` gives a word that is new its term. */
  constructor(characters: Characters, addWord: (word: string) => number) {
    this.addWord = addWord;
    for (const [first, last] of CLASSIFIED) {
      for (let unit = first; unit <= last; unit++) this.bytes[CLASSES + unit] = classOf(unit, characters);
    }
  }

  /** Reads plain words from `at` on and adds their terms to the stream; returns where something else begins. */
  read(text: string, at: number, stream: TermStream): number {
    let next = at;
    while (next < text.length) {
      if (text !== this.text || next < this.from || next >= this.to) this.load(text, next);
      const status = this.run(WINDOW + (next - this.from) * UNIT_BYTES, WINDOW + (this.to - this.from) * UNIT_BYTES);
      next = this.from + (this.numbers[AT >> 2]! - WINDOW) / UNIT_BYTES;
      this.takeTerms(stream);
      if (status === STOPPED) break;
      if (status === NEW_WORD) stream.add(this.add());
    }
    return next;
  }

  /** The term of the word `units[0 .. length)`; -1 if it is no plain word. */
  termOf(units: Uint16Array, length: number): number {
    if (length > MOST_LETTERS) return -1;
    const first = WORD / UNIT_BYTES;
    for (let i = 0; i < length; i++) this.units[first + i] = units[i]!;
    this.units[first + length] = SPACE;
    const status = this.run(WORD, WORD + length * UNIT_BYTES);
    if (status === NEW_WORD) return this.add();
    return status === STOPPED ? -1 : this.numbers[TERMS >> 2]!;
  }

  private run(at: number, end: number): number {
    return this.kernel.read(at, end, TERMS, this.table, this.entries - 1);
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
    const first = TERMS >> 2;
    const count = (this.numbers[OUT >> 2]! - TERMS) / TERM_BYTES;
    stream.reserve(count);
    const { entries, length } = stream;
    for (let i = 0; i < count; i++) entries[length + i] = this.numbers[first + i]!;
    stream.length = length + count;
  }

  /** Adds the word that the kernel did not find; returns its term. */
  private add(): number {
    const { numbers } = this;
    const slot = numbers[SLOT >> 2]! >> 2;
    const term = this.addWord(this.wordRead());
    numbers.copyWithin(slot, KEY >> 2, (KEY >> 2) + 4);
    numbers[slot + (TERM >> 2)] = term;
    if (++this.used * 2 > this.entries) this.grow();
    return term;
  }

  private wordRead(): string {
    let word = '';
    for (let at = this.numbers[START >> 2]! / UNIT_BYTES; at < this.numbers[AT >> 2]! / UNIT_BYTES; at++) {
      word += String.fromCharCode(BEFORE_A + this.bytes[CLASSES + this.units[at]!]!);
    }
    return word;
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
    for (let entry = table; entry < table + entries * ENTRY_BYTES; entry += ENTRY_BYTES) {
      if (this.numbers[entry >> 2] === 0 && this.numbers[(entry >> 2) + 1] === 0) continue;
      const slot = this.kernel.find(entry, this.table, this.entries - 1);
      this.numbers.copyWithin(slot >> 2, entry >> 2, (entry + ENTRY_BYTES) >> 2);
    }
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

/** What ties nothing to the word before it: spaces and control characters, and marks that only end things. */
function separatorOf(unit: number): number {
  if (unit <= SPACE || ENDING.includes(unit)) return ENDS;
  return ENDING_BEFORE_SPACE.includes(unit) ? ENDS_BEFORE_SPACE : SEPARATES;
}

const ENDING = [...Buffer.from(';:')];
const ENDING_BEFORE_SPACE = [...Buffer.from('.,')];
