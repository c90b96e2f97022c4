/**
 * The loop over records of one shape: their names known and in a known order, their values strings without escapes,
 * plain numbers, or null. WebAssembly looks at sixteen bytes together and writes where each value stands and what number it
 * is, a column for each field; it stops before the first record that is otherwise, which `RawReader` then reads, with
 * which it agrees on all that it takes.
 */

import { NULL, NUMBER, PLAIN_TEXT, RESPELT_NUMBER } from '../raw.js';
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
  orV128,
  otherwise,
  set,
  signsOfBytes,
  store8,
  store32,
  storeF64,
  subtract,
  toI64,
  trailingZeros,
  type WasmFunction,
  type WasmMemory,
  when,
  wideToF64,
} from '../wasm.js';

/** Records that are read at once: what is written of them stays in the cache until it is taken. */
export const BATCH = 1024;

/** Columns: a field's begins at so many times `BATCH` entries. */
export const MOST_FIELDS = 16;
const CELLS = BATCH * MOST_FIELDS;
/** Addresses: numbers, starts, ends, kinds; powers of ten; names; bounds of records; and the bytes they stand in. */
export const NUMBERS = 0;
export const STARTS = NUMBERS + CELLS * 8;
export const ENDS = STARTS + CELLS * 4;
export const KINDS = ENDS + CELLS * 4;
const POWERS_OF_TEN = KINDS + CELLS;
const MOST_DIGITS = 15;
export const NAMES = POWERS_OF_TEN + (MOST_DIGITS + 1) * 8;

/** A name of the shape: how long it is, its field's column, what its value is; its bytes, and which of them count. */
export const NAME_BYTES = 64;
export const MOST_NAMES = 64;
const LENGTH = 0;
export const COLUMN = 4;
const CODE = 8;
const MASKS = 12;
const QUOTED = 16;
const MASK_OF_REST = 48;
const VECTOR_BYTES = 16;
export const MOST_NAME_BYTES = 2 * VECTOR_BYTES;

export const MOST_BOUNDS = 1 << 14;
export const BOUNDS = NAMES + MOST_NAMES * NAME_BYTES;
export const WINDOW = BOUNDS + MOST_BOUNDS * 8;

/** What a name's value is; each with `REQUIRED`, where null is none. */
export const INTEGER = 0;
export const DECIMAL = 1;
export const TEXT = 2;
/** No field's: any string, number or literal. */
export const SKIPPED = 3;
export const REQUIRED = 4;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const [ZERO, NINE_DIGITS] = [0x30, 10];
const word = (text: string): number => Buffer.from(text).readUInt32LE();

export interface RecordKernel {
  /** Reads records of the shape `names … namesEnd` while there are bounds, at most `BATCH`; returns how many. */
  read(bounds: number, boundsEnd: number, names: number, namesEnd: number): number;
}

const [bounds, boundsEnd, names, namesEnd, row, at, end, name, code, byte, to, kind, first, decimals, bits, cell] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
] as const;
const digits = 16;
const number = 17;

const leave = giveBack(get(row));
const leaveUnless = (condition: Code): Code => when(isZero(condition), leave);
const codeIs = (wanted: number): Code => equal(and(get(code), i32(REQUIRED - 1)), i32(wanted));
const isOneOf = (local: number, characters: readonly number[]): Code =>
  characters.map((character) => equal(get(local), i32(character))).reduce(or);

/** Sets `byte` to the first byte from `at` on that is no space. */
const skipSpace: Code = [
  ...set(byte, load8(get(at))),
  ...when(
    less(get(byte), i32(SPACE + 1)),
    loop(when(isOneOf(byte, [SPACE, 10, 13, 9]), increase(at, 1), set(byte, load8(get(at))), again(1))),
  ),
];

const matches = (offset: number, mask: number): Code =>
  equal(
    and(
      signsOfBytes(equalBytes(loadV128(get(at), offset), loadV128(get(name), QUOTED + offset))),
      load32(get(name), mask),
    ),
    load32(get(name), mask),
  );

