/**
 * The loop that most words of most texts go through first when an index is built: units to keys. What is looked up for a
 * key is waited for by the loop in `word-table-kernel.ts`, where nothing that can't be foreseen, as the lengths of words,
 * keeps the processor from waiting for many at once. In WebAssembly, which has numbers of 64 bits and checks no bounds,
 * the two take a third of the time that JavaScript takes.
 *
 * Text is read unit by unit, or, of a batch of records, where they stand: many bytes at once, see `word-window.ts`, or one
 * by one.
 *
 * Words of up to 24 letters a to z are read here, where a separator follows that ties nothing to them; before
 * anything else the loop over units stops, and JavaScript reads on; the loop over bytes keeps what is tied together as a
 * cluster, to be looked up by its spelling. A word's key is its letters, five bits each, twelve to a number of
 * 64 bits: hardly a word has more, and where most keys are one number a word is found in less than half the time.
 */
import {
  add,
  addPairs,
  again,
  and,
  and64,
  andV128,
  asBytes,
  atLeast,
  bytesOf,
  type Code,
  choose,
  differs,
  equal,
  get,
  giveBack,
  I32,
  I64,
  i32,
  i64,
  increase,
  isZero,
  lane64,
  less,
  lessBytes,
  lessSignedBytes,
  load8,
  load16,
  loadV128,
  loop,
  more,
  multiply,
  numbersOfBytes,
  or64,
  orV128,
  pairOf,
  sameBytes,
  set,
  shiftLeft64,
  shiftLeftEight,
  shiftRight64,
  shiftRightEight,
  signsOfBytes,
  store32,
  store64,
  subtract,
  subtractBytes,
  toI64,
  trailingZeros,
  V128,
  type WasmFunction,
  when,
  xor,
} from '../assembly.js';
import { BEFORE_A } from './stem-kernel.js';
import {
  AT,
  CLASSES,
  ENDS,
  ENDS_BEFORE_SEPARATOR,
  GOES_ON_BIT,
  KEY_BYTES,
  KEYS_END,
  LETTER_BITS,
  LETTER_COUNT,
  MOST_LETTERS,
  PART_LETTERS,
  SECOND,
  UNIT_BYTES,
} from './word-places.js';

export const FULL_STOP = 46;

export interface ReadKernel {
  /** Reads words from `at` to `end` and writes their keys to `keys`; returns 1 where it stops before something else. */
  read(at: number, end: number, keys: number): number;
}

/** The locals that a word is read with. */
interface WordLocals extends PackLocals {
  readonly at: number;
  readonly kind: number;
  readonly start: number;
}

/** How text is read: a unit, sixteen as bytes, a unit's class, and whether an escape of a separator stands at an address. Behind the text as many may be read that mean nothing. */
interface Units {
  readonly bytes: number;
  readonly load: (address: Code, offset?: number) => Code;
  readonly loadMany: (address: Code) => Code;
  readonly classOf: (unit: Code) => Code;
  readonly isEscape: (address: Code) => Code;
}

const CASE = 0x20;
export const MANY = 16;

/** Numbers that sixteen letters are put together with: V8 makes those that stand in a loop anew each time that they are needed. */
export interface LetterConstants {
  readonly case: Code;
  readonly beforeA: Code;
  readonly numbers: Code;
  readonly pair: Code;
}
export const letterConstants: LetterConstants = {
  case: bytesOf(CASE),
  beforeA: bytesOf(BEFORE_A),
  numbers: numbersOfBytes,
  pair: pairOf(1 << (2 * LETTER_BITS), 1),
};

/** Sets `letters` to those of sixteen bytes: 1 to 26 where they are letters. */
export const setLetters = (letters: number, bytes: Code, constants: LetterConstants): Code =>
  set(letters, subtractBytes(orV128(bytes, constants.case), constants.beforeA));

/** The locals that letters are put together in: of 32 bits, twice 64, and 128. */
export interface PackLocals {
  readonly length: number;
  readonly first: number;
  readonly second: number;
  readonly letters: number;
}

/**
 * Sets the key to the first `length` of sixteen letters: each letter's bits are put beside its neighbour's, those of both
 * beside those of the next two, and so on.
 */
