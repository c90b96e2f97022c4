/**
 * What the layout's kernel does with words by bucket: those of a shared bucket are counted and sorted by term, and each
 * term's words put together as rows, frequencies and positions.
 */
import {
  add,
  again,
  and,
  and64,
  type Code,
  choose,
  differs,
  get,
  I32,
  I64,
  i32,
  i64,
  increase,
  isZero,
  less,
  load8,
  load32,
  load64,
  loop,
  more,
  or,
  otherwise,
  set,
  shiftLeft,
  shiftLeft64,
  shiftRight,
  shiftRight64,
  store8,
  store32,
  subtract,
  subtract64,
  toI32,
  toI64,
  type WasmFunction,
  when,
} from '../assembly.js';
import { GAP_BITS, NEXT_PIECE, PIECE_END, PIECE_WORDS, POSITION_BITS, SIZE_BITS, SKIP, TERM_BITS } from './buckets.js';
import {
  BASE,
  COUNT,
  indexOf,
  inTable,
  keep,
  known,
  type LayoutPlaces,
  MOST_FREQUENCY,
  MOST_OF_TERM,
  PLACE,
  POSITION_BYTES,
  WEIGHTS,
  WORD_BYTES,
} from './layout-places.js';
import { FAR } from './posting-code.js';
import { bytesOfSize } from './wasm-code.js';

/** A record that there is not. */
const NO_RECORD = -1;

interface CodeLocals {
  readonly piece: number;
  readonly at: number;
  readonly end: number;
  readonly size: number;
  readonly code: number;
}

/** Does something with each number of a bucket, from a piece on, of which the bits for its size are taken away. */
const eachCode = (locals: CodeLocals, use: readonly Code[]): Code => {
  const { piece, at, end } = locals;
  return loop(
    when(
      get(piece),
      set(at, add(get(piece), i32(PIECE_WORDS))),
      set(end, load32(get(piece), PIECE_END)),
      eachCodeOfPiece(locals, use),
      set(piece, load32(get(piece), NEXT_PIECE)),
      again(1),
    ),
  );
};

const eachCodeOfPiece = ({ at, end, size, code }: CodeLocals, use: readonly Code[]): Code =>
  loop(
    when(
      less(get(at), get(end)),
      set(code, load64(get(at))),
      set(size, and(toI32(get(code)), i32((1 << SIZE_BITS) - 1))),
      set(size, bytesOfSize(size)),
      increase(at, get(size)),
      set(
        code,
        shiftRight64(
          and64(get(code), subtract64(shiftLeft64(i64(1n), toI64(shiftLeft(get(size), i32(3)))), i64(1n))),
          i64(BigInt(SIZE_BITS)),
        ),
      ),
      ...use,
      again(1),
    ),
  );

/** So many bits of a number, behind so many others. */
const bitsOf = ({ code }: CodeLocals, behind: number, count: number): Code =>
  and(toI32(shiftRight64(get(code), i64(BigInt(behind)))), i32((1 << count) - 1));
const termOf = (locals: CodeLocals): Code => bitsOf(locals, 0, TERM_BITS);
const gapOf = (locals: CodeLocals, behind: number): Code => bitsOf(locals, behind, GAP_BITS);
const positionOf = ({ code }: CodeLocals, behind: number): Code =>
  toI32(shiftRight64(get(code), i64(BigInt(behind + GAP_BITS))));

export function count({ counts, fieldBits }: LayoutPlaces): WasmFunction {
  const [piece, at, end, term, size, code] = [1, 2, 3, 4, 5, 6];
  const locals = { piece, at, end, size, code };
  return {
    name: 'count',
    parameters: [I32, I32],
    results: [],
    locals: [I32, I32, I32, I32, I64],
    body: [
      eachCode(locals, [
        set(term, inTable(termOf(locals))),
        store32(
          get(term),
          add(load32(get(term), counts), differs(gapOf(locals, TERM_BITS + fieldBits), i32(SKIP))),
          counts,
        ),
      ]),
    ],
  };
}

