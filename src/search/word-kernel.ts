/**
 * The loop that most words of most texts go through first when an index is built: units to keys. What is looked up for a
 * key is waited for by the loop in `word-table-kernel.ts`, where nothing that can't be foreseen, as the lengths of words,
 * keeps the processor from waiting for many at once. In WebAssembly, which has numbers of 64 bits and checks no bounds,
 * the two take a third of the time that JavaScript takes.
 *
 * Text is read unit by unit, or, of a batch of records, byte by byte where they stand.
 *
 * Words of up to 24 letters a to z are read here, where a separator follows that ties nothing to them; before
 * anything else the loop stops, and JavaScript reads on. A word's key is its letters, five bits each, twelve to a number of
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
  isZero,
  lane64,
  less,
  lessBytes,
  load8,
  load16,
  load32,
  loadV128,
  loop,
  more,
  multiply,
  numbersOfBytes,
  or64,
  orV128,
  otherwise,
  sameBytes,
  set,
  shiftLeft,
  shiftLeft64,
  shiftLeftEight,
  shiftRight,
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
import { FIELD, GAP, RECORD } from './term-stream.js';

/** The class of a letter is 1 to 26. Others: not for this loop; */
export const OTHER = 0;
/** separators: one that ties nothing to the word before it, one that does not if another separator follows, and any other. */
export const ENDS = 64;
export const ENDS_BEFORE_SEPARATOR = 65;
export const SEPARATES = 66;
export const LETTERS = 26;
const FULL_STOP = 46;

/** Addresses: the class of each code unit, a byte; and where the text was read to, and the end of its keys. */
export const CLASSES = 0;
const CLASSES_BYTES = 1 << 16;
export const AT = CLASSES_BYTES;
export const KEYS_END = AT + 4;
/** Everything else has its place behind these. */
export const WORDS_FREE = AT + 8;

/**
 * A key is a number, and its letters the last of its bits. Of the bits before them one tells that this is no word's key but
 * a mark, whose number is the last 32 bits, and another that the word's other letters follow as a second number.
 */
export const KEY_BYTES = 8;
export const MARK_BIT = 63;
export const GOES_ON_BIT = 60;
/** The second number of a key. */
export const SECOND = KEY_BYTES;

export const UNIT_BYTES = 2;
export const LETTER_BITS = 5;
/** Letters to a number of the key. */
export const PART_LETTERS = 12;
export const MOST_LETTERS = 2 * PART_LETTERS;

export interface ReadKernel {
  /** Reads words from `at` to `end` and writes their keys to `keys`; returns 1 where it stops before something else. */
  read(at: number, end: number, keys: number): number;
}

/** The locals that a word is read with. */
interface WordLocals {
  readonly at: number;
  readonly kind: number;
  readonly start: number;
  readonly length: number;
  readonly first: number;
  readonly second: number;
  readonly letters: number;
}

/** How text is read: a unit, sixteen as bytes, a unit's class. Behind the text as many may be read that mean nothing. */
interface Units {
  readonly bytes: number;
  readonly load: (address: Code, offset?: number) => Code;
  readonly loadMany: (address: Code) => Code;
  readonly classOf: (unit: Code) => Code;
}

const CASE = 0x20;
const BEFORE_A = 0x60;
const MANY = 16;

/**
 * Sets `length` to how many of the sixteen units at `at` are letters of ASCII, up to the first that is none, and the key to
 * these: each letter's bits are put beside its neighbour's, those of both beside those of the next two, and so on.
 */
