/**
 * The loop that turns records' terms into words by bucket, in WebAssembly: 7 ns a word, where JavaScript takes 15. What is
 * known of the record that is being read stands in the kernel's memory, so that a record may come in several pieces.
 */
import {
  add,
  add64,
  again,
  and,
  atLeast,
  type Code,
  choose,
  createSharedKernel,
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
  load64,
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
  FREQUENT_TERMS,
  GAP_BITS,
  LEAST_WORD_BYTES,
  MAX_FIELDS,
  NEXT_PIECE,
  PIECE_BYTES,
  PIECE_END,
  PIECE_MARGIN,
  PIECE_WORDS,
  SHARED_SHIFT,
  SIZE_BITS,
  SKIP,
  TERM_BITS,
} from './buckets.js';
import { BESIDE, FIELD, RECORD } from './term-stream.js';
import { bytesOfSize } from './wasm-code.js';

/** More than any distance at which words count as standing together. */
export const BREAK = 8;

/** Where an empty field begins, until its record ends. */
const NOWHERE = -1;

/** From the base on: of the record being read its number, below 0 before the first; the next word's position, its field, the weight that it counts with; */
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
/** each field's weight; where the next piece has room, and where there is no more; */
export const WEIGHTS = FIELD_STARTS + 4 * MAX_FIELDS;
export const ROOM = WEIGHTS + 4 * MAX_FIELDS;
export const ROOM_END = ROOM + 4;
/** of all records' lengths the greatest, the least, and their sum, 8 bytes. Everything else has its place behind these. */
export const LONGEST = ROOM_END + 4;
export const SHORTEST = LONGEST + 4;
export const TOTAL = (SHORTEST + 4 + 7) & -8;
export const FREE = TOTAL + 8;

/** What is known of a bucket: where its next word goes, the record of the last one, its first piece, and how many there are behind that. */
export const STATE_BYTES = 16;
export const STATE_AT = 0;
const STATE_RECORD = 4;
const STATE_FIRST = 8;
const STATE_MORE = 12;

export interface InverterKernel {
  /** Gives each of the buckets whose states stand from `state` to `statesEnd` a piece, from `piece` on. */
  beginPieces(state: number, statesEnd: number, piece: number): void;
  /**
   * Ends the last piece of each of these, and writes the first one, 0 if there are no words, and how many bytes all of
   * them take, to two tables of 4 bytes each. What was never written to is not touched.
   */
  endPieces(state: number, statesEnd: number, first: number, bytes: number): void;
  /**
   * Reads entries of a stream from `at` to `end`. Stops behind a word that left too little room in the piece of a shared
   * bucket, and returns that; -1 at the end, or where there is no room for one more piece. `AT` tells where. The length of
   * each record that has ended, and its fields' starts, are written to two tables, from entry `RECORDS` on.
   */
  invert(
    base: number,
    at: number,
    end: number,
    states: number,
    lengths: number,
    starts: number,
    fields: number,
    fieldBits: number,
  ): number;
}

const [base, at, end, states, lengths, starts, fields, fieldBits] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const [record, position, field, weight, length] = [8, 9, 10, 11, 12] as const;
const [entry, isShared, bits, bucket, state, gap, to, next] = [13, 14, 15, 16, 17, 18, 19, 20] as const;
const [some, room, roomEnd, low, value] = [21, 22, 23, 24, 25] as const;

/** Marks are negative: without a sign they are the greatest numbers. */
const FIRST_MARK = -(2 ** 31);

const inTable = (table: number, index: Code): Code => add(get(table), shiftLeft(index, i32(2)));
const ofSome = add(get(base), shiftLeft(get(some), i32(2)));

/** What is kept from call to call, and where. */
const kept = [
  [record, RECORD_NUMBER],
  [position, POSITION],
  [field, CURRENT_FIELD],
  [weight, WEIGHT],
  [length, LENGTH],
  [room, ROOM],
] as const;

const leave = (result: Code): readonly Code[] => [
  ...kept.map(([local, place]) => store32(get(base), get(local), place)),
  store32(get(base), get(at), AT),
  giveBack(result),
];

/** Which of the sizes a number takes: how many of them are too small. */
const sizeOf = (number: number): Code => {
  const isMore = (bytes: number): Code => more64(get(number), i64((1n << BigInt(8 * bytes - SIZE_BITS)) - 1n));
  return add(add(isMore(LEAST_WORD_BYTES), isMore(LEAST_WORD_BYTES + 1)), isMore(LEAST_WORD_BYTES + 2));
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
  ...store64(get(to), or64(shiftLeft64(get(value), i64(BigInt(SIZE_BITS))), toI64(get(some)))),
  ...increase(to, bytesOfSize(some)),
];

/** Ends the piece of a bucket that is not shared, and begins the next one. */
const beginPiece: readonly Code[] = [
  set(some, and(get(to), i32(-PIECE_BYTES))),
  store32(get(some), get(to), PIECE_END),
  store32(get(some), get(room), NEXT_PIECE),
  store32(get(state), add(get(room), i32(PIECE_WORDS)), STATE_AT),
  store32(get(state), add(load32(get(state), STATE_MORE), i32(1)), STATE_MORE),
  increase(room, PIECE_BYTES),
];