export function place({ next, fieldBits }: LayoutPlaces): WasmFunction {
  const [piece, first, terms, record, at, end, size] = [1, 2, 3, 4, 5, 6, 7];
  const [term, field, gap, position, to, code] = [8, 9, 10, 11, 12, 13];
  const locals = { piece, at, end, size, code };
  return {
    name: 'place',
    parameters: [I32, I32, I32, I32, I32],
    results: [],
    locals: [I32, I32, I32, I32, I32, I32, I32, I32, I64],
    body: [
      eachCode(locals, [
        set(term, subtract(termOf(locals), get(first))),
        set(field, bitsOf(locals, TERM_BITS, fieldBits)),
        set(gap, gapOf(locals, TERM_BITS + fieldBits)),
        set(position, positionOf(locals, TERM_BITS + fieldBits)),
        otherwise(
          differs(get(gap), i32(SKIP)),
          [
            increase(record, get(gap)),
            when(
              less(get(term), get(terms)),
              set(term, inTable(get(term))),
              set(to, load32(get(term), next)),
              store32(get(to), get(record)),
              store32(get(to), or(get(position), shiftLeft(get(field), i32(POSITION_BITS))), PLACE),
              store32(get(term), add(get(to), i32(WORD_BYTES)), next),
            ),
          ],
          [increase(record, get(position))],
        ),
      ]),
    ],
  };
}

/** Of the term that is being read, of the posting that is, and of the word. */
interface TermLocals {
  readonly posting: number;
  readonly mostFrequency: number;
  readonly mostWords: number;
  readonly record: number;
  readonly before: number;
  readonly frequency: number;
  readonly words: number;
  readonly position: number;
  readonly difference: number;
  readonly isFar: number;
  /** Where the next position goes, and what ends count from. */
  readonly out: number;
  readonly origin: number;
}

/**
 * Writes a number, seven bits a byte (see `posting-code.ts`), of which nothing is left. A call, however rare, would have all
 * locals of the loop around it kept in memory.
 */
export const writeNumber = (out: number, number: number): Code => [
  ...loop(
    when(
      more(get(number), i32(127)),
      store8(get(out), or(get(number), i32(128))),
      increase(out, 1),
      set(number, shiftRight(get(number), i32(7))),
      again(1),
    ),
  ),
  ...store8(get(out), get(number)),
  ...increase(out, 1),
];

/** Writes how far a position is from the one before; `isLast` of a posting. See `posting-code.ts`; one byte or two can't be foreseen. */
const writePosition = ({ out, difference, isFar }: TermLocals, isLast: Code): Code =>
  otherwise(
    less(get(difference), i32(FAR + 128)),
    [
      set(isFar, more(get(difference), i32(FAR - 1))),
      store8(get(out), or(shiftLeft(choose(get(isFar), i32(FAR), get(difference)), i32(1)), isLast)),
      store8(get(out), subtract(get(difference), i32(FAR)), 1),
      increase(out, add(get(isFar), i32(1))),
    ],
    [
      store8(get(out), or(i32(FAR << 1), isLast)),
      increase(out, 1),
      increase(difference, -FAR),
      writeNumber(out, difference),
    ],
  );

const raiseLocal = (local: number, value: number): Code =>
  set(local, choose(less(get(local), get(value)), get(value), get(local)));

/** Adds a word to the posting that is being read. */
const addWord = (locals: TermLocals, weight: Code, isLast: Code): Code => [
  ...set(locals.difference, subtract(get(locals.position), get(locals.before))),
  ...writePosition(locals, isLast),
  ...set(locals.before, get(locals.position)),
  ...increase(locals.frequency, weight),
  ...increase(locals.words, 1),
];

/** Adds the posting that was read to the term, and begins another. */
const addPosting = (
  { postingRows, frequencies, ends }: LayoutPlaces,
  { posting, mostFrequency, mostWords, record, before, frequency, words, out, origin }: TermLocals,
): Code => [
  ...store32(get(posting), get(record), postingRows),
  ...store32(get(posting), get(frequency), frequencies),
  ...store32(get(posting), subtract(get(out), get(origin)), ends),
  ...increase(posting, 4),
  ...raiseLocal(mostFrequency, frequency),
  ...raiseLocal(mostWords, words),
  ...set(before, i32(0)),
  ...set(frequency, i32(0)),
  ...set(words, i32(0)),
];

