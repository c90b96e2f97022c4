/**
 * Plain words' keys to terms, in WebAssembly: an open-addressing hash table of words, and one of their stems. A word that is
 * new gets the term of its stem, or, where words are only numbered, one of its own. What the tables hold in the end is
 * made a list, and spelt out.
 */
import {
  add,
  again,
  againIf,
  and,
  atLeast,
  type Code,
  call,
  createKernel,
  differs,
  differs64,
  divide,
  get,
  giveBack,
  I32,
  I64,
  i32,
  i64,
  increase,
  isZero64,
  leadingZeros64,
  less,
  load8,
  load32,
  load64,
  loop,
  multiply,
  multiply64,
  or,
  or64,
  otherwise,
  set,
  shiftLeft,
  shiftLeft64,
  shiftRight64,
  store8,
  store16,
  store32,
  store64,
  subtract,
  toI32,
  toI64,
  type WasmFunction,
  when,
  xor64,
} from '../assembly.js';
import { BEFORE_A, STEM, STEM_MARGIN, type StemKernel, stemFunctions } from './stem-kernel.js';
import { MAX_WORD_UNITS } from './tokenize.js';
import { KEY_BYTES, LETTER_BITS, PART_LETTERS, type ReadKernel, read, SECOND, WORDS_FREE } from './word-kernel.js';

/** Addresses: how far keys were looked up, and the end of the terms; how many terms there are; whether words have the terms of their stems; */
export const NEXT_KEY = WORDS_FREE;
export const TERMS_END = WORDS_FREE + 4;
export const TERMS = WORDS_FREE + 8;
export const STEMS = WORDS_FREE + 12;
/** of each of the two tables its address, how many entries there are in it, less one, and how many of them are taken; the letters of a word. */
export const WORD_TABLE = WORDS_FREE + 16;
export const STEM_TABLE = WORDS_FREE + 28;
const MASK = 4;
const TAKEN = 8;
export const LETTERS = WORDS_FREE + 40 + STEM_MARGIN;
export const FREE = (LETTERS + MAX_WORD_UNITS + STEM_MARGIN + 7) & -8;

/** A key and its term. An entry is free where the first number of the key is 0. */
export const ENTRY_BYTES = 24;
const TERM = 16;

export const TERM_BYTES = 4;
const UNIT_BYTES = 2;
/** An entry of `key-sort.ts`: its row, and its key, the less significant number first. */
export const SORT_BYTES = 20;

export interface WordKernel extends ReadKernel, StemKernel {
  /**
   * Writes the terms of keys, and marks, to `terms`, and adds the words that are new; stops, and returns 1, before one that is
   * new while half of a table is taken.
   */
  lookUp(keys: number, end: number, terms: number): number;
  /** The term of the stem of so many letters, as many as a key has at most; it is added if it is new, for which there is room. */
  termOfStem(length: number): number;
  /** Copies the entries `from … end` of a table to where they belong in another. */
  move(from: number, end: number, table: number, mask: number): void;
  /** Writes the keys and the terms of the entries `from … end` that are taken. */
  list(from: number, end: number, keys: number, terms: number): void;
  /** Writes the key of each of these entries to the place that its term has among `keys`. */
  place(from: number, end: number, keys: number): void;
  /** Makes keys what `key-sort.ts` puts in the order of the words; the rows are their numbers. */
  toSort(keys: number, end: number, entries: number): void;
  /** Writes the units of words, where each ends, and its term, in an order; returns where the units end. */
  spell(order: number, end: number, keys: number, terms: number, units: number, ends: number, into: number): number;
}

const entryAt = (table: Code, index: Code): Code => add(table, multiply(index, i32(ENTRY_BYTES)));

/** Where the probing for a key begins (a prime of xxHash, and Fibonacci hashing). */
const mixed = (first: Code, second: Code): Code => {
  const product = multiply64(xor64(first, multiply64(second, i64(-0x3d4d51c2d82b14b1n))), i64(-0x61c8864680b583ebn));
  return toI32(shiftRight64(product, i64(40n)));
};

/** Sets `entry` to the entry of the key (first, second), or to the free one where it belongs. */
const probe = (first: number, second: number, table: Code, mask: Code, index: number, entry: number): Code => [
  ...set(index, mixed(get(first), get(second))),
  ...loop(
    set(index, and(get(index), mask)),
    set(entry, entryAt(table, get(index))),
    increase(index, 1),
    when(
      differs64(load64(get(entry)), i64(0n)),
      againIf(differs64(load64(get(entry)), get(first)), 1),
      againIf(differs64(load64(get(entry), SECOND), get(second)), 1),
    ),
  ),
];

