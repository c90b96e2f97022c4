/**
 * Tokens of JSON (RFC 8259) in the bytes behind `BYTES`. A function begins at a token's first byte and returns where the token ends, or
 * 0 where it is none. Sixteen bytes are looked at together, so as many must be readable behind `end`; none of them counts.
 */
import { BYTES, IS_KEPT, MAX_VALUE_DEPTH, OPEN_BRACKETS, VALUE } from './records-layout.js';

export const QUOTE: u32 = 0x22;
export const COMMA: u32 = 0x2c;
const MINUS: u32 = 0x2d;
const POINT: u32 = 0x2e;
const SLASH: u32 = 0x2f;
const ZERO: u32 = 0x30;
export const COLON: u32 = 0x3a;
export const OPEN_ARRAY: u32 = 0x5b;
const BACKSLASH: u32 = 0x5c;
export const CLOSE_ARRAY: u32 = 0x5d;
const LETTER_E: u32 = 0x65;
const LETTER_N: u32 = 0x6e;
const LETTER_U: u32 = 0x75;
export const OPEN_OBJECT: u32 = 0x7b;
export const CLOSE_OBJECT: u32 = 0x7d;
export const SPACE: u32 = 0x20;
const LINE_FEED: u32 = 0x0a;
/** Closing brackets have the byte two behind that of the opening one. */
const CLOSING: u32 = 2;
/** A double holds this many digits exactly. */
const MAX_DIGITS: usize = 15;

/** Line breaks between tokens; strings have none. */
export let lines: u32 = 0;
/** Of the last string: whether it has escapes, and whether `JSON.stringify` writes some of them otherwise. */
export let isEscaped: bool = false;
export let isRespelt: bool = false;

export function setLines(count: u32): void {
  lines = count;
}

/* @inline */ export function byteAt(at: usize): u32 {
  return load<u8>(at, BYTES);
}

/* @inline */ function isDigit(byte: u32): bool {
  return byte - ZERO <= 9;
}

/** Where the white space ends that begins there. */
export function space(from: usize, end: usize): usize {
  let at = from;
  for (; at < end; at++) {
    const byte = byteAt(at);
    if (byte === LINE_FEED) lines++;
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
    const byte = byteAt(at);
    if (byte === QUOTE) return at < end ? at + 1 : 0;
    if (byte !== BACKSLASH) return 0;
    at = escapeEnd(at + 1);
    if (at === 0) return 0;
  }
  return 0;
}

/** Where the escape ends whose backslash stands before `at`. */
function escapeEnd(at: usize): usize {
  isEscaped = true;
  const byte = byteAt(at);
  if (byte === LETTER_U) {
    isRespelt = true;
    for (let i: usize = 1; i <= 4; i++) if (!isHex(byteAt(at + i))) return 0;
    return at + 5;
  }
  if (byte === SLASH) isRespelt = true;
  return isShortEscape(byte) ? at + 1 : 0;
}

/* @inline */ function isShortEscape(byte: u32): bool {
  // " / \ b f n r t
  if (byte < 0x60) return byte === QUOTE || byte === SLASH || byte === BACKSLASH;
  return byte === 0x62 || byte === 0x66 || byte === LETTER_N || byte === 0x72 || byte === 0x74;
}

/* @inline */ function isHex(byte: u32): bool {
  return isDigit(byte) || (byte | 0x20) - 0x61 <= 5;
}

/** Whether a byte stands in `[from … end)`. */
export function holds(byte: u32, from: usize, end: usize): bool {
  for (let at = from; at < end; at += 16) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at, BYTES), i8x16.splat(<i8>byte)));
    if (found !== 0) return at + <usize>ctz(found) < end;
  }
  return false;
}

/**
 * A number. With at most 15 digits its value is exact: one division of two exact doubles (Clinger 1990); of others, and of those with an
 * exponent, there is no value.
 */
