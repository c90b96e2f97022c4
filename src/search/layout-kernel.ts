/**
 * The loops that make postings of a bucket's words, in WebAssembly: words are sorted by term, each term's words are put
 * together as rows, frequencies and positions, and these are written as `layout.ts` tells. Together 22 ns a word, where
 * JavaScript takes 55.
 */
import {
  add,
  addF64,
  again,
  and,
  and64,
  type Code,
  call,
  choose,
  createSharedKernel,
  differs,
  divideF64,
  F64,
  f64,
  get,
  giveBack,
  I32,
  I64,
  i32,
  i64,
  increase,
  isZero,
  less,
  less64,
  lesserF64,
  load8,
  load16,
  load32,
  load64,
  loadF64,
  loop,
  more,
  moreF64,
  multiply,
  multiplyF64,
  or,
  otherwise,
  roundUpF64,
  set,
  shiftLeft,
  shiftLeft64,
  shiftRight,
  shiftRight64,
  store8,
  store16,
  store32,
  storeF32,
  subtract,
  subtract64,
  toF64,
  toI32,
  toI64,
  type WasmFunction,
  when,
  wholeOfF64,
} from '../assembly.js';
import type { SharedWasmMemory } from '../wasm.js';
import {
  GAP_BITS,
  MAX_FIELDS,
  NEXT_PIECE,
  PIECE_END,
  PIECE_WORDS,
  POSITION_BITS,
  SIZE_BITS,
  SKIP,
  TERM_BITS,
} from './buckets.js';
import { FAR, FAR_GAP, FREQUENCY_BITS, MUCH } from './posting-code.js';
import { SATURATION_STEPS } from './tables.js';
import { bytesOfSize } from './wasm-code.js';

/** A range has at least so many bytes of positions in the mean, and less than twice as many. */
export const RANGE_BYTES = 32;
/** Bounds are raised by so much, which is more than rounding can take from them. */
const ABOVE = 1 + 1e-6;

/** From the memory's base on: of the term that was read its postings, the greatest frequency, and the most positions of one; */
export const COUNT = 0;
export const MOST_FREQUENCY = 4;
const MOST_OF_TERM = 8;
/** of the block the ranges, the most postings of one, the most positions of a posting, and the bytes of postings and positions. */
export const RANGES = 12;
export const MOST_IN_RANGE = 16;
export const MOST_POSITIONS = 20;
export const POSTING_BYTES = 24;
export const POSITION_BYTES = 28;
/** Each field's weight. */
export const WEIGHTS = 32;
export const FREE = WEIGHTS + 4 * MAX_FIELDS;

/** A word of a bucket that was sorted: its record, and its place there, which is the position and in the highest bits the field. */
export const WORD_BYTES = 8;
const PLACE = 4;

/**
 * What the kernel is made for, and where from its base on what stands; everything but bytes is 4 bytes each, unless said
 * otherwise. Threads that lay out the same have kernels of the same bytes, which are compiled only once.
 */
export interface LayoutPlaces {
  readonly rows: number;
  /** How many bits of a word are its field. */
  readonly fieldBits: number;
  /** By row, `lengthBytes` each, and the norm by length, 8 bytes each. */
  readonly lengths: number;
  readonly lengthBytes: number;
  readonly norms: number;

  /** By term of the bucket: how many words. */
  readonly counts: number;
  /** By term of the block: where the next word goes; where they begin, and one more. */
  readonly next: number;
  readonly termStarts: number;
  /** The words, sorted by term. */
  readonly words: number;
  /** Of a term's postings: row (or record, until they have the order of rows), frequency, where the positions end. */
  readonly postingRows: number;
  readonly frequencies: number;
  readonly ends: number;

  /** The block: see `PostingTables`. */
  readonly documentFrequencies: number;
  readonly mostSaturation: number;
  readonly rangeBits: number;
  readonly firstRanges: number;
  readonly postingStarts: number;
  readonly positionStarts: number;
  readonly rangeMost: number;
  readonly postings: number;
  readonly positions: number;
}