const storeKey = (at: number, first: number, second: number): Code => [
  ...store64(get(at), get(first)),
  ...store64(get(at), get(second), SECOND),
];
const loadKey = (at: Code, first: number, second: number): Code => [
  ...set(first, load64(at)),
  ...set(second, load64(at, SECOND)),
];

/** Does something with each letter of a key's number, the first first. */
const eachLetter = (part: number, shift: number, letter: number, use: Code): Code => [
  ...set(shift, i32((PART_LETTERS - 1) * LETTER_BITS)),
  ...loop(
    set(letter, and(toI32(shiftRight64(get(part), toI64(get(shift)))), i32((1 << LETTER_BITS) - 1))),
    // Those that a number lacks are its first.
    when(get(letter), use),
    increase(shift, -LETTER_BITS),
    againIf(differs(get(shift), i32(-LETTER_BITS)), 0),
  ),
];

const increaseAt = (address: number): Code => store32(i32(address), add(load32(i32(address)), i32(1)));
const [TERM_OF_STEM, ADD] = [STEM + 1, STEM + 2];

const termOfStem = ((): WasmFunction => {
  const [length, i, index, entry, first, second] = [0, 1, 2, 3, 4, 5];
  const addLetter = (part: number): Code =>
    set(part, or64(shiftLeft64(get(part), i64(BigInt(LETTER_BITS))), toI64(load8(get(i), LETTERS))));
  return {
    name: 'termOfStem',
    parameters: [I32],
    results: [I32],
    locals: [I32, I32, I32, I64, I64],
    body: [
      loop(
        when(
          less(get(i), get(length)),
          otherwise(less(get(i), i32(PART_LETTERS)), [addLetter(first)], [addLetter(second)]),
          increase(i, 1),
          again(1),
        ),
      ),
      probe(first, second, load32(i32(STEM_TABLE)), load32(i32(STEM_TABLE + MASK)), index, entry),
      when(
        isZero64(load64(get(entry))),
        storeKey(entry, first, second),
        store32(get(entry), load32(i32(TERMS)), TERM),
        increaseAt(TERMS),
        increaseAt(STEM_TABLE + TAKEN),
      ),
      load32(get(entry), TERM),
    ],
  };
})();

/** Writes the key of a new word, and its term, to an entry. */
const addWord = ((): WasmFunction => {
  const [entry, length, shift, letter, first, second] = [0, 1, 2, 3, 4, 5];
  const spell = (part: number): Code =>
    eachLetter(part, shift, letter, [store8(get(length), get(letter), LETTERS), increase(length, 1)]);
  return {
    parameters: [I32],
    results: [],
    locals: [I32, I32, I32, I64, I64],
    body: [
      loadKey(get(entry), first, second),
      otherwise(
        load32(i32(STEMS)),
        [spell(first), spell(second), store32(get(entry), call(TERM_OF_STEM, call(STEM, get(length))), TERM)],
        [store32(get(entry), load32(i32(TERMS)), TERM), increaseAt(TERMS)],
      ),
      increaseAt(WORD_TABLE + TAKEN),
    ],
  };
})();

const isHalfTaken = (table: number): Code =>
  less(load32(i32(table + MASK)), shiftLeft(load32(i32(table + TAKEN)), i32(1)));

const lookUp = ((): WasmFunction => {
  const [keys, end, terms, table, mask, index, entry, first, second] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const leave = (stops: number): Code => [
    ...store32(i32(NEXT_KEY), get(keys)),
    ...store32(i32(TERMS_END), get(terms)),
    ...giveBack(i32(stops)),
  ];
  const next: Code = [...increase(keys, KEY_BYTES), ...increase(terms, TERM_BYTES)];
  return {
    name: 'lookUp',
    parameters: [I32, I32, I32],
    results: [I32],
    locals: [I32, I32, I32, I32, I64, I64],
    body: [
      set(table, load32(i32(WORD_TABLE))),
      set(mask, load32(i32(WORD_TABLE + MASK))),
      loop(
        when(atLeast(get(keys), get(end)), leave(0)),
        loadKey(get(keys), first, second),
        when(isZero64(get(first)), store32(get(terms), toI32(get(second))), next, again(1)),
        probe(first, second, get(table), get(mask), index, entry),
        when(
          isZero64(load64(get(entry))),
          when(or(isHalfTaken(WORD_TABLE), isHalfTaken(STEM_TABLE)), leave(1)),
          storeKey(entry, first, second),
          call(ADD, get(entry)),
        ),
        store32(get(terms), load32(get(entry), TERM)),
        next,
        again(0),
      ),
      i32(0),
    ],
  };
})();

