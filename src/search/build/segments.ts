/**
 * Sorted tokens → segments, and segments → the postings of an index. A segment holds the postings of one partition's terms.
 * The kernel writes a segment to its own memory. From there it is copied to the memory of the tables, which threads share.
 * The kernel stops at a term that many rows hold: the term gets a bitmap. If most rows hold it, it is dense as well: an impact
 * and a mask for each row stand in place of its postings.
 */
import * as places from '../../kernels/inversion-layout.js';
import type { PostingTables } from '../tables.js';
import { addressIn, append } from '../work-memory.js';
import type { InversionKernel } from './inversion-kernel.js';
import { type Inversion, type Partition, paddedRows } from './inversion-plan.js';

/** A term that more than one row in 16 holds gets a bitmap. */
const BITMAP_SHARE = 16;
/** A term that more than one row in 2 holds is dense. */
const DENSE_SHARE = 2;

/** A term and the address of its bitmap, or of its dense table. */
interface TermRows {
  readonly term: number;
  readonly at: number;
}

type OfTerms = 'documentFrequencies' | 'blockBits' | 'firstBlocks';
type OfBlocks = 'postingStarts' | 'positionStarts';

/** The postings of the terms from `first` on. Addresses are in the memory of the tables; block numbers begin at 0. */
export interface Segment extends Pick<PostingTables, OfTerms | OfBlocks> {
  readonly first: number;
  readonly bitmaps: readonly TermRows[];
  readonly dense: readonly TermRows[];
}

/** Writes the terms of a partition, whose tokens are sorted. */
export function writeSegment(inversion: Inversion, kernel: InversionKernel, partition: Partition): Segment {
  const { room } = inversion;
  const { bitmaps, dense } = encode(inversion, kernel, partition);
  const { buffer } = inversion.memory;
  const { first, end } = partition;
  const addresses = new Uint32Array(buffer, room, places.ROOM_NUMBERS);
  const addressOf = (place: number): number => addresses[place]!;
  const written = (from: number, to: number) => new Uint8Array(buffer, from, to - from);
  const [postingsFrom, postingsTo] = [addressOf(places.POSTINGS), addressIn(kernel.postingAt)];
  const [positionsFrom, positionsTo] = [addressOf(places.POSITIONS), addressIn(kernel.positionAt)];
  const parts = [written(postingsFrom, postingsTo), written(positionsFrom, positionsTo)];
  const [postingsAt = 0, positionsAt = 0, ...rowsAt] = append(inversion.tables, [
    ...parts,
    ...bitmaps.values(),
    ...dense.values(),
  ]);
  const terms = end - first;
  // One entry more than there are blocks: it marks the end of the last block.
  const blocks = kernel.blocks.value + 1;
  const starts = (place: number, last: number, shift: number): Uint32Array => {
    const starts = new Uint32Array(buffer, addressOf(place), blocks).map((start) => start + shift);
    starts[blocks - 1] = last + shift;
    return starts;
  };
  const termRows = (terms: Iterable<number>, at: readonly number[]) =>
    Array.from(terms, (term, i) => ({ term, at: at[i]! }));
  return {
    first,
    documentFrequencies: new Uint32Array(buffer, addressOf(places.DOCUMENT_FREQUENCIES), terms).slice(),
    blockBits: new Uint8Array(buffer, addressOf(places.BLOCK_BITS), terms).slice(),
    firstBlocks: new Uint32Array(buffer, addressOf(places.FIRST_BLOCKS), terms).slice(),
    postingStarts: starts(places.POSTING_STARTS, postingsTo, postingsAt - postingsFrom),
    positionStarts: starts(places.POSITION_STARTS, positionsTo, positionsAt - positionsFrom),
    bitmaps: termRows(bitmaps.keys(), rowsAt),
    dense: termRows(dense.keys(), rowsAt.slice(bitmaps.size)),
  };
}

/** Encodes the terms of a partition; returns the tables of rows that they get, by term. */
function encode(
  { memory, room, rows, shared }: Inversion,
  kernel: InversionKernel,
  { first, end }: Partition,
): { readonly bitmaps: ReadonlyMap<number, Uint8Array>; readonly dense: ReadonlyMap<number, Uint8Array> } {
  const bitmaps = new Map<number, Uint8Array>();
  const dense = new Map<number, Uint8Array>();
  const rowBytes = new Uint8Array(
    memory.buffer,
    new Uint32Array(memory.buffer, room)[places.ROW_BYTES],
    2 * paddedRows(rows),
  );
  const terms = end - first;
  kernel.beginTerms(room);
  for (let term = 0; ; term++) {
    term = kernel.writeTerms(shared, room, term, terms, Math.floor(rows / BITMAP_SHARE));
    if (term === terms) return { bitmaps, dense };
    rowBytes.fill(0);
    kernel.writeBitmap(room);
    bitmaps.set(first + term, rowBytes.slice(0, 4 * bitmapLength(rows)));
    const isDense = kernel.postings.value * DENSE_SHARE > rows;
    if (isDense) {
      rowBytes.fill(0);
      kernel.writeDense(room, paddedRows(rows));
      dense.set(first + term, rowBytes.slice());
    }
    kernel.writeTerm(shared, room, term, isDense);
  }
}

const bitmapLength = (rows: number): number => (rows + 31) >>> 5;

/** The postings of all segments. */
export function postingTables(
  { tables: memory, rows, counts }: Inversion,
  segments: readonly Segment[],
): PostingTables {
  const terms = counts.length;
  const blocks = segments.reduce((sum, { postingStarts }) => sum + postingStarts.length, 0);
  const [postingStarts, positionStarts] = [new Uint32Array(blocks), new Uint32Array(blocks)];
  const documentFrequencies = new Uint32Array(terms);
  const blockBits = new Uint8Array(terms);
  const firstBlocks = new Uint32Array(terms);
  let block = 0;
  for (const segment of segments) {
    const { first } = segment;
    documentFrequencies.set(segment.documentFrequencies, first);
    blockBits.set(segment.blockBits, first);
    firstBlocks.set(
      segment.firstBlocks.map((number) => number + block),
      first,
    );
    postingStarts.set(segment.postingStarts, block);
    positionStarts.set(segment.positionStarts, block);
    block += segment.postingStarts.length;
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
    blockBits,
    firstBlocks,
    postingStarts: new Uint32Array(buffer, postingsAt, blocks),
    positionStarts: new Uint32Array(buffer, positionsAt, blocks),
    bitmapOfTerm: numbersOf(bitmaps, terms),
    bitmaps: bitmaps.map(({ at }) => new Uint32Array(buffer, at, bitmapLength(rows))),
    denseOfTerm: numbersOf(dense, terms),
    dense: dense.map(({ at }) => new Uint8Array(buffer, at, 2 * paddedRows(rows))),
  };
}

/** By term: the number of its table, or -1. */
function numbersOf(tables: readonly TermRows[], terms: number): Int32Array {
  const numbers = new Int32Array(terms).fill(-1);
  tables.forEach(({ term }, number) => {
    numbers[term] = number;
  });
  return numbers;
}
