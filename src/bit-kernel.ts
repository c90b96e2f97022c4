/**
 * Loops over sets of bits that a processor has instructions for and JavaScript has none: `i64.popcnt` counts 64 bits
 * at once, so that what two sets of a million share is counted in 10 µs, where a word at a time takes 124 µs and
 * carry-save adders 74 µs.
 */
import {
  add,
  add64,
  againIf,
  and64,
  andNotV128,
  andV128,
  type Code,
  count64,
  createKernel,
  get,
  I32,
  I64,
  increase,
  less,
  load64,
  loadV128,
  loop,
  orV128,
  set,
  storeV128,
  toI32,
  type WasmFunction,
} from './assembly.js';

/** Writes what two sets give together, anywhere, also over one of them. */
type Combine = (a: number, b: number, into: number, length: number) => void;

/** Addresses and lengths are bytes; a length is a positive multiple of `BLOCK_BYTES`. */
export interface BitKernel {
  /** How many bits are set in both. */
  readonly countCommon: (a: number, b: number, length: number) => number;
  /** What is set in both. */
  readonly intersect: Combine;
  /** What is set in either. */
  readonly unite: Combine;
  /** What is set in `a` and not in `b`. */
  readonly subtract: Combine;
}

/** What one turn of the loops reads of each set. */
export const BLOCK_BYTES = 32;

const advance = (local: number): Code => increase(local, BLOCK_BYTES);
const everyBytes = (step: number): readonly number[] => Array.from({ length: BLOCK_BYTES / step }, (_, i) => i * step);

/** Repeats `turn` until `a`, which it moves on, is at its end; `length` becomes that end. */
const overAll = (a: number, length: number, ...turn: readonly Code[]): Code => [
  ...set(length, add(get(a), get(length))),
  ...loop(...turn, againIf(less(get(a), get(length)), 0)),
];

const countCommon = ((): WasmFunction => {
  const [a, b, length, sum] = [0, 1, 2, 3];
  const common = (offset: number): Code => and64(load64(get(a), offset), load64(get(b), offset));
  return {
    name: 'countCommon',
    parameters: [I32, I32, I32],
    results: [I32],
    locals: [I64],
    body: [
      overAll(
        a,
        length,
        ...everyBytes(8).map((offset) => set(sum, add64(get(sum), count64(common(offset))))),
        advance(b),
        advance(a),
      ),
      toI32(get(sum)),
    ],
  };
})();

function combination(name: string, combine: (a: Code, b: Code) => Code): WasmFunction {
  const [a, b, into, length] = [0, 1, 2, 3];
  const combined = (offset: number): Code => combine(loadV128(get(a), offset), loadV128(get(b), offset));
  return {
    name,
    parameters: [I32, I32, I32, I32],
    results: [],
    locals: [],
    body: [
      overAll(
        a,
        length,
        ...everyBytes(16).map((offset) => storeV128(get(into), combined(offset), offset)),
        advance(into),
        advance(b),
        advance(a),
      ),
    ],
  };
}

/** For kernels that do more. */
export const bitFunctions: readonly WasmFunction[] = [
  countCommon,
  combination('intersect', andV128),
  combination('unite', orV128),
  combination('subtract', andNotV128),
];

export const createBitKernel = createKernel<BitKernel>(bitFunctions);