function readMany({ at, length, first, second, letters }: WordLocals, { loadMany }: Units): Code {
  const isLetter = lessBytes(subtractBytes(get(letters), bytesOf(1)), bytesOf(LETTERS));
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
    ...set(letters, subtractBytes(orV128(loadMany(get(at)), bytesOf(CASE)), bytesOf(BEFORE_A))),
    ...set(length, trailingZeros(xor(signsOfBytes(isLetter), i32(-1)))),
    ...set(letters, andV128(get(letters), lessBytes(numbersOfBytes, sameBytes(get(length))))),
    ...set(letters, addPairs(twos, 1 << (2 * LETTER_BITS))),
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

function wordReader(locals: WordLocals, units: Units) {
  const { at, kind, start, length, first, second } = locals;
  const isLetter = less(subtract(get(kind), i32(1)), i32(LETTERS));
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
    /** Reads the word at `at`; `leave`s where it is not for this loop. */
    word: (leave: Code): Code => [
      ...set(start, get(at)),
      ...when(isZero(isLetter), leave),
      ...when(equal(units.load(subtract(get(at), i32(units.bytes))), i32(FULL_STOP)), leave),
      ...readMany(locals, units),
      ...increase(at, multiply(get(length), i32(units.bytes))),
      ...classify,
      // Letters beyond ASCII, and those of long words.
      ...when(isLetter, goOn(first, PART_LETTERS), goOn(second, MOST_LETTERS)),
      // A letter that is one too many ends nothing either.
      ...when(
        differs(get(kind), i32(ENDS)),
        when(differs(get(kind), i32(ENDS_BEFORE_SEPARATOR)), leave),
        when(less(units.classOf(units.load(get(at), units.bytes)), i32(ENDS)), leave),
      ),
    ],
  };
}

/** What words' lengths are can't be foreseen: the second number is written in any case. */
const storeKey = (keys: number, { first, second, length }: WordLocals): Code => {
  const goesOn = more(get(length), i32(PART_LETTERS));
  return [
    ...store64(get(keys), or64(get(first), shiftLeft64(toI64(goesOn), i64(BigInt(GOES_ON_BIT))))),
    ...store64(get(keys), get(second), SECOND),
    ...increase(keys, add(i32(KEY_BYTES), multiply(goesOn, i32(KEY_BYTES)))),
  ];
};

const storeMark = (keys: number, mark: Code): Code => [
  ...store64(get(keys), or64(toI64(mark), i64(-1n << BigInt(MARK_BIT)))),
  ...increase(keys, KEY_BYTES),
];

export const read = ((): WasmFunction => {
  const [at, end, keys, start, kind, length, first, second, letters] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const locals = { at, kind, start, length, first, second, letters };
  const { classify, advance, word } = wordReader(locals, {
    bytes: UNIT_BYTES,
    load: load16,
    loadMany: (address) => asBytes(loadV128(address), loadV128(address, MANY)),
    classOf: (unit) => load8(unit, CLASSES),
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
        word([...set(at, get(start)), ...leave(1)]),
        storeKey(keys, locals),
        again(0),
      ),
      i32(0),
    ],
  };
})();

/** Kinds of cells, below 32. Those below `plain` have no text; `plain` is JSON text without escapes, a bit of `lists` is set for lists of such. */
export interface TextKinds {
  readonly plain: number;
  readonly lists: number;
}

/**
 * Addresses: for each searched field of a batch those of its first record's kind (a byte), and of what else its cells have
 * (4 bytes each): start and end of a text, the first and last of a list's.
 */
export const CELL_BYTES = 20;
const START = 4;
const TEXT_END = 8;
const ELEMENTS_FROM = 12;
const ELEMENTS_TO = 16;
/** Behind where the keys end. */
const LACKS_ROOM = 4;
/** What the keys of a text take at most for each of its bytes: a word has a separator behind it. */
const KEY_BYTES_PER_BYTE = KEY_BYTES / 2;
/** And besides: a mark, a word without a separator, and what is written behind that. */
const MORE_BYTES = 3 * KEY_BYTES;

export interface CellKernel {
  /**
   * Reads the records `from … to` of a batch, whose fields' cells are described at `fields` to `fieldsEnd` and whose lists'
   * texts at `elements`, and writes the keys of their words to `keys`, marks between them. Stops before a record that has
   * more than plain words, or for whose keys there may be no room before `keysEnd`, and returns its number. Where the keys
   * end stands at `result`, and behind that whether there was too little room. `plain` and `lists` are `TextKinds`.
   */
  readCells(
    from: number,
    to: number,
    fields: number,
    fieldsEnd: number,
    elements: number,
    classes: number,
    keys: number,
    keysEnd: number,
    result: number,
    plain: number,
    lists: number,
  ): number;
}

