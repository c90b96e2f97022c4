/**
 * The loops that make postings of a bucket's words, in WebAssembly: words are sorted by term, each term's words are put
 * together as rows, frequencies and positions, and these are written as `layout.ts` tells. Together 20 ns a word, where
 * JavaScript takes 55.
 */
import {
  add,
  addF64,
  again,
  and,
  bothF64,
  type Code,
  call,
  createSharedKernel,
  differs,
  divideF64,
  F64,
  f64,
  get,
  giveBack,
  I32,
  i32,
  i64,
  increase,
  isZero,
  laneF64,
  less,
  less64,
  lesserF64,
  load8,
  load16,
  load32,
  loadF64,
  loop,
  more,
  moreF64,
  multiply,
  multiplyF64,
  or,
  otherwise,
  plainGreaterTwoF64,
  roundUpF64,
  set,
  shiftLeft,
  shiftLeft64,
  shiftRight,
  store8,
  store16,
  store32,
  storeF32,
  subtract,
  toF64,
  toI64,
  V128,
  type WasmFunction,
  when,
  wholeOfF64,
} from '../assembly.js';
import type { SharedWasmMemory } from '../wasm.js';
import {
  ADD,
  BASE,
  COUNT,
  inTable,
  keep,
  known,
  type LayoutPlaces,
  MOST_IN_RANGE,
  MOST_OF_TERM,
  MOST_POSITIONS,
  POSITION_BYTES,
  POSTING_BYTES,
  RANGE_BYTES,
  RANGES,
  READ,
  raise,
} from './layout-places.js';
import { count, place, read, readOne, writeNumber } from './layout-words.js';
import { FAR_GAP, FREQUENCY_BITS, MUCH } from './posting-code.js';
import { SATURATION_STEPS } from './tables.js';

/** Bounds are raised by so much, which is more than rounding can take from them. */
const ABOVE = 1 + 1e-6;

/** Places count from `base`. */
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

const loadNarrow = (bytes: number) => (bytes === 1 ? load8 : bytes === 2 ? load16 : load32);

function addTerm(places: LayoutPlaces): WasmFunction {
  const { rows, lengths, lengthBytes, inverseNorms, postingRows, frequencies, ends, postings } = places;
  const [term, isDense, end, bits, first, nextFirst, posting, firstPosting] = [1, 2, 3, 4, 5, 6, 7, 8];
  const [row, after, frequency, number, isLong, out, start, range] = [9, 10, 11, 12, 13, 14, 15, 16];
  const [ratio, saturation, mostSaturation, most] = [17, 18, 19, 20];
  const bytes = subtract(load32(get(end), ends - 4), known(POSITION_BYTES));
  const lengthOf = loadNarrow(lengthBytes)(add(get(BASE), multiply(get(row), i32(lengthBytes))), lengths);
  /** From the block's postings on. */
  const written = subtract(get(out), add(get(BASE), i32(postings)));
  const isShort = isZero(
    or(shiftRight(get(number), i32(Math.log2(FAR_GAP))), shiftRight(get(frequency), i32(FREQUENCY_BITS))),
  );
  const writeShort: Code = [
    ...set(number, or(shiftLeft(get(number), i32(FREQUENCY_BITS)), subtract(get(frequency), i32(1)))),
    ...set(isLong, more(get(number), i32(127))),
    ...store16(
      get(out),
      or(
        or(and(get(number), i32(127)), shiftLeft(get(isLong), i32(7))),
        shiftLeft(shiftRight(get(number), i32(7)), i32(8)),
      ),
    ),
    ...increase(out, add(get(isLong), i32(1))),
  ];
  const writeLong: Code = [
    ...set(number, shiftLeft(get(number), i32(FREQUENCY_BITS))),
    ...otherwise(
      less(get(frequency), i32(MUCH)),
      [set(number, or(get(number), subtract(get(frequency), i32(1)))), writeNumber(out, number)],
      [
        set(number, or(get(number), i32(MUCH - 1))),
        writeNumber(out, number),
        set(number, subtract(get(frequency), i32(MUCH))),
        writeNumber(out, number),
      ],
    ),
  ];
  const bound = lesserF64(
    roundUpF64(multiplyF64(multiplyF64(get(saturation), f64(ABOVE)), f64(SATURATION_STEPS))),
    f64(SATURATION_STEPS),
  );
  const addRange: Code = [
    ...set(nextFirst, add(get(first), shiftLeft(i32(1), get(bits)))),
    ...store32(inTable(get(range)), written, places.postingStarts),
    ...store32(inTable(get(range)), get(start), places.positionStarts),
    // The greatest f / norm, with which f / (f + norm) grows. Which is greater can't be foreseen.
    ...set(most, bothF64(f64(0))),
    ...set(firstPosting, get(posting)),
    ...set(after, get(first)),
    ...loop(
      when(
        less(get(posting), get(end)),
        set(row, load32(get(posting), postingRows)),
        when(
          less(get(row), get(nextFirst)),
          set(frequency, load32(get(posting), frequencies)),
          set(
            most,
            plainGreaterTwoF64(
              get(most),
              bothF64(
                multiplyF64(toF64(get(frequency)), loadF64(add(get(BASE), shiftLeft(lengthOf, i32(3))), inverseNorms)),
              ),
            ),
          ),
          set(number, subtract(get(row), get(after))),
          when(isZero(get(isDense)), otherwise(isShort, [writeShort], [writeLong])),
          set(after, add(get(row), i32(1))),
          increase(posting, 4),
          again(2),
        ),
      ),
    ),
    ...when(differs(get(posting), get(firstPosting)), set(start, load32(get(posting), ends - 4))),
    ...set(ratio, laneF64(get(most), 0)),
    ...set(saturation, divideF64(get(ratio), addF64(get(ratio), f64(1)))),
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
    locals: [...Array(14).fill(I32), F64, F64, F64, V128],
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
    read(places),
    addTerm(places),
    layOut(places),
    count(places),
    place(places),
    readOne(places),
  ])(memory);
