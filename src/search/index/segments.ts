/**
 * Sorted tokens → segments, the postings of some terms each, and all segments → the postings of an index. The kernel writes
 * terms to its own memory; what it wrote is copied to the memory of the tables, which threads share and the kernels of
 * queries work in. Terms that many rows hold stop the kernel: they get a bitmap, and a byte a row in place of postings
 * where that is shorter.
 */
import type { PostingTables } from '../tables.js';
import { append } from '../work-memory.js';

import type { InversionKernel } from './inversion-kernel.js';
import type { Inversion, Partition, Room } from './inversion-plan.js';

/** A term that more than one row in so many holds gets a bitmap. */
const BITMAP_SHARE = 16;
/** A term that more than one row in so many holds gets a byte a row, if that holds its frequencies. */
const DENSE_SHARE = 2;
const MAX_DENSE_FREQUENCY = 255;

/** Where a table of rows stands that a term has. */
interface TermRows {
  readonly term: number;
  readonly at: number;
}

/** The terms from `first` on. Addresses are those in the memory of the tables, numbers of blocks count from the segment's first. */
export interface Segment
  extends Pick<PostingTables, 'documentFrequencies' | 'maxSaturations' | 'blockBits' | 'firstBlocks' | 'blockBounds'>,
    Pick<PostingTables, 'postingStarts' | 'positionStarts' | 'maxInBlock' | 'maxPositions'> {
  readonly first: number;
  readonly bitmaps: readonly TermRows[];
  readonly dense: readonly TermRows[];
}

/** Writes the terms of a partition, whose tokens are sorted. */
export function writeSegment(
  inversion: Inversion,
  kernel: InversionKernel,
  room: Room,
  { first, end }: Partition,
): Segment {
  const { memory, tables, rows } = inversion;
  const { buffer } = memory;
  const terms = end - first;
  kernel.useOutput(
    room.documentFrequencies,
    room.maxSaturations,
    room.blockBits,
    room.firstBlocks,
    room.postingStarts,
    room.positionStarts,
    room.blockBounds,
    room.postings,
    room.positions,
  );
  const bitmaps = new Map<number, Uint8Array>();
  const dense = new Map<number, Uint8Array>();
  const rowBytes = new Uint8Array(buffer, room.rowBytes, rows + 4);
  for (let term = 0; ; term++) {
    term = kernel.writeTerms(term, terms, room.sorted, room.next, Math.floor(rows / BITMAP_SHARE));
    if (term === terms) break;
    rowBytes.fill(0);
    kernel.writeBitmap(room.rowBytes);
    bitmaps.set(first + term, rowBytes.slice(0, 4 * bitmapLength(rows)));
    const isDense = kernel.postings.value * DENSE_SHARE > rows && kernel.maxFrequency.value <= MAX_DENSE_FREQUENCY;
    if (isDense) {
      rowBytes.fill(0);
      kernel.writeFrequencies(room.rowBytes);
      dense.set(first + term, rowBytes.slice(0, rows));
    }
    kernel.writeTerm(term, isDense);
  }
  const blocks = kernel.blocks.value;
  const [postingsEnd, positionsEnd] = [kernel.postingAt.value, kernel.positionAt.value];
  const parts = [
    new Uint8Array(buffer, room.postings, postingsEnd - room.postings),
    new Uint8Array(buffer, room.positions, positionsEnd - room.positions),
    ...bitmaps.values(),
    ...dense.values(),
  ];
  const [postingsAt = 0, positionsAt = 0, ...rowsAt] = append(tables, parts);
  const rowsOf = (terms: Iterable<number>): TermRows[] => [...terms].map((term) => ({ term, at: rowsAt.shift() ?? 0 }));
  /** One start more than there are blocks: where the last one ends. */
  const startsFrom = (at: number, last: number, shift: number): Uint32Array => {
    const starts = new Uint32Array(blocks + 1);
    starts.set(new Uint32Array(buffer, at, blocks));
    starts[blocks] = last;
    return starts.map((start) => start + shift);
  };
  const blockBounds = new Uint8Array(blocks + 1);
  blockBounds.set(new Uint8Array(buffer, room.blockBounds, blocks));
  return {
    first,
    documentFrequencies: new Uint32Array(buffer, room.documentFrequencies, terms).slice(),
    maxSaturations: new Float32Array(buffer, room.maxSaturations, terms).slice(),
    blockBits: new Uint8Array(buffer, room.blockBits, terms).slice(),
    firstBlocks: new Uint32Array(buffer, room.firstBlocks, terms).slice(),
    postingStarts: startsFrom(room.postingStarts, postingsEnd, postingsAt - room.postings),
    positionStarts: startsFrom(room.positionStarts, positionsEnd, positionsAt - room.positions),
    blockBounds,
    maxInBlock: kernel.maxInBlock.value,
    maxPositions: kernel.maxPositions.value,
    bitmaps: rowsOf(bitmaps.keys()),
    dense: rowsOf(dense.keys()),
  };
}

