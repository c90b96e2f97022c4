/**
 * JSON records → cells over their bytes. A record's names are predicted: each is compared with the one that followed the last time.
 * A cell that is canonical for its field is placed; any other is proved and left to the caller, as is a record that has other
 * names than its table, or is no JSON.
 */
import {
  any,
  byteAt,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  colon,
  date,
  holds,
  isEscaped,
  isRespelt,
  lines,
  list,
  number,
  OPEN_ARRAY,
  OPEN_OBJECT,
  outerDepth,
  QUOTE,
  SPACE,
  setLines,
  setOuterDepth,
  space,
  string,
} from './json-tokens.js';
import {
  BYTES,
  DATE,
  DECIMAL,
  DONE,
  ENDS,
  FIRST,
  HAS_ENTITIES,
  HAS_LIST,
  HAS_NULL_WORDS,
  HAS_RIVAL,
  INTEGER,
  IS_HTML,
  IS_KEPT,
  IS_OWN,
  IS_SPARE,
  KINDS,
  LEFT_CELL_BYTES,
  LEFT_CELLS,
  LEFT_COUNT,
  LEFT_NAME,
  LEFT_SPARE,
  LEFT_VALUE,
  LINE,
  LINES,
  MAX_NULL_WORD_BYTES,
  MEMBERS,
  NAME_ABSENT,
  NAME_BYTES,
  NAME_COLUMN,
  NAME_FLAGS,
  NAME_INNER,
  NAME_LENGTH,
  NAME_SEEN,
  NAME_VALUE,
  NUMBERS,
  POSITION,
  READ,
  RECORDS,
  REQUIRED,
  SKIPPED,
  STAMP,
  STARTS,
  TABLE_HEAD_BYTES,
  TAGS,
  TEXT_ENDS,
  TEXT_STARTS,
  TEXTUAL,
  UNREAD,
  UNSETTLED,
  VALUE,
} from './records-layout.js';

export { any, date, list, number, skip, string } from './json-tokens.js';

// Kinds of cells: see `batch.ts`.
const ABSENT: u8 = 0;
const NULL: u8 = 1;
const TEXT: u8 = 2;
const ESCAPED_TEXT: u8 = 3;
const NUMBER: u8 = 4;
const LIST: u8 = 5;
const NULL_FIRST: u32 = 0x6e;
const AMPERSAND: u32 = 0x26;
const HYPHEN: u32 = 0x2d;
/** The first byte of dashes in UTF-8. */
const DASH_FIRST: u32 = 0xe2;
const SMALL_N: u32 = 0x6e;
const LOWER_CASE: u32 = 0x20;
const DELETE: u32 = 0x7f;
/** Before the year 0. */
const MIN_TIME_MS: f64 = -1e14;

/** The row of the record that is read, and whether it lacks a name of its table. */
let row: usize = 0;
let isLacking: bool = false;
/** How many of its cells are left to the caller. */
let leftCells: usize = 0;
/** A value inside of another is not where the tables expect it. */
let isIrregular: bool = false;
/** Whether the record's text is what the service writes for it. */
let isServed: bool = false;

/**
 * Reads the record at `from`, and those that follow on it behind `separator` (0: none), white space and the same bracket, into
 * `room` rows from `firstRow` on. `columns`: of the batch; `required`: a bit for each that no record may lack. Returns why it stopped:
 * only the first record is left unsettled, or unread.
 */
export function read(
  table: usize,
  from: usize,
  end: usize,
  separator: u32,
  firstRow: usize,
  room: usize,
  columns: usize,
  required: u32,
): i32 {
  const opening = byteAt(from);
  let line = load<u32>(LINE);
  let at = from;
  let done: usize = 0;
  for (;;) {
    row = firstRow + done;
    setLines(0);
    clearRow(columns);
    store<u32>(row << 2, line, LINES);
    const to = record(table, at, end);
    const isUnsettled = leftCells > 0 || lacks(required);
    if (to === 0 || isUnsettled) {
      if (done > 0) break;
      if (to === 0) return UNREAD;
    }
    line += lines;
    store<u32>(POSITION, <u32>to);
    store<u32>(LINE, line);
    done++;
    if (isUnsettled) {
      store<u32>(LEFT_COUNT, <u32>leftCells);
      return UNSETTLED;
    }
    if (isLacking) countAbsent(table);
    if (done === room) break;
    at = to;
    if (separator !== 0 && byteAt(at++) !== separator) break;
    setLines(0);
    at = space(at, end);
    if (at >= end || byteAt(at) !== opening) break;
    line += lines;
  }
  store<u32>(DONE, <u32>done);
  return READ;
}

