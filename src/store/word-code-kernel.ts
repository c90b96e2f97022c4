/**
 * Text ↔ codes of its words (`word-codes.ts`), sixteen bytes at a time: what is read or written too much is cut off or
 * overwritten by the next.
 */
import {
  add,
  again,
  againIf,
  and,
  and64,
  type Code,
  createKernel,
  differs64,
  equal,
  get,
  I32,
  I64,
  i32,
  i64,
  increase,
  isZero,
  isZero64,
  less,
  load8,
  load32,
  load64,
  loadV128,
  loop,
  more,
  multiply64,
  or,
  or64,
  otherwise,
  set,
  shiftLeft,
  shiftLeft64,
  shiftRight,
  shiftRight64,
  store8,
  store32,
  store64,
  storeV128,
  subtract,
  toI32,
  toI64,
  type WasmFunction,
  when,
  xor64,
} from '../assembly.js';

/** A word as it is kept: its bytes, zeros behind them, its length in the last byte. */
export const WORD_BYTES = 16;
export const MOST_LETTERS = WORD_BYTES - 1;
/** First bytes of codes of one byte are below `TWO`, of two bytes below `THREE`, of three below `LITERAL`. */
export const TWO = 0x80;
export const THREE = 0xf0;
/** The first byte before so many bytes as the second one tells, which stand for themselves. */
export const LITERAL = 0xff;
const MOST_LITERAL_BYTES = 0xff;
/** Words with a shorter code than those of three bytes have. */
export const SHORT_CODES = TWO + (THREE - TWO) * 0x100;

/** The first addresses: where decoding stopped, how many words are known, and what bytes are of words. */
export const POSITION = 0;
const KNOWN = 4;
export const IS_LETTER = 16;
/** By a word's length, what its bytes are cut off with. */
export const MASKS = IS_LETTER + 256;
export const TABLE = MASKS + WORD_BYTES * WORD_BYTES;

/**
 * By the first byte of a code, in a decoder's memory: the code whose other bytes are 0, by how much those are shifted down,
 * and how many bytes it has; none where it is no code.
 */
export const FIRSTS = 16;
export const FIRST_BYTES = 8;
export const FIRST_SHIFT = 4;
export const FIRST_LENGTH = 5;
export const FIRSTS_END = FIRSTS + 256 * FIRST_BYTES;

/** The table of words that are learnt, by their hash: the word, and how often it occurred; later its code and this one's length. */
export const SLOT_BYTES = 32;
export const COUNT = WORD_BYTES;
export const CODE = WORD_BYTES;
export const CODE_LENGTH = WORD_BYTES + 4;
const SLOT_BITS = 18;
export const SLOTS = 1 << SLOT_BITS;
const MOST_KNOWN = (SLOTS / 4) * 3;
const MULTIPLIER = BigInt.asIntN(64, 0x9e37_79b9_7f4a_7c15n);

/** What may be read behind a text and behind codes, and written behind both. */
export const SLACK_BYTES = MOST_LITERAL_BYTES + 1 + WORD_BYTES;

/** A text ends before `end`; up to `SLACK_BYTES` are read and written beyond what is meant. */
export interface LearnKernel {
  /** Counts the words of a text in the table; those that are new no further than it has room. */
  readonly learn: (at: number, end: number) => void;
  /** Writes the codes of a text, which are at most three times as long; returns where they end. */
  readonly encode: (at: number, end: number, to: number) => number;
}

export interface DecodeKernel {
  /**
   * Writes what the codes before `end` stand for, until `stop` is reached; returns where that ends, and leaves at `POSITION`
   * where the codes do that were read. The words stand at `words`, by code.
   */
  readonly decode: (at: number, end: number, to: number, stop: number, words: number) => number;
}

const SPACE = 0x20;
/** First bytes of the characters of Chinese, Japanese and Korean in UTF-8, and of what follows: each begins a word. */
const WIDE = 0xe3;
const isLetter = (byte: Code): Code => load8(byte, IS_LETTER);

/** The locals of what reads words; `at` and `end` are its first parameters. */
const [at, end, to, start, stop, slot, low, high, literal] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
const WORD_LOCALS = [I32, I32, I32, I64, I64];

