/**
 * The loops over postings that the slowest queries go through, in WebAssembly: it checks no bounds, adds two scores at a
 * time, and needs no buffer between reading a posting and using it. To be added to a score, a posting of a dense term takes
 * 1.6 ns and another 2 ns, where JavaScript takes 2.5 at best and 6.5; what the loops read is copied into their memory
 * before, which is within these figures.
 *
 * Addresses are bytes; rows count from the first of the window or of the index, as the addresses do.
 */

import {
  add,
  addBytes,
  addF64,
  addTwoF64,
  againIf,
  and,
  atLeastBytes,
  atLeastF64,
  bothF64,
  type Code,
  countBits,
  createKernel,
  divideF64,
  divideTwoF64,
  equal,
  F64,
  f64,
  firstFour,
  firstTwoF64,
  get,
  greaterBytes,
  greaterTwoF64,
  I32,
  i32,
  increase,
  lastFour,
  lastTwoFirst,
  less,
  lesserBytes,
  lesserOfEight,
  load8,
  load32,
  loadEight,
  loadF64,
  loadV128,
  loop,
  multiplyF64,
  multiplyTwoF64,
  or,
  sameBytes,
  set,
  shiftLeft,
  shiftRight,
  signsOfBytes,
  store8,
  store32,
  storeF64,
  storeV128,
  subtract,
  subtractF64,
  subtractTwoF64,
  toF64,
  trailingZeros,
  V128,
  type WasmFunction,
  when,
} from '../assembly.js';
import { FREQUENCY_BITS, MUCH } from './posting-code.js';
import { ROUNDING } from './scoring.js';
import { takeNumber, withoutLowest } from './wasm-code.js';

/** Where a term's postings lie: `ranges` ranges of 2^`bits` rows from `row` on; their starts, to which `shift` is added. */
type Ranges = readonly [starts: number, ranges: number, shift: number, bits: number, row: number];

export interface PostingKernel {
  /**
   * Adds to the `sums` of `rows` rows, a multiple of 8, what the lesser of two frequencies, a byte a row each, adds: of one
   * list if both are the same.
   */
  addDense(first: number, second: number, rows: number, weight: number, norms: number, sums: number): void;
  addPostings(...ranges: [...Ranges, weight: number, norms: number, sums: number]): void;
  /**
   * Writes the rows and frequencies of rows `rows`, a multiple of 16, that have a frequency of `least` or more, and their norm
   * at most `share` times; returns how many. `base` is added to the rows.
   */
  strongDense(
    ...operands: [
      frequencies: number,
      rows: number,
      base: number,
      least: number,
      share: number,
      norms: number,
      intoRows: number,
      intoFrequencies: number,
    ]
  ): number;
  /** Adds frequencies to a byte a row, up to `most`: those of `rows` rows, a multiple of 16, or postings. */
  blendDense(dense: number, rows: number, frequencies: number, most: number): void;
  blend(...ranges: [...Ranges, frequencies: number, most: number]): void;
  /** How many of `rows` rows, a multiple of 16, have a frequency; the greatest one. */
  countBlended(frequencies: number, rows: number): number;
  mostBlended(frequencies: number, rows: number): number;
  addRows(...ranges: [...Ranges, bits: number]): void;
  /** Writes the rows of a set of `words` words of bits whose sums reach `least`, 4 bytes each; returns how many. */
  take(accept: number, words: number, sums: number, least: number, into: number): number;
}

/** Reads the postings of ranges: the first five parameters are `Ranges`, the locals from `first` on are taken for it. */
const POSTING_LOCALS = [I32, I32, I32, I32, I32, I32, I32];
const forEachPosting = (firstLocal: number, use: (row: number, frequency: number) => readonly Code[]): Code => {
  const [starts, ranges, shift, bits, first] = [0, 1, 2, 3, 4];
  const at = firstLocal;
  const [end, row, frequency, byte, shifted, rest] = [at + 1, at + 2, at + 3, at + 4, at + 5, at + 6];
  return loop(
    set(at, add(load32(get(starts)), get(shift))),
    set(end, add(load32(get(starts), 4), get(shift))),
    set(row, subtract(get(first), i32(1))),
    when(
      less(get(at), get(end)),
      loop(
        takeNumber(rest, at, byte, shifted),
        set(row, add(get(row), add(shiftRight(get(rest), i32(FREQUENCY_BITS)), i32(1)))),
        set(frequency, add(and(get(rest), i32(MUCH - 1)), i32(1))),
        when(
          equal(get(frequency), i32(MUCH)),
          takeNumber(rest, at, byte, shifted),
          set(frequency, add(get(rest), i32(MUCH))),
        ),
        ...use(row, frequency),
        againIf(less(get(at), get(end)), 0),
      ),
    ),
    set(first, add(get(first), shiftLeft(i32(1), get(bits)))),
    increase(starts, 4),
    set(ranges, subtract(get(ranges), i32(1))),
    againIf(get(ranges), 0),
  );
};