export interface LayoutKernel {
  /** Adds how many of the words of a shared bucket, from a piece on, each term has to `counts`. */
  count(base: number, piece: number): void;
  /**
   * Puts those of these words where `next` says whose terms are the bucket's from `first` on, `terms` of them; their records
   * are counted from `record` on.
   */
  place(base: number, piece: number, first: number, terms: number, record: number): void;
  /**
   * Adds the words of a frequent term, from a piece on, to the postings of the one that is being read; their records are
   * counted from `record` on.
   */
  readOne(base: number, piece: number, record: number): void;
  /** Lays out the block's terms from `term` to `terms`. Stops once one is read that has more than `most` postings, and returns it. */
  layOut(base: number, term: number, terms: number, most: number): number;
  /** Adds the term that was read to the block; its postings are left out if it is dense. */
  add(base: number, term: number, isDense: number): void;
}

/** A record that there is not. */
const NO_RECORD = -1;

/** The first parameter of all that read and lay out. */
const BASE = 0;
const known = (place: number): Code => load32(get(BASE), place);
const keep = (place: number, value: Code): Code => store32(get(BASE), value, place);
const raise = (place: number, value: Code): Code => when(less(known(place), value), keep(place, value));
/** Where a table's entry of 4 bytes stands, from that table's place on. */
const inTable = (index: Code): Code => add(get(BASE), shiftLeft(index, i32(2)));
/** The same of the address. */
const indexOf = (address: number): Code => shiftRight(subtract(get(address), get(BASE)), i32(2));

const WRITE_NUMBER = 0;
const READ = 1;
const ADD = 2;

/** Seven bits a byte: see `posting-code.ts`. */
const writeNumber = ((): WasmFunction => {
  const [at, number] = [0, 1];
  return {
    parameters: [I32, I32],
    results: [I32],
    locals: [],
    body: [
      loop(
        when(
          more(get(number), i32(127)),
          store8(get(at), or(get(number), i32(128))),
          increase(at, 1),
          set(number, shiftRight(get(number), i32(7))),
          again(1),
        ),
      ),
      store8(get(at), get(number)),
      add(get(at), i32(1)),
    ],
  };
})();

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

function count({ counts, fieldBits }: LayoutPlaces): WasmFunction {
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

function place({ next, fieldBits }: LayoutPlaces): WasmFunction {
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

interface PositionLocals {
  readonly out: number;
  readonly difference: number;
  readonly isFar: number;
}

/** Writes how far a position is from the one before; `isLast` of a posting. See `posting-code.ts`; one byte or two can't be foreseen. */
const writePosition = ({ out, difference, isFar }: PositionLocals, isLast: Code): Code =>
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
      set(out, call(WRITE_NUMBER, add(get(out), i32(1)), subtract(get(difference), i32(FAR)))),
    ],
  );

const raiseLocal = (local: number, value: number): Code =>
  set(local, choose(less(get(local), get(value)), get(value), get(local)));

/** Puts the postings of a term together whose words stand from `from` to `to`. */
function read({ positions, postingRows, frequencies, ends }: LayoutPlaces): WasmFunction {
  const [from, to, record, next, place, position, before, frequency, words] = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const [origin, out, isLast, difference, isFar, posting, mostFrequency, mostWords] = [10, 11, 12, 13, 14, 15, 16, 17];
  const weight = load32(inTable(shiftRight(get(place), i32(POSITION_BITS))), WEIGHTS);
  return {
    parameters: [I32, I32, I32],
    results: [],
    locals: Array(15).fill(I32),
    body: [
      set(origin, add(get(BASE), i32(positions))),
      set(out, add(get(origin), known(POSITION_BYTES))),
      set(posting, get(BASE)),
      set(record, load32(get(from))),
      loop(
        set(before, i32(0)),
        set(frequency, i32(0)),
        set(words, i32(0)),
        loop(
          set(place, load32(get(from), PLACE)),
          set(position, and(get(place), i32((1 << POSITION_BITS) - 1))),
          increase(from, WORD_BYTES),
          set(next, choose(less(get(from), get(to)), load32(get(from)), i32(NO_RECORD))),
          set(isLast, differs(get(next), get(record))),
          set(difference, subtract(get(position), get(before))),
          writePosition({ out, difference, isFar }, get(isLast)),
          set(before, get(position)),
          increase(frequency, weight),
          increase(words, 1),
          when(isZero(get(isLast)), again(1)),
        ),
        store32(get(posting), get(record), postingRows),
        store32(get(posting), get(frequency), frequencies),
        store32(get(posting), subtract(get(out), get(origin)), ends),
        increase(posting, 4),
        raiseLocal(mostFrequency, frequency),
        raiseLocal(mostWords, words),
        set(record, get(next)),
        when(less(get(from), get(to)), again(1)),
      ),
      keep(COUNT, indexOf(posting)),
      keep(MOST_FREQUENCY, get(mostFrequency)),
      keep(MOST_OF_TERM, get(mostWords)),
    ],
  };
}

