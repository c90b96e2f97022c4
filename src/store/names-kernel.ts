/**
 * Names of ASCII characters to their codes, many at a time, in WebAssembly: in 0.4 of the time that JavaScript takes for a
 * million names. It reads and fills the tables of `names-builder.ts`, and stops before a text that it can't be sure of.
 */
import {
  add,
  again,
  and,
  andV128,
  bytesOf,
  type Code,
  createKernel,
  differs,
  equal,
  equalBytes,
  get,
  giveBack,
  I32,
  i32,
  increase,
  isZero,
  less,
  lessBytes,
  load8,
  load32,
  loadV128,
  loop,
  multiply,
  or,
  orV128,
  rotateLeft,
  set,
  shiftLeft,
  shiftRight,
  signsOfBytes,
  store8,
  store32,
  storeV128,
  subtract,
  subtractBytes,
  V128,
  type WasmFunction,
  when,
  xor,
} from '../assembly.js';

const VECTOR_BYTES = 16;

/** So many texts are read at once, of so many bytes together. */
export const MOST_TEXTS = 1 << 10;
export const TEXTS_BYTES = 1 << 16;

/** Addresses: how many names there are, and bytes of them; a mask for slots' numbers; where the builder's tables stand. */
export const SIZE = 0;
export const USED = 4;
export const MASK = 8;
export const SLOTS = 12;
export const HASHES = 16;
export const OFFSETS = 20;
export const BYTES = 24;
/** What the look ahead has read, so that it is not optimised away. */
const TOUCHED = 28;
/** Of the texts being read: where each begins among their bytes, and the last ends; its hash, whether it is ASCII, its code; */
export const STARTS = 32;
const TEXT_HASHES = STARTS + 4 * (MOST_TEXTS + 1) + 12;
export const IS_ASCII = TEXT_HASHES + 4 * MOST_TEXTS;
export const CODES = IS_ASCII + MOST_TEXTS;
/** the bytes. As many as a vector has stand behind these, and behind all names, without meaning. */
export const TEXTS = CODES + 4 * MOST_TEXTS;
export const FREE = TEXTS + TEXTS_BYTES + VECTOR_BYTES;
export const SLACK_BYTES = VECTOR_BYTES;

export interface NamesKernel {
  /** Hashes so many texts, and has memory fetch what they may be found by. */
  hash(count: number): void;
  /**
   * Writes the codes of the texts `from … count`, which were hashed, and adds names that are new: there is room for them.
   * Returns which text it stops before, as it is not ASCII, or another name has its hash; `count` where it does not.
   */
  find(from: number, count: number): number;
  /** Puts all names where probing for their hashes ends, with the bits of the hashes that `kept` tells, into free slots. */
  fill(kept: number): void;
}

const inTable = (table: Code, index: number): Code => add(table, shiftLeft(get(index), i32(2)));
const constant = (address: number): Code => load32(i32(address));

/** See `hashOf` in `names.ts`, where each step is in JavaScript. */
const hash = ((): WasmFunction => {
  const [count, i, from, to, sum, word, any, entry, touched] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
  const mix: Code = [
    ...set(word, multiply(or(get(word), i32(0x20202020)), i32(0xcc9e2d51 | 0))),
    ...set(sum, xor(get(sum), multiply(rotateLeft(get(word), i32(15)), i32(0x1b873593)))),
    ...set(sum, add(multiply(rotateLeft(get(sum), i32(13)), i32(5)), i32(0xe6546b64 | 0))),
  ];
  const fold = (bits: number): Code => set(sum, xor(get(sum), shiftRight(get(sum), i32(bits))));
  const hashText: Code = [
    ...set(sum, subtract(get(to), get(from))),
    ...set(any, i32(0)),
    ...loop(
      when(
        less(add(get(from), i32(3)), get(to)),
        set(word, load32(get(from))),
        set(any, or(get(any), get(word))),
        mix,
        increase(from, 4),
        again(1),
      ),
    ),
    ...set(word, i32(0)),
    ...loop(
      when(
        less(get(from), get(to)),
        set(word, or(shiftLeft(get(word), i32(8)), load8(get(from)))),
        increase(from, 1),
        again(1),
      ),
    ),
    ...set(any, or(get(any), get(word))),
    ...mix,
    ...fold(16),
    ...set(sum, multiply(get(sum), i32(0x85ebca6b | 0))),
    ...fold(13),
    ...set(sum, multiply(get(sum), i32(0xc2b2ae35 | 0))),
    ...fold(16),
  ];
  const forEachText = (...body: readonly Code[]): Code => [
    ...set(i, i32(0)),
    ...loop(when(less(get(i), get(count)), ...body, increase(i, 1), again(1))),
  ];
  /** The number of the name that is probably meant, or 0: all without a branch. */
  const probable: Code = [
    ...set(entry, load32(add(constant(SLOTS), shiftLeft(and(get(sum), get(word)), i32(2))))),
    ...set(
      entry,
      multiply(and(get(entry), get(word)), isZero(and(xor(get(entry), get(sum)), xor(get(word), i32(-1))))),
    ),
  ];
  return {
    name: 'hash',
    parameters: [I32],
    results: [],
    locals: [I32, I32, I32, I32, I32, I32, I32, I32],
    body: [
      forEachText(
        set(from, add(i32(TEXTS), load32(inTable(i32(STARTS), i)))),
        set(to, add(i32(TEXTS), load32(inTable(i32(STARTS + 4), i)))),
        hashText,
        store32(inTable(i32(TEXT_HASHES), i), get(sum)),
        store8(add(i32(IS_ASCII), get(i)), isZero(and(get(any), i32(0x80808080 | 0)))),
      ),
      set(word, constant(MASK)),
      forEachText(
        set(sum, load32(inTable(i32(TEXT_HASHES), i))),
        probable,
        set(touched, xor(get(touched), load8(add(constant(BYTES), load32(inTable(constant(OFFSETS), entry)))))),
      ),
      store32(i32(TOUCHED), get(touched)),
    ],
  };
})();

