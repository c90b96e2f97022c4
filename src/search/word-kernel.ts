/**
 * The two loops that most words of most texts go through when an index is built: units to keys, and keys to terms. In
 * WebAssembly, which has numbers of 64 bits and checks no bounds, they take a third of the time that JavaScript takes.
 * They are two because looking up is mostly waiting for memory, and the processor waits for many words at once where
 * nothing that it can't foresee, as the lengths of words, stands between them.
 *
 * Words of up to 24 letters a to z are read here, where a separator follows that cannot tie words together; before
 * anything else the loop stops, and JavaScript reads on. A word's key is its letters, five bits each, twelve to a number.
 */
import {
  add,
  again,
  againIf,
  and,
  atLeast,
  type Code,
  createKernel,
  differs,
  differs64,
  equal,
  get,
  giveBack,
  I32,
  I64,
  i32,
  i64,
  increase,
  isZero,
  isZero64,
  less,
  load8,
  load16,
  load32,
  load64,
  loop,
  multiply,
  multiply64,
  or64,
  set,
  shiftLeft64,
  shiftRight64,
  store32,
  store64,
  subtract,
  toI32,
  toI64,
  type WasmFunction,
  when,
  xor64,
} from '../wasm.js';

/** The class of a letter is 1 to 26. Others: not for this loop; */
export const OTHER = 0;
/** separators: one that ties nothing to what follows, one that ties nothing if a space follows, and any other. */
export const ENDS = 64;
export const ENDS_BEFORE_SPACE = 65;
export const SEPARATES = 66;
export const LETTERS = 26;
const SPACE = 32;
const FULL_STOP = 46;

/** Addresses: the class of each code unit, a byte; and what the loops leave behind. */
export const CLASSES = 0;
const CLASSES_BYTES = 1 << 16;
/** Where the text was read to, and the end of its keys; */
export const AT = CLASSES_BYTES;
export const KEYS_END = AT + 4;
/** how far keys were looked up, the end of the terms, and where the next key is to stand in the table. */
export const NEXT_KEY = AT + 8;
export const TERMS_END = AT + 12;
export const SLOT = AT + 16;
export const FREE = AT + 24;

/** A key's two numbers, and an entry of the table: a key and its term. An entry is free where the first number is 0. */
export const KEY_BYTES = 16;
export const ENTRY_BYTES = 24;
const SECOND = 8;
export const TERM = 16;

export const UNIT_BYTES = 2;
export const TERM_BYTES = 4;
export const LETTER_BITS = 5;
/** Letters to a number of the key, in bytes of text. */
const PART_BYTES = 12 * UNIT_BYTES;
export const MOST_LETTERS = 24;

export interface WordKernel {
  /** Reads words from `at` to `end` and writes their keys to `keys`; returns 1 where it stops before something else. */
  read(at: number, end: number, keys: number): number;
  /**
   * Writes the terms of keys to `terms`; stops, and returns 1, before a key that the table lacks. The table has
   * `mask + 1` entries.
   */
  lookUp(keys: number, end: number, terms: number, table: number, mask: number): number;
  /** The entry of a key, which stands at `key`, or the free one where it belongs. */
  find(key: number, table: number, mask: number): number;
}

const entryAt = (table: Code, index: Code): Code => add(table, multiply(index, i32(ENTRY_BYTES)));

/** Where the probing for a key begins (a prime of xxHash, and Fibonacci hashing). */
const mixed = (first: Code, second: Code): Code => {
  const product = multiply64(xor64(first, multiply64(second, i64(-0x3d4d51c2d82b14b1n))), i64(-0x61c8864680b583ebn));
  return toI32(shiftRight64(product, i64(40n)));
};

/** Sets `entry` to the entry of the key (first, second), or to the free one where it belongs. */
const probe = (first: number, second: number, table: number, mask: number, index: number, entry: number): Code => [
  ...set(index, mixed(get(first), get(second))),
  ...loop(
    set(index, and(get(index), get(mask))),
    set(entry, entryAt(get(table), get(index))),
    increase(index, 1),
    when(
      isZero(isZero64(load64(get(entry)))),
      againIf(differs64(load64(get(entry)), get(first)), 1),
      againIf(differs64(load64(get(entry), SECOND), get(second)), 1),
    ),
  ),
];

