/**
 * Where and why a text is no JSON: the first byte that may not stand where it does, what was expected there, and advice by the byte.
 *
 *     [{'id': 7}]     expected a name in double quotes or `}`, found `'`: strings need double quotes, as Python's json.dumps writes them
 *     [1,]            expected a value, found `]`: remove the comma before it
 */

import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LINE_FEED,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
} from '../../kernels/ascii.js';
import { MAX_DEPTH, MAX_MEMBERS } from '../../kernels/json-layout.js';
import { grouped, isContinuation } from '../../text.js';
import { readBytes } from '../source/bytes.js';
import type { SnapshotFile } from '../source/folder.js';

/** Bytes of one value. A longer one is no record, and could not be one string in every runtime. */
export const MAX_VALUE_BYTES = 256 << 20;

export interface JsonFault {
  /** The position of the byte at which the text stops being JSON. */
  readonly at: number;
  readonly message: string;
  /** The text ends inside of a value. */
  readonly isCut: boolean;
}

/** A place between tokens, and the tokens that may follow there. */
export interface JsonContext {
  /** The brackets that close the containers around it, the innermost last. */
  readonly closings: readonly number[];
  /** `first`: a first member or element, or none; `behind`: what stands behind a value. */
  readonly next: 'value' | 'first' | 'name' | 'colon' | 'behind';
}

const START: JsonContext = { closings: [], next: 'value' };

const CUT_OFF = 'the file ends inside a value: the download was probably cut off';
const TOO_LARGE = `the value is too large: expected at most ${MAX_VALUE_BYTES >> 20} MB, ${grouped(MAX_MEMBERS)} members and ${grouped(MAX_DEPTH)} levels`;

/** The fault of a value that no fault is found in, and that is not read. */
export const tooLarge = (at: number): JsonFault => ({ at, message: TOO_LARGE, isCut: false });

/**
 * The first fault of `bytes[from … end)`, which should be one value of JSON, or what follows in a context; undefined if they are. Of
 * `{} {}` the second brace is the fault. It reads tokens one by one, and is called once a kernel has found that something is wrong.
 */
export function faultBetween(bytes: Buffer, from: number, end: number, context = START): JsonFault | undefined {
  const open = [...context.closings];
  let { next } = context;
  for (let at = behindWhiteSpace(bytes, from, end); at < end; at = behindWhiteSpace(bytes, at, end)) {
    const byte = bytes[at]!;
    const closing = open.at(-1);
    const isName = next === 'name' || (next === 'first' && closing === CLOSE_OBJECT);
    if (byte === closing && (next === 'first' || next === 'behind')) {
      open.pop();
      next = 'behind';
      at++;
    } else if (next === 'behind' || next === 'colon') {
      if (byte !== (next === 'colon' ? COLON : COMMA) || closing === undefined)
        return unexpectedAt(bytes, at, end, next, closing);
      next = next === 'behind' && closing === CLOSE_OBJECT ? 'name' : 'value';
      at++;
    } else if (!isName && (byte === OPEN_ARRAY || byte === OPEN_OBJECT)) {
      if (open.length === MAX_DEPTH) return tooLarge(at);
      open.push(byte === OPEN_ARRAY ? CLOSE_ARRAY : CLOSE_OBJECT);
      next = 'first';
      at++;
    } else {
      const { length, expected } = isName && byte !== QUOTE ? NO_TOKEN : tokenAt(bytes, at, end);
      if (expected !== undefined && at + length < end)
        return unexpectedAt(bytes, at + length, end, length === 0 ? next : expected, closing);
      if (expected !== undefined) break;
      at += length;
      next = isName ? 'colon' : 'behind';
    }
  }
  return open.length === 0 && next === 'behind' ? undefined : { at: end, message: CUT_OFF, isCut: true };
}

/** A string, number or word: its bytes, and what was expected behind them where it does not end well. */
interface Token {
  readonly length: number;
  readonly expected?: string;
}

const NO_TOKEN: Token = { length: 0, expected: '' };

function tokenAt(bytes: Buffer, at: number, end: number): Token {
  if (bytes[at] === QUOTE) return stringToken(bytes, at, end);
  let to = at;
  while (to < end && SIGNS_OF_WORDS.has(bytes[to]!)) to++;
  const text = bytes.toString('latin1', at, to);
  const word = LITERALS.find((one) => one.charAt(0) === text.charAt(0));
  if (word !== undefined) {
    const sameLetters = [...word].findIndex((letter, i) => text.charAt(i) !== letter);
    return sameLetters === -1 ? { length: word.length } : { length: sameLetters, expected: `\`${word}\`` };
  }
  const number = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:(?<=\d)[eE][+-]?\d*)?)?/.exec(text)?.[0] ?? '';
  return /\d$|^$/.test(number)
    ? { length: number.length, ...(number === '' && NO_TOKEN) }
    : { length: number.length, expected: 'a digit' };
}

const LITERALS = ['true', 'false', 'null'];
const SIGNS_OF_WORDS = new Set(Buffer.from('+-.0123456789Eaeflnrstu'));