function readOne({ fieldBits, positions, postingRows, frequencies, ends }: LayoutPlaces): WasmFunction {
  const [piece, record, at, end, size, gap, position, before, frequency, words] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const [origin, out, last, difference, isFar, posting, mostFrequency, mostWords, code] = [
    11, 12, 13, 14, 15, 16, 17, 18, 19,
  ];
  const locals = { piece, at, end, size, code };
  const weight = load32(inTable(bitsOf(locals, 0, fieldBits)), WEIGHTS);
  /** The posting of the words that were read, if there are any; its last position is marked only now. */
  const endPosting = when(
    get(words),
    store8(get(last), or(load8(get(last)), i32(1))),
    store32(get(posting), get(record), postingRows),
    store32(get(posting), get(frequency), frequencies),
    store32(get(posting), subtract(get(out), get(origin)), ends),
    increase(posting, 4),
    raiseLocal(mostFrequency, frequency),
    raiseLocal(mostWords, words),
    set(before, i32(0)),
    set(frequency, i32(0)),
    set(words, i32(0)),
  );
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
      eachCode(locals, [
        set(gap, gapOf(locals, fieldBits)),
        set(position, positionOf(locals, fieldBits)),
        when(get(gap), endPosting),
        otherwise(
          differs(get(gap), i32(SKIP)),
          [
            increase(record, get(gap)),
            set(last, get(out)),
            set(difference, subtract(get(position), get(before))),
            writePosition({ out, difference, isFar }, i32(0)),
            set(before, get(position)),
            increase(frequency, weight),
            increase(words, 1),
          ],
          [increase(record, get(position))],
        ),
      ]),
      endPosting,
      keep(COUNT, indexOf(posting)),
      keep(MOST_FREQUENCY, get(mostFrequency)),
      keep(MOST_OF_TERM, get(mostWords)),
    ],
  };
}

const loadNarrow = (bytes: number) => (bytes === 1 ? load8 : bytes === 2 ? load16 : load32);

