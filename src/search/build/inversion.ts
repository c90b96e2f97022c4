/**
 * The measured token stream → postings. Terms are cut into partitions, which are inverted one after another: the kernel
 * (`kernels/inversion.ts`) sorts the tokens of a partition by term and encodes them, and they are copied to the tables as a
 * segment. Nothing that partitions share is written to, so that threads can invert them at the same time, each in a room of
 * its own.
 */
import { inversion as kernelBytes } from '../../kernels/compiled.js';
import * as places from '../../kernels/inversion-layout.js';
import { instantiate } from '../../wasm.js';
import type { InversionKernel } from './inversion-kernel.js';
import type { Inversion, Partition } from './inversion-plan.js';
import { type Segment, writeSegment } from './segments.js';

/** Rows whose tokens the kernel sorts at once. */
const PIECE_ROWS = 1 << 9;

/** Inverts the share of a thread, the first of which is number 0. */
export function invertShare(inversion: Inversion, thread: number): readonly Segment[] {
  const { memory, partitions, rooms } = inversion;
  const room = rooms[thread];
  if (room === undefined) return [];
  const kernel = instantiate<InversionKernel>(kernelBytes, memory);
  return partitions
    .filter((_, i) => threadOf(i, rooms.length) === thread)
    .map((partition) => {
      sortTokens(inversion, kernel, room, partition);
      return writeSegment(inversion, kernel, room, partition);
    });
}

/** Thread 0 makes the dictionary besides: of two threads it takes one partition of three. */
const threadOf = (partition: number, threads: number): number => (threads === 1 || partition % 3 === 0 ? 0 : 1);

function sortTokens(inversion: Inversion, kernel: InversionKernel, room: number, { first, end }: Partition): void {
  const { memory, counts, rows, shared } = inversion;
  const addresses = new Uint32Array(memory.buffer, room, places.ROOM_NUMBERS);
  const starts = new Uint32Array(memory.buffer, addresses[places.NEXT_TOKENS], end - first);
  let start = addresses[places.SORTED]!;
  for (let term = first; term < end; term++) {
    starts[term - first] = start;
    start += places.TOKEN_BYTES * counts[term]!;
  }
  for (let row = 0; row < rows; row += PIECE_ROWS)
    kernel.sort(shared, room, row, Math.min(row + PIECE_ROWS, rows), first, end);
}