/** Keeps what was read of the term. */
const keepTerm = ({ posting, mostFrequency, mostWords }: TermLocals): Code => [
  ...keep(COUNT, indexOf(posting)),
  ...keep(MOST_FREQUENCY, get(mostFrequency)),
  ...keep(MOST_OF_TERM, get(mostWords)),
];

/** Puts the postings of a term together whose words stand from `from` to `to`. */
export function read(places: LayoutPlaces): WasmFunction {
  const [from, to, next, place, isLast] = [1, 2, 3, 4, 5];
  const locals: TermLocals = {
    posting: 6,
    mostFrequency: 7,
    mostWords: 8,
    record: 9,
    before: 10,
    frequency: 11,
    words: 12,
    position: 13,
    difference: 14,
    isFar: 15,
    out: 16,
    origin: 17,
  };
  const { posting, record, position, out, origin } = locals;
  const weight = load32(inTable(shiftRight(get(place), i32(POSITION_BITS))), WEIGHTS);
  return {
    parameters: [I32, I32, I32],
    results: [],
    locals: Array(15).fill(I32),
    body: [
      set(origin, add(get(BASE), i32(places.positions))),
      set(out, add(get(origin), known(POSITION_BYTES))),
      set(posting, get(BASE)),
      set(record, load32(get(from))),
      loop(
        loop(
          set(place, load32(get(from), PLACE)),
          set(position, and(get(place), i32((1 << POSITION_BITS) - 1))),
          increase(from, WORD_BYTES),
          set(next, choose(less(get(from), get(to)), load32(get(from)), i32(NO_RECORD))),
          set(isLast, differs(get(next), get(record))),
          addWord(locals, weight, get(isLast)),
          when(isZero(get(isLast)), again(1)),
        ),
        addPosting(places, locals),
        set(record, get(next)),
        when(less(get(from), get(to)), again(1)),
      ),
      keepTerm(locals),
    ],
  };
}

export function readOne(places: LayoutPlaces): WasmFunction {
  const [piece, record, at, end, size, gap, last, code] = [1, 2, 3, 4, 5, 6, 7, 19];
  const pieceLocals = { piece, at, end, size, code };
  const locals: TermLocals = {
    posting: 8,
    mostFrequency: 9,
    mostWords: 10,
    record,
    before: 11,
    frequency: 12,
    words: 13,
    position: 14,
    difference: 15,
    isFar: 16,
    out: 17,
    origin: 18,
  };
  const { posting, mostFrequency, mostWords, words, position, out, origin } = locals;
  const { fieldBits, positions, ends } = places;
  const weight = load32(inTable(bitsOf(pieceLocals, 0, fieldBits)), WEIGHTS);
  /** The posting of the words that were read, if there are any; its last position is marked only now. */
  const endPosting = when(get(words), store8(get(last), or(load8(get(last)), i32(1))), addPosting(places, locals));
  return {
    name: 'readOne',
    parameters: [I32, I32, I32],
    results: [],
    locals: [...Array(16).fill(I32), I64],
    body: [
      set(posting, inTable(known(COUNT))),
      set(out, known(POSITION_BYTES)),
      when(known(COUNT), set(out, load32(get(posting), ends - 4))),
      set(origin, add(get(BASE), i32(positions))),
      increase(out, get(origin)),
      set(mostFrequency, known(MOST_FREQUENCY)),
      set(mostWords, known(MOST_OF_TERM)),
      eachCode(pieceLocals, [
        set(gap, gapOf(pieceLocals, fieldBits)),
        set(position, positionOf(pieceLocals, fieldBits)),
        when(get(gap), endPosting),
        otherwise(
          differs(get(gap), i32(SKIP)),
          [increase(record, get(gap)), set(last, get(out)), addWord(locals, weight, i32(0))],
          [increase(record, get(position))],
        ),
      ]),
      endPosting,
      keepTerm(locals),
    ],
  };
}