function stringToken(bytes: Buffer, from: number, end: number): Token {
  for (let at = from + 1; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return { length: at + 1 - from };
    if (byte < SPACE) return { length: at - from, expected: 'a text without control characters, which JSON escapes' };
    if (byte !== BACKSLASH) continue;
    at++;
    const escaped = bytes.toString('latin1', at, Math.min(end, at + 5));
    const isUnicode = escaped.startsWith('u');
    const good = (isUnicode ? /^u[\da-f]{0,4}/i : /^["\\/bfnrt]?/).exec(escaped)?.[0].length ?? 0;
    if (good < (isUnicode ? 5 : 1))
      return {
        length: at + good - from,
        expected: isUnicode ? 'four hexadecimal digits' : 'an escape such as `n` or `"`',
      };
    at += good - 1;
  }
  return { length: end - from, expected: '' };
}

function behindWhiteSpace(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && JSON_WHITE_SPACE.has(bytes[at]!)) at++;
  return at;
}

const JSON_WHITE_SPACE = new Set([...' \n\r\t'].map((sign) => sign.charCodeAt(0)));

/** The fault of the byte at `at`; `expected`: what is expected by the context, or in the words of a token. */
function unexpectedAt(bytes: Buffer, at: number, end: number, expected: string, closing?: number): JsonFault {
  const signText = foundSignText(bytes[at]!);
  const textBehind = bytes.toString('latin1', at, Math.min(end, at + 10));
  const textBefore = bytes.toString('latin1', Math.max(0, at - 100), at);
  const advice = adviceFor(textBehind, textBefore, expected, closing);
  return { at, message: `expected ${expectedText(expected, closing)}, found ${signText}${advice}`, isCut: false };
}

/** The tokens that may follow in a context, as messages name them. */
function expectedText(next: JsonContext['next'] | string, closing: number | undefined): string {
  const sign = closing === undefined ? '' : `\`${String.fromCharCode(closing)}\``;
  if (next === 'behind') return closing === undefined ? 'the end of the file' : `\`,\` or ${sign}`;
  if (next === 'colon') return '`:` behind the name';
  const isOfObject = closing === CLOSE_OBJECT;
  if (next === 'name') return 'a name in double quotes';
  if (next === 'first') return isOfObject ? `a name in double quotes or ${sign}` : `a value or ${sign}`;
  return next === 'value' ? 'a value' : next;
}

const SIGN_NAMES: Readonly<Record<number, string>> = {
  0: 'a NUL byte',
  9: 'a tab',
  10: 'a line break',
  13: 'a carriage return',
};

/** `x` in backquotes; bytes outside of ASCII are named by their number. */
function foundSignText(byte: number): string {
  if (byte > 32 && byte < 127) return `\`${String.fromCharCode(byte)}\``;
  return SIGN_NAMES[byte] ?? `the byte 0x${byte.toString(16).padStart(2, '0')}`;
}

/** The end of a message about a page that was saved in place of a dump. */
export const MARKUP_ADVICE = ': this looks like HTML or XML, perhaps an error page that was saved in place of the dump';

/** The end of a message about NUL bytes. */
export const NUL_ADVICE = ': this is no text file, or one in UTF-16 without a byte order mark, to be saved as UTF-8';

/** Advice by the text at the fault. */
const ADVICE: readonly (readonly [beginning: string, advice: string])[] = [
  ["'", ": strings need double quotes, as Python's json.dumps writes them"],
  ...['NaN', 'None', 'Infinity', 'undefined'].map((word) => [word, `: ${word} is not JSON, null is`] as const),
  ...['True', 'False'].map((word) => [word, `: ${word} is written in lower case`] as const),
  ['/', ': JSON has no comments'],
  ['<', MARKUP_ADVICE],
  ['\0', NUL_ADVICE],
];

function adviceFor(rest: string, before: string, expected: string, closing: number | undefined): string {
  if (/,\s*$/.test(before) && /^[\]},]/.test(rest)) return ': remove the comma before it';
  const isBehind = expected === 'behind';
  if (isBehind && closing === undefined) return /^[[{]/.test(rest) ? ': put all records in one array' : '';
  // Behind a quote stands rather the rest of a text that holds this quote, "the "42" club", behind a 0 that of a number.
  if (isBehind && !/["\d]$/.test(before) && /^["[{\d-]/.test(rest)) return ': put a comma before it';
  const advice = ADVICE.find(([beginning]) => rest.startsWith(beginning))?.[1];
  if (advice !== undefined || closing !== undefined || expected !== 'value') return advice ?? '';
  return rest.startsWith(',') ? ': put [ before the first value and ] behind the last' : ': JSON begins with [ or {';
}

interface Position {
  readonly line: number;
  readonly column: number;
}

export const FIRST_POSITION: Position = { line: 1, column: 1 };

/** The position behind `bytes`, whose first byte stands at the given one: `é\nab` from 4:7 ends at 5:3. Columns count characters, not bytes. */
export function positionBehind(bytes: Uint8Array, { line, column }: Position): Position {
  const lineStart = bytes.lastIndexOf(LINE_FEED) + 1;
  let lineFeeds = 0;
  for (let at = 0; at < lineStart; at++) if (bytes[at] === LINE_FEED) lineFeeds++;
  let characters = 0;
  for (let at = lineStart; at < bytes.length; at++) if (!isContinuation(bytes[at]!)) characters++;
  return { line: line + lineFeeds, column: (lineStart === 0 ? column : 1) + characters };
}

/** The position of a byte of a file, which is read up to there. */
export async function positionIn(source: SnapshotFile, byte: number): Promise<Position> {
  let position = FIRST_POSITION;
  let readBefore = 0;
  await readBytes(source, (chunk) => {
    position = positionBehind(chunk.subarray(0, byte - readBefore), position);
    readBefore += chunk.length;
    return readBefore < byte;
  });
  return position;
}