const readName: Code = [
  ...skipSpace,
  ...leaveUnless(and(matches(0, MASKS), matches(VECTOR_BYTES, MASK_OF_REST))),
  ...set(at, add(get(at), load32(get(name), LENGTH))),
  ...skipSpace,
  ...leaveUnless(equal(get(byte), i32(0x3a))),
  ...increase(at, 1),
  ...skipSpace,
];

/** Sets `to` behind the string that begins at `at`. */
const readText: Code = [
  ...leaveUnless(or(codeIs(TEXT), codeIs(SKIPPED))),
  ...set(to, add(get(at), i32(1))),
  ...loop(
    set(
      bits,
      signsOfBytes(
        orV128(
          orV128(equalBytes(loadV128(get(to)), bytesOf(QUOTE)), equalBytes(loadV128(get(to)), bytesOf(BACKSLASH))),
          lessBytes(loadV128(get(to)), bytesOf(SPACE)),
        ),
      ),
    ),
    when(isZero(get(bits)), increase(to, VECTOR_BYTES), again(1)),
  ),
  ...set(to, add(get(to), trailingZeros(get(bits)))),
  ...leaveUnless(equal(load8(get(to)), i32(QUOTE))),
  // Most texts begin with a visible character: what may be blank is looked at elsewhere.
  ...when(
    and(get(code), i32(REQUIRED)),
    set(byte, load8(get(at), 1)),
    when(or(atLeast(subtract(get(byte), i32(SPACE + 1)), i32(0x7e - SPACE)), equal(get(byte), i32(QUOTE))), leave),
  ),
  ...set(kind, i32(PLAIN_TEXT)),
  ...increase(to, 1),
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

const isMinus = equal(load8(get(at)), i32(0x2d));
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
    equal(load8(get(to)), i32(0x2e)),
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
  ...when(codeIs(TEXT), leave),
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
    [otherwise(isOneOf(byte, [...Buffer.from('ntf')]), [readLiteral], [readNumber])],
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

const read: WasmFunction = {
  name: 'read',
  parameters: [I32, I32, I32, I32],
  results: [I32],
  locals: [I32, I32, I32, I32, I32, I32, I32, I32, I32, I32, I32, I32, I64, F64],
  body: [
    loop(
      when(or(equal(get(bounds), get(boundsEnd)), equal(get(row), i32(BATCH))), leave),
      set(at, load32(get(bounds))),
      set(end, load32(get(bounds), 4)),
      leaveUnless(equal(load8(get(at)), i32(0x7b))),
      set(name, get(names)),
      loop(
        increase(at, 1),
        readName,
        readValue,
        skipSpace,
        increase(name, NAME_BYTES),
        when(less(get(name), get(namesEnd)), leaveUnless(equal(get(byte), i32(0x2c))), again(1)),
      ),
      leaveUnless(equal(get(byte), i32(0x7d))),
      increase(at, 1),
      leaveUnless(equal(get(at), get(end))),
      increase(bounds, 8),
      increase(row, 1),
      again(0),
    ),
    i32(0),
  ],
};

const instantiate = createKernel<RecordKernel>([read]);

/** The kernel over a memory whose powers of ten it writes. */
export function createRecordKernel(memory: WasmMemory): RecordKernel {
  new Float64Array(memory.buffer, POWERS_OF_TEN, MOST_DIGITS + 1).set(
    Float64Array.from({ length: MOST_DIGITS + 1 }, (_, i) => 10 ** i),
  );
  return instantiate(memory);
}

/** Writes a name of the shape. */
export function writeName(memory: WasmMemory, index: number, quoted: Uint8Array, field: number, code: number): void {
  const address = NAMES + index * NAME_BYTES;
  const view = new DataView(memory.buffer, address, NAME_BYTES);
  const mask = (length: number): number => 2 ** Math.min(VECTOR_BYTES, Math.max(0, length)) - 1;
  view.setUint32(LENGTH, quoted.length, true);
  view.setUint32(COLUMN, Math.max(0, field) * BATCH, true);
  view.setUint32(CODE, code, true);
  view.setUint32(MASKS, mask(quoted.length), true);
  view.setUint32(MASK_OF_REST, mask(quoted.length - VECTOR_BYTES), true);
  new Uint8Array(memory.buffer, address + QUOTED, MOST_NAME_BYTES).set(quoted);
}