function clearRow(columns: usize): void {
  for (let cell = row; cell < columns * RECORDS; cell += RECORDS) {
    store<u8>(cell, ABSENT, KINDS);
    store<f64>(cell << 3, NaN, NUMBERS);
  }
}

/** Whether one of the required columns has no value. */
function lacks(required: u32): bool {
  for (let rest = required; rest !== 0; rest &= rest - 1)
    if (load<u8>(row + <usize>ctz(rest) * RECORDS, KINDS) <= NULL) return true;
  return false;
}

/** Reads a record; returns where it ends, or 0 where the parser has to read it. */
function record(table: usize, from: usize, end: usize): usize {
  store<u32>(STAMP, load<u32>(STAMP) + 1);
  leftCells = 0;
  isServed = load<u32>(table, IS_OWN) !== 0;
  const isRow = byteAt(from) === OPEN_ARRAY;
  const names = table + TABLE_HEAD_BYTES;
  const namesEnd = names + <usize>load<u32>(table) * NAME_BYTES;
  let next = names;
  let found: u32 = 0;
  let at = from + 1;
  for (;;) {
    let name = next;
    if (isRow) {
      if (name === namesEnd) return 0;
    } else {
      const length = <usize>load<u32>(name, NAME_LENGTH);
      if (name < namesEnd && stands(load<u32>(name), length, at)) at += length;
      else {
        at = space(at, end);
        name = find(table, next, at);
        if (name === 0) return 0;
        at = colon(at + <usize>load<u32>(name, NAME_LENGTH) - 1, end);
        if (at === 0) return 0;
        isServed = false;
      }
    }
    if (mark(name)) return 0;
    found++;
    next = name + NAME_BYTES;
    if (byteAt(at) <= SPACE) at = tracedSpace(at, end);
    at = member(name, at, end);
    if (at === 0) return 0;
    if (byteAt(at) <= SPACE) at = tracedSpace(at, end);
    if (byteAt(at) !== COMMA) break;
    at++;
    if (isRow) at = space(at, end);
  }
  if (byteAt(at) !== (isRow ? CLOSE_ARRAY : CLOSE_OBJECT)) return 0;
  if (++at > end) return 0;
  isLacking = found < load<u32>(table);
  if (isLacking && !mayLack(names, namesEnd)) return 0;
  const isWhole = isServed && leftCells === 0 && !isRow;
  store<u32>(row << 2, isWhole ? <u32>from : 0, TEXT_STARTS);
  store<u32>(row << 2, isWhole ? <u32>at : 0, TEXT_ENDS);
  return at;
}

function tracedSpace(from: usize, end: usize): usize {
  isServed = false;
  return space(from, end);
}

/** Reads the value of a record's member, and what is kept of it besides the fields. */
function member(name: usize, from: usize, end: usize): usize {
  const leftBefore = leftCells;
  isIrregular = false;
  setOuterDepth(0);
  const to = value(name, from, end);
  if (to === 0) return 0;
  if (isIrregular) {
    leftCells = leftBefore;
    leave(name, LEFT_NAME, from, to);
  }
  if ((load<u32>(name, NAME_FLAGS) & IS_SPARE) !== 0) leave(name, LEFT_SPARE, from, to);
  return to;
}

/** Whether none of the names that the record lacks changes which name feeds a field. */
function mayLack(names: usize, end: usize): bool {
  for (let name = names; name < end; name += NAME_BYTES) {
    if (isMarked(name)) continue;
    if ((load<u32>(name, NAME_FLAGS) & HAS_RIVAL) !== 0) return false;
    // A record's text leaves out the lists that it lacks.
    if (load<i32>(name, NAME_VALUE) !== TAGS) isServed = false;
  }
  return true;
}

/** Counts the names that the last record lacks. */
export function countAbsent(table: usize): void {
  const names = table + TABLE_HEAD_BYTES;
  const end = names + <usize>load<u32>(table) * NAME_BYTES;
  for (let name = names; name < end; name += NAME_BYTES)
    if (!isMarked(name)) store<u32>(name, load<u32>(name, NAME_ABSENT) + 1, NAME_ABSENT);
}

/* @inline */ function isMarked(name: usize): bool {
  return load<u32>(name, NAME_SEEN) === load<u32>(STAMP);
}

