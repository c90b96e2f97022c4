/**
 * The words met while an index is built: an open-addressing hash table over folded code units, so that a word seen
 * before costs one probe and no string. A word of up to eighteen letters a to z is its own key, five bits a letter;
 * any other is told by a hash and its units. A word is stemmed once, when it is new; words of one stem share a term.
 *
 * Words are looked up many at a time. Most of a look-up is waiting for memory, and the processor waits for many at once
 * where nothing that it can't foresee stands between them.
 */
import { uint16, withRoom } from '../growable.js';
import { stem } from './stem.js';
import type { StringTable, TermTable } from './tables.js';
import { TermStream } from './term-stream.js';

const START_BITS = 16;

/** A word's four numbers, in the order of first occurrence so that frequent words stand together: a key of three, */
const ENTRY = 4;
const FIRST = 0;
const SECOND = 1;
const THIRD = 2;
/** and its term. */
const TERM = 3;

const LETTER_BITS = 5;
/** Letters to a number of the key. */
const PART = 6;
const PACKED_LETTERS = 3 * PART;
/** So many words are looked up at a time. */
const BATCH = 256;
/** Letters are packed as 1 to 26, so that words of different lengths differ. */
const BEFORE_A = 96;
const LETTERS = 26;

/** Stands in the place of a key's second number where the first is a term already. */
const RESOLVED = -0x80000000;

export class Vocabulary {
  /** The low bits of a slot are a word's number, 0 if it is free; the others are those of the word's hash. */
  private slots = new Int32Array(1 << START_BITS);
  private mask = (1 << START_BITS) - 1;
  /** By number: words are counted from 1. */
  private entries = new Int32Array(ENTRY << START_BITS);
  /** The units of words whose keys are hashes. */
  private units = new Uint16Array(1 << 12);
  private used = 0;
  /** Every word, and its term. */
  private readonly words: string[] = [];
  private readonly termOfWord: number[] = [];
  private readonly termOfStem = new Map<string, number>();

  /** Words that wait to be looked up: their keys, and what their first slots hold. */
  private waiting = 0;
  private readonly firsts = new Int32Array(BATCH);
  private readonly seconds = new Int32Array(BATCH);
  private readonly thirds = new Int32Array(BATCH);
  private readonly hashes = new Int32Array(BATCH);
  private readonly found = new Int32Array(BATCH);
  private readonly single = new TermStream();

  get terms(): number {
    return this.termOfStem.size;
  }

  /** The term of a word, which is added if it is new; no words may be waiting. */
  termOf(units: Uint16Array, length: number): number {
    this.push(units, length);
    this.single.length = 0;
    this.resolve(this.single);
    return this.single.entries[0]!;
  }

  get isFull(): boolean {
    return this.waiting === BATCH;
  }

  /** Lets a word wait for `resolve`; there must be room. */
  push(units: Uint16Array, length: number): void {
    const first = packed(units, 0, Math.min(length, PART));
    const second = packed(units, PART, Math.min(length, 2 * PART));
    const third = packed(units, 2 * PART, length);
    if (length > PACKED_LETTERS || first < 0 || second < 0 || third < 0) {
      this.pushTerm(this.probe(hashUnits(units, length), -length, 0, units, length));
      return;
    }
    const word = this.waiting++;
    this.firsts[word] = first;
    this.seconds[word] = second;
    this.thirds[word] = third;
    this.hashes[word] = mixed(first, second, third);
  }

  private pushTerm(term: number): void {
    this.firsts[this.waiting] = term;
    this.seconds[this.waiting++] = RESOLVED;
  }

  /** Adds the terms of the words that wait to a stream, in their order; words that are new are given terms. */
  resolve(stream: TermStream): void {
    const { waiting, firsts, seconds, thirds, hashes, found, slots, mask, entries } = this;
    stream.reserve(waiting);
    const terms = stream.entries;
    const at = stream.length;
    for (let word = 0; word < waiting; word++) found[word] = slots[hashes[word]! & mask]!;
    for (let word = 0; word < waiting; word++) {
      const entry = (found[word]! & mask) * ENTRY;
      const second = seconds[word]!;
      if (second === RESOLVED) terms[at + word] = firsts[word]!;
      else if (
        entries[entry + FIRST] === firsts[word] &&
        entries[entry + SECOND] === second &&
        entries[entry + THIRD] === thirds[word]
      ) {
        terms[at + word] = entries[entry + TERM]!;
      } else terms[at + word] = this.probe(firsts[word]!, second, thirds[word]!, this.units, 0);
    }
    stream.length = at + waiting;
    this.waiting = 0;
  }

