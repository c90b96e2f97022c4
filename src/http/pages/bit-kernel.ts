/**
 * Two loops over sets of bits that a processor has instructions for and JavaScript has none: `i64.popcnt` counts 64 bits
 * at once, so that what two sets of a million share is counted in 10 µs, where a word at a time takes 124 µs and
 * carry-save adders 74 µs.
 */
import {
  add,
  add64,
  againIf,
  and64,
  type Code,
  count64,
  get,
  I32,
  I64,
  increase,
  less,
  load64,
  loop,
  set,
  store64,
  toI32,
  type WasmFunction,
} from '../../wasm.js';

/** Addresses and lengths are bytes; a length is a positive multiple of `BLOCK_BYTES`. */
export interface BitKernel {
  /** How many bits are set in both. */
  readonly countCommon: (a: number, b: number, length: number) => number;
  /** Writes what is set in both, anywhere, also over one of them. */
  readonly intersect: (a: number, b: number, into: number, length: number) => void;
}

/** What one turn of the loops reads of each set. */
export const BLOCK_BYTES = 32;

/** What both sets have in common in the 64 bits at `offset`. */
const common = (a: number, b: number, offset: number): Code => and64(load64(get(a), offset), load64(get(b), offset));
const advance = (local: number): Code => increase(local, BLOCK_BYTES);
const offsets = Array.from({ length: BLOCK_BYTES / 8 }, (_, i) => i * 8);

/** Repeats `turn` until `a`, which it moves on, is at its end; `length` becomes that end. */
const overAll = (a: number, length: number, ...turn: readonly Code[]): Code => [
  ...set(length, add(get(a), get(length))),
  ...loop(...turn, againIf(less(get(a), get(length)), 0)),
];

const countCommon = ((): WasmFunction => {
  const [a, b, length, sum] = [0, 1, 2, 3];
  return {
    name: 'countCommon',
    parameters: [I32, I32, I32],
    results: [I32],
    locals: [I64],
    body: [
      overAll(
        a,
        length,
        ...offsets.map((offset) => set(sum, add64(get(sum), count64(common(a, b, offset))))),
        advance(b),
        advance(a),
      ),
      toI32(get(sum)),
    ],
  };
})();

const intersect = ((): WasmFunction => {
  const [a, b, into, length] = [0, 1, 2, 3];
  return {
    name: 'intersect',
    parameters: [I32, I32, I32, I32],
    results: [],
    locals: [],
    body: [
      overAll(
        a,
        length,
        ...offsets.map((offset) => store64(get(into), common(a, b, offset), offset)),
        advance(into),
        advance(b),
        advance(a),
      ),
    ],
  };
})();

export const bitFunctions: readonly WasmFunction[] = [countCommon, intersect];