/** Marks a name; whether it was marked before. */
function mark(name: usize): bool {
  const wasMarked = isMarked(name);
  store<u32>(name, load<u32>(STAMP), NAME_SEEN);
  return wasMarked;
}

/** The name that stands there, looked for from `next` on; 0 where it is none of the table's. */
function find(table: usize, next: usize, at: usize): usize {
  const names = table + TABLE_HEAD_BYTES;
  const count = load<u32>(table);
  const end = names + <usize>count * NAME_BYTES;
  let name = next;
  for (let left = count; left > 0; left--) {
    if (name >= end) name = names;
    if (stands(load<u32>(name), <usize>load<u32>(name, NAME_LENGTH) - 1, at)) return name;
    name += NAME_BYTES;
  }
  return 0;
}

/** Whether a text stands there, eight bytes at a time, of which the last may overlap those before. */
function stands(text: usize, length: usize, at: usize): bool {
  if (length < 8) {
    for (let i: usize = 0; i < length; i++) if (load<u8>(text + i) !== load<u8>(at + i, BYTES)) return false;
    return true;
  }
  for (let i: usize = 0; i < length - 8; i += 8) if (load<u64>(text + i) !== load<u64>(at + i, BYTES)) return false;
  return load<u64>(text + length - 8) === load<u64>(at + length - 8, BYTES);
}

/** Reads a value as its name says. */
function value(name: usize, at: usize, end: usize): usize {
  const what = load<i32>(name, NAME_VALUE);
  if (what <= TAGS) return cell(name, what, at, end);
  if (what === MEMBERS) return members(load<u32>(name, NAME_INNER), at, end);
  if (what === FIRST) return firstElement(load<u32>(name, NAME_INNER), at, end);
  if (what !== SKIPPED) isIrregular = true;
  return any(at, end);
}

/** Reads those members of an object that a table names; a list of one object is that object, `null` has none. */
function members(table: usize, from: usize, end: usize): usize {
  const byte = byteAt(from);
  if (byte === OPEN_ARRAY) return onlyElement(table, from, end);
  if (byte !== OPEN_OBJECT) {
    if (byte !== NULL_FIRST) isIrregular = true;
    return any(from, end);
  }
  setOuterDepth(outerDepth + 1);
  const to = membersInside(table, from, end);
  setOuterDepth(outerDepth - 1);
  return to;
}

function membersInside(table: usize, from: usize, end: usize): usize {
  let next = table + TABLE_HEAD_BYTES;
  let at = space(from + 1, end);
  if (byteAt(at) === CLOSE_OBJECT) return at + 1;
  while (byteAt(at) === QUOTE) {
    const name = find(table, next, at);
    if (name === 0) {
      at = string(at, end);
      if (at === 0) return 0;
      // It may be a name of the table.
      if (isEscaped) isIrregular = true;
    } else {
      at += <usize>load<u32>(name, NAME_LENGTH) - 1;
      next = name + NAME_BYTES;
    }
    at = colon(at, end);
    if (at === 0) return 0;
    // Of a name that stands there twice the last value counts.
    if (name !== 0 && mark(name)) isIrregular = true;
    at = name === 0 || isIrregular ? any(at, end) : value(name, at, end);
    if (at === 0) return 0;
    at = space(at, end);
    if (byteAt(at) === CLOSE_OBJECT) return at + 1;
    if (byteAt(at) !== COMMA) return 0;
    at = space(at + 1, end);
  }
  return 0;
}

function onlyElement(table: usize, from: usize, end: usize): usize {
  const linesBefore = lines;
  let at = space(from + 1, end);
  if (byteAt(at) === CLOSE_ARRAY) return at + 1;
  if (byteAt(at) === OPEN_OBJECT && load<u32>(table, HAS_LIST) === 0) {
    setOuterDepth(outerDepth + 1);
    at = members(table, at, end);
    setOuterDepth(outerDepth - 1);
    if (at === 0) return 0;
    at = space(at, end);
    if (byteAt(at) === CLOSE_ARRAY) return at + 1;
  }
  isIrregular = true;
  setLines(linesBefore);
  return any(from, end);
}