const bitmapLength = (rows: number): number => (rows + 31) >>> 5;

/** The postings of all segments. */
export function postingTables(
  { tables: memory, rows, counts }: Inversion,
  segments: readonly Segment[],
): PostingTables {
  const terms = counts.length;
  const blocks = segments.reduce((sum, { blockBounds }) => sum + blockBounds.length, 0);
  const [postingStarts, positionStarts, blockBounds] = [
    new Uint32Array(blocks),
    new Uint32Array(blocks),
    new Uint8Array(blocks),
  ];
  const documentFrequencies = new Uint32Array(terms);
  const maxSaturations = new Float32Array(terms);
  const blockBits = new Uint8Array(terms);
  const firstBlocks = new Uint32Array(terms);
  let block = 0;
  for (const segment of segments) {
    const { first } = segment;
    documentFrequencies.set(segment.documentFrequencies, first);
    maxSaturations.set(segment.maxSaturations, first);
    blockBits.set(segment.blockBits, first);
    firstBlocks.set(
      segment.firstBlocks.map((number) => number + block),
      first,
    );
    postingStarts.set(segment.postingStarts, block);
    positionStarts.set(segment.positionStarts, block);
    blockBounds.set(segment.blockBounds, block);
    block += segment.blockBounds.length;
  }
  const inBytes = (numbers: Uint32Array): Uint8Array => new Uint8Array(numbers.buffer);
  const [postingsAt = 0, positionsAt = 0] = append(memory, [inBytes(postingStarts), inBytes(positionStarts)]);
  const { buffer } = memory;
  const [bitmaps, dense] = [
    segments.flatMap((segment) => segment.bitmaps),
    segments.flatMap((segment) => segment.dense),
  ];
  return {
    memory,
    bytes: new Uint8Array(buffer),
    documentFrequencies,
    maxSaturations,
    blockBits,
    firstBlocks,
    postingStarts: new Uint32Array(buffer, postingsAt, blocks),
    positionStarts: new Uint32Array(buffer, positionsAt, blocks),
    blockBounds,
    maxInBlock: Math.max(0, ...segments.map(({ maxInBlock }) => maxInBlock)),
    maxPositions: Math.max(0, ...segments.map(({ maxPositions }) => maxPositions)),
    bitmapOfTerm: numbersOf(bitmaps, terms),
    bitmaps: bitmaps.map(({ at }) => new Uint32Array(buffer, at, bitmapLength(rows))),
    denseOfTerm: numbersOf(dense, terms),
    dense: dense.map(({ at }) => new Uint8Array(buffer, at, rows)),
  };
}

/** By term the number of its table, or -1. */
function numbersOf(tables: readonly TermRows[], terms: number): Int32Array {
  const numbers = new Int32Array(terms).fill(-1);
  tables.forEach(({ term }, number) => {
    numbers[term] = number;
  });
  return numbers;
}
