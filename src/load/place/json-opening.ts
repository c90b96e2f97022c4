/**
 * The beginning of a JSON file as values: brackets that the cut left open are closed behind the last whole value. Brackets are counted
 * without recursion, so depth costs an array entry a bracket.
 *
 *     [{"a":1},{"b":2,"c      is cut off
 *     [{"a":1},{"b":2}]       is parsed
 */

import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from '../../kernels/ascii.js';
import { parsedJson } from '../../text.js';

export interface Opening {
  /** The root values, one after the other; the last may lack its end. */
  readonly roots: readonly unknown[];
  /** Whether the last root is whole. A fault ends the roots: then it is false too. */
  readonly isClosed: boolean;
}

/** The root values that begin in some bytes. */
export function openingOf(bytes: Buffer): Opening {
  const roots: unknown[] = [];
  /** The brackets that close what is open. */
  const open: number[] = [];
  /** Where the last root begins, and where the last whole value in it ends. */
  let start = 0;
  let cut = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE) i = stringEnd(bytes, i) - 1;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (open.length === 0) start = i;
      open.push(byte === OPEN_ARRAY ? CLOSE_ARRAY : CLOSE_OBJECT);
      cut = i + 1;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      if (open.pop() !== byte) return { roots, isClosed: false };
      cut = i + 1;
      if (open.length > 0) continue;
      const root = parsedJson(bytes.toString('utf8', start, cut));
      if (root === undefined) return { roots, isClosed: false };
      roots.push(root);
    } else if (byte === COMMA && open.length > 0) cut = i;
  }
  if (open.length === 0) return { roots, isClosed: true };
  const closing = String.fromCharCode(...open.slice(-MAX_CLOSED).reverse());
  const root = open.length > MAX_CLOSED ? undefined : parsedJson(bytes.toString('utf8', start, cut) + closing);
  if (root !== undefined) roots.push(root);
  return { roots, isClosed: false };
}

/** Open brackets that are closed at the cut; deeper nesting is no dump of records. */
const MAX_CLOSED = 1000;

/** The position behind the closing quote of the string at `from`, or the end of the bytes. */
function stringEnd(bytes: Buffer, from: number): number {
  let quote = from;
  for (;;) {
    quote = bytes.indexOf(QUOTE, quote + 1);
    if (quote === -1) return bytes.length;
    let slashes = 0;
    while (bytes[quote - slashes - 1] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
}
