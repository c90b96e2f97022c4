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
  createKernel,
  get,
  giveBack,
  I32,
  I64,
  i32,
  i64,
  increase,
  less,
  load8,
  load16,
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
} from '../../../assembly.js';
import { type BitKernel, bitFunctions } from '../../../bit-kernel.js';

/** Bytes of the numbers that are counted. */
export type Width = 1 | 2 | 4;
const WIDTHS: readonly Width[] = [1, 2, 4];

/** Adds one to the count of each listed member's number. */
type CountOneEach = (list: number, end: number, numbers: number, counts: number) => void;
/**
 * Adds one to the count of each number of each listed member: those at `offsets[member]` to `offsets[member + 1]`. Reads
 * up to `NUMBERS_SLACK` bytes more.
 */
type CountSeveral = (list: number, end: number, offsets: number, numbers: number, counts: number) => void;

/** All addresses and lengths are bytes; lists, offsets and counts are integers of 32 bits. Ends are excluded, and come after the beginning. */
export type TallyKernel = {
  /**
   * Lists the members of the bits at `bits` to `end`, ascending, the first bit being `member`; returns where the list ends.
   */
  readonly list: (bits: number, end: number, member: number, list: number) => number;
  /**
   * Reads what stands at `at` to `end`, so that it is near afterwards: what is read in a row memory has brought before it is
   * asked for. Gives something back, or nothing would be read.
   */
  readonly bring: (at: number, end: number) => number;
  /** The first of the counts that is above `least`, or `end`. */
  readonly nextAbove: (counts: number, end: number, least: number) => number;
} & { readonly [name in `countOneEach${Width}`]: CountOneEach } & {
  readonly [name in `countSeveral${Width}`]: CountSeveral;
};

/** So many are done before it is looked whether there are any: a branch for each would be guessed wrong. */
const AT_ONCE = 4;
export const NUMBERS_SLACK = 4 * AT_ONCE;

/** What memory brings at once. */
const LINE_BYTES = 64;

const steps = Array.from({ length: AT_ONCE }, (_, i) => i);
const bytesOf = (count: Code, width: Width): Code => (width === 1 ? count : shiftLeft(count, i32(width / 2)));
const advance = (local: number, bytes: number): Code => increase(local, bytes);
/** Where the entry of a table is that a number stands for. */
const entry = (table: number, index: Code, width: Width = 4): Code => add(get(table), bytesOf(index, width));
const loadOf = { 1: load8, 2: load16, 4: load32 };

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

const countOneEach = (width: Width): WasmFunction => {
  const [at, end, numbers, counts, counted] = [0, 1, 2, 3, 4];
  return {
    name: `countOneEach${width}`,
    parameters: [I32, I32, I32, I32],
    results: [],
    locals: [I32],
    body: [
      loop(
        count(counted, entry(counts, loadOf[width](entry(numbers, load32(get(at)), width))), i32(1)),
        advance(at, 4),
        againIf(less(get(at), get(end)), 0),
      ),
    ],
  };
};

/** The first numbers are counted whether or not they are the member's, those that are not as 0. */
const countSeveral = (width: Width): WasmFunction => {
  const [list, end, offsets, numbers, counts, at, stop, counted] = [0, 1, 2, 3, 4, 5, 6, 7];
  const numberAt = (i: number): Code => loadOf[width](get(at), i * width);
  return {
    name: `countSeveral${width}`,
    parameters: [I32, I32, I32, I32, I32],
    results: [],
    locals: [I32, I32, I32],
    body: [
      loop(
        set(counted, entry(offsets, load32(get(list)))),
        set(at, entry(numbers, load32(get(counted)), width)),
        set(stop, entry(numbers, load32(get(counted), 4), width)),
        ...steps.map((i) => count(counted, entry(counts, numberAt(i)), less(add(get(at), i32(i * width)), get(stop)))),
        advance(at, AT_ONCE * width),
        when(
          less(get(at), get(stop)),
          loop(
            count(counted, entry(counts, numberAt(0)), i32(1)),
            advance(at, width),
            againIf(less(get(at), get(stop)), 0),
          ),
        ),
        advance(list, 4),
        againIf(less(get(list), get(end)), 0),
      ),
    ],
  };
};

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

const bring = ((): WasmFunction => {
  const [at, end, sum] = [0, 1, 2];
  return {
    name: 'bring',
    parameters: [I32, I32],
    results: [I32],
    locals: [I32],
    body: [
      loop(set(sum, add(get(sum), load32(get(at)))), advance(at, LINE_BYTES), againIf(less(get(at), get(end)), 0)),
      get(sum),
    ],
  };
})();

export const createTallyKernel = createKernel<BitKernel & TallyKernel>([
  ...bitFunctions,
  list,
  nextAbove,
  bring,
  ...WIDTHS.flatMap((width) => [countOneEach(width), countSeveral(width)]),
]);
