/**
 * Phrases of frequent words in many records: the loop over their positions, in WebAssembly. It goes through the positions
 * of all words in one pass, without a call or a look-up for a record: some 30 ns for two words, where JavaScript takes
 * 150.
 */
import {
  add,
  againIf,
  and,
  type Code,
  countBits,
  createKernel,
  equal,
  get,
  I32,
  i32,
  increase,
  isZero,
  less,
  load32,
  loop,
  or,
  set,
  shiftLeft,
  shiftRight,
  store32,
  subtract,
  type WasmFunction,
  when,
  xor,
} from '../assembly.js';
import { FAR } from './posting-code.js';
import { takeByte, takeNumber, withoutLowest } from './wasm-code.js';

/** There is a mark for each of so many positions; those of longer records share them. */
export const MARKS = 1 << 14;

/** A word of the phrase: where its rows are, as bits; its positions; what is added to one to get the phrase's. */
export const WORD_NUMBERS = 4;
export const ROWS = 0;
export const POSITIONS = 1;
export const SHIFT = 2;
const LEFT = 3;
const WORD_BYTES = 4 * WORD_NUMBERS;

export interface PhraseKernel {
  /**
   * Takes the rows out of `among`, `length` words of bits, in which the words from address `first` to `end`, two at least,
   * never stand in one place of a phrase; all rows hold all of them. `marks` are `MARKS` numbers, none of which is `mark`
   * or one of those after it, as many as there are rows times words. Returns the phrases' places looked at, or-ed: rows
   * that should not may have been left in if that is `MARKS` or more.
   */
  keepWithPhrase(among: number, length: number, first: number, end: number, marks: number, mark: number): number;
}

const keepWithPhrase = ((): WasmFunction => {
  const [among, length, first, end, marks, mark] = [0, 1, 2, 3, 4, 5];
  const [amongEnd, wanted, rest, lowest, word, step, left, toPass] = [6, 7, 8, 9, 10, 11, 12, 13];
  const [at, byte, difference, more, shift, place, isAlive, seen, markAt] = [14, 15, 16, 17, 18, 19, 20, 21, 22];
  const load = (number: number): Code => load32(get(word), 4 * number);
  const store = (number: number, value: Code): Code => store32(get(word), value, 4 * number);
  const forEachWord = (...body: readonly Code[]): Code => [
    ...set(word, get(first)),
    ...loop(...body, increase(word, WORD_BYTES), againIf(less(get(word), get(end)), 0)),
  ];
  /** Reads a difference; the lowest bit of `byte` says whether it is its posting's last. */
  const takeDifference: Code = [
    ...takeByte(byte, at),
    ...set(difference, shiftRight(get(byte), i32(1))),
    ...when(equal(get(difference), i32(FAR)), takeNumber(difference, at, more, shift), increase(difference, FAR)),
  ];
  const pass = (rows: Code): Code => [
    ...set(toPass, countBits(rows)),
    ...when(
      get(toPass),
      loop(takeDifference, set(toPass, subtract(get(toPass), and(get(byte), i32(1)))), againIf(get(toPass), 0)),
    ),
  ];
  /** Goes through the places in which the word's positions put the phrase in the row `lowest`. */
  const forEachPlace = (...use: readonly Code[]): Code => [
    ...set(left, load(LEFT)),
    ...set(at, load(POSITIONS)),
    ...pass(and(get(left), subtract(get(lowest), i32(1)))),
    ...store(LEFT, and(get(left), xor(or(get(lowest), subtract(get(lowest), i32(1))), i32(-1)))),
    ...set(place, load(SHIFT)),
    ...loop(
      takeDifference,
      set(place, add(get(place), get(difference))),
      set(seen, or(get(seen), get(place))),
      set(markAt, add(get(marks), shiftLeft(and(get(place), i32(MARKS - 1)), i32(2)))),
      ...use,
      againIf(isZero(and(get(byte), i32(1))), 0),
    ),
    ...store(POSITIONS, get(at)),
    ...increase(word, WORD_BYTES),
  ];
  const sought: Code = equal(load32(get(markAt)), get(step));
  /** Each word marks the places that all words before it have marked. */
  const lookInto: Code = [
    ...set(word, get(first)),
    ...set(step, get(mark)),
    ...forEachPlace(store32(get(markAt), get(step))),
    ...loop(
      set(isAlive, i32(0)),
      forEachPlace(
        set(more, sought),
        store32(get(markAt), add(load32(get(markAt)), get(more))),
        set(isAlive, or(get(isAlive), get(more))),
      ),
      increase(step, 1),
      againIf(and(get(isAlive), less(get(word), get(end))), 0),
    ),
    ...set(mark, add(get(step), i32(1))),
  ];
  return {
    name: 'keepWithPhrase',
    parameters: Array(6).fill(I32),
    results: [I32],
    locals: Array(17).fill(I32),
    body: [
      set(amongEnd, add(get(among), shiftLeft(get(length), i32(2)))),
      loop(
        set(wanted, load32(get(among))),
        forEachWord(store(LEFT, load32(load(ROWS))), store(ROWS, add(load(ROWS), i32(4)))),
        set(rest, get(wanted)),
        when(
          get(rest),
          loop(
            set(lowest, and(get(rest), subtract(i32(0), get(rest)))),
            withoutLowest(rest),
            lookInto,
            when(isZero(get(isAlive)), set(wanted, xor(get(wanted), get(lowest)))),
            againIf(get(rest), 0),
          ),
        ),
        forEachWord(set(at, load(POSITIONS)), pass(load(LEFT)), store(POSITIONS, get(at))),
        store32(get(among), get(wanted)),
        increase(among, 4),
        againIf(less(get(among), get(amongEnd)), 0),
      ),
      get(seen),
    ],
  };
})();

export const createPhraseKernel = createKernel<PhraseKernel>([keepWithPhrase]);