const addDense = ((): WasmFunction => {
  const [at, other, rows, weight, norms, sums, end, eight, four, two] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  /** Adds what the two frequencies in front of `four` give. */
  const addTwo = (frequencies: Code, offset: number): Code => [
    ...set(two, firstTwoF64(frequencies)),
    ...storeV128(
      get(sums),
      addTwoF64(
        loadV128(get(sums), offset),
        subtractTwoF64(
          addTwoF64(
            divideTwoF64(
              multiplyTwoF64(get(two), bothF64(get(weight))),
              // 0 / 0 would be no number: an empty record may have a norm of 0.
              greaterTwoF64(addTwoF64(get(two), loadV128(get(norms), offset)), bothF64(f64(Number.MIN_VALUE))),
            ),
            bothF64(f64(ROUNDING)),
          ),
          bothF64(f64(ROUNDING)),
        ),
      ),
      offset,
    ),
  ];
  return {
    name: 'addDense',
    parameters: [I32, I32, I32, F64, I32, I32],
    results: [],
    locals: [I32, V128, V128, V128],
    body: [
      set(end, add(get(at), get(rows))),
      loop(
        set(eight, lesserOfEight(loadEight(get(at)), loadEight(get(other)))),
        set(four, firstFour(get(eight))),
        addTwo(get(four), 0),
        addTwo(lastTwoFirst(get(four)), 16),
        set(four, lastFour(get(eight))),
        addTwo(get(four), 32),
        addTwo(lastTwoFirst(get(four)), 48),
        increase(at, 8),
        increase(other, 8),
        increase(norms, 64),
        increase(sums, 64),
        againIf(less(get(at), get(end)), 0),
      ),
    ],
  };
})();

const RANGES = [I32, I32, I32, I32, I32];

const addPostings = ((): WasmFunction => {
  const [weight, norms, sums, offset, f, first] = [5, 6, 7, 8, 9, 10];
  return {
    name: 'addPostings',
    parameters: [...RANGES, F64, I32, I32],
    results: [],
    locals: [I32, F64, ...POSTING_LOCALS],
    body: [
      forEachPosting(first, (row, frequency) => {
        const share = divideF64(
          multiplyF64(get(weight), get(f)),
          addF64(get(f), loadF64(add(get(norms), get(offset)))),
        );
        const sum = add(get(sums), get(offset));
        return [
          set(offset, shiftLeft(get(row), i32(3))),
          set(f, toF64(get(frequency))),
          storeF64(sum, addF64(loadF64(sum), subtractF64(addF64(share, f64(ROUNDING)), f64(ROUNDING)))),
        ];
      }),
    ],
  };
})();

const strongDense = ((): WasmFunction => {
  const [at, rows, base, least, share, norms, intoRows, intoFrequencies] = [0, 1, 2, 3, 4, 5, 6, 7];
  const [begin, row, passing, frequency, isKept] = [8, 9, 10, 11, 12];
  return {
    name: 'strongDense',
    parameters: [I32, I32, I32, I32, F64, I32, I32, I32],
    results: [I32],
    locals: [I32, I32, I32, I32, I32],
    body: [
      set(begin, get(intoRows)),
      loop(
        set(passing, signsOfBytes(atLeastBytes(loadV128(get(at)), sameBytes(get(least))))),
        when(
          get(passing),
          loop(
            set(row, trailingZeros(get(passing))),
            set(frequency, load8(add(get(at), get(row)))),
            set(
              isKept,
              shiftLeft(
                atLeastF64(
                  multiplyF64(toF64(get(frequency)), get(share)),
                  loadF64(add(get(norms), shiftLeft(get(row), i32(3)))),
                ),
                i32(2),
              ),
            ),
            store32(get(intoRows), add(get(base), get(row))),
            store32(get(intoFrequencies), get(frequency)),
            // Added, not jumped over: which rows pass can't be foreseen.
            set(intoRows, add(get(intoRows), get(isKept))),
            set(intoFrequencies, add(get(intoFrequencies), get(isKept))),
            withoutLowest(passing),
            againIf(get(passing), 0),
          ),
        ),
        increase(at, 16),
        increase(base, 16),
        increase(norms, 128),
        set(rows, subtract(get(rows), i32(16))),
        againIf(get(rows), 0),
      ),
      shiftRight(subtract(get(intoRows), get(begin)), i32(2)),
    ],
  };
})();

