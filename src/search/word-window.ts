/**
 * Words of 64 bytes at once, for the kernel that reads texts byte by byte: letters and what separates words are told apart
 * as bits, so that where a word begins need not wait for the length of the one before (Langdale & Lemire 2019, section 3.1).
 * Only words of ASCII letters are read here that a space follows, or a full stop or comma and a space; before anything else
 * it ends.
 */
import {
  add,
  add64,
  addBytes,
  again,
  againIf,
  and,
  and64,
  block,
  bytesOf,
  type Code,
  differs,
  equal64,
  equalBytes,
  get,
  i32,
  i64,
  increase,
  isZero64,
  lessSignedBytes,
  loadV128,
  loop,
  more,
  or64,
  orV128,
  set,
  shiftLeft64,
  shiftRight64,
  signsOfBytes,
  storeV128,
  subtract,
  subtract64,
  toI32,
  toI64,
  trailingZeros64,
  xor64,
} from '../assembly.js';
import { BEFORE_A } from './stem-kernel.js';
import { FULL_STOP, letterConstants, MANY, type PackLocals, packLetters, setLetters, storeKey } from './word-kernel.js';
import { LETTER_COUNT } from './word-places.js';

const LEAST_SIGNED = 0x80;
/** What a comma lacks of a full stop. */
const LACKS = 0x02;
const WINDOW_BYTES = 64;

/** The constants, each as `use` makes it of what it is and of its number. */
function constantsBy(use: (constant: Code, i: number) => Code) {
  let count = 0;
  const made = (constant: Code): Code => use(constant, count++);
  return {
    case: made(letterConstants.case),
    beforeA: made(letterConstants.beforeA),
    numbers: made(letterConstants.numbers),
    pair: made(letterConstants.pair),
    /** Moves letters to the least numbers with a sign, and what they are less than then. */
    toLeast: made(bytesOf(LEAST_SIGNED - BEFORE_A - 1)),
    limit: made(bytesOf(LEAST_SIGNED + LETTER_COUNT)),
    lacks: made(bytesOf(LACKS)),
    fullStop: made(bytesOf(FULL_STOP)),
  };
}
export const WINDOW_CONSTANTS = Object.keys(constantsBy((constant) => constant)).length;

/** Loads the constants into locals, from `first` on, by way of sixteen bytes at an address: see `LetterConstants`. */
export const loadConstants = (first: number, scratch: Code): Code =>
  Object.values(constantsBy((constant, i) => [storeV128(scratch, constant), set(first + i, loadV128(scratch))]));

/** The locals of a window: of 64 bits all but the first two, and the word's length. */
interface WindowLocals extends PackLocals {
  readonly at: number;
  /** Where in the window the last word ends that was read. */
  readonly last: number;
  readonly isLetter: number;
  readonly isSpace: number;
  readonly isStop: number;
  /** What can be read here. */
  readonly isOurs: number;
  /** Where words begin, and where they end. */
  readonly begins: number;
  readonly ends: number;
}

/**
 * Reads words from `at` on, behind a word or what separates words, and writes their keys; leaves `at` behind the last one. A
 * text ends with a byte that is of none of them; behind it as many may be read as a window has. `constants` is where
 * `loadConstants` put them.
 */
export function readWindows(locals: WindowLocals, keys: number, constants: number): Code {
  const { at, length, last, isLetter, isSpace, isStop, isOurs, begins, ends, letters } = locals;
  const loaded = constantsBy((_, i) => get(constants + i));
  const { case: space, toLeast, limit, lacks, fullStop } = loaded;
  const addBits = (bits: number, i: number, bytes: Code): Code =>
    set(
      bits,
      i === 0
        ? toI64(signsOfBytes(bytes))
        : or64(get(bits), shiftLeft64(toI64(signsOfBytes(bytes)), i64(BigInt(i * MANY)))),
    );
  const classify = Array.from(
    { length: WINDOW_BYTES / MANY },
    (_, i): Code => [
      set(letters, loadV128(get(at), i * MANY)),
      addBits(isSpace, i, equalBytes(get(letters), space)),
      addBits(isStop, i, equalBytes(orV128(get(letters), lacks), fullStop)),
      addBits(isLetter, i, lessSignedBytes(addBytes(orV128(get(letters), loaded.case), toLeast), limit)),
    ],
  );
  const dropLowest = (bits: number): Code => set(bits, and64(get(bits), subtract64(get(bits), i64(1n))));
  const behindLetter = shiftLeft64(get(isLetter), i64(1n));
  const not = (bits: Code): Code => xor64(bits, i64(-1n));
  return loop(
    classify,
    set(isOurs, or64(or64(get(isLetter), get(isSpace)), and64(get(isStop), shiftRight64(get(isSpace), i64(1n))))),
    set(begins, and64(get(isLetter), not(behindLetter))),
    // Up to the first byte that is not ours: the bits that are set below the lowest that is not.
    set(ends, and64(and64(behindLetter, not(get(isLetter))), and64(get(isOurs), not(add64(get(isOurs), i64(1n)))))),
    set(last, i32(0)),
    block(
      loop(
        againIf(isZero64(get(ends)), 1),
        set(length, toI32(trailingZeros64(get(begins)))),
        setLetters(letters, loadV128(add(get(at), get(length))), loaded),
        set(length, subtract(toI32(trailingZeros64(get(ends))), get(length))),
        againIf(more(get(length), i32(MANY)), 1),
        set(last, toI32(trailingZeros64(get(ends)))),
        dropLowest(begins),
        dropLowest(ends),
        packLetters(locals, loaded),
        storeKey(keys, locals),
        again(0),
      ),
    ),
    increase(at, get(last)),
    // All was read that ended here, and nothing else was met.
    againIf(and(and(equal64(get(isOurs), i64(-1n)), isZero64(get(ends))), differs(get(last), i32(0))), 0),
  );
}
