/** How the measured token stream is inverted: which terms at a time, and in what memory. */
import * as places from '../../kernels/inversion-layout.js';
import { BLOCK_POSITION_BYTES, MAX_POSITION_BYTES, MAX_POSTING_BYTES } from '../../kernels/posting-layout.js';
import type { SharedWasmMemory } from '../../wasm.js';
import type { WorkMemory } from '../work-memory.js';

/** More partitions would read the token stream more often. */
const MAX_PARTITIONS = 8;
/** Only the last partition may have fewer tokens. */
export const MIN_PARTITION_TOKENS = 1 << 21;

/** A measured stream, and the memory that it is inverted in. */
export interface Inversion {
  readonly memory: SharedWasmMemory;
  /** The memory that segments are copied to. */
  readonly tables: SharedWasmMemory;
  readonly rows: number;
  /** How many tokens each term has. */
  readonly counts: Uint32Array;
  readonly partitions: readonly Partition[];
  /** The address in `memory` of the first table of `kernels/inversion-layout.ts`: tokens, records and terms. */
  readonly shared: number;
  /** The address in `memory` of the second table: the work space of a partition. */
  readonly room: number;
}

/** The terms from `first` to `end`, excluded, and the number of their tokens. */
export interface Partition {
  readonly first: number;
  readonly end: number;
  readonly tokens: number;
}

export function partitionsOf(counts: Uint32Array, minTokens: number): readonly Partition[] {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const partitionTokens = Math.max(minTokens, Math.ceil(all / MAX_PARTITIONS));
  const partitions: Partition[] = [];
  for (let end = 0; end < counts.length; ) {
    const first = end;
    let tokens = 0;
    while (end < counts.length && tokens < partitionTokens) tokens += counts[end++]!;
    partitions.push({ first, end, tokens });
  }
  return partitions;
}

/** The sizes that decide how large a partition's work space is: the maximum over all partitions. */
interface RoomSize {
  readonly rows: number;
  readonly terms: number;
  readonly tokens: number;
  readonly tokensOfTerm: number;
}

export const roomSize = (partitions: readonly Partition[], counts: Uint32Array, rows: number): RoomSize => ({
  rows,
  terms: largest(partitions.map(({ first, end }) => end - first)),
  tokens: largest(partitions.map(({ tokens }) => tokens)),
  tokensOfTerm: largest(counts),
});

function largest(numbers: Iterable<number>): number {
  let largest = 0;
  for (const number of numbers) largest = Math.max(largest, number);
  return largest;
}

/** The length of a table of one byte a row: kernels read 16 bytes at a time. */
export const paddedRows = (rows: number): number => (rows + 31) & -32;

/** Allocates a work space that suffices for each of the partitions; returns the address of its table. */
export function createRoom(work: WorkMemory<SharedWasmMemory>, size: RoomSize): number {
  const { rows, terms, tokens, tokensOfTerm } = size;
  const blocks = Math.ceil((MAX_POSITION_BYTES * tokens) / BLOCK_POSITION_BYTES) + 2 * terms;
  const addresses = new Uint32Array(places.ROOM_NUMBERS);
  const sizes = [
    [places.SORTED, places.TOKEN_BYTES * (tokens + 1)],
    [places.NEXT_TOKENS, 4 * terms],
    [places.POSTING_ROWS, 4 * tokensOfTerm],
    [places.IMPACTS, 4 * tokensOfTerm],
    [places.POSITION_ENDS, 4 * tokensOfTerm],
    [places.ROW_BYTES, 2 * paddedRows(rows)],
    [places.DOCUMENT_FREQUENCIES, 4 * terms],
    [places.BLOCK_BITS, terms],
    [places.FIRST_BLOCKS, 4 * terms],
    [places.POSTING_STARTS, 4 * blocks],
    [places.POSITION_STARTS, 4 * blocks],
    [places.POSTINGS, MAX_POSTING_BYTES * tokens],
    [places.POSITIONS, MAX_POSITION_BYTES * tokens],
  ] as const;
  for (const [place, bytes] of sizes) addresses[place] = work.allocate(bytes);
  return work.copy(addresses);
}
