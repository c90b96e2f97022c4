/**
 * Plain words' keys to terms, in WebAssembly: open-addressing hash tables of words whose keys are one number, of those whose
 * keys are two, and of stems. A word that is new gets the term of its stem, or, where words are only numbered, one of its
 * own. What the tables hold in the end is made a list, and spelt out. What a cluster's words are is found out by others; a
 * table by spelling remembers it.
 */
import {
  add,
  again,
  againIf,
  and,
  and64,
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
  increaseAt,
  isZero64,
  leadingZeros64,
  less,
  load8,
  load32,
  load64,
  loop,
  more,
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
import { findCluster, keepCluster, moveClusters, paddedLength } from './cluster-kernel.js';
import { BEFORE_A, STEM, type StemKernel, stemFunctions } from './stem-kernel.js';
import { GAP } from './term-stream.js';
import { type ReadKernel, read } from './word-kernel.js';
import {
  AT_CLUSTER,
  AT_END,
  BEHIND_FIELD,
  CLUSTER_BIT,
  GOES_ON_BIT,
  IS_FULL,
  KEY_BYTES,
  LETTER_BITS,
  LETTERS,
  LISTED_BYTES,
  LONG_BYTES,
  LONG_TABLE,
  LONGEST_BYTES,
  LONGEST_TABLE,
  MARK_BIT,
  MASK,
  NEXT_KEY,
  PART_LETTERS,
  SECOND,
  SHORT_BYTES,
  SHORT_TABLE,
  SORT_BYTES,
  STEM_TABLE,
  STEMS,
  STOPS_BEHIND_FIELD,
  TAKEN,
  TERM_BYTES,
  TERMS,
  TERMS_END,
  UNIT_BYTES,
} from './word-places.js';

/** A key's letters. */
const ALL_LETTERS = (1n << BigInt(PART_LETTERS * LETTER_BITS)) - 1n;

/** An entry is the numbers of a key, letters only, and a term; it is free where the first number is 0. */
interface Entries {
  readonly bytes: number;
  /** So many are the second number's. */
  readonly second: 0 | 4 | 8;
  readonly term: number;
}
const SHORT: Entries = { bytes: SHORT_BYTES, second: 0, term: SECOND };
const LONG: Entries = { bytes: LONG_BYTES, second: 4, term: SECOND + 4 };
const LONGEST: Entries = { bytes: LONGEST_BYTES, second: 8, term: SECOND + 8 };

const MOST_TERM = 0x7fff_ffff;

export interface WordKernel extends ReadKernel, StemKernel {
  /** Writes the terms of keys, and marks, to `terms`, and adds the words that are new; returns why it stops. */
  lookUp(keys: number, end: number, terms: number): number;
  /** What the cluster of so many bytes at an address stands for. */
  findCluster(at: number, length: number): number;
  /** Makes the entry that was found last that of this cluster. */
  keepCluster(at: number, length: number, standsFor: number): void;
  /** The term of the stem of so many letters, as many as a key has at most; it is added if it is new, for which there is room. */
  termOfStem(length: number): number;
  /** Copies the entries `from … end` of a table to where they belong in another; whose entries are of the same kind. */
  moveShort(from: number, end: number, table: number, mask: number): void;
  moveLong(from: number, end: number, table: number, mask: number): void;
  moveLongest(from: number, end: number, table: number, mask: number): void;
  moveClusters(from: number, end: number, table: number, mask: number): void;
  /** Writes the keys, as those of a list, and the terms of the entries `from … end` that are taken; returns how many they are. */
  listShort(from: number, end: number, keys: number, terms: number): number;
  listLong(from: number, end: number, keys: number, terms: number): number;
  listLongest(from: number, end: number, keys: number, terms: number): number;
  /** Writes the key of each of these entries to the place that its term has among `keys`. */
  placeShort(from: number, end: number, keys: number): void;
  placeLong(from: number, end: number, keys: number): void;
  placeLongest(from: number, end: number, keys: number): void;
  /** Makes keys of a list what `key-sort.ts` puts in the order of the words; the rows are their numbers. */
  toSort(keys: number, end: number, entries: number): void;
  /** Writes the units of words, where each ends, and its term, in an order; returns where the units end. */
  spell(order: number, end: number, keys: number, terms: number, units: number, ends: number, into: number): number;
}

/** Where the probing for a key begins (a prime of xxHash, and Fibonacci hashing). */
const mixed = (entries: Entries, first: Code, second: Code): Code => {
  const both = entries === SHORT ? first : xor64(first, multiply64(second, i64(-0x3d4d51c2d82b14b1n)));
  return toI32(shiftRight64(multiply64(both, i64(-0x61c8864680b583ebn)), i64(40n)));
};

/** The locals that a key is looked up with. */
interface KeyLocals {
  readonly first: number;
  readonly second: number;
  readonly index: number;
  readonly entry: number;
}

function loadSecond({ second }: Entries, entry: Code): Code {
  if (second === 0) return i64(0n);
  return second === 4 ? toI64(load32(entry, SECOND)) : load64(entry, SECOND);
}

/** Sets `entry` to the entry of the key (first, second), or to the free one where it belongs. */
const probe = (entries: Entries, { first, second, index, entry }: KeyLocals, table: Code, mask: Code): Code => [
  ...set(index, mixed(entries, get(first), get(second))),
  ...loop(
    set(index, and(get(index), mask)),
    set(entry, add(table, multiply(get(index), i32(entries.bytes)))),
    increase(index, 1),
    when(
      differs64(load64(get(entry)), i64(0n)),
      againIf(differs64(load64(get(entry)), get(first)), 1),
      ...(entries === SHORT ? [] : [againIf(differs64(loadSecond(entries, get(entry)), get(second)), 1)]),
    ),
  ),
];

const storeKey = (entries: Entries, at: number, first: Code, second: Code): Code => [
  ...store64(get(at), first),
  ...(entries.second === 4 ? store32(get(at), toI32(second), SECOND) : []),
  ...(entries.second === 8 ? store64(get(at), second, SECOND) : []),
];
const loadKey = (entries: Entries, at: Code, first: number, second: number): Code => [
  ...set(first, load64(at)),
  ...set(second, loadSecond(entries, at)),
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

const [TERM_OF_STEM, TERM_OF_NEW, FIND_CLUSTER] = [STEM + 1, STEM + 2, STEM + 3];

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
      probe(LONGEST, { first, second, index, entry }, load32(i32(STEM_TABLE)), load32(i32(STEM_TABLE + MASK))),
      when(
        isZero64(load64(get(entry))),
        storeKey(LONGEST, entry, get(first), get(second)),
        store32(get(entry), load32(i32(TERMS)), LONGEST.term),
        increaseAt(TERMS),
        increaseAt(STEM_TABLE + TAKEN),
      ),
      load32(get(entry), LONGEST.term),
    ],
  };
})();