/** Which kind of term comes next can't be foreseen: of that all is reckoned without a branch. */
const addWord: Code = [
  ...set(isShared, shiftRight(subtract(i32(FREQUENT_TERMS - 1), get(entry)), i32(31))),
  ...set(bits, multiply(get(isShared), i32(TERM_BITS))),
  ...set(bucket, add(shiftRight(get(entry), get(bits)), multiply(get(isShared), i32(SHARED_SHIFT)))),
  ...set(state, add(get(states), multiply(get(bucket), i32(STATE_BYTES)))),
  ...set(to, load32(get(state), STATE_AT)),
  ...set(gap, subtract(get(record), load32(get(state), STATE_RECORD))),
  ...set(
    low,
    toI64(or(and(get(entry), subtract(shiftLeft(i32(1), get(bits)), i32(1))), shiftLeft(get(field), get(bits)))),
  ),
  ...when(atLeast(get(gap), i32(SKIP)), write(i32(SKIP), get(gap)), set(gap, i32(0))),
  ...write(get(gap), get(position)),
  ...store32(get(state), get(to), STATE_AT),
  ...store32(get(state), get(record), STATE_RECORD),
  ...increase(position, 1),
  ...increase(length, get(weight)),
  ...when(
    more(and(get(to), i32(PIECE_BYTES - 1)), i32(PIECE_BYTES - PIECE_MARGIN)),
    otherwise(get(isShared), leave(get(bucket)), beginPiece),
  ),
];

/** A field that is empty begins where the next one does, or behind all words. */
const endRecord: Code = when(
  differs(get(record), i32(-1)),
  set(entry, load32(get(base), RECORDS)),
  store32(inTable(lengths, get(entry)), get(length)),
  when(less(load32(get(base), LONGEST), get(length)), store32(get(base), get(length), LONGEST)),
  when(less(get(length), load32(get(base), SHORTEST)), store32(get(base), get(length), SHORTEST)),
  store64(get(base), add64(load64(get(base), TOTAL), toI64(get(length))), TOTAL),
  set(next, get(position)),
  set(some, get(fields)),
  loop(
    increase(some, -1),
    when(differs(load32(ofSome, FIELD_STARTS), i32(NOWHERE)), set(next, load32(ofSome, FIELD_STARTS))),
    store32(inTable(starts, add(multiply(get(entry), get(fields)), get(some))), get(next)),
    when(less(load32(get(base), LAST_START), get(next)), store32(get(base), get(next), LAST_START)),
    when(get(some), again(1)),
  ),
  store32(get(base), add(get(entry), i32(1)), RECORDS),
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
  locals: [...Array(16).fill(I32), I64, I64],
  body: [
    ...kept.map(([local, place]) => set(local, load32(get(base), place))),
    set(roomEnd, load32(get(base), ROOM_END)),
    loop(
      when(
        // No word takes more than one.
        and(less(get(at), get(end)), less(get(room), get(roomEnd))),
        set(entry, load32(get(at))),
        increase(at, 4),
        otherwise(less(get(entry), i32(FIRST_MARK)), [addWord], [readMark]),
        again(1),
      ),
    ),
    ...leave(i32(-1)),
    i32(-1),
  ],
};

const beginPieces = ((): WasmFunction => {
  const [state, statesEnd, piece] = [0, 1, 2];
  return {
    name: 'beginPieces',
    parameters: [I32, I32, I32],
    results: [],
    locals: [],
    body: [
      loop(
        when(
          less(get(state), get(statesEnd)),
          store32(get(state), add(get(piece), i32(PIECE_WORDS)), STATE_AT),
          store32(get(state), get(piece), STATE_FIRST),
          increase(state, STATE_BYTES),
          increase(piece, PIECE_BYTES),
          again(1),
        ),
      ),
    ],
  };
})();

const endPieces = ((): WasmFunction => {
  const [state, statesEnd, first, bytes, to, used, isUsed, more] = [0, 1, 2, 3, 4, 5, 6, 7];
  return {
    name: 'endPieces',
    parameters: [I32, I32, I32, I32],
    results: [],
    locals: [I32, I32, I32, I32],
    body: [
      loop(
        when(
          less(get(state), get(statesEnd)),
          set(to, load32(get(state), STATE_AT)),
          set(used, and(get(to), i32(PIECE_BYTES - 1))),
          set(isUsed, differs(get(used), i32(PIECE_WORDS))),
          set(more, load32(get(state), STATE_MORE)),
          when(get(isUsed), store32(subtract(get(to), get(used)), get(to), PIECE_END)),
          set(isUsed, or(get(isUsed), get(more))),
          store32(get(first), choose(get(isUsed), load32(get(state), STATE_FIRST), i32(0))),
          store32(get(bytes), choose(get(isUsed), multiply(add(get(more), i32(1)), i32(PIECE_BYTES)), i32(0))),
          increase(state, STATE_BYTES),
          increase(first, 4),
          increase(bytes, 4),
          again(1),
        ),
      ),
    ],
  };
})();

export const createInverterKernel = createSharedKernel<InverterKernel>([invert, beginPieces, endPieces]);