const read = ((): WasmFunction => {
  const [at, end, keys, start, kind, first, second] = [0, 1, 2, 3, 4, 5, 6];
  const classAt = load8(load16(get(at)), CLASSES);
  const isLetter = less(subtract(get(kind), i32(1)), i32(LETTERS));
  const length = subtract(get(at), get(start));
  const advance = [...increase(at, UNIT_BYTES), ...set(kind, classAt)];
  const leave = (stops: number): Code => [
    ...store32(i32(AT), get(at)),
    ...store32(i32(KEYS_END), get(keys)),
    ...giveBack(i32(stops)),
  ];
  const leaveWord = [...set(at, get(start)), ...leave(1)];
  /** Adds letters to a part of the key while there are some and the word is shorter than `bytes`. */
  const letters = (part: number, bytes: number): Code =>
    loop(
      set(part, or64(shiftLeft64(get(part), i64(BigInt(LETTER_BITS))), toI64(get(kind)))),
      advance,
      againIf(and(isLetter, less(length, i32(bytes))), 0),
    );
  return {
    name: 'read',
    parameters: [I32, I32, I32],
    results: [I32],
    locals: [I32, I32, I64, I64],
    body: [
      loop(
        set(kind, classAt),
        loop(when(atLeast(get(at), get(end)), leave(0)), when(atLeast(get(kind), i32(ENDS)), advance, again(1))),
        when(isZero(isLetter), leave(1)),
        when(equal(load16(subtract(get(at), i32(UNIT_BYTES))), i32(FULL_STOP)), leave(1)),
        set(start, get(at)),
        set(first, i64(0n)),
        set(second, i64(0n)),
        letters(first, PART_BYTES),
        when(isLetter, letters(second, 2 * PART_BYTES), when(isLetter, leaveWord)),
        when(
          differs(get(kind), i32(ENDS)),
          when(differs(get(kind), i32(ENDS_BEFORE_SPACE)), leaveWord),
          when(differs(load16(get(at), UNIT_BYTES), i32(SPACE)), leaveWord),
        ),
        store64(get(keys), get(first)),
        store64(get(keys), get(second), SECOND),
        increase(keys, KEY_BYTES),
        again(0),
      ),
      i32(0),
    ],
  };
})();

const lookUp = ((): WasmFunction => {
  const [keys, end, terms, table, mask, index, entry, first, second] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const leave = (stops: number): Code => [
    ...store32(i32(NEXT_KEY), get(keys)),
    ...store32(i32(TERMS_END), get(terms)),
    ...giveBack(i32(stops)),
  ];
  return {
    name: 'lookUp',
    parameters: [I32, I32, I32, I32, I32],
    results: [I32],
    locals: [I32, I32, I64, I64],
    body: [
      loop(
        when(atLeast(get(keys), get(end)), leave(0)),
        set(first, load64(get(keys))),
        set(second, load64(get(keys), SECOND)),
        probe(first, second, table, mask, index, entry),
        when(isZero64(load64(get(entry))), store32(i32(SLOT), get(entry)), leave(1)),
        store32(get(terms), load32(get(entry), TERM)),
        increase(keys, KEY_BYTES),
        increase(terms, TERM_BYTES),
        again(0),
      ),
      i32(0),
    ],
  };
})();

const find = ((): WasmFunction => {
  const [key, table, mask, index, entry, first, second] = [0, 1, 2, 3, 4, 5, 6];
  return {
    name: 'find',
    parameters: [I32, I32, I32],
    results: [I32],
    locals: [I32, I32, I64, I64],
    body: [
      set(first, load64(get(key))),
      set(second, load64(get(key), SECOND)),
      probe(first, second, table, mask, index, entry),
      get(entry),
    ],
  };
})();

export const createWordKernel = createKernel<WordKernel>([read, lookUp, find]);
