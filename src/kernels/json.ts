/**
 * JSON (RFC 8259) in the bytes behind `BYTES`. A function begins at a token's first byte and returns where the token ends, or 0 where it
 * is none; `STOPPED` says where it failed. Sixteen bytes are looked at together: sixteen behind `end` must be readable, and have no
 * effect. `members` proves one object or row and writes its members to the tape (`json-layout.ts`). Nothing in here knows a field.
 */
import {
  BACKSLASH,
  CLOSE_ARRAY,
  COLON,
  COMMA,
  DIGIT_ZERO,
  HYPHEN,
  LETTER_E,
  LETTER_F,
  LETTER_N,
  LETTER_T,
  LETTER_U,
  LINE_FEED,
  OPEN_ARRAY,
  OPEN_OBJECT,
  PLUS,
  POINT,
  QUOTE,
  SLASH,
  SPACE,
} from './ascii.js';
import {
  ARRAY,
  BOOLEAN,
  BYTES,
  COUNT,
  ENTRY_BYTES,
  ESCAPED_TEXT,
  IS_CANONICAL,
  IS_TOO_DEEP,
  LINES,
  LIST,
  MAX_DEPTH,
  MAX_MEMBERS,
  MAX_VALUE_DEPTH,
  NULL,
  NUMBER,
  OBJECT,
  OPEN_BRACKETS,
  RESPELT_TEXT,
  STOPPED,
  TAPE,
  TEXT,
  VALUE,
} from './json-layout.js';

/** Closing brackets have the byte two behind that of the opening one. */
const CLOSING: u32 = 2;
/** A double holds this many digits exactly. */
const MAX_DIGITS: usize = 15;

/** Whether the last string has escapes, and whether `JSON.stringify` writes some of them otherwise. */
let isEscaped: bool = false;
let isRespelt: bool = false;

function failed(at: usize): usize {
  store<u32>(STOPPED, <u32>at);
  return 0;
}

/* @inline */ function byteAt(at: usize): u32 {
  return load<u8>(at, BYTES);
}

/* @inline */ function isDigitByte(byte: u32): bool {
  // Unsigned: a byte below the zero becomes a large number.
  return byte - DIGIT_ZERO <= 9;
}

/** The end of the white space that may begin at `from`. All line breaks are counted here, since strings have none. */
function behindSpace(from: usize, end: usize): usize {
  let at = from;
  for (; at < end; at++) {
    const byte = byteAt(at);
    if (byte === LINE_FEED) store<u32>(LINES, load<u32>(LINES) + 1);
    else if (byte !== SPACE && byte !== 13 && byte !== 9) break;
  }
  return at;
}

/** A bit for each of sixteen bytes that is a quote, a backslash or a control character. */
/* @inline */ function specialBytes(at: usize): i32 {
  const bytes = v128.load(at, BYTES);
  const quotes = i8x16.eq(bytes, i8x16.splat(<i8>QUOTE));
  const slashes = i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH));
  return i8x16.bitmask(v128.or(v128.or(quotes, slashes), i8x16.lt_u(bytes, i8x16.splat(<i8>SPACE))));
}

/** A string, with its quotes. */
export function string(from: usize, end: usize): usize {
  isEscaped = false;
  isRespelt = false;
  let at = from + 1;
  while (at < end) {
    const special = specialBytes(at);
    if (special === 0) {
      at += 16;
      continue;
    }
    at += <usize>ctz(special);
    if (at >= end) break;
    const byte = byteAt(at);
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH) return failed(at);
    at = escapeEnd(at + 1, end);
    if (at === 0) return 0;
  }
  return failed(end);
}

/** Where the escape ends whose backslash stands before `at`. */
function escapeEnd(at: usize, end: usize): usize {
  isEscaped = true;
  if (at >= end) return failed(at);
  const byte = byteAt(at);
  if (byte === LETTER_U) {
    isRespelt = true;
    for (let i: usize = 1; i <= 4; i++) if (at + i >= end || !isHex(byteAt(at + i))) return failed(at + i);
    return at + 5;
  }
  if (!isShortEscape(byte)) return failed(at);
  if (byte === SLASH) isRespelt = true;
  return at + 1;
}

