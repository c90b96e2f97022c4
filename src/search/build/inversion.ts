/**
 * The measured token stream → postings. Terms are cut into partitions, which are inverted one after another: the kernel
 * (`kernels/inversion.ts`) sorts the tokens of a partition by term and encodes them, and they are copied to the tables as a
 * segment.
 */
import { inversion as kernelBytes } from '../../kernels/compiled.js';
import * as places from '../../kernels/inversion-layout.js';
import { instantiate } from '../../wasm.js';
import type { PostingTables } from '../tables.js';
import type { InversionKernel } from './inversion-kernel.js';
import type { Inversion, Partition } from './inversion-plan.js';
import { postingTables, writeSegment } from './segments.js';

/** Rows whose tokens the kernel sorts at once. */
const PIECE_ROWS = 1 << 9;

/** The postings of all terms. */
export function invert(inversion: Inversion): PostingTables {
  const kernel = instantiate<InversionKernel>(kernelBytes, inversion.memory);
  const segments = inversion.partitions.map((partition) => {
    sortTokens(inversion, kernel, partition);
    return writeSegment(inversion, kernel, partition);
  });
  return postingTables(inversion, segments);
}

function sortTokens(inversion: Inversion, kernel: InversionKernel, { first, end }: Partition): void {
  const { memory, counts, room, rows, shared } = inversion;
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
