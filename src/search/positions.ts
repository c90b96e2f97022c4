/**
 * Where in a record each posting's words stand, as differences of 6 or more bits: a byte's lowest bit marks the first
 * position of a posting, the highest that the number goes on in the next byte by 7 bits. A word is one position after
 * the word before it; fields and separate texts are `BREAK` positions apart, so nothing is adjacent across them.
 * Every 16th posting's place is kept; reading one skips at most 15 others, some 20 ns.
 */
import type { IndexTables } from './tables.js';

/** More than any distance at which words count as standing together. */
export const BREAK = 8;

const STRIDE_BITS = 4;

export type PositionTables = Pick<IndexTables, 'positions' | 'positionStarts' | 'mostPositions'>;

export const positionSize = (difference: number): number => {
  let size = 1;
  for (let rest = difference >>> 6; rest !== 0; rest >>>= 7) size++;
  return size;
};

/** Writes positions, each where the caller says, and remembers where every 16th posting's begin. */
export class PositionWriter {
  private readonly bytes: Uint8Array;
  private readonly starts: Uint32Array;

  constructor(size: number, postings: number) {
    this.bytes = new Uint8Array(size + 1);
    this.bytes[size] = 1; // ends the last posting
    this.starts = new Uint32Array((postings >>> STRIDE_BITS) + 1);
  }

  /** Writes a posting's first position at byte `at`; returns where its next one goes. */
  writeFirst(at: number, position: number, posting: number): number {
    if ((posting & ((1 << STRIDE_BITS) - 1)) === 0) this.starts[posting >>> STRIDE_BITS] = at;
    return this.write(at, position, 1);
  }

  /** Writes a difference; `first` is 1 for a posting's first position and 0 for the others. */
  write(at: number, difference: number, first: 0 | 1): number {
    const { bytes } = this;
    let rest = difference >>> 6;
    let next = at;
    bytes[next++] = ((difference & 63) << 1) | first | (rest > 0 ? 128 : 0);
    for (; rest > 0; rest >>>= 7) bytes[next++] = (rest & 127) | (rest > 127 ? 128 : 0);
    return next;
  }

  finish(mostPositions: number): PositionTables {
    return { positions: this.bytes, positionStarts: this.starts, mostPositions };
  }
}

/** Reads the positions of a posting into `out`, ascending; returns how many there are. */
export function readPositions(tables: PositionTables, posting: number, out: Uint32Array): number {
  const { positions } = tables;
  let at = tables.positionStarts[posting >>> STRIDE_BITS]!;
  for (let left = posting & ((1 << STRIDE_BITS) - 1); left > 0; ) {
    while (positions[at++]! > 127); // the rest of a number
    if ((positions[at]! & 1) === 1) left--;
  }
  let count = 0;
  let position = 0;
  do {
    let byte = positions[at++]!;
    let difference = (byte >>> 1) & 63;
    for (let shift = 6; byte > 127; shift += 7) {
      byte = positions[at++]!;
      difference |= (byte & 127) << shift;
    }
    position += difference;
    out[count++] = position;
  } while ((positions[at]! & 1) === 0);
  return count;
}
