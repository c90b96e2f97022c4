/**
 * The loop over records of one shape: their names known and in a known order, of which some may be absent, their values
 * as they should be, no number with an exponent or very many digits, and no list with escapes. WebAssembly looks at sixteen bytes together and writes
 * where each value stands and what number it is, a column for each field; it stops before the first record that is
 * otherwise, which `RawReader` then reads, with which it agrees on all that it takes.
 */

import {
  add,
  add64,
  again,
  and,
  atLeast,
  bytesOf,
  type Code,
  createKernel,
  differs,
  divideF64,
  equal,
  equalBytes,
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
  isZero64,
  less,
  lessBytes,
  lessF64,
  load8,
  load32,
  loadF64,
  loadV128,
  loop,
  more,
  multiply,
  multiply64,
  negativeF64,
  or,
  or64,
  orV128,
  otherwise,
  set,
  shiftLeft,
  shiftLeft64,
  signsOfBytes,
  store8,
  store32,
  store64,
  storeF64,
  subtract,
  toI64,
  trailingZeros,
  type WasmFunction,
  when,
  wideToF64,
} from '../assembly.js';
import { ABSENT, LIST, NULL, NUMBER, PLAIN_TEXT, RESPELT_LIST, RESPELT_NUMBER } from '../raw.js';
import { readDate } from './date-kernel.js';
import { readEscape } from './escape-kernel.js';
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  MINUS,
  OPEN_ARRAY,
  OPEN_OBJECT,
  POINT,
  QUOTE,
  SLASH,
  SPACE,
  ZERO,
} from './json-tokens.js';

/** Records that are read at once: what is written of them stays in the cache until it is taken. */
export const BATCH = 1024;

/** Columns: a field's begins at so many times `BATCH` entries. */
export const MOST_FIELDS = 16;
const CELLS = BATCH * MOST_FIELDS;
/** Strings in the lists of a batch. */
export const MOST_ELEMENTS = 1 << 14;
/**
 * Addresses: of each cell its number, start, end, its list's first and last string, its kind; those strings; absent names;
 * powers of ten; names; where records start and end; and the bytes they stand in.
 */
export const NUMBERS = 0;
export const STARTS = NUMBERS + CELLS * 8;
export const ENDS = STARTS + CELLS * 4;
export const ELEMENTS_FROM = ENDS + CELLS * 4;
export const ELEMENTS_TO = ELEMENTS_FROM + CELLS * 4;
export const KINDS = ELEMENTS_TO + CELLS * 4;
export const ELEMENTS = KINDS + CELLS;
/** Of each record a bit for each name that it lacks. */
export const ABSENT_NAMES = ELEMENTS + MOST_ELEMENTS * 8;
/** Line breaks passed up to the end of the last record that followed another. */
export const LINES = ABSENT_NAMES + BATCH * 8;
export const POWERS_OF_TEN = LINES + 8;
export const MOST_DIGITS = 15;
export const NAMES = POWERS_OF_TEN + (MOST_DIGITS + 1) * 8;

/** A name of the shape: how long it is, its field's column, what its value is; its bytes, and which of them count, a bit each of so many. */
export const NAME_BYTES = 64;
export const MOST_NAMES = 64;
export const LENGTH = 0;
export const COLUMN = 4;
export const CODE = 8;
export const MASKS = 12;
export const QUOTED = 16;
export const MASK_OF_REST = 48;
export const MASKED_BYTES = 16;
export const MOST_NAME_BYTES = 2 * MASKED_BYTES;

export const MOST_RECORDS = 1 << 14;
export const RECORD_STARTS = NAMES + MOST_NAMES * NAME_BYTES;
export const RECORD_ENDS = RECORD_STARTS + MOST_RECORDS * 4;
export const WINDOW = RECORD_ENDS + MOST_RECORDS * 4;

/** What a name's value is; each with `REQUIRED`, where null is none. */
export const INTEGER = 0;
export const DECIMAL = 1;
export const TEXT = 2;
/** No field's: any string, number or literal. */
export const SKIPPED = 3;
export const DATE = 4;
export const TAGS = 5;
export const REQUIRED = 8;
/** A record that lacks the name is of another shape. */
export const FIXED = 16;

const LINE_BREAK = 10;
const NINE_DIGITS = 10;
const word = (text: string): number => Buffer.from(text).readUInt32LE();