/** Does something with each entry that is taken, whose key is loaded. */
const eachTaken = (from: number, end: number, first: number, second: number, use: Code): Code =>
  loop(
    when(
      less(get(from), get(end)),
      loadKey(get(from), first, second),
      when(differs64(get(first), i64(0n)), use),
      increase(from, ENTRY_BYTES),
      again(1),
    ),
  );

const move = ((): WasmFunction => {
  const [from, end, table, mask, index, entry, first, second] = [0, 1, 2, 3, 4, 5, 6, 7];
  return {
    name: 'move',
    parameters: [I32, I32, I32, I32],
    results: [],
    locals: [I32, I32, I64, I64],
    body: [
      eachTaken(from, end, first, second, [
        probe(first, second, get(table), get(mask), index, entry),
        storeKey(entry, first, second),
        store32(get(entry), load32(get(from), TERM), TERM),
      ]),
    ],
  };
})();

const list = ((): WasmFunction => {
  const [from, end, keys, terms, first, second] = [0, 1, 2, 3, 4, 5];
  return {
    name: 'list',
    parameters: [I32, I32, I32, I32],
    results: [],
    locals: [I64, I64],
    body: [
      eachTaken(from, end, first, second, [
        storeKey(keys, first, second),
        increase(keys, KEY_BYTES),
        store32(get(terms), load32(get(from), TERM)),
        increase(terms, TERM_BYTES),
      ]),
    ],
  };
})();

const place = ((): WasmFunction => {
  const [from, end, keys, at, first, second] = [0, 1, 2, 3, 4, 5];
  return {
    name: 'place',
    parameters: [I32, I32, I32],
    results: [],
    locals: [I32, I64, I64],
    body: [
      eachTaken(from, end, first, second, [
        set(at, add(get(keys), multiply(load32(get(from), TERM), i32(KEY_BYTES)))),
        storeKey(at, first, second),
      ]),
    ],
  };
})();

const toSort = ((): WasmFunction => {
  const [keys, end, entries, row] = [0, 1, 2, 3];
  const PART_BITS = PART_LETTERS * LETTER_BITS;
  /** The letters as the first of the bits, as words compare from their beginnings. */
  const fromTheFirst = (part: Code): Code => {
    const used = divide(subtract(i32(64 + LETTER_BITS - 1), toI32(leadingZeros64(part))), i32(LETTER_BITS));
    return shiftLeft64(part, toI64(subtract(i32(PART_BITS), multiply(used, i32(LETTER_BITS)))));
  };
  return {
    name: 'toSort',
    parameters: [I32, I32, I32],
    results: [],
    locals: [I32],
    body: [
      loop(
        when(
          less(get(keys), get(end)),
          store32(get(entries), get(row)),
          store64(get(entries), fromTheFirst(load64(get(keys), SECOND)), 4),
          store64(get(entries), fromTheFirst(load64(get(keys))), 12),
          increase(keys, KEY_BYTES),
          increase(entries, SORT_BYTES),
          increase(row, 1),
          again(1),
        ),
      ),
    ],
  };
})();

const spell = ((): WasmFunction => {
  const [order, end, keys, terms, units, ends, into, number, unit, shift, letter, part] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
  ];
  const write: Code = [store16(get(unit), add(get(letter), i32(BEFORE_A))), increase(unit, UNIT_BYTES)];
  const spellPart = (offset: number): Code => [
    ...set(part, load64(add(get(keys), multiply(get(number), i32(KEY_BYTES))), offset)),
    ...eachLetter(part, shift, letter, write),
  ];
  return {
    name: 'spell',
    parameters: [I32, I32, I32, I32, I32, I32, I32],
    results: [I32],
    locals: [I32, I32, I32, I32, I64],
    body: [
      set(unit, get(units)),
      loop(
        when(
          less(get(order), get(end)),
          set(number, load32(get(order))),
          spellPart(0),
          spellPart(SECOND),
          store32(get(ends), divide(subtract(get(unit), get(units)), i32(UNIT_BYTES))),
          store32(get(into), load32(add(get(terms), multiply(get(number), i32(TERM_BYTES))))),
          increase(order, 4),
          increase(ends, 4),
          increase(into, TERM_BYTES),
          again(1),
        ),
      ),
      get(unit),
    ],
  };
})();

export const createWordKernel = createKernel<WordKernel>([
  ...stemFunctions(LETTERS),
  termOfStem,
  addWord,
  read,
  lookUp,
  move,
  list,
  place,
  toSort,
  spell,
]);