function addTerm(places: LayoutPlaces): WasmFunction {
  const { rows, lengths, lengthBytes, norms, postingRows, frequencies, ends, postings } = places;
  const [term, isDense, end, bits, first, nextFirst, posting, firstPosting] = [1, 2, 3, 4, 5, 6, 7, 8];
  const [row, after, frequency, number, isLong, out, start, range] = [9, 10, 11, 12, 13, 14, 15, 16];
  const [most, norm, saturation, mostSaturation] = [17, 18, 19, 20];
  const bytes = subtract(load32(get(end), ends - 4), known(POSITION_BYTES));
  const lengthOf = loadNarrow(lengthBytes)(add(get(BASE), multiply(get(row), i32(lengthBytes))), lengths);
  /** From the block's postings on. */
  const written = subtract(get(out), add(get(BASE), i32(postings)));
  const writePosting = otherwise(
    and(less(get(frequency), i32(MUCH)), less(get(number), i32(FAR_GAP))),
    [
      set(number, or(shiftLeft(get(number), i32(FREQUENCY_BITS)), subtract(get(frequency), i32(1)))),
      set(isLong, more(get(number), i32(127))),
      store16(
        get(out),
        or(
          or(and(get(number), i32(127)), shiftLeft(get(isLong), i32(7))),
          shiftLeft(shiftRight(get(number), i32(7)), i32(8)),
        ),
      ),
      increase(out, add(get(isLong), i32(1))),
    ],
    [
      set(number, shiftLeft(get(number), i32(FREQUENCY_BITS))),
      otherwise(
        less(get(frequency), i32(MUCH)),
        [set(out, call(WRITE_NUMBER, get(out), or(get(number), subtract(get(frequency), i32(1)))))],
        [
          set(out, call(WRITE_NUMBER, get(out), or(get(number), i32(MUCH - 1)))),
          set(out, call(WRITE_NUMBER, get(out), subtract(get(frequency), i32(MUCH)))),
        ],
      ),
    ],
  );
  const bound = lesserF64(
    roundUpF64(multiplyF64(multiplyF64(get(saturation), f64(ABOVE)), f64(SATURATION_STEPS))),
    f64(SATURATION_STEPS),
  );
  const addRange: Code = [
    ...set(nextFirst, add(get(first), shiftLeft(i32(1), get(bits)))),
    ...store32(inTable(get(range)), written, places.postingStarts),
    ...store32(inTable(get(range)), get(start), places.positionStarts),
    // The greatest f / norm, with which f / (f + norm) grows.
    ...set(most, f64(0)),
    ...set(firstPosting, get(posting)),
    ...set(after, get(first)),
    ...loop(
      when(
        less(get(posting), get(end)),
        set(row, load32(get(posting), postingRows)),
        when(
          less(get(row), get(nextFirst)),
          set(frequency, load32(get(posting), frequencies)),
          set(norm, loadF64(add(get(BASE), shiftLeft(lengthOf, i32(3))), norms)),
          when(
            moreF64(toF64(get(frequency)), multiplyF64(get(most), get(norm))),
            set(most, divideF64(toF64(get(frequency)), get(norm))),
          ),
          set(number, subtract(get(row), get(after))),
          when(isZero(get(isDense)), writePosting),
          set(after, add(get(row), i32(1))),
          set(start, load32(get(posting), ends)),
          increase(posting, 4),
          again(2),
        ),
      ),
    ),
    ...set(saturation, divideF64(get(most), addF64(get(most), f64(1)))),
    ...store8(add(get(BASE), get(range)), wholeOfF64(bound), places.rangeMost),
    ...increase(range, 1),
    ...set(number, shiftRight(subtract(get(posting), get(firstPosting)), i32(2))),
    ...raise(MOST_IN_RANGE, get(number)),
    ...when(moreF64(get(saturation), get(mostSaturation)), set(mostSaturation, get(saturation))),
    ...set(first, get(nextFirst)),
  ];
  return {
    name: 'add',
    parameters: [I32, I32, I32],
    results: [],
    locals: [...Array(14).fill(I32), F64, F64, F64, F64],
    body: [
      set(range, known(RANGES)),
      store32(inTable(get(term)), known(COUNT), places.documentFrequencies),
      store32(inTable(get(term)), get(range), places.firstRanges),
      when(
        known(COUNT),
        set(posting, get(BASE)),
        set(end, inTable(known(COUNT))),
        loop(
          when(
            and(
              less(shiftLeft(i32(1), get(bits)), i32(rows)),
              less64(shiftLeft64(toI64(bytes), toI64(get(bits))), i64(BigInt(RANGE_BYTES * rows))),
            ),
            increase(bits, 1),
            again(1),
          ),
        ),
        set(out, add(add(get(BASE), known(POSTING_BYTES)), i32(postings))),
        set(start, known(POSITION_BYTES)),
        loop(addRange, when(less(get(first), i32(rows)), again(1))),
        keep(RANGES, get(range)),
        keep(POSTING_BYTES, written),
        keep(POSITION_BYTES, get(start)),
        raise(MOST_POSITIONS, known(MOST_OF_TERM)),
      ),
      store8(add(get(BASE), get(term)), get(bits), places.rangeBits),
      storeF32(inTable(get(term)), multiplyF64(get(mostSaturation), f64(ABOVE)), places.mostSaturation),
    ],
  };
}

function layOut({ termStarts }: LayoutPlaces): WasmFunction {
  const [term, terms, most, from, to] = [1, 2, 3, 4, 5];
  return {
    name: 'layOut',
    parameters: [I32, I32, I32, I32],
    results: [I32],
    locals: [I32, I32],
    body: [
      loop(
        when(
          less(get(term), get(terms)),
          set(from, load32(inTable(get(term)), termStarts)),
          set(to, load32(inTable(get(term)), termStarts + 4)),
          keep(COUNT, i32(0)),
          when(less(get(from), get(to)), call(READ, get(BASE), get(from), get(to))),
          when(more(known(COUNT), get(most)), giveBack(get(term))),
          call(ADD, get(BASE), get(term), i32(0)),
          increase(term, 1),
          again(1),
        ),
      ),
      get(terms),
    ],
  };
}

export const createLayoutKernel = (places: LayoutPlaces, memory: SharedWasmMemory): LayoutKernel =>
  createSharedKernel<LayoutKernel>([
    writeNumber,
    read(places),
    addTerm(places),
    layOut(places),
    count(places),
    place(places),
    readOne(places),
  ])(memory);
