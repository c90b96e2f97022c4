/**
 * Loops that count the members of a set of bits by a number that each has in a table. In WebAssembly they take half the
 * time of JavaScript's where the members stand close together and a third where they are far apart: of what is waited for, more
 * is asked for at once where no bounds are checked between.
 */
import {
  add,
  againIf,
  and64,
  type Code,
  count64,
  get,
  giveBack,
  I32,
  I64,
  i32,
  i64,
  increase,
  less,
  load8,
  load32,
  load64,
  loop,
  set,
  shiftLeft,
  store32,
  subtract64,
  toI32,
  trailingZeros64,
  type WasmFunction,
  when,
} from '../../wasm.js';

/** All addresses and lengths are bytes; lists, codes and counts are integers of 32 bits. Ends are excluded, and come after the beginning. */
export interface TallyKernel {
  /**
   * Lists the members of the bits at `bits` to `end`, ascending, the first bit being `member`; returns where the list ends.
   * Writes up to `LIST_SLACK` bytes more.
   */
  readonly list: (bits: number, end: number, member: number, list: number) => number;
  /** Adds one to the count of each listed member's byte. */
  readonly countBytes: (list: number, end: number, bytes: number, counts: number) => void;
  /** Adds one to the count of each listed member's code. */
  readonly countCodes: (list: number, end: number, codes: number, counts: number) => void;
  /**
   * Adds one to the count of each code of each listed member: those at `offsets[member]` to `offsets[member + 1]`. Reads up
   * to `CODES_SLACK` bytes more.
   */
  readonly countLists: (list: number, end: number, offsets: number, codes: number, counts: number) => void;
  /** The first of the counts that is above `least`, or `end`. */
  readonly nextAbove: (counts: number, end: number, least: number) => number;
}

/** So many are done before it is looked whether there are any: a branch for each would be guessed wrong. */
const AT_ONCE = 4;
export const LIST_SLACK = 4 * AT_ONCE;
export const CODES_SLACK = 4 * AT_ONCE;

const steps = Array.from({ length: AT_ONCE }, (_, i) => i);
const numbers = (count: Code): Code => shiftLeft(count, i32(2));
const advance = (local: number, bytes: number): Code => increase(local, bytes);
/** The entry of a table that a number stands for. */
const entry = (table: number, index: Code): Code => add(get(table), numbers(index));

const list = ((): WasmFunction => {
  const [bits, end, member, into, word, stop] = [0, 1, 2, 3, 4, 5];
  const writeSome: readonly Code[] = [
    ...steps.flatMap((i) => [
      store32(get(into), add(get(member), toI32(trailingZeros64(get(word)))), 4 * i),
      set(word, and64(get(word), subtract64(get(word), i64(1n)))),
    ]),
    advance(into, 4 * AT_ONCE),
  ];
  return {
    name: 'list',
    parameters: [I32, I32, I32, I32],
    results: [I32],
    locals: [I64, I32],
    body: [
      loop(
        set(word, load64(get(bits))),
        set(stop, entry(into, toI32(count64(get(word))))),
        ...writeSome,
        when(less(get(into), get(stop)), loop(...writeSome, againIf(less(get(into), get(stop)), 0))),
        set(into, get(stop)),
        advance(member, 64),
        advance(bits, 8),
        againIf(less(get(bits), get(end)), 0),
      ),
      get(into),
    ],
  };
})();

/** Adds `by` to the count at an address, which `at` then holds. */
const count = (at: number, address: Code, by: Code): Code => [
  ...set(at, address),
  ...store32(get(at), add(load32(get(at)), by)),
];

const countOneEach = (name: string, numberOf: (table: number, member: Code) => Code): WasmFunction => {
  const [at, end, table, counts, counted] = [0, 1, 2, 3, 4];
  return {
    name,
    parameters: [I32, I32, I32, I32],
    results: [],
    locals: [I32],
    body: [
      loop(
        count(counted, entry(counts, numberOf(table, load32(get(at)))), i32(1)),
        advance(at, 4),
        againIf(less(get(at), get(end)), 0),
      ),
    ],
  };
};

const countBytes = countOneEach('countBytes', (table, member) => load8(add(get(table), member)));
const countCodes = countOneEach('countCodes', (table, member) => load32(entry(table, member)));

/** The first codes are counted whether or not they are the member's, those that are not as 0. */
const countLists = ((): WasmFunction => {
  const [list, end, offsets, codes, counts, at, stop, counted] = [0, 1, 2, 3, 4, 5, 6, 7];
  return {
    name: 'countLists',
    parameters: [I32, I32, I32, I32, I32],
    results: [],
    locals: [I32, I32, I32],
    body: [
      loop(
        set(counted, entry(offsets, load32(get(list)))),
        set(at, entry(codes, load32(get(counted)))),
        set(stop, entry(codes, load32(get(counted), 4))),
        ...steps.map((i) =>
          count(counted, entry(counts, load32(get(at), 4 * i)), less(add(get(at), i32(4 * i)), get(stop))),
        ),
        advance(at, 4 * AT_ONCE),
        when(
          less(get(at), get(stop)),
          loop(
            count(counted, entry(counts, load32(get(at))), i32(1)),
            advance(at, 4),
            againIf(less(get(at), get(stop)), 0),
          ),
        ),
        advance(list, 4),
        againIf(less(get(list), get(end)), 0),
      ),
    ],
  };
})();

const nextAbove = ((): WasmFunction => {
  const [at, end, least] = [0, 1, 2];
  return {
    name: 'nextAbove',
    parameters: [I32, I32, I32],
    results: [I32],
    locals: [],
    body: [
      loop(
        when(less(get(least), load32(get(at))), giveBack(get(at))),
        advance(at, 4),
        againIf(less(get(at), get(end)), 0),
      ),
      get(end),
    ],
  };
})();

export const tallyFunctions: readonly WasmFunction[] = [list, countBytes, countCodes, countLists, nextAbove];
