/**
 * Postings and positions as bytes. A posting is how many rows lie between its row and the one before, and its
 * frequency: the two lowest bits say 1, 2 or 3, or that the rest of the frequency follows. Numbers take 7 bits a byte,
 * the highest bit set where they go on (LEB128), so that most postings are one byte or two.
 *
 * The positions of a posting are differences, a byte each: the lowest bit marks the posting's last, the others are the
 * difference, or say that the rest of it follows.
 */

import { uint32, withRoom } from '../growable.js';

export const FREQUENCY_BITS = 2;
/** Frequencies from here on are written in two numbers. */
export const MUCH = 1 << FREQUENCY_BITS;

/** A posting behind fewer rows takes two bytes at most, if its frequency does not take more. */
export const FAR_GAP = 1 << (14 - FREQUENCY_BITS);

/** Differences from here on are written in two numbers. */
export const FAR = 127;

const MOST_NUMBER_BYTES = 5;
/** The most bytes that a posting without its positions, and that one position can take. */
export const MOST_POSTING_BYTES = 2 * MOST_NUMBER_BYTES;
export const MOST_POSITION_BYTES = 1 + MOST_NUMBER_BYTES;

export function readNumber(bytes: Uint8Array, from: number): number {
  let number = 0;
  let at = from;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]!;
    number |= (byte & 127) << shift;
    if (byte < 128) return number;
  }
}

/** Where the number that begins at `from` ends. */
function skipNumber(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at++]! > 127);
  return at;
}

/** Postings side by side: row and frequency of each. */
export interface PostingBuffer {
  readonly rows: Uint32Array;
  readonly frequencies: Uint32Array;
}

/**
 * Reads the postings of `bytes[from .. to)`, which begin at row `first`, into `into` from entry `count` on, but for
 * those whose frequency is below `least`; returns where they end there. Queries spend
 * much of their time here.
 */
export function readPostings(
  bytes: Uint8Array,
  from: number,
  to: number,
  first: number,
  least: number,
  into: PostingBuffer,
  count: number,
): number {
  const { rows, frequencies } = into;
  let next = count;
  let row = first - 1;
  for (let at = from; at < to; ) {
    let number = bytes[at++]!;
    if (number > 127) {
      const second = bytes[at]!;
      if (second < 128) {
        number = (number & 127) | (second << 7);
        at++;
      } else {
        number = readNumber(bytes, at - 1);
        at = skipNumber(bytes, at);
      }
    }
    row += (number >>> FREQUENCY_BITS) + 1;
    let frequency = (number & (MUCH - 1)) + 1;
    if (frequency === MUCH) {
      const rest = bytes[at]!;
      frequency += rest < 128 ? rest : readNumber(bytes, at);
      at = rest < 128 ? at + 1 : skipNumber(bytes, at);
    }
    if (frequency < least) continue;
    rows[next] = row;
    frequencies[next++] = frequency;
  }
  return next;
}

/** Adds the rows of such postings to `bits`. */
export function addPostings(bytes: Uint8Array, from: number, to: number, first: number, bits: Uint32Array): void {
  let row = first - 1;
  for (let at = from; at < to; ) {
    let number = bytes[at++]!;
    if (number > 127) {
      const second = bytes[at]!;
      if (second < 128) number = (number & 127) | (second << 7);
      else number = readNumber(bytes, at - 1);
      at = second < 128 ? at + 1 : skipNumber(bytes, at);
    }
    row += (number >>> FREQUENCY_BITS) + 1;
    if ((number & (MUCH - 1)) === MUCH - 1) at = skipNumber(bytes, at);
    bits[row >>> 5]! |= 1 << (row & 31);
  }
}

/** Where the positions of `count` postings end that begin at `from`. */
export function skipManyPositions(bytes: Uint8Array, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0; ) {
    const byte = bytes[at++]!;
    if (byte >>> 1 === FAR) at = skipNumber(bytes, at);
    left -= byte & 1;
  }
  return at;
}

/** Positions of a posting, ascending: the first `count` of them. */
export interface PositionBuffer {
  positions: Uint32Array;
  count: number;
}

/** Reads a posting's positions, which begin at `from`; returns where they end. */
export function readPositions(bytes: Uint8Array, from: number, into: PositionBuffer): number {
  let { positions } = into;
  let position = 0;
  let count = 0;
  let at = from;
  for (;;) {
    const byte = bytes[at++]!;
    let difference = byte >>> 1;
    if (difference === FAR) {
      const rest = bytes[at]!;
      difference += rest < 128 ? rest : readNumber(bytes, at);
      at = rest < 128 ? at + 1 : skipNumber(bytes, at);
    }
    position += difference;
    if (count === positions.length) positions = lengthened(into);
    positions[count++] = position;
    if ((byte & 1) === 1) break;
  }
  into.count = count;
  return at;
}

function lengthened(buffer: PositionBuffer): Uint32Array {
  buffer.positions = withRoom(buffer.positions, 2 * buffer.positions.length, uint32);
  return buffer.positions;
}