/* @inline */ function isShortEscape(byte: u32): bool {
  // " / \ b f n r t
  if (byte < 0x60) return byte === QUOTE || byte === SLASH || byte === BACKSLASH;
  return byte === 0x62 || byte === 0x66 || byte === LETTER_N || byte === 0x72 || byte === 0x74;
}

/* @inline */ function isHex(byte: u32): bool {
  return isDigitByte(byte) || (byte | 0x20) - 0x61 <= 5;
}

/** Whether a byte stands in `[from … end)`. */
export function holds(byte: u32, from: usize, end: usize): bool {
  for (let at = from; at < end; at += 16) {
    const matches = i8x16.bitmask(i8x16.eq(v128.load(at, BYTES), i8x16.splat(<i8>byte)));
    if (matches !== 0) return at + <usize>ctz(matches) < end;
  }
  return false;
}

/**
 * A number. With at most 15 digits its value is exact: one division of two exact doubles (Clinger 1990). Longer numbers, and those with
 * an exponent, have no value here.
 */
export function number(from: usize, end: usize): usize {
  const isNegative = byteAt(from) === HYPHEN;
  const first = from + usize(isNegative);
  let at = first;
  let digits: u64 = 0;
  for (; at < end && isDigitByte(byteAt(at)); at++) digits = digits * 10 + <u64>(byteAt(at) - DIGIT_ZERO);
  const integerDigits = at - first;
  if (integerDigits === 0) return failed(at);
  if (integerDigits > 1 && byteAt(first) === DIGIT_ZERO) return failed(first + 1);
  let decimals: usize = 0;
  if (at < end && byteAt(at) === POINT) {
    const point = at++;
    for (; at < end && isDigitByte(byteAt(at)); at++) digits = digits * 10 + <u64>(byteAt(at) - DIGIT_ZERO);
    decimals = at - point - 1;
    if (decimals === 0) return failed(at);
  }
  if (integerDigits + decimals > MAX_DIGITS || (at < end && (byteAt(at) | SPACE) === LETTER_E))
    return endWithoutValue(at, end);
  let size: f64 = <f64>digits;
  if (decimals !== 0) {
    let divisor: f64 = 10;
    for (let i: usize = 1; i < decimals; i++) divisor *= 10;
    size /= divisor;
  }
  // With at most 15 digits only zeros at the end give one number two spellings. -0 and numbers below 1e-6 are spelt otherwise.
  const isCanonical = decimals === 0 ? digits !== 0 || !isNegative : byteAt(at - 1) !== DIGIT_ZERO && size >= 1e-6;
  store<f64>(VALUE, isNegative ? -size : size);
  store<i32>(IS_CANONICAL, i32(isCanonical));
  return at;
}

/** The end of a number without a value: with more digits, or with an exponent that begins at `from`. */
function endWithoutValue(from: usize, end: usize): usize {
  store<f64>(VALUE, NaN);
  store<i32>(IS_CANONICAL, 0);
  let at = from;
  if (at >= end || (byteAt(at) | SPACE) !== LETTER_E) return at;
  at++;
  if (at < end && (byteAt(at) === HYPHEN || byteAt(at) === PLUS)) at++;
  const first = at;
  while (at < end && isDigitByte(byteAt(at))) at++;
  return at === first ? failed(at) : at;
}