export function number(from: usize, end: usize): usize {
  const isNegative = byteAt(from) === MINUS;
  const first = from + usize(isNegative);
  let at = first;
  let digits: u64 = 0;
  for (; at < end && isDigit(byteAt(at)); at++) digits = digits * 10 + <u64>(byteAt(at) - ZERO);
  const whole = at - first;
  if (whole === 0 || (whole > 1 && byteAt(first) === ZERO)) return 0;
  let decimals: usize = 0;
  if (at < end && byteAt(at) === POINT) {
    const point = at++;
    for (; at < end && isDigit(byteAt(at)); at++) digits = digits * 10 + <u64>(byteAt(at) - ZERO);
    decimals = at - point - 1;
    if (decimals === 0) return 0;
  }
  if (whole + decimals > MAX_DIGITS || (at < end && (byteAt(at) | 0x20) === LETTER_E)) return exponent(at, end);
  let size: f64 = <f64>digits;
  if (decimals !== 0) {
    let divisor: f64 = 10;
    for (let i: usize = 1; i < decimals; i++) divisor *= 10;
    size /= divisor;
  }
  // Two spellings of so few digits are never one number; zeros at the end, -0 and small ones are written otherwise.
  const isKept = decimals === 0 ? digits !== 0 || !isNegative : byteAt(at - 1) !== ZERO && size >= 1e-6;
  store<f64>(VALUE, isNegative ? -size : size);
  store<i32>(IS_KEPT, i32(isKept));
  return at;
}

/** The rest of a number that has many digits, or an exponent, which begins there. */
function exponent(from: usize, end: usize): usize {
  store<f64>(VALUE, NaN);
  store<i32>(IS_KEPT, 0);
  let at = from;
  if (at >= end || (byteAt(at) | 0x20) !== LETTER_E) return at;
  at++;
  if (byteAt(at) === MINUS || byteAt(at) === 0x2b) at++;
  const first = at;
  while (at < end && isDigit(byteAt(at))) at++;
  return at === first ? 0 : at;
}

/** `null`, `true` or `false`. */
export function literal(from: usize, end: usize): usize {
  const word = load<u32>(from, BYTES);
  let to = from + 4;
  if (word === 0x736c_6166) {
    if (byteAt(to++) !== LETTER_E) return 0;
  } else if (word !== 0x6c6c_756e && word !== 0x6575_7274) return 0;
  return to <= end ? to : 0;
}

/** Any value that is no object or array. */
export function scalar(from: usize, end: usize): usize {
  const byte = byteAt(from);
  if (byte === QUOTE) return string(from, end);
  return byte === MINUS || isDigit(byte) ? number(from, end) : literal(from, end);
}

export function any(from: usize, end: usize): usize {
  const byte = byteAt(from);
  return byte === OPEN_OBJECT || byte === OPEN_ARRAY ? nested(from, end) : scalar(from, end);
}

/** Levels around the value that is read, inside of a record's member. */
export let outerDepth: usize = 0;

export function setOuterDepth(depth: usize): void {
  outerDepth = depth;
}

/** An object or array, of no more than `MAX_VALUE_DEPTH` levels with those around it. */
function nested(from: usize, end: usize): usize {
  const maxDepth = MAX_VALUE_DEPTH - outerDepth;
  let depth: usize = 0;
  let at = from;
  do {
    const byte = byteAt(at);
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth === maxDepth) return 0;
      store<u8>(depth++, <u8>byte, OPEN_BRACKETS);
      at = space(at + 1, end);
      if (at >= end) return 0;
      if (byteAt(at) !== byte + CLOSING) {
        if (byte === OPEN_OBJECT) at = memberName(at, end);
        continue;
      }
      depth--;
      at++;
    } else at = scalar(at, end);
    // Behind a value: brackets that close, then a comma before the next.
    for (; at !== 0 && depth > 0; at++) {
      at = space(at, end);
      if (at >= end) return 0;
      if (byteAt(at) !== <u32>load<u8>(depth - 1, OPEN_BRACKETS) + CLOSING) break;
      depth--;
    }
    if (at === 0 || depth === 0) return at;
    if (byteAt(at) !== COMMA) return 0;
    at = space(at + 1, end);
    if (<u32>load<u8>(depth - 1, OPEN_BRACKETS) === OPEN_OBJECT) at = memberName(at, end);
  } while (at !== 0 && at < end);
  return 0;
}

/** A member's name and its colon: where its value begins. */
function memberName(from: usize, end: usize): usize {
  if (byteAt(from) !== QUOTE) return 0;
  const to = string(from, end);
  return to === 0 ? 0 : colon(to, end);
}