  /** The term of the word with a key, which is added if it is new; a word whose second number is below zero by its units. */
  private probe(first: number, second: number, third: number, units: Uint16Array, length: number): number {
    const { slots, mask, entries } = this;
    const hash = mixed(first, second, third);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = slots[slot]!;
      if (found === 0) return this.add(slot, first, second, third, units, length);
      if (((found ^ hash) & ~mask) !== 0) continue;
      const at = (found & mask) * ENTRY;
      if (entries[at + FIRST] !== first || entries[at + SECOND] !== second) continue;
      const kept = entries[at + THIRD]!;
      if (second < 0 ? this.holds(kept, units, length) : kept === third) return entries[at + TERM]!;
    }
  }

  private holds(start: number, units: Uint16Array, length: number): boolean {
    const own = this.units;
    for (let i = 0; i < length; i++) if (own[start + i] !== units[i]) return false;
    return true;
  }

  private add(slot: number, first: number, second: number, third: number, units: Uint16Array, length: number): number {
    const isPacked = second >= 0;
    const word = isPacked ? unpacked(first, second, third) : String.fromCharCode(...units.subarray(0, length));
    const stemmed = stem(word);
    const term = this.termOfStem.get(stemmed) ?? this.termOfStem.size;
    this.termOfStem.set(stemmed, term);
    this.words.push(word);
    this.termOfWord.push(term);
    const number = this.words.length;
    this.entries.set([first, second, isPacked ? third : this.keepUnits(units, length), term], number * ENTRY);
    this.slots[slot] = (this.hashOf(number) & ~this.mask) | number;
    if (this.words.length * 3 > this.mask * 2) this.rehash();
    return term;
  }

  private hashOf(number: number): number {
    const at = number * ENTRY;
    const second = this.entries[at + SECOND]!;
    return mixed(this.entries[at + FIRST]!, second, second < 0 ? 0 : this.entries[at + THIRD]!);
  }

  private keepUnits(units: Uint16Array, length: number): number {
    const start = this.used;
    this.used += length;
    this.units = withRoom(this.units, this.used, uint16);
    this.units.set(units.subarray(0, length), start);
    return start;
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 1; number <= this.words.length; number++) {
      const hash = this.hashOf(number);
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = (hash & ~mask) | number;
    }
    const entries = new Int32Array(this.entries.length * 2);
    entries.set(this.entries);
    this.slots = slots;
    this.mask = mask;
    this.entries = entries;
  }

  /** All words, sorted by code units, each with its term. */
  wordTable(): TermTable {
    return sortedTable(this.words, this.termOfWord);
  }

  /** All stems, sorted by code units, each with its term. */
  stemTable(): TermTable {
    return sortedTable([...this.termOfStem.keys()], [...this.termOfStem.values()]);
  }
}

/** Up to six letters as one number, the last in the lowest bits; -1 where a unit is no letter a to z. */
function packed(units: Uint16Array, from: number, to: number): number {
  let number = 0;
  for (let i = from; i < to; i++) {
    const letter = units[i]! - BEFORE_A;
    if (letter < 1 || letter > LETTERS) return -1;
    number = (number << LETTER_BITS) | letter;
  }
  return number;
}

/** The word of a packed key. */
function unpacked(...parts: readonly number[]): string {
  let word = '';
  for (const part of parts) {
    let letters = '';
    for (let rest = part; rest > 0; rest >>>= LETTER_BITS) {
      letters = String.fromCharCode(BEFORE_A + (rest & ((1 << LETTER_BITS) - 1))) + letters;
    }
    word += letters;
  }
  return word;
}

/** Where the probing for a key begins: its parts spread over all bits (multipliers of MurmurHash3). */
function mixed(first: number, second: number, third: number): number {
  const hash = Math.imul(first ^ Math.imul(second ^ Math.imul(third, 0xcc9e2d51), 0xc2b2ae35), 0x85ebca6b);
  return hash ^ (hash >>> 15);
}

/** FNV-1a over code units. */
function hashUnits(units: Uint16Array, length: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ units[i]!, 0x01000193);
  return hash;
}

/** Strings sorted by code units; `terms[i]` belongs to `strings[i]`. */
function sortedTable(strings: readonly string[], terms: readonly number[]): TermTable {
  const order = Uint32Array.from(strings, (_, i) => i);
  const compare = (a: number, b: number): number => (strings[a]! < strings[b]! ? -1 : 1);
  order.sort(compare);
  const sorted = Array.from(order, (i) => strings[i]!);
  return { ...stringTable(sorted), terms: Uint32Array.from(order, (i) => terms[i]!) };
}

function stringTable(strings: readonly string[]): StringTable {
  const offsets = new Uint32Array(strings.length + 1);
  strings.forEach((string, i) => {
    offsets[i + 1] = offsets[i]! + string.length;
  });
  const units = new Uint16Array(offsets[strings.length]!);
  strings.forEach((string, i) => {
    const start = offsets[i]!;
    for (let j = 0; j < string.length; j++) units[start + j] = string.charCodeAt(j);
  });
  return { units, offsets };
}