/** The term of a new word. */
const termOfNew = ((): WasmFunction => {
  const [first, second, length, shift, letter] = [0, 1, 2, 3, 4];
  const spell = (part: number): Code =>
    eachLetter(part, shift, letter, [store8(get(length), get(letter), LETTERS), increase(length, 1)]);
  return {
    parameters: [I64, I64],
    results: [I32],
    locals: [I32, I32, I32],
    body: [
      when(load32(i32(STEMS)), spell(first), spell(second), giveBack(call(TERM_OF_STEM, call(STEM, get(length))))),
      increaseAt(TERMS),
      subtract(load32(i32(TERMS)), i32(1)),
    ],
  };
})();

/** Three quarters are taken. `word-memory.ts` reckons likewise. */
const isFull = (table: number): Code =>
  less(multiply(load32(i32(table + MASK)), i32(3)), shiftLeft(load32(i32(table + TAKEN)), i32(2)));

const lookUp = ((): WasmFunction => {
  const [keys, end, terms, table, mask, index, entry, bytes, length, first, second] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ];
  const leave = (why: number): Code => [
    ...store32(i32(NEXT_KEY), get(keys)),
    ...store32(i32(TERMS_END), get(terms)),
    ...giveBack(i32(why)),
  ];
  const take = (term: Code): Code => [
    ...store32(get(terms), term),
    ...increase(terms, TERM_BYTES),
    ...increase(keys, get(bytes)),
  ];
  const findOrAdd = (entries: Entries, which: number, at: Code, upTo: Code): Code => [
    ...probe(entries, { first, second, index, entry }, at, upTo),
    ...when(
      isZero64(load64(get(entry))),
      when(
        or(or(isFull(SHORT_TABLE), isFull(LONG_TABLE)), or(isFull(LONGEST_TABLE), isFull(STEM_TABLE))),
        leave(IS_FULL),
      ),
      storeKey(entries, entry, get(first), get(second)),
      store32(get(entry), call(TERM_OF_NEW, get(first), get(second)), entries.term),
      increaseAt(which + TAKEN),
    ),
    ...take(load32(get(entry), entries.term)),
  ];
  /** The bit of the key's first number, and those before it. */
  const bitsFrom = (bit: number): Code => toI32(shiftRight64(get(first), i64(BigInt(bit))));
  return {
    name: 'lookUp',
    parameters: [I32, I32, I32],
    results: [I32],
    locals: [I32, I32, I32, I32, I32, I32, I64, I64],
    body: [
      set(table, load32(i32(SHORT_TABLE))),
      set(mask, load32(i32(SHORT_TABLE + MASK))),
      loop(
        when(atLeast(get(keys), get(end)), leave(AT_END)),
        set(first, load64(get(keys))),
        set(second, i64(0n)),
        set(bytes, i32(KEY_BYTES)),
        when(
          bitsFrom(GOES_ON_BIT),
          when(
            bitsFrom(MARK_BIT),
            when(and(differs(toI32(get(first)), i32(GAP)), load32(i32(STOPS_BEHIND_FIELD))), leave(BEHIND_FIELD)),
            take(toI32(get(first))),
            again(2),
          ),
          when(
            bitsFrom(CLUSTER_BIT),
            set(length, toI32(get(first))),
            set(bytes, add(i32(KEY_BYTES), paddedLength(get(length)))),
            when(less(get(end), add(get(keys), get(bytes))), leave(AT_END)),
            set(entry, call(FIND_CLUSTER, add(get(keys), i32(KEY_BYTES)), get(length))),
            when(more(get(entry), i32(MOST_TERM)), leave(AT_CLUSTER)),
            take(get(entry)),
            again(2),
          ),
          when(less(get(end), add(get(keys), i32(2 * KEY_BYTES))), leave(AT_END)),
          set(first, and64(get(first), i64(ALL_LETTERS))),
          set(second, load64(get(keys), SECOND)),
          set(bytes, i32(2 * KEY_BYTES)),
          when(
            toI32(shiftRight64(get(second), i64(32n))),
            findOrAdd(LONGEST, LONGEST_TABLE, load32(i32(LONGEST_TABLE)), load32(i32(LONGEST_TABLE + MASK))),
            again(2),
          ),
          when(
            differs64(get(second), i64(0n)),
            findOrAdd(LONG, LONG_TABLE, load32(i32(LONG_TABLE)), load32(i32(LONG_TABLE + MASK))),
            again(2),
          ),
        ),
        findOrAdd(SHORT, SHORT_TABLE, get(table), get(mask)),
        again(0),
      ),
      i32(0),
    ],
  };
})();