export interface RecordKernel {
  /**
   * Reads records of the shape `NAMES … namesEnd`, whose starts stand at `records` up to `recordsEnd`, at most `BATCH`;
   * returns how many.
   */
  read(records: number, recordsEnd: number, namesEnd: number): number;
  /**
   * The same for records that follow one another from `from` on; writes where they start and end, and adds to `LINES`.
   * `before` is the character that stands before the first, `between` that before each other; 0 is none.
   */
  follow(from: number, before: number, namesEnd: number, between: number): number;
}

const [records, recordsEnd, namesEnd] = [0, 1, 2] as const;
const [from, before, , between] = [0, 1, 2, 3] as const;
const [row, at, end, name, code, byte, to, kind, first, decimals, bits, cell] = [
  4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
] as const;
const [element, year, month, day, index, lines, digits, absent, number] = [16, 17, 18, 19, 20, 21, 22, 23, 24] as const;
const LOCALS = [...Array<typeof I32>(lines - row + 1).fill(I32), I64, I64, F64];

const leave = giveBack(get(row));
const leaveUnless = (condition: Code): Code => when(isZero(condition), leave);
const codeIs = (wanted: number): Code => equal(and(get(code), i32(REQUIRED - 1)), i32(wanted));
const isOneOf = (local: number, characters: readonly number[]): Code =>
  characters.map((character) => equal(get(local), i32(character))).reduce(or);

/** Moves a local on to the first byte that is no space, and sets `byte` to it; `onSpace` is done before anything is skipped. */
const skipSpaceFrom = (place: number, onSpace: Code = []): Code => [
  ...set(byte, load8(get(place))),
  ...when(
    less(get(byte), i32(SPACE + 1)),
    onSpace,
    loop(
      when(
        isOneOf(byte, [SPACE, LINE_BREAK, 13, 9]),
        set(lines, add(get(lines), equal(get(byte), i32(LINE_BREAK)))),
        increase(place, 1),
        set(byte, load8(get(place))),
        again(1),
      ),
    ),
  ),
];
const skipSpace = skipSpaceFrom(at);

const matches = (offset: number, mask: number): Code =>
  equal(
    and(
      signsOfBytes(equalBytes(loadV128(get(at), offset), loadV128(get(name), QUOTED + offset))),
      load32(get(name), mask),
    ),
    load32(get(name), mask),
  );

const nextName: Code = [...increase(name, NAME_BYTES), ...increase(index, 1)];

/** Goes on to the next name: the record lacks this one. */
const passName: Code = [
  ...set(code, load32(get(name), CODE)),
  ...when(and(get(code), i32(REQUIRED | FIXED)), leave),
  ...set(absent, or64(get(absent), shiftLeft64(i64(1n), toI64(get(index))))),
  ...when(
    isZero(codeIs(SKIPPED)),
    set(cell, add(load32(get(name), COLUMN), get(row))),
    store8(get(cell), i32(ABSENT), KINDS),
    storeF64(shiftLeft(get(cell), i32(3)), f64(Number.NaN), NUMBERS),
  ),
  ...nextName,
];

const readName: Code = [
  ...skipSpace,
  ...loop(
    when(equal(get(name), get(namesEnd)), leave),
    when(isZero(and(matches(0, MASKS), matches(MASKED_BYTES, MASK_OF_REST))), passName, again(1)),
  ),
  ...set(at, add(get(at), load32(get(name), LENGTH))),
  ...skipSpace,
  ...leaveUnless(equal(get(byte), i32(COLON))),
  ...increase(at, 1),
  ...skipSpace,
];

/** Moves `to` from behind a string's first quote to its last; at a backslash `onEscape` moves it on. */
const findQuote = (onEscape: Code): Code =>
  loop(
    set(
      bits,
      signsOfBytes(
        orV128(
          orV128(equalBytes(loadV128(get(to)), bytesOf(QUOTE)), equalBytes(loadV128(get(to)), bytesOf(BACKSLASH))),
          lessBytes(loadV128(get(to)), bytesOf(SPACE)),
        ),
      ),
    ),
    when(isZero(get(bits)), increase(to, MASKED_BYTES), again(1)),
    set(to, add(get(to), trailingZeros(get(bits)))),
    set(byte, load8(get(to))),
    when(equal(get(byte), i32(BACKSLASH)), onEscape, again(1)),
    leaveUnless(equal(get(byte), i32(QUOTE))),
  );