/** Finds the word that begins at `at`, moves `at` behind it, and leaves in `slot` its place or the free one where it belongs. */
const readWord = ((): Code => {
  const next = (offset = 0): Code => load8(get(at), offset);
  const beginsWord = and(equal(next(), i32(SPACE)), isLetter(next(1)));
  const mask = (offset: number): Code => load64(shiftLeft(subtract(get(at), get(start)), i32(4)), MASKS + offset);
  const goOn = (condition: Code): Code =>
    loop(increase(at, 1), when(less(get(at), get(stop)), when(condition, again(2))));
  return [
    ...set(start, get(at)),
    ...set(stop, add(get(at), i32(MOST_LETTERS))),
    ...when(less(get(end), get(stop)), set(stop, get(end))),
    // A space before a word is part of it.
    ...increase(at, beginsWord),
    ...otherwise(
      isLetter(next()),
      [goOn(and(isLetter(next()), less(next(), i32(WIDE))))],
      [goOn(isZero(or(isLetter(next()), beginsWord)))],
    ),
    ...set(low, and64(load64(get(start)), mask(0))),
    ...set(
      high,
      or64(and64(load64(get(start), 8), mask(8)), shiftLeft64(toI64(subtract(get(at), get(start))), i64(56n))),
    ),
    ...set(
      slot,
      add(
        i32(TABLE),
        shiftLeft(
          toI32(
            shiftRight64(
              multiply64(xor64(get(low), multiply64(get(high), i64(MULTIPLIER))), i64(MULTIPLIER)),
              i64(BigInt(64 - SLOT_BITS)),
            ),
          ),
          i32(5),
        ),
      ),
    ),
    ...loop(
      when(
        or(differs64(load64(get(slot)), get(low)), differs64(load64(get(slot), 8), get(high))),
        when(
          isZero(isZero64(load64(get(slot), 8))),
          set(
            slot,
            add(i32(TABLE), and(add(subtract(get(slot), i32(TABLE)), i32(SLOT_BYTES)), i32(SLOTS * SLOT_BYTES - 1))),
          ),
          again(2),
        ),
      ),
    ),
  ];
})();

const learn: WasmFunction = {
  name: 'learn',
  parameters: [I32, I32],
  results: [],
  // The first stands where `encode` has a parameter.
  locals: [I32, ...WORD_LOCALS],
  body: [
    loop(
      when(
        less(get(at), get(end)),
        readWord,
        when(
          isZero64(load64(get(slot), 8)),
          when(less(i32(MOST_KNOWN - 1), load32(i32(KNOWN))), again(3)),
          store32(i32(KNOWN), add(load32(i32(KNOWN)), i32(1))),
          store64(get(slot), get(low)),
          store64(get(slot), get(high), 8),
        ),
        store32(get(slot), add(load32(get(slot), COUNT), i32(1)), COUNT),
        again(1),
      ),
    ),
  ],
};

const encode: WasmFunction = {
  name: 'encode',
  parameters: [I32, I32, I32],
  results: [I32],
  locals: [...WORD_LOCALS, I32],
  body: [
    loop(
      when(
        less(get(at), get(end)),
        readWord,
        when(
          load32(get(slot), CODE_LENGTH),
          store32(get(to), load32(get(slot), CODE)),
          increase(to, load32(get(slot), CODE_LENGTH)),
          set(literal, i32(0)),
          again(2),
        ),
        // Words that are not known and stand side by side are one literal, as long as its length fits a byte.
        set(stop, subtract(get(at), get(start))),
        when(
          or(isZero(get(literal)), more(add(load8(get(literal)), get(stop)), i32(MOST_LITERAL_BYTES))),
          store32(get(to), i32(LITERAL)),
          set(literal, add(get(to), i32(1))),
          increase(to, 2),
        ),
        storeV128(get(to), loadV128(get(start))),
        increase(to, get(stop)),
        store8(get(literal), add(load8(get(literal)), get(stop))),
        again(1),
      ),
    ),
    get(to),
  ],
};

/**
 * Which code begins with a byte is looked up, not branched for: how long codes are can't be foreseen. The bytes behind the
 * first, as many as a long code has, come down to those that are the code's by a shift.
 */
const decode = ((): WasmFunction => {
  const [at, end, to, stop, words, first, word, length] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const byte = (offset: number): Code => load8(get(at), offset);
  const behind = shiftRight(or(shiftLeft(byte(1), i32(8)), byte(2)), load8(get(first), FIRST_SHIFT));
  return {
    name: 'decode',
    parameters: [I32, I32, I32, I32, I32],
    results: [I32],
    locals: [I32, I32, I32],
    body: [
      loop(
        when(
          and(less(get(at), get(end)), less(get(to), get(stop))),
          set(first, add(i32(FIRSTS), shiftLeft(byte(0), i32(3)))),
          set(length, load8(get(first), FIRST_LENGTH)),
          when(
            get(length),
            set(word, add(get(words), shiftLeft(add(load32(get(first)), behind), i32(4)))),
            storeV128(get(to), loadV128(get(word))),
            increase(to, load8(get(word), MOST_LETTERS)),
            increase(at, get(length)),
            again(2),
          ),
          set(length, byte(1)),
          increase(at, 2),
          set(word, add(get(to), get(length))),
          loop(
            storeV128(get(to), loadV128(get(at))),
            increase(to, WORD_BYTES),
            increase(at, WORD_BYTES),
            againIf(less(get(to), get(word)), 0),
          ),
          set(at, subtract(get(at), subtract(get(to), get(word)))),
          set(to, get(word)),
          again(1),
        ),
      ),
      store32(i32(POSITION), get(at)),
      get(to),
    ],
  };
})();

export const createLearnKernel = createKernel<LearnKernel>([learn, encode]);
export const createDecodeKernel = createKernel<DecodeKernel>([decode]);