const blendDense = ((): WasmFunction => {
  const [dense, rows, frequencies, most, end] = [0, 1, 2, 3, 4];
  return {
    name: 'blendDense',
    parameters: [I32, I32, I32, I32],
    results: [],
    locals: [I32],
    body: [
      set(end, add(get(dense), get(rows))),
      loop(
        storeV128(
          get(frequencies),
          lesserBytes(addBytes(loadV128(get(frequencies)), loadV128(get(dense))), sameBytes(get(most))),
        ),
        increase(frequencies, 16),
        increase(dense, 16),
        againIf(less(get(dense), get(end)), 0),
      ),
    ],
  };
})();

const blend = ((): WasmFunction => {
  const [frequencies, most, at, first] = [5, 6, 7, 8];
  return {
    name: 'blend',
    parameters: [...RANGES, I32, I32],
    results: [],
    locals: [I32, ...POSTING_LOCALS],
    body: [
      forEachPosting(first, (row, frequency) => [
        set(at, add(get(row), get(frequencies))),
        set(frequency, add(get(frequency), load8(get(at)))),
        when(less(get(most), get(frequency)), set(frequency, get(most))),
        store8(get(at), get(frequency)),
      ]),
    ],
  };
})();

const countBlended = ((): WasmFunction => {
  const [at, rows, end, sum] = [0, 1, 2, 3];
  return {
    name: 'countBlended',
    parameters: [I32, I32],
    results: [I32],
    locals: [I32, I32],
    body: [
      set(end, add(get(at), get(rows))),
      loop(
        set(sum, add(get(sum), countBits(signsOfBytes(atLeastBytes(loadV128(get(at)), sameBytes(i32(1))))))),
        increase(at, 16),
        againIf(less(get(at), get(end)), 0),
      ),
      get(sum),
    ],
  };
})();

const mostBlended = ((): WasmFunction => {
  const [at, rows, end, most, all] = [0, 1, 2, 3, 4];
  return {
    name: 'mostBlended',
    parameters: [I32, I32],
    results: [I32],
    locals: [I32, I32, V128],
    body: [
      set(end, add(get(at), get(rows))),
      loop(set(all, greaterBytes(get(all), loadV128(get(at)))), increase(at, 16), againIf(less(get(at), get(end)), 0)),
      // Counting up to it is simpler than comparing the 16 with one another.
      loop(increase(most, 1), againIf(signsOfBytes(atLeastBytes(get(all), sameBytes(get(most)))), 0)),
      subtract(get(most), i32(1)),
    ],
  };
})();

const addRows = ((): WasmFunction => {
  const [bits, at, first] = [5, 6, 7];
  return {
    name: 'addRows',
    parameters: [...RANGES, I32],
    results: [],
    locals: [I32, ...POSTING_LOCALS],
    body: [
      forEachPosting(first, (row) => [
        set(at, add(get(bits), shiftLeft(shiftRight(get(row), i32(5)), i32(2)))),
        store32(get(at), or(load32(get(at)), shiftLeft(i32(1), get(row)))),
      ]),
    ],
  };
})();

const take = ((): WasmFunction => {
  const [accept, words, sums, least, into, begin, end, rest, row, first] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  return {
    name: 'take',
    parameters: [I32, I32, I32, F64, I32],
    results: [I32],
    locals: [I32, I32, I32, I32, I32],
    body: [
      set(begin, get(into)),
      set(end, add(get(accept), shiftLeft(get(words), i32(2)))),
      loop(
        set(rest, load32(get(accept))),
        when(
          get(rest),
          loop(
            set(row, add(get(first), trailingZeros(get(rest)))),
            store32(get(into), get(row)),
            // Added, not jumped over: which rows pass can't be foreseen.
            set(
              into,
              add(
                get(into),
                shiftLeft(atLeastF64(loadF64(add(get(sums), shiftLeft(get(row), i32(3)))), get(least)), i32(2)),
              ),
            ),
            withoutLowest(rest),
            againIf(get(rest), 0),
          ),
        ),
        increase(first, 32),
        increase(accept, 4),
        againIf(less(get(accept), get(end)), 0),
      ),
      shiftRight(subtract(get(into), get(begin)), i32(2)),
    ],
  };
})();

export const createPostingKernel = createKernel<PostingKernel>([
  addDense,
  addPostings,
  strongDense,
  blendDense,
  blend,
  countBlended,
  mostBlended,
  addRows,
  take,
]);
