/**
 * What stores make of every text of a batch, in the memory in which it stands: the hash by which names are looked up
 * (`names.ts`), and the numbers by which texts are sorted (`text-order.ts`). JavaScript's functions there do the same for
 * texts that come one by one, and are what these are checked against.
 */
import { PLAIN_TEXT } from '../raw.js';
import {
  add,
  again,
  and,
  bytesOf,
  type Code,
  createKernel,
  equal,
  get,
  giveBack,
  I32,
  i32,
  increase,
  isZero,
  less,
  lessBytes,
  load8,
  load32,
  loadV128,
  loop,
  more,
  multiply,
  or,
  orV128,
  rotateLeft,
  set,
  shiftLeft,
  shiftRight,
  signsOfBytes,
  store8,
  store32,
  subtract,
  V128,
  type WasmFunction,
  when,
  xor,
} from '../wasm.js';

/** What is known of a text that is sorted. */
export const MISSING = 0;
export const PLAIN = 1;
export const OTHER = 2;

/** Weights are digits of a number; as many as 32 bits hold. */
export const KEY_CHARACTERS = 5;
export const KEYS = 4;

const VECTOR_BYTES = 16;

/** Each function is given where the first text's entry stands in tables of starts and ends, and how many texts there are. */
export interface CellKernel {
  /** Writes each text's hash, 4 bytes, and whether it is ASCII, a byte. */
  hash(starts: number, ends: number, count: number, hashes: number, isAscii: number): void;
  /** Writes whether each text, of whose kind `kinds` tells, is there and plain, a byte, and if it is its `KEYS` keys. */
  order(
    starts: number,
    ends: number,
    kinds: number,
    count: number,
    weights: number,
    base: number,
    keys: number,
    outcomes: number,
  ): void;
}

/** See `names.ts`, where each step is in JavaScript. */
const hash = ((): WasmFunction => {
  const [starts, ends, count, hashes, isAscii, from, to, sum, word, any] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
  const mix: Code = [
    ...set(word, multiply(or(get(word), i32(0x20202020)), i32(0xcc9e2d51 | 0))),
    ...set(sum, xor(get(sum), multiply(rotateLeft(get(word), i32(15)), i32(0x1b873593)))),
    ...set(sum, add(multiply(rotateLeft(get(sum), i32(13)), i32(5)), i32(0xe6546b64 | 0))),
  ];
  const fold = (bits: number): Code => set(sum, xor(get(sum), shiftRight(get(sum), i32(bits))));
  const isDone = isZero(get(count));
  return {
    name: 'hash',
    parameters: [I32, I32, I32, I32, I32],
    results: [],
    locals: [I32, I32, I32, I32, I32],
    body: [
      loop(
        when(isDone, giveBack([])),
        set(from, add(load32(get(starts)), i32(1))),
        set(to, subtract(load32(get(ends)), i32(1))),
        set(sum, subtract(get(to), get(from))),
        set(any, i32(0)),
        loop(
          when(
            less(add(get(from), i32(3)), get(to)),
            set(word, load32(get(from))),
            set(any, or(get(any), get(word))),
            mix,
            increase(from, 4),
            again(1),
          ),
        ),
        set(word, i32(0)),
        loop(
          when(
            less(get(from), get(to)),
            set(word, or(shiftLeft(get(word), i32(8)), load8(get(from)))),
            increase(from, 1),
            again(1),
          ),
        ),
        set(any, or(get(any), get(word))),
        mix,
        fold(16),
        set(sum, multiply(get(sum), i32(0x85ebca6b | 0))),
        fold(13),
        set(sum, multiply(get(sum), i32(0xc2b2ae35 | 0))),
        fold(16),
        store32(get(hashes), get(sum)),
        store8(get(isAscii), isZero(and(get(any), i32(0x80808080 | 0)))),
        increase(starts, 4),
        increase(ends, 4),
        increase(hashes, 4),
        increase(isAscii, 1),
        increase(count, -1),
        again(0),
      ),
    ],
  };
})();

/** See `text-order.ts`. */
const order = ((): WasmFunction => {
  const [starts, ends, kinds, count, weights, base, keys, outcomes] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const [from, to, at, key, outcome, bits, bytes] = [8, 9, 10, 11, 12, 13, 14] as const;
  const isOdd = orV128(lessBytes(get(bytes), bytesOf(0x20)), lessBytes(bytesOf(0x7e), get(bytes)));
  const checkPlain = loop(
    when(
      less(get(at), get(to)),
      set(bytes, loadV128(get(at))),
      set(bits, signsOfBytes(isOdd)),
      increase(at, VECTOR_BYTES),
      // What stands behind the text does not count.
      when(
        more(get(at), get(to)),
        set(
          bits,
          and(get(bits), subtract(shiftLeft(i32(1), subtract(i32(VECTOR_BYTES), subtract(get(at), get(to)))), i32(1))),
        ),
      ),
      when(isZero(get(bits)), again(2)),
      set(outcome, i32(OTHER)),
    ),
  );
  const addWeight: Code = [
    ...set(key, multiply(get(key), get(base))),
    ...when(
      less(get(from), get(to)),
      set(key, add(get(key), load8(add(get(weights), load8(get(from)))))),
      increase(from, 1),
    ),
  ];
  const writeKeys = Array.from({ length: KEYS }, (_, k) => [
    ...set(key, i32(0)),
    ...Array.from({ length: KEY_CHARACTERS }, () => addWeight).flat(),
    ...store32(get(keys), get(key), 4 * k),
  ]);
  return {
    name: 'order',
    parameters: [I32, I32, I32, I32, I32, I32, I32, I32],
    results: [],
    locals: [I32, I32, I32, I32, I32, I32, V128],
    body: [
      loop(
        when(isZero(get(count)), giveBack([])),
        set(outcome, i32(MISSING)),
        when(
          equal(load8(get(kinds)), i32(PLAIN_TEXT)),
          set(outcome, i32(PLAIN)),
          set(from, add(load32(get(starts)), i32(1))),
          set(to, subtract(load32(get(ends)), i32(1))),
          set(at, get(from)),
          checkPlain,
          ...writeKeys,
        ),
        store8(get(outcomes), get(outcome)),
        increase(starts, 4),
        increase(ends, 4),
        increase(kinds, 1),
        increase(keys, KEYS * 4),
        increase(outcomes, 1),
        increase(count, -1),
        again(0),
      ),
    ],
  };
})();

export const createCellKernel = createKernel<CellKernel>([hash, order]);