/** The vector with capital letters as small ones. */
const lower = (vector: number, address: Code): Code => [
  ...set(vector, loadV128(address)),
  ...orV128(get(vector), andV128(lessBytes(subtractBytes(get(vector), bytesOf(0x41)), bytesOf(26)), bytesOf(0x20))),
];

const find = ((): WasmFunction => {
  const [i, count, size, used, mask, slots, hashes, offsets, bytes] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
  const [sum, from, length, slot, entry, start, at, rest, a, b] = [9, 10, 11, 12, 13, 14, 15, 16, 17, 18] as const;
  const leave: Code = [...store32(i32(SIZE), get(size)), ...store32(i32(USED), get(used)), ...giveBack(get(i))];
  const setCode = (code: Code): Code => store32(inTable(i32(CODES), i), code);
  const addName: Code = [
    ...store32(get(slot), or(and(get(sum), xor(get(mask), i32(-1))), add(get(size), i32(1)))),
    ...store32(inTable(get(hashes), size), get(sum)),
    ...setCode(get(size)),
    ...set(at, i32(0)),
    ...loop(
      storeV128(add(add(get(bytes), get(used)), get(at)), loadV128(add(get(from), get(at)))),
      increase(at, VECTOR_BYTES),
      when(less(get(at), get(length)), again(1)),
    ),
    ...increase(used, get(length)),
    ...increase(size, 1),
    ...store32(inTable(get(offsets), size), get(used)),
  ];
  const differingBytes = xor(
    signsOfBytes(equalBytes(lower(a, add(get(start), get(at))), lower(b, add(get(from), get(at))))),
    i32(0xffff),
  );
  /** Leaves where the name of the entry is another one. */
  const compareName: Code = [
    ...set(entry, subtract(and(get(entry), get(mask)), i32(1))),
    ...set(start, load32(inTable(get(offsets), entry))),
    ...when(differs(subtract(load32(inTable(get(offsets), entry), 4), get(start)), get(length)), leave),
    ...increase(start, get(bytes)),
    ...set(at, i32(0)),
    ...loop(
      set(rest, subtract(get(length), get(at))),
      when(
        // What stands behind the text does not count.
        less(get(rest), i32(VECTOR_BYTES)),
        when(and(differingBytes, subtract(shiftLeft(i32(1), get(rest)), i32(1))), leave),
        setCode(get(entry)),
      ),
      when(less(i32(VECTOR_BYTES - 1), get(rest)), when(differingBytes, leave), increase(at, VECTOR_BYTES), again(1)),
    ),
  ];
  return {
    name: 'find',
    parameters: [I32, I32],
    results: [I32],
    locals: [...Array(15).fill(I32), V128, V128],
    body: [
      set(size, constant(SIZE)),
      set(used, constant(USED)),
      set(mask, constant(MASK)),
      set(slots, constant(SLOTS)),
      set(hashes, constant(HASHES)),
      set(offsets, constant(OFFSETS)),
      set(bytes, constant(BYTES)),
      loop(
        when(equal(get(i), get(count)), leave),
        when(isZero(load8(add(i32(IS_ASCII), get(i)))), leave),
        set(sum, load32(inTable(i32(TEXT_HASHES), i))),
        set(from, load32(inTable(i32(STARTS), i))),
        set(length, subtract(load32(inTable(i32(STARTS + 4), i)), get(from))),
        increase(from, TEXTS),
        set(at, get(sum)),
        loop(
          set(slot, add(get(slots), shiftLeft(and(get(at), get(mask)), i32(2)))),
          set(entry, load32(get(slot))),
          increase(at, 1),
          when(
            get(entry),
            when(and(xor(get(entry), get(sum)), xor(get(mask), i32(-1))), again(2)),
            compareName,
            increase(i, 1),
            again(2),
          ),
        ),
        addName,
        increase(i, 1),
        again(0),
      ),
      i32(0),
    ],
  };
})();

const fill = ((): WasmFunction => {
  const [kept, code, size, mask, slots, sum, at, slot] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  return {
    name: 'fill',
    parameters: [I32],
    results: [],
    locals: [I32, I32, I32, I32, I32, I32, I32],
    body: [
      set(size, constant(SIZE)),
      set(mask, constant(MASK)),
      set(slots, constant(SLOTS)),
      loop(
        when(
          less(get(code), get(size)),
          set(sum, load32(inTable(constant(HASHES), code))),
          set(at, get(sum)),
          loop(
            set(slot, add(get(slots), shiftLeft(and(get(at), get(mask)), i32(2)))),
            increase(at, 1),
            when(load32(get(slot)), again(1)),
          ),
          increase(code, 1),
          store32(get(slot), or(and(get(sum), get(kept)), get(code))),
          again(1),
        ),
      ),
    ],
  };
})();

export const createNamesKernel = createKernel<NamesKernel>([hash, find, fill]);
