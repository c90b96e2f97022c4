/**
 * Where and why a text is no JSON. The kernel finds the byte, `JSON.parse` gives the reason, and the byte the advice:
 *
 *     [{'id': 7}]     expected property name or '}', found `'`: strings need double quotes, as Python's json.dumps writes them
 *     [1,]            unexpected token `]`: remove the comma before it
 */

import { LINE_FEED } from '../../kernels/ascii.js';
import { MAX_DEPTH, MAX_MEMBERS } from '../../kernels/json-layout.js';
import { grouped, isContinuation } from '../../text.js';
import type { BatchMemory } from '../source/batch-memory.js';
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

const CUT_OFF = 'the file ends inside a value: the download was probably cut off';
const TOO_LARGE = `the value is too large: expected at most ${MAX_VALUE_BYTES >> 20} MB, ${grouped(MAX_MEMBERS)} members and ${grouped(MAX_DEPTH)} levels`;

/**
 * The first fault of `bytes[from … end)` of a memory, which should be one value of JSON; undefined if they are. Of `{} {}` the
 * second brace is the fault.
 */
export function faultBetween(memory: BatchMemory, from: number, end: number): JsonFault | undefined {
  const { kernel, bytes } = memory;
  memory.isTooDeep = false;
  const first = behindWhiteSpace(bytes, from, end);
  const valueEnd = first === end ? 0 : kernel.any(first, end);
  if (memory.isTooDeep) return { at: memory.stoppedAt, message: TOO_LARGE, isCut: false };
  const at = valueEnd === 0 ? Math.max(first, memory.stoppedAt) : behindWhiteSpace(bytes, valueEnd, end);
  if (at >= end) return valueEnd === 0 ? { at: end, message: CUT_OFF, isCut: true } : undefined;
  return { at, message: messageAt(bytes, from, at, end), isCut: false };
}

/** The fault of a value that no fault is found in, and that is not read. */
export const tooLarge = (at: number): JsonFault => ({ at, message: TOO_LARGE, isCut: false });

function behindWhiteSpace(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && JSON_WHITE_SPACE.has(bytes[at]!)) at++;
  return at;
}

const JSON_WHITE_SPACE = new Set([...' \n\r\t'].map((sign) => sign.charCodeAt(0)));

function messageAt(bytes: Buffer, from: number, at: number, end: number): string {
  const reason = reasonOf(bytes.toString('utf8', from, at + 1));
  const before = bytes.toString('latin1', Math.max(from, at - 100), at);
  const sign = foundSignText(bytes[at]!);
  const isUnexpected = reason.startsWith('unexpected');
  const fault = isUnexpected ? `unexpected ${sign.replace(/^(?:a|the) /, '')}` : `${reason}, found ${sign}`;
  return `${fault}${adviceFor(bytes.toString('latin1', at, Math.min(end, at + 10)), before, reason)}`;
}

/** `JSON.parse`'s reason why a text is no JSON, without the position and the quotation that it adds. */
function reasonOf(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return `${message.charAt(0).toLowerCase()}${message.slice(1).replace(/ (?:in JSON )?at position .*$|,? (?:\.\.\.)?".*$/s, '')}`;
  }
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

function adviceFor(rest: string, before: string, reason: string): string {
  if (/,\s*$/.test(before) && /^[\]},]/.test(rest)) return ': remove the comma before it';
  // Behind a quote stands rather the rest of a text that holds this quote: "the "42" club".
  const isRestOfText = before.endsWith('"');
  if (reason.startsWith("expected ','") && !isRestOfText && /^["[{\d-]/.test(rest)) return ': put a comma before it';
  if (reason.endsWith('after JSON')) return /^[[{]/.test(rest) ? ': put all records in one array' : '';
  const advice = ADVICE.find(([beginning]) => rest.startsWith(beginning))?.[1];
  if (advice !== undefined || before.trim() !== '') return advice ?? '';
  return rest.startsWith(',') ? ': put [ before the first value and ] behind the last' : ': JSON begins with [ or {';
}

export interface Position {
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