/** Where the value begins behind a colon, which may stand behind white space. */
export function colon(from: usize, end: usize): usize {
  const at = space(from, end);
  return at < end && byteAt(at) === COLON ? space(at + 1, end) : 0;
}

/** A list of strings, at least one, as `JSON.stringify` writes it. */
export function list(from: usize, end: usize): usize {
  let at = from + 1;
  while (byteAt(at) === QUOTE) {
    at = string(at, end);
    if (at === 0 || isRespelt) return 0;
    const byte = byteAt(at++);
    if (byte === CLOSE_ARRAY) return at <= end ? at : 0;
    if (byte !== COMMA) return 0;
  }
  return 0;
}

/**
 * Where a value ends that is not proved: an object or array at its closing bracket, a string at its quote, another before what may follow
 * a value.
 */
export function skip(from: usize, end: usize): usize {
  let depth = 0;
  let at = from;
  while (at < end) {
    const byte = byteAt(at);
    if (byte === QUOTE) {
      at = closingQuote(at, end) + 1;
      if (at > end) return 0;
      if (depth === 0) return at;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth++;
      at++;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (depth === 0) return at;
      at++;
      if (--depth === 0) return at;
    } else if (depth === 0 && (byte === COMMA || byte <= SPACE)) return at;
    else at++;
  }
  return depth === 0 ? end : 0;
}

/** The quote behind one, or `end`. */
function closingQuote(from: usize, end: usize): usize {
  let at = from + 1;
  for (; at < end && byteAt(at) !== QUOTE; at++) if (byteAt(at) === BACKSLASH) at++;
  return at;
}

/** From 0000-03-01 to 1970-01-01. */
const DAYS_TO_EPOCH: i32 = 719_468;

/** Milliseconds since 1970 of a date as the service writes it: `2016-08-04T15:52:00Z`, or with milliseconds that are not 0; NaN of any other text. */
export function date(from: usize, end: usize): f64 {
  const length = end - from;
  if (length !== 20 && (length !== 24 || byteAt(from + 19) !== POINT)) return NaN;
  if (byteAt(end - 1) !== 0x5a || byteAt(from + 10) !== 0x54) return NaN;
  if (byteAt(from + 4) !== MINUS || byteAt(from + 7) !== MINUS) return NaN;
  if (byteAt(from + 13) !== COLON || byteAt(from + 16) !== COLON) return NaN;
  const century = twoDigits(from);
  const year = century * 100 + twoDigits(from + 2);
  const month = twoDigits(from + 5);
  const day = twoDigits(from + 8);
  const hour = twoDigits(from + 11);
  const minute = twoDigits(from + 14);
  const second = twoDigits(from + 17);
  if (century < 0 || year < 0 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return NaN;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return NaN;
  let fraction = 0;
  if (length === 24) {
    if (!isDigit(byteAt(from + 22))) return NaN;
    fraction = twoDigits(from + 20) * 10 + <i32>(byteAt(from + 22) - ZERO);
    if (fraction <= 0) return NaN;
  }
  const seconds = <i64>daysSinceEpoch(year, month, day) * 86_400 + <i64>((hour * 60 + minute) * 60 + second);
  return <f64>(seconds * 1000 + <i64>fraction);
}

/** Far below 0 where there is another byte. */
/* @inline */ function twoDigits(at: usize): i32 {
  const tens = byteAt(at) - ZERO;
  const ones = byteAt(at + 1) - ZERO;
  return tens <= 9 && ones <= 9 ? <i32>(tens * 10 + ones) : -1_000_000;
}

/** The civil calendar counted from March on, so that a leap day ends a year (Hinnant, "chrono-Compatible Low-Level Date Algorithms"). */
function daysSinceEpoch(year: i32, month: i32, day: i32): i32 {
  // A whole number of leap cycles later, so that no division is of a negative number.
  const years = (month > 2 ? year : year - 1) + 400;
  const daysBefore = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5;
  return years * 365 + years / 4 - years / 100 + years / 400 + daysBefore + day - 1 - DAYS_TO_EPOCH - 146_097;
}

function daysIn(year: i32, month: i32): i32 {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
