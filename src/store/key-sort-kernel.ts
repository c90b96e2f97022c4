/** The two loops of `key-sort.ts`, in WebAssembly, which has numbers of 64 bits: a sixth of the time that JavaScript takes. */
import {
  add,
  again,
  and,
  type Code,
  createKernel,
  get,
  giveBack,
  I32,
  I64,
  i32,
  i64,
  increase,
  less,
  load32,
  load64,
  loop,
  set,
  shiftLeft,
  shiftRight64,
  store32,
  store64,
  toI32,
  toI64,
  type WasmFunction,
  when,
} from '../wasm.js';

/** A row, and its key of 64 bits behind it. */
export const ENTRY_BYTES = 12;
const KEY = 4;

export const DIGIT_BITS = 11;
export const DIGIT_VALUES = 1 << DIGIT_BITS;
export const DIGITS = Math.ceil(64 / DIGIT_BITS);

/** How often each value of each digit occurs, the lowest digit's first: 4 bytes each. */
export const COUNTS_BYTES = 4 * DIGITS * DIGIT_VALUES;

export interface KeySortKernel {
  /** Adds the digits of the entries `from … end` to the counts. */
  count(from: number, end: number, counts: number): void;
  /** Copies the entries `from … end`, each to where its digit's value tells, which by that moves on. */
  spread(from: number, end: number, places: number, shift: number): void;
}

const digit = (key: number, shift: Code): Code =>
  shiftLeft(and(toI32(shiftRight64(get(key), shift)), i32(DIGIT_VALUES - 1)), i32(2));

const count = ((): WasmFunction => {
  const [from, end, counts, key, at] = [0, 1, 2, 3, 4] as const;
  const addTo = (d: number): Code => {
    const table = d * 4 * DIGIT_VALUES;
    return [
      ...set(at, add(get(counts), digit(key, i64(BigInt(d * DIGIT_BITS))))),
      ...store32(get(at), add(load32(get(at), table), i32(1)), table),
    ];
  };
  return {
    name: 'count',
    parameters: [I32, I32, I32],
    results: [],
    locals: [I64, I32],
    body: [
      loop(
        when(
          less(get(from), get(end)),
          set(key, load64(get(from), KEY)),
          ...Array.from({ length: DIGITS }, (_, d) => addTo(d)),
          increase(from, ENTRY_BYTES),
          again(1),
        ),
      ),
    ],
  };
})();

const spread = ((): WasmFunction => {
  const [from, end, places, shift, key, place, at] = [0, 1, 2, 3, 4, 5, 6] as const;
  return {
    name: 'spread',
    parameters: [I32, I32, I32, I32],
    results: [],
    locals: [I64, I32, I32],
    body: [
      loop(
        when(
          less(get(from), get(end)),
          set(key, load64(get(from), KEY)),
          set(place, add(get(places), digit(key, toI64(get(shift))))),
          set(at, load32(get(place))),
          store32(get(place), add(get(at), i32(ENTRY_BYTES))),
          store32(get(at), load32(get(from))),
          store64(get(at), get(key), KEY),
          increase(from, ENTRY_BYTES),
          again(1),
        ),
      ),
      giveBack([]),
    ],
  };
})();

export const createKeySortKernel = createKernel<KeySortKernel>([count, spread]);