/** The first byte of a character of several (UTF-8) is not less; with these one begins that may be a space. */
const FIRST_OF_MANY = 0xc2;
const SPACES_BEGIN = [0xc2, 0xe1, 0xe2, 0xe3, 0xef];
const isNone = (local: number, characters: readonly number[]): Code => isZero(isOneOf(local, characters));
/** Whether a text, whose first byte is in `byte`, begins with a visible character, as most do: what may be blank is looked at elsewhere. */
const isVisible = [
  and(less(subtract(get(byte), i32(SPACE + 1)), i32(0x7e - SPACE)), isNone(byte, [QUOTE, BACKSLASH])),
  and(atLeast(get(byte), i32(FIRST_OF_MANY)), isNone(byte, SPACES_BEGIN)),
  and(
    equal(get(byte), i32(BACKSLASH)),
    [QUOTE, BACKSLASH, SLASH].map((kept) => equal(load8(get(at), 2), i32(kept))).reduce(or),
  ),
].reduce(or);

/** Sets `to` behind the string that begins at `at`. */
const readText: Code = [
  ...leaveUnless(or(or(codeIs(TEXT), codeIs(SKIPPED)), codeIs(DATE))),
  ...set(kind, i32(PLAIN_TEXT)),
  ...set(to, add(get(at), i32(1))),
  ...findQuote(readEscape({ to, byte, kind, leaveUnless })),
  ...when(and(get(code), i32(REQUIRED)), set(byte, load8(get(at), 1)), leaveUnless(isVisible)),
  ...increase(to, 1),
  ...when(
    codeIs(DATE),
    leaveUnless(equal(get(kind), i32(PLAIN_TEXT))),
    readDate({ at, to, number, leaveUnless, first, decimals, year, month, day }),
  ),
];

/** Sets `to` behind the list that begins at `at`. */
const readList: Code = [
  ...leaveUnless(codeIs(TAGS)),
  ...set(kind, i32(LIST)),
  ...set(first, get(element)),
  ...set(to, add(get(at), i32(1))),
  ...loop(
    skipSpaceFrom(to, set(kind, i32(RESPELT_LIST))),
    when(
      equal(get(byte), i32(QUOTE)),
      when(equal(get(element), i32(MOST_ELEMENTS)), leave),
      store32(shiftLeft(get(element), i32(3)), get(to), ELEMENTS),
      increase(to, 1),
      findQuote(leave),
      increase(to, 1),
      store32(shiftLeft(get(element), i32(3)), get(to), ELEMENTS + 4),
      increase(element, 1),
      skipSpaceFrom(to, set(kind, i32(RESPELT_LIST))),
      when(
        equal(get(byte), i32(COMMA)),
        increase(to, 1),
        skipSpaceFrom(to, set(kind, i32(RESPELT_LIST))),
        leaveUnless(equal(get(byte), i32(QUOTE))),
        again(2),
      ),
    ),
    leaveUnless(equal(get(byte), i32(CLOSE_ARRAY))),
  ),
  ...when(equal(get(first), get(element)), set(kind, i32(NULL))),
  ...increase(to, 1),
  ...set(cell, add(load32(get(name), COLUMN), get(row))),
  ...store32(shiftLeft(get(cell), i32(2)), get(first), ELEMENTS_FROM),
  ...store32(shiftLeft(get(cell), i32(2)), get(element), ELEMENTS_TO),
];

/** Adds digits to `digits` from `to` on, up to the first other byte. */
const readDigits: Code = [
  ...loop(
    set(byte, subtract(load8(get(to)), i32(ZERO))),
    when(
      less(get(byte), i32(NINE_DIGITS)),
      set(digits, add64(multiply64(get(digits), i64(10n)), toI64(get(byte)))),
      increase(to, 1),
      again(1),
    ),
  ),
];

const isMinus = equal(load8(get(at)), i32(MINUS));
const isZeroDigit = (address: Code): Code => equal(load8(address), i32(ZERO));

/** Sets `to` behind the number that begins at `at`, `number` to its value: see `JsonTokens.number`. */
const readNumber: Code = [
  ...set(first, add(get(at), isMinus)),
  ...set(to, get(first)),
  ...set(digits, i64(0n)),
  ...readDigits,
  ...when(equal(get(to), get(first)), leave),
  ...when(and(isZeroDigit(get(first)), more(subtract(get(to), get(first)), i32(1))), leave),
  ...set(decimals, i32(0)),
  ...set(kind, i32(NUMBER)),
  ...when(
    equal(load8(get(to)), i32(POINT)),
    leaveUnless(or(codeIs(DECIMAL), codeIs(SKIPPED))),
    increase(to, 1),
    set(decimals, get(to)),
    readDigits,
    set(decimals, subtract(get(to), get(decimals))),
    when(isZero(get(decimals)), leave),
    // The point counts as a digit here.
    increase(first, 1),
    when(isZeroDigit(subtract(get(to), i32(1))), set(kind, i32(RESPELT_NUMBER))),
  ),
  ...when(more(subtract(get(to), get(first)), i32(MOST_DIGITS)), leave),
  ...when(equal(or(load8(get(to)), i32(SPACE)), i32(0x65)), leave),
  ...leaveUnless(or(or(codeIs(INTEGER), codeIs(DECIMAL)), codeIs(SKIPPED))),
  ...set(number, divideF64(wideToF64(get(digits)), loadF64(multiply(get(decimals), i32(8)), POWERS_OF_TEN))),
  ...when(and(get(decimals), lessF64(get(number), f64(1e-6))), set(kind, i32(RESPELT_NUMBER))),
  ...when(isMinus, set(number, negativeF64(get(number))), when(isZero64(get(digits)), set(kind, i32(RESPELT_NUMBER)))),
];

