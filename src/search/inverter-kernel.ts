/**
 * The loop that turns records' terms into words by bucket, in WebAssembly: 7 ns a word, where JavaScript takes 15. What is
 * known of the record that is being read stands in the kernel's memory, so that a record may come in several pieces.
 */
import {
  add,
  again,
  and,
  atLeast,
  type Code,
  createKernel,
  differs,
  equal,
  get,
  giveBack,
  I32,
  I64,
  i32,
  i64,
  increase,
  less,
  load32,
  loop,
  more,
  more64,
  multiply,
  or,
  or64,
  otherwise,
  set,
  shiftLeft,
  shiftLeft64,
  shiftRight,
  store32,
  store64,
  subtract,
  toI64,
  type WasmFunction,
  when,
} from '../assembly.js';
import {
  COARSE_BITS,
  COARSE_SHIFT,
  CODE_BYTES,
  FINE_BITS,
  FINE_TERMS,
  GAP_BITS,
  LONGEST_BYTES,
  MAX_FIELDS,
  PIECE_BITS,
  PIECE_BYTES,
  SIZE_BITS,
  SKIP,
} from './buckets.js';
import { BESIDE, FIELD, RECORD } from './term-stream.js';
import { bytesOfSize } from './wasm-code.js';

/** More than any distance at which words count as standing together. */
export const BREAK = 8;

/** Where an empty field begins, until its record ends. */
const NOWHERE = -1;

/** Addresses: of the record being read its number, below 0 before the first; the next word's position, its field, the weight that it counts with; */
export const RECORD_NUMBER = 0;
const POSITION = 4;
const CURRENT_FIELD = 8;
const WEIGHT = 12;
/** how long the record is so far, and where its fields begin. */
const LENGTH = 16;
const FIELD_STARTS = 32;
/** How many records have ended since they were taken, where the loop stopped, and the greatest of all fields' starts; */
export const RECORDS = 20;
export const AT = 24;
export const LAST_START = 28;
/** each field's weight. Everything else has its place behind these. */
export const WEIGHTS = FIELD_STARTS + 4 * MAX_FIELDS;
export const FREE = WEIGHTS + 4 * MAX_FIELDS;

/** What is known of a bucket: how many bytes its piece has, and the record of its last word. */
export const STATE_BYTES = 8;
const LAST = 4;

export interface InverterKernel {
  /**
   * Reads entries of a stream from `at` to `end`. Stops behind a word that left too little room in its bucket's piece, and
   * returns the bucket; -1 at the end. The length of each record that has ended, and its fields' starts, are written to two
   * tables, from entry `RECORDS` on.
   */
  invert(
    at: number,
    end: number,
    states: number,
    pieces: number,
    lengths: number,
    starts: number,
    fields: number,
    fieldBits: number,
  ): number;
}

const [at, end, states, pieces, lengths, starts, fields, fieldBits] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const [record, position, field, weight, length] = [8, 9, 10, 11, 12] as const;
const [entry, coarse, bits, bucket, state, gap, used, next, some] = [13, 14, 15, 16, 17, 18, 19, 20, 21] as const;
const [low, value] = [22, 23] as const;

/** Marks are negative: without a sign they are the greatest numbers. */
const FIRST_MARK = -(2 ** 31);

const inTable = (table: number, index: Code): Code => add(get(table), shiftLeft(index, i32(2)));
const ofSome = shiftLeft(get(some), i32(2));

const leave = (result: Code): Code => [
  ...store32(i32(RECORD_NUMBER), get(record)),
  ...store32(i32(POSITION), get(position)),
  ...store32(i32(CURRENT_FIELD), get(field)),
  ...store32(i32(WEIGHT), get(weight)),
  ...store32(i32(LENGTH), get(length)),
  ...store32(i32(AT), get(at)),
  ...giveBack(result),
];

/** Which of the sizes a number takes: how many of them are too small. */
const sizeOf = (number: number): Code => {
  const isMore = (bytes: number): Code => more64(get(number), i64((1n << BigInt(8 * bytes - SIZE_BITS)) - 1n));
  return add(add(isMore(1), isMore(2)), isMore(3));
};

