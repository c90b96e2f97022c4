/**
 * What stores make of every text of a batch, in the memory in which it stands: texts are put side by side, to be looked up
 * as names (`names-builder.ts`), and numbers by which they are sorted (`text-order.ts`). JavaScript's functions there do the
 * same for texts that come one by one, and are what these are checked against.
 */

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
  orV128,
  set,
  shiftLeft,
  signsOfBytes,
  store8,
  store32,
  storeV128,
  subtract,
  V128,
  type WasmFunction,
  when,
} from '../assembly.js';
import { ENTRY_BYTES, KEY_WORDS } from '../key-sort-kernel.js';
import { PLAIN_TEXT } from '../raw.js';

/** What is known of a text that is sorted. */
export const MISSING = 0;
export const PLAIN = 1;
export const OTHER = 2;

/** Weights are digits of a number; as many as 32 bits hold. */
export const KEY_CHARACTERS = 5;

const VECTOR_BYTES = 16;

/** Each function is given where the first text's entry stands in tables of starts and ends, and how many texts there are. */
export interface CellKernel {
  /**
   * Copies texts, whose entries stand `step` bytes apart, to `target`, one behind the other, and writes where each begins
   * there, and the last ends, 4 bytes each; stops before one that there is no room for, and returns how many it has
   * copied. Up to a vector's bytes behind them change.
   */
  gather(
    starts: number,
    ends: number,
    step: number,
    count: number,
    room: number,
    target: number,
    targetStarts: number,
  ): number;
  /**
   * Writes whether each text, of whose kind `kinds` tells, is there and plain, a byte, and if it is the entry that it is
   * sorted as (`key-sort.ts`), of `row` and those after it.
   */
  order(
    starts: number,
    ends: number,
    kinds: number,
    count: number,
    weights: number,
    base: number,
    row: number,
    entries: number,
    outcomes: number,
  ): void;
}

const gather = ((): WasmFunction => {
  const [starts, ends, step, count, room, target, targetStarts] = [0, 1, 2, 3, 4, 5, 6] as const;
  const [gathered, from, length, used, at] = [7, 8, 9, 10, 11] as const;
  return {
    name: 'gather',
    parameters: [I32, I32, I32, I32, I32, I32, I32],
    results: [I32],
    locals: [I32, I32, I32, I32, I32],
    body: [
      loop(
        store32(get(targetStarts), get(used)),
        when(equal(get(gathered), get(count)), giveBack(get(gathered))),
        set(from, add(load32(get(starts)), i32(1))),
        set(length, subtract(subtract(load32(get(ends)), i32(1)), get(from))),
        when(more(add(get(used), get(length)), get(room)), giveBack(get(gathered))),
        set(at, i32(0)),
        loop(
          storeV128(add(add(get(target), get(used)), get(at)), loadV128(add(get(from), get(at)))),
          increase(at, VECTOR_BYTES),
          when(less(get(at), get(length)), again(1)),
        ),
        increase(used, get(length)),
        increase(starts, get(step)),
        increase(ends, get(step)),
        increase(targetStarts, 4),
        increase(gathered, 1),
        again(0),
      ),
      i32(0),
    ],
  };
})();

/** See `text-order.ts`. */
const order = ((): WasmFunction => {
  const [starts, ends, kinds, count, weights, base, row, entries, outcomes] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
  const [from, to, at, key, outcome, bits, bytes] = [9, 10, 11, 12, 13, 14, 15] as const;
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
  const writeKey = Array.from({ length: KEY_WORDS }, (_, word) => [
    ...set(key, i32(0)),
    ...Array.from({ length: KEY_CHARACTERS }, () => addWeight).flat(),
    ...store32(get(entries), get(key), 4 * (KEY_WORDS - word)),
  ]);
  return {
    name: 'order',
    parameters: [I32, I32, I32, I32, I32, I32, I32, I32, I32],
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
          store32(get(entries), get(row)),
          ...writeKey,
        ),
        store8(get(outcomes), get(outcome)),
        increase(starts, 4),
        increase(ends, 4),
        increase(kinds, 1),
        increase(row, 1),
        increase(entries, ENTRY_BYTES),
        increase(outcomes, 1),
        increase(count, -1),
        again(0),
      ),
    ],
  };
})();

export const createCellKernel = createKernel<CellKernel>([gather, order]);