/** Reads the first element of a list, and what is no list itself, as the one name of a table says. */
function firstElement(table: usize, from: usize, end: usize): usize {
  const name = table + TABLE_HEAD_BYTES;
  if (byteAt(from) !== OPEN_ARRAY) return value(name, from, end);
  let at = space(from + 1, end);
  if (byteAt(at) === CLOSE_ARRAY) return at + 1;
  setOuterDepth(outerDepth + 1);
  at = value(name, at, end);
  while (at !== 0) {
    at = space(at, end);
    const isLast = byteAt(at) === CLOSE_ARRAY;
    if (isLast || byteAt(at) !== COMMA) {
      at = isLast ? at + 1 : 0;
      break;
    }
    at = any(space(at + 1, end), end);
  }
  setOuterDepth(outerDepth - 1);
  return at;
}

/** Places a field's value if it is canonical, else leaves it. */
function cell(name: usize, what: i32, at: usize, end: usize): usize {
  const byte = byteAt(at);
  if (byte === QUOTE) return text(name, what, at, end);
  if (what <= DECIMAL && byte < COLON) {
    const to = number(at, end);
    if (to === 0) return 0;
    const amount = load<f64>(VALUE);
    const isKept = load<i32>(IS_KEPT) !== 0 && (what !== INTEGER || floor(amount) === amount);
    return isKept ? place(name, NUMBER, at, to, amount) : leave(name, LEFT_VALUE, at, to);
  }
  if (what === TAGS && byte === OPEN_ARRAY) {
    const to = list(at, end);
    if (to !== 0 && !hasMarkup(name, at, to)) return place(name, LIST, at, to, NaN);
  }
  const to = any(at, end);
  if (to === 0) return 0;
  if (byte !== NULL_FIRST) return leave(name, LEFT_VALUE, at, to);
  if (what === TAGS) isServed = false;
  return place(name, NULL, at, to, NaN);
}

function text(name: usize, what: i32, at: usize, end: usize): usize {
  const to = string(at, end);
  if (to === 0) return 0;
  if (
    what === TEXTUAL &&
    !isRespelt &&
    !mayBeBlank(name, at) &&
    !mayBeNullWord(name, at, to) &&
    !hasMarkup(name, at, to)
  )
    return place(name, isEscaped ? ESCAPED_TEXT : TEXT, at, to, NaN);
  if (what === DATE && !isEscaped) {
    const timeMs = date(at + 1, to - 1);
    // NaN is not.
    if (timeMs > MIN_TIME_MS) return place(name, TEXT, at, to, timeMs);
  }
  return leave(name, LEFT_VALUE, at, to);
}

/** Whether a text that must not be blank does not begin with a visible character of ASCII. */
/* @inline */ function mayBeBlank(name: usize, at: usize): bool {
  if ((load<u32>(name, NAME_FLAGS) & REQUIRED) === 0) return false;
  const first = byteAt(at + 1);
  return isEscaped || first <= SPACE || first >= DELETE || first === QUOTE;
}

/** Whether a text may be `N/A`, `null`, `-`, `—` or the like. */
/* @inline */ function mayBeNullWord(name: usize, at: usize, to: usize): bool {
  if (<i32>(to - at) > MAX_NULL_WORD_BYTES + 2 || (load<u32>(name, NAME_FLAGS) & HAS_NULL_WORDS) === 0) return false;
  const first = byteAt(at + 1);
  return (first | LOWER_CASE) === SMALL_N || first === HYPHEN || first === DASH_FIRST;
}

/** Whether a text or list may be another once its entities or tags are read. */
/* @inline */ function hasMarkup(name: usize, at: usize, to: usize): bool {
  const flags = load<u32>(name, NAME_FLAGS) & (HAS_ENTITIES | IS_HTML);
  if (flags === 0) return false;
  return flags === IS_HTML && byteAt(at) === QUOTE ? to - at > 2 : holds(AMPERSAND, at, to);
}

function place(name: usize, kind: u8, at: usize, to: usize, number: f64): usize {
  const cell = row + <usize>load<u32>(name, NAME_COLUMN) * RECORDS;
  store<u8>(cell, kind, KINDS);
  store<u32>(cell << 2, <u32>at, STARTS);
  store<u32>(cell << 2, <u32>to, ENDS);
  store<f64>(cell << 3, number, NUMBERS);
  return to;
}

/** Leaves a value to the caller. */
function leave(name: usize, what: i32, at: usize, to: usize): usize {
  const entry = <usize>LEFT_CELLS + leftCells++ * <usize>LEFT_CELL_BYTES;
  store<u32>(entry, <u32>name);
  store<i32>(entry, what, 4);
  store<u32>(entry, <u32>at, 8);
  store<u32>(entry, <u32>to, 12);
  return to;
}