/** Writes a number to the bucket's piece. */
const write = (gap: Code, position: Code): Code => [
  ...set(
    value,
    or64(
      get(low),
      shiftLeft64(
        or64(shiftLeft64(toI64(position), i64(BigInt(GAP_BITS))), toI64(gap)),
        toI64(add(get(bits), get(fieldBits))),
      ),
    ),
  ),
  ...set(some, sizeOf(value)),
  ...store64(
    add(add(get(pieces), shiftLeft(get(bucket), i32(PIECE_BITS))), get(used)),
    or64(shiftLeft64(get(value), i64(BigInt(SIZE_BITS))), toI64(get(some))),
  ),
  ...increase(used, bytesOfSize(some)),
];

/** Which kind of term comes next can't be foreseen: of that all is reckoned without a branch. */
const addWord: Code = [
  ...set(coarse, shiftRight(subtract(i32(FINE_TERMS - 1), get(entry)), i32(31))),
  ...set(bits, add(i32(FINE_BITS), multiply(get(coarse), i32(COARSE_BITS - FINE_BITS)))),
  ...set(bucket, add(shiftRight(get(entry), get(bits)), multiply(get(coarse), i32(COARSE_SHIFT)))),
  ...set(state, add(get(states), multiply(get(bucket), i32(STATE_BYTES)))),
  ...set(used, load32(get(state))),
  ...set(gap, subtract(get(record), load32(get(state), LAST))),
  ...set(
    low,
    toI64(or(and(get(entry), subtract(shiftLeft(i32(1), get(bits)), i32(1))), shiftLeft(get(field), get(bits)))),
  ),
  ...when(atLeast(get(gap), i32(SKIP)), write(i32(SKIP), get(gap)), set(gap, i32(0))),
  ...write(get(gap), get(position)),
  ...store32(get(state), get(used)),
  ...store32(get(state), get(record), LAST),
  ...increase(position, 1),
  ...increase(length, get(weight)),
  ...when(more(get(used), i32(PIECE_BYTES - LONGEST_BYTES - CODE_BYTES)), leave(get(bucket))),
];

/** A field that is empty begins where the next one does, or behind all words. */
const endRecord: Code = when(
  differs(get(record), i32(-1)),
  set(entry, load32(i32(RECORDS))),
  store32(inTable(lengths, get(entry)), get(length)),
  set(next, get(position)),
  set(some, get(fields)),
  loop(
    increase(some, -1),
    when(differs(load32(ofSome, FIELD_STARTS), i32(NOWHERE)), set(next, load32(ofSome, FIELD_STARTS))),
    store32(inTable(starts, add(multiply(get(entry), get(fields)), get(some))), get(next)),
    when(less(load32(i32(LAST_START)), get(next)), store32(i32(LAST_START), get(next))),
    when(get(some), again(1)),
  ),
  store32(i32(RECORDS), add(get(entry), i32(1))),
);

const beginRecord: Code = [
  ...increase(record, 1),
  ...set(position, i32(0)),
  ...set(length, i32(0)),
  ...set(some, i32(0)),
  ...loop(store32(ofSome, i32(NOWHERE), FIELD_STARTS), increase(some, 1), when(less(get(some), get(fields)), again(1))),
];

const beginField: Code = [
  ...set(field, subtract(i32(FIELD), get(entry))),
  ...set(some, get(field)),
  ...set(weight, load32(ofSome, WEIGHTS)),
  ...store32(ofSome, get(position), FIELD_STARTS),
];

const readMark: Code = otherwise(
  differs(get(entry), i32(RECORD)),
  [
    increase(position, BREAK),
    // Marks of fields are the lowest numbers.
    otherwise(more(get(entry), i32(FIELD)), [when(equal(get(entry), i32(BESIDE)), set(weight, i32(0)))], [beginField]),
  ],
  [endRecord, beginRecord],
);

const invert: WasmFunction = {
  name: 'invert',
  parameters: [I32, I32, I32, I32, I32, I32, I32, I32],
  results: [I32],
  locals: [...Array(14).fill(I32), I64, I64],
  body: [
    set(record, load32(i32(RECORD_NUMBER))),
    set(position, load32(i32(POSITION))),
    set(field, load32(i32(CURRENT_FIELD))),
    set(weight, load32(i32(WEIGHT))),
    set(length, load32(i32(LENGTH))),
    loop(
      when(
        less(get(at), get(end)),
        set(entry, load32(get(at))),
        increase(at, 4),
        otherwise(less(get(entry), i32(FIRST_MARK)), [addWord], [readMark]),
        again(1),
      ),
    ),
    leave(i32(-1)),
    i32(-1),
  ],
};

export const createInverterKernel = createKernel<InverterKernel>([invert]);
