/** The two loops of `key-sort.ts`, in WebAssembly, which has numbers of 64 bits. */
import {
  add,
  again,
  and,
  type Code,
  createKernel,
  get,
  I32,
  I64,
  i32,
  i64,
  increase,
  less,
  load32,
  load64,
  loadV128,
  loop,
  set,
  shiftLeft,
  shiftRight64,
  store32,
  storeV128,
  toI32,
  toI64,
  type WasmFunction,
  when,
} from './assembly.js';

/** A row, and behind it its key in words of 4 bytes, the least significant first. */
export const KEY_WORDS = 4;
export const ENTRY_BYTES = 4 + 4 * KEY_WORDS;

const DIGIT_BITS = 11;
export const DIGIT_VALUES = 1 << DIGIT_BITS;
const DIGITS_EACH = Math.ceil(64 / DIGIT_BITS);

/** The digits of a key, the least significant first: where in an entry the two words stand that a digit is of, and how many bits of these are behind it. */
export const DIGITS = Array.from({ length: (KEY_WORDS / 2) * DIGITS_EACH }, (_, i) => ({
  words: 4 + 8 * Math.floor(i / DIGITS_EACH),
  shift: DIGIT_BITS * (i % DIGITS_EACH),
}));

/** How often each value of each digit occurs: 4 bytes each. */
export const COUNTS_BYTES = 4 * DIGIT_VALUES * DIGITS.length;

export interface KeySortKernel {
  /** Adds the digits of the entries `from … end` to the counts. */
  count(from: number, end: number, counts: number): void;
  /** Copies the entries `from … end`, each to where the value of its digit tells, which by that moves on. */
  spread(from: number, end: number, places: number, words: number, shift: number): void;
}

const digit = (value: number, shift: Code): Code =>
  shiftLeft(and(toI32(shiftRight64(get(value), shift)), i32(DIGIT_VALUES - 1)), i32(2));

const count = ((): WasmFunction => {
  const [from, end, counts, at, value] = [0, 1, 2, 3, 4] as const;
  const countDigits = DIGITS.map(({ words, shift }, i): Code => {
    const table = i * 4 * DIGIT_VALUES;
    return [
      shift === 0 ? set(value, load64(get(from), words)) : [],
      ...set(at, add(get(counts), digit(value, i64(BigInt(shift))))),
      ...store32(get(at), add(load32(get(at), table), i32(1)), table),
    ];
  });
  return {
    name: 'count',
    parameters: [I32, I32, I32],
    results: [],
    locals: [I32, I64],
    body: [loop(when(less(get(from), get(end)), ...countDigits, increase(from, ENTRY_BYTES), again(1)))],
  };
})();

const spread = ((): WasmFunction => {
  const [from, end, places, words, shift, place, at, value] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  return {
    name: 'spread',
    parameters: [I32, I32, I32, I32, I32],
    results: [],
    locals: [I32, I32, I64],
    body: [
      loop(
        when(
          less(get(from), get(end)),
          set(value, load64(add(get(from), get(words)))),
          set(place, add(get(places), digit(value, toI64(get(shift))))),
          set(at, load32(get(place))),
          store32(get(place), add(get(at), i32(ENTRY_BYTES))),
          storeV128(get(at), loadV128(get(from))),
          store32(get(at), load32(get(from), 16), 16),
          increase(from, ENTRY_BYTES),
          again(1),
        ),
      ),
    ],
  };
})();

export const createKeySortKernel = createKernel<KeySortKernel>([count, spread]);