/** A cell's text ends with a quote, which is of the class of a space. */
const readCells = ((): WasmFunction => {
  const [record, to, fields, fieldsEnd, elements, classes, keys, keysEnd, result, plain, lists] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ];
  const [at, end, kind, start, length, field, mark, recordKeys, element, elementsEnd] = [
    11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
  ];
  const [first, second, letters] = [21, 22, 23];
  const locals = { at, kind, start, length, first, second, letters };
  const { classify, advance, word } = wordReader(locals, {
    bytes: 1,
    load: load8,
    loadMany: loadV128,
    classOf: (unit) => load8(add(get(classes), unit)),
  });
  const leave = (lastKeys: number, lacksRoom = 0): Code => [
    ...store32(get(result), get(lastKeys)),
    ...store32(get(result), i32(lacksRoom), LACKS_ROOM),
    ...giveBack(get(record)),
  ];
  const stop = leave(recordKeys);
  const stopFull = leave(recordKeys, 1);
  const ofRecord = (offset: number): Code => load32(add(load32(get(field), offset), shiftLeft(get(record), i32(2))));
  const room = add(get(keys), add(multiply(subtract(get(end), get(at)), i32(KEY_BYTES_PER_BYTE)), i32(MORE_BYTES)));
  const stopWithoutRoom = when(less(get(keysEnd), room), stopFull);
  const readWords = loop(
    classify,
    loop(when(and(less(get(at), get(end)), atLeast(get(kind), i32(ENDS))), advance, again(1))),
    when(less(get(at), get(end)), word(stop), storeKey(keys, locals), again(1)),
  );
  const readText: Code = [
    ...set(at, add(ofRecord(START), i32(1))),
    ...set(end, subtract(ofRecord(TEXT_END), i32(1))),
    ...when(less(get(at), get(end)), stopWithoutRoom, storeMark(keys, get(mark)), readWords),
  ];
  const ofElement = (offset: number): Code => load32(add(get(elements), shiftLeft(get(element), i32(3))), offset);
  const readList: Code = [
    ...when(less(get(keysEnd), add(get(keys), i32(KEY_BYTES))), stopFull),
    ...storeMark(keys, get(mark)),
    ...set(element, ofRecord(ELEMENTS_FROM)),
    ...set(elementsEnd, ofRecord(ELEMENTS_TO)),
    ...loop(
      when(
        less(get(element), get(elementsEnd)),
        set(at, add(ofElement(0), i32(1))),
        set(end, subtract(ofElement(4), i32(1))),
        stopWithoutRoom,
        readWords,
        storeMark(keys, i32(GAP)),
        increase(element, 1),
        again(1),
      ),
    ),
  ];
  const isList = and(shiftRight(get(lists), get(kind)), i32(1));
  return {
    name: 'readCells',
    parameters: [I32, I32, I32, I32, I32, I32, I32, I32, I32, I32, I32],
    results: [I32],
    locals: [I32, I32, I32, I32, I32, I32, I32, I32, I32, I32, I64, I64, V128],
    body: [
      loop(
        set(recordKeys, get(keys)),
        when(atLeast(get(record), get(to)), leave(keys)),
        when(less(get(keysEnd), add(get(keys), i32(KEY_BYTES))), stopFull),
        storeMark(keys, i32(RECORD)),
        set(field, get(fields)),
        set(mark, i32(FIELD)),
        loop(
          when(
            less(get(field), get(fieldsEnd)),
            set(kind, load8(add(load32(get(field)), get(record)))),
            when(
              atLeast(get(kind), get(plain)),
              otherwise(equal(get(kind), get(plain)), [readText], [when(isZero(isList), stop), readList]),
            ),
            increase(field, CELL_BYTES),
            set(mark, subtract(get(mark), i32(1))),
            again(1),
          ),
        ),
        increase(record, 1),
        again(0),
      ),
      i32(0),
    ],
  };
})();

export const createCellKernel = createKernel<CellKernel>([readCells]);