const readLiteral: Code = [
  ...set(to, add(get(at), i32(4))),
  ...otherwise(
    equal(load32(get(at)), i32(word('null'))),
    [when(and(get(code), i32(REQUIRED)), leave), set(kind, i32(NULL))],
    [
      leaveUnless(codeIs(SKIPPED)),
      when(
        differs(load32(get(at)), i32(word('true'))),
        leaveUnless(equal(load32(get(at), 1), i32(word('alse')))),
        increase(to, 1),
      ),
    ],
  ),
];

const readValue: Code = [
  ...set(code, load32(get(name), CODE)),
  ...set(number, f64(Number.NaN)),
  ...otherwise(
    equal(get(byte), i32(QUOTE)),
    [readText],
    [
      otherwise(
        isOneOf(byte, [...Buffer.from('ntf')]),
        [readLiteral],
        [otherwise(equal(get(byte), i32(OPEN_ARRAY)), [readList], [readNumber])],
      ),
    ],
  ),
  ...when(
    isZero(codeIs(SKIPPED)),
    set(cell, add(load32(get(name), COLUMN), get(row))),
    store8(get(cell), get(kind), KINDS),
    store32(multiply(get(cell), i32(4)), get(at), STARTS),
    store32(multiply(get(cell), i32(4)), get(to), ENDS),
    storeF64(multiply(get(cell), i32(8)), get(number), NUMBERS),
  ),
  ...set(at, get(to)),
];

/** Reads the object whose bracket stands at `at`, and moves on behind it. */
const readRecord: Code = [
  ...set(name, i32(NAMES)),
  ...set(index, i32(0)),
  ...set(absent, i64(0n)),
  ...loop(increase(at, 1), readName, readValue, skipSpace, nextName, when(equal(get(byte), i32(COMMA)), again(1))),
  ...leaveUnless(equal(get(byte), i32(CLOSE_OBJECT))),
  ...loop(when(differs(get(name), get(namesEnd)), passName, again(1))),
  ...store64(shiftLeft(get(row), i32(3)), get(absent), ABSENT_NAMES),
  ...increase(at, 1),
];

const read: WasmFunction = {
  name: 'read',
  parameters: [I32, I32, I32],
  results: [I32],
  locals: [I32, ...LOCALS],
  body: [
    loop(
      when(or(equal(get(records), get(recordsEnd)), equal(get(row), i32(BATCH))), leave),
      set(at, load32(get(records))),
      set(end, load32(get(records), RECORD_ENDS - RECORD_STARTS)),
      leaveUnless(equal(load8(get(at)), i32(OPEN_OBJECT))),
      readRecord,
      leaveUnless(equal(get(at), get(end))),
      increase(records, 4),
      increase(row, 1),
      again(0),
    ),
    i32(0),
  ],
};

const follow: WasmFunction = {
  name: 'follow',
  parameters: [I32, I32, I32, I32],
  results: [I32],
  locals: LOCALS,
  body: [
    set(at, get(from)),
    set(lines, load32(i32(LINES))),
    loop(
      when(equal(get(row), i32(BATCH)), leave),
      skipSpace,
      when(get(before), leaveUnless(equal(get(byte), get(before))), increase(at, 1), skipSpace),
      leaveUnless(equal(get(byte), i32(OPEN_OBJECT))),
      store32(shiftLeft(get(row), i32(2)), get(at), RECORD_STARTS),
      readRecord,
      store32(shiftLeft(get(row), i32(2)), get(at), RECORD_ENDS),
      store32(i32(LINES), get(lines)),
      set(before, get(between)),
      increase(row, 1),
      again(0),
    ),
    i32(0),
  ],
};

export const createRecordKernel = createKernel<RecordKernel>([read, follow]);