export function packLetters({ length, first, second, letters }: PackLocals, { numbers, pair }: LetterConstants): Code {
  const twos = orV128(
    shiftRightEight(shiftLeftEight(get(letters), i32(8)), i32(8 - LETTER_BITS)),
    shiftRightEight(get(letters), i32(8)),
  );
  const bits = (count: number): Code => i64(BigInt(count * LETTER_BITS));
  const eight = (lane: 0 | 1): Code =>
    or64(
      shiftLeft64(and64(lane64(get(letters), lane), i64(0xffff_ffffn)), bits(4)),
      shiftRight64(lane64(get(letters), lane), i64(32n)),
    );
  const missing = (of: number): Code => toI64(multiply(subtract(i32(of), get(length)), i32(LETTER_BITS)));
  const inSecond = MANY - PART_LETTERS;
  return [
    ...set(letters, andV128(get(letters), lessSignedBytes(numbers, sameBytes(get(length))))),
    ...set(letters, addPairs(twos, pair)),
    ...set(second, eight(1)),
    ...set(first, or64(shiftLeft64(eight(0), bits(inSecond)), shiftRight64(get(second), bits(inSecond)))),
    ...set(
      first,
      shiftRight64(get(first), choose(less(get(length), i32(PART_LETTERS)), missing(PART_LETTERS), i64(0n))),
    ),
    // Of up to twelve letters none is here, so that of fewer than four, whose shift is taken modulo 64, it stays 0.
    ...set(second, shiftRight64(and64(get(second), i64((1n << BigInt(inSecond * LETTER_BITS)) - 1n)), missing(MANY))),
  ];
}

/** Sets `length` to how many of the sixteen units at `at` are letters of ASCII, up to the first that is none, and the key to these. */
function readMany(locals: WordLocals, { loadMany }: Units): Code {
  const { at, length, letters } = locals;
  const isLetter = lessBytes(subtractBytes(get(letters), bytesOf(1)), bytesOf(LETTER_COUNT));
  return [
    ...setLetters(letters, loadMany(get(at)), letterConstants),
    ...set(length, trailingZeros(xor(signsOfBytes(isLetter), i32(-1)))),
    ...packLetters(locals, letterConstants),
  ];
}

export function wordReader(locals: WordLocals, units: Units) {
  const { at, kind, start, length, first, second } = locals;
  const isLetter = less(subtract(get(kind), i32(1)), i32(LETTER_COUNT));
  const classify = set(kind, units.classOf(units.load(get(at))));
  const advance = [...increase(at, units.bytes), ...classify];
  /** Adds letters to a part of the key while there are some and the word is shorter than `most`. */
  const goOn = (part: number, most: number): Code =>
    loop(
      when(
        and(isLetter, less(get(length), i32(most))),
        set(part, or64(shiftLeft64(get(part), i64(BigInt(LETTER_BITS))), toI64(get(kind)))),
        increase(length, 1),
        advance,
        again(1),
      ),
    );
  return {
    classify,
    advance,
    /** Reads the word at `at`; leaves, within so many conditions, where it is not for this loop. */
    word: (leave: (depth: number) => Code): Code => [
      ...set(start, get(at)),
      ...when(isZero(isLetter), leave(1)),
      ...when(equal(units.load(subtract(get(at), i32(units.bytes))), i32(FULL_STOP)), leave(1)),
      ...readMany(locals, units),
      ...increase(at, multiply(get(length), i32(units.bytes))),
      ...classify,
      // Letters beyond ASCII, and those of long words.
      ...when(isLetter, goOn(first, PART_LETTERS), goOn(second, MOST_LETTERS)),
      // A letter that is one too many ends nothing either.
      ...when(
        differs(get(kind), i32(ENDS)),
        when(
          isZero(units.isEscape(get(at))),
          when(differs(get(kind), i32(ENDS_BEFORE_SEPARATOR)), leave(3)),
          when(less(units.classOf(units.load(get(at), units.bytes)), i32(ENDS)), leave(3)),
        ),
      ),
    ],
  };
}

/** What words' lengths are can't be foreseen: the second number is written in any case. */
export const storeKey = (keys: number, { first, second, length }: PackLocals): Code => {
  const goesOn = more(get(length), i32(PART_LETTERS));
  return [
    ...store64(get(keys), or64(get(first), shiftLeft64(toI64(goesOn), i64(BigInt(GOES_ON_BIT))))),
    ...store64(get(keys), get(second), SECOND),
    ...increase(keys, add(i32(KEY_BYTES), multiply(goesOn, i32(KEY_BYTES)))),
  ];
};

export const read = ((): WasmFunction => {
  const [at, end, keys, start, kind, length, first, second, letters] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const locals = { at, kind, start, length, first, second, letters };
  const { classify, advance, word } = wordReader(locals, {
    bytes: UNIT_BYTES,
    load: load16,
    loadMany: (address) => asBytes(loadV128(address), loadV128(address, MANY)),
    classOf: (unit) => load8(unit, CLASSES),
    isEscape: () => i32(0),
  });
  const leave = (stops: number): Code => [
    ...store32(i32(AT), get(at)),
    ...store32(i32(KEYS_END), get(keys)),
    ...giveBack(i32(stops)),
  ];
  return {
    name: 'read',
    parameters: [I32, I32, I32],
    results: [I32],
    locals: [I32, I32, I32, I64, I64, V128],
    body: [
      loop(
        classify,
        loop(when(atLeast(get(at), get(end)), leave(0)), when(atLeast(get(kind), i32(ENDS)), advance, again(1))),
        word(() => [...set(at, get(start)), ...leave(1)]),
        storeKey(keys, locals),
        again(0),
      ),
      i32(0),
    ],
  };
})();