/** `null`, `true` or `false`. */
function literal(from: usize, end: usize): usize {
  const byte = byteAt(from);
  // Their letters behind the first, from the lowest byte on: `ull`, `rue`, `alse`.
  let letters: u32 = 0x6c6c75;
  let length: usize = 4;
  if (byte === LETTER_T) letters = 0x657572;
  else if (byte === LETTER_F) {
    letters = 0x65736c61;
    length = 5;
  } else if (byte !== LETTER_N) return failed(from);
  for (let at = from + 1; at < from + length; at++) {
    if (at >= end || byteAt(at) !== (letters & 0xff)) return failed(at);
    letters >>= 8;
  }
  return from + length;
}

/** Any value that is no object or array. */
function scalar(from: usize, end: usize): usize {
  const byte = byteAt(from);
  if (byte === QUOTE) return string(from, end);
  return byte === HYPHEN || isDigitByte(byte) ? number(from, end) : literal(from, end);
}

/** Any value. */
export function any(from: usize, end: usize): usize {
  const byte = byteAt(from);
  return byte === OPEN_OBJECT || byte === OPEN_ARRAY ? nestedValue(from, end, MAX_DEPTH) : scalar(from, end);
}

/** An object or array of at most `maxDepth` levels. */
function nestedValue(from: usize, end: usize, maxDepth: usize): usize {
  let depth: usize = 0;
  let at = from;
  while (at < end) {
    const byte = byteAt(at);
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth === maxDepth) {
        store<i32>(IS_TOO_DEEP, 1);
        return failed(at);
      }
      store<u8>(depth++, <u8>byte, OPEN_BRACKETS);
      at = behindSpace(at + 1, end);
      if (at >= end) break;
      if (byteAt(at) !== byte + CLOSING) {
        if (byte === OPEN_OBJECT) at = memberName(at, end);
        if (at === 0) return 0;
        continue;
      }
      depth--;
      at++;
    } else at = scalar(at, end);
    if (at === 0) return 0;
    // Behind a value: brackets that close, then a comma before the next.
    for (; depth > 0; at++) {
      at = behindSpace(at, end);
      if (at >= end) return failed(end);
      if (byteAt(at) !== <u32>load<u8>(depth - 1, OPEN_BRACKETS) + CLOSING) break;
      depth--;
    }
    if (depth === 0) return at;
    if (byteAt(at) !== COMMA) return failed(at);
    at = behindSpace(at + 1, end);
    if (<u32>load<u8>(depth - 1, OPEN_BRACKETS) === OPEN_OBJECT) at = memberName(at, end);
    if (at === 0) return 0;
  }
  return failed(end);
}

/** Reads a member's name and colon; returns where the value begins. */
function memberName(from: usize, end: usize): usize {
  if (from >= end || byteAt(from) !== QUOTE) return failed(from);
  const to = string(from, end);
  return to === 0 ? 0 : behindColon(to, end);
}

/** Where the value begins behind a colon, which may stand behind white space. */
function behindColon(from: usize, end: usize): usize {
  const at = behindSpace(from, end);
  return at < end && byteAt(at) === COLON ? behindSpace(at + 1, end) : failed(at);
}

/** A list of strings, at least one, as `JSON.stringify` writes it. */
export function list(from: usize, end: usize): usize {
  let at = from + 1;
  while (at < end && byteAt(at) === QUOTE) {
    at = string(at, end);
    if (at === 0 || isRespelt || at >= end) return 0;
    const byte = byteAt(at++);
    if (byte === CLOSE_ARRAY) return at;
    if (byte !== COMMA) return 0;
  }
  return 0;
}