/** Does something with each entry that is taken, whose key is loaded. */
const eachTaken = (entries: Entries, from: number, end: number, first: number, second: number, use: Code): Code =>
  loop(
    when(
      less(get(from), get(end)),
      loadKey(entries, get(from), first, second),
      when(differs64(get(first), i64(0n)), use),
      increase(from, entries.bytes),
      again(1),
    ),
  );

function move(name: string, entries: Entries): WasmFunction {
  const [from, end, table, mask, index, entry, first, second] = [0, 1, 2, 3, 4, 5, 6, 7];
  return {
    name,
    parameters: [I32, I32, I32, I32],
    results: [],
    locals: [I32, I32, I64, I64],
    body: [
      eachTaken(entries, from, end, first, second, [
        probe(entries, { first, second, index, entry }, get(table), get(mask)),
        storeKey(entries, entry, get(first), get(second)),
        store32(get(entry), load32(get(from), entries.term), entries.term),
      ]),
    ],
  };
}

function list(name: string, entries: Entries): WasmFunction {
  const [from, end, keys, terms, count, first, second] = [0, 1, 2, 3, 4, 5, 6];
  return {
    name,
    parameters: [I32, I32, I32, I32],
    results: [I32],
    locals: [I32, I64, I64],
    body: [
      eachTaken(entries, from, end, first, second, [
        storeKey(LONGEST, keys, get(first), get(second)),
        increase(keys, LISTED_BYTES),
        store32(get(terms), load32(get(from), entries.term)),
        increase(terms, TERM_BYTES),
        increase(count, 1),
      ]),
      get(count),
    ],
  };
}

function place(name: string, entries: Entries): WasmFunction {
  const [from, end, keys, at, first, second] = [0, 1, 2, 3, 4, 5];
  return {
    name,
    parameters: [I32, I32, I32],
    results: [],
    locals: [I32, I64, I64],
    body: [
      eachTaken(entries, from, end, first, second, [
        set(at, add(get(keys), multiply(load32(get(from), entries.term), i32(LISTED_BYTES)))),
        storeKey(LONGEST, at, or64(get(first), i64(1n << BigInt(GOES_ON_BIT))), get(second)),
      ]),
    ],
  };
}

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
          increase(keys, LISTED_BYTES),
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
    ...set(part, load64(add(get(keys), multiply(get(number), i32(LISTED_BYTES))), offset)),
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
  termOfNew,
  findCluster,
  keepCluster,
  moveClusters,
  read,
  lookUp,
  move('moveShort', SHORT),
  move('moveLong', LONG),
  move('moveLongest', LONGEST),
  list('listShort', SHORT),
  list('listLong', LONG),
  list('listLongest', LONGEST),
  place('placeShort', SHORT),
  place('placeLong', LONG),
  place('placeLongest', LONGEST),
  toSort,
  spell,
]);