/** Proves an object, or an array as a row, and writes its members to the tape, from entry `first` on. */
export function members(from: usize, end: usize, first: usize): usize {
  store<i32>(IS_TOO_DEEP, 0);
  const opening = byteAt(from);
  const begin: usize = TAPE + first * ENTRY_BYTES;
  const limit: usize = TAPE + MAX_MEMBERS * ENTRY_BYTES;
  let entry: usize = begin;
  let at = behindSpace(from + 1, end);
  if (at < end && byteAt(at) === opening + CLOSING) {
    store<u32>(COUNT, 0);
    return at + 1;
  }
  for (; entry < limit; entry += ENTRY_BYTES) {
    if (opening === OPEN_OBJECT) {
      const name = at;
      if (at >= end || byteAt(at) !== QUOTE) return failed(at);
      at = string(at, end);
      if (at === 0) return 0;
      store<u32>(entry, <u32>name + 1);
      store<u32>(entry, <u32>at - 1, 4);
      if (at < end && byteAt(at) === COLON && byteAt(at + 1) > SPACE) at++;
      else at = behindColon(at, end);
      if (at === 0) return 0;
    }
    if (at >= end) break;
    at = member(entry, at, end);
    if (at === 0) return 0;
    if (byteAt(at) <= SPACE) at = behindSpace(at, end);
    if (at >= end) break;
    const byte = byteAt(at);
    if (byte === opening + CLOSING) {
      store<u32>(COUNT, <u32>((entry - begin) / ENTRY_BYTES) + 1);
      return at + 1;
    }
    if (byte !== COMMA) return failed(at);
    at++;
    if (byteAt(at) <= SPACE) at = behindSpace(at, end);
  }
  return failed(entry < limit ? end : at);
}

/** Proves a member's value, and writes its kind, bounds and number to the tape. */
function member(entry: usize, from: usize, end: usize): usize {
  const byte = byteAt(from);
  if (byte === QUOTE) {
    const to = string(from, end);
    setEntry(entry, isRespelt ? RESPELT_TEXT : isEscaped ? ESCAPED_TEXT : TEXT, from + 1, to - 1, NaN);
    return to;
  }
  if (byte === HYPHEN || isDigitByte(byte)) {
    const to = number(from, end);
    setEntry(entry, NUMBER, from, to, load<i32>(IS_CANONICAL) !== 0 ? load<f64>(VALUE) : NaN);
    return to;
  }
  if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
    let to = byte === OPEN_ARRAY ? list(from, end) : 0;
    const kind = to !== 0 ? LIST : byte === OPEN_ARRAY ? ARRAY : OBJECT;
    if (to === 0) to = nestedValue(from, end, MAX_VALUE_DEPTH);
    setEntry(entry, kind, from, to, NaN);
    return to;
  }
  const to = literal(from, end);
  if (byte === LETTER_N) setEntry(entry, NULL, from, to, NaN);
  else setEntry(entry, BOOLEAN, from, to, byte === LETTER_T ? 1 : 0);
  return to;
}

/* @inline */ function setEntry(entry: usize, kind: i32, from: usize, to: usize, value: f64): void {
  store<i32>(entry, kind, 8);
  store<u32>(entry, <u32>from, 12);
  store<u32>(entry, <u32>to, 16);
  store<f64>(entry, value, 24);
}

/**
 * Writes a text with JSON's short escapes to `target`, where twice its bytes and sixteen more must have room. Returns where the written
 * text ends, or 0 where a control character has no short escape.
 */
export function writeEscaped(from: usize, end: usize, target: usize): usize {
  let to = target;
  for (let at = from; at < end; ) {
    v128.store(to, v128.load(at, BYTES), BYTES);
    const special = specialBytes(at);
    const plain = min<usize>(end - at, special === 0 ? 16 : <usize>ctz(special));
    at += plain;
    to += plain;
    if (at >= end || plain === 16) continue;
    const letter = shortEscape(byteAt(at++));
    if (letter === 0) return 0;
    store<u16>(to, <u16>(BACKSLASH | (letter << 8)), BYTES);
    to += 2;
  }
  return to;
}

/** The letter behind the backslash of a byte's short escape; 0 where it has none. */
function shortEscape(byte: u32): u32 {
  if (byte === QUOTE || byte === BACKSLASH) return byte;
  if (byte === LINE_FEED) return LETTER_N;
  if (byte === 9) return LETTER_T;
  if (byte === 13) return 0x72;
  return byte === 8 ? 0x62 : byte === 12 ? LETTER_F : 0;
}
