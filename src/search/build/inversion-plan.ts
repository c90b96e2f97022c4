/** How the measured token stream is inverted: which terms at a time, and in what memory. */
import * as places from '../../kernels/inversion-layout.js';
import { BLOCK_POSITION_BYTES, MAX_POSITION_BYTES, MAX_POSTING_BYTES } from '../../kernels/posting-layout.js';
import type { SharedWasmMemory } from '../../wasm.js';
import type { WorkMemory } from '../work-memory.js';

/** There are at most so many partitions, and none but the last has fewer tokens. */
const MAX_PARTITIONS = 8;
export const MIN_PARTITION_TOKENS = 1 << 21;

/** A measured stream, and the memory that it is inverted in. */
export interface Inversion {
  readonly memory: SharedWasmMemory;
  /** What segments are copied to. */
  readonly tables: SharedWasmMemory;
  readonly rows: number;
  /** How many tokens each term has. */
  readonly counts: Uint32Array;
  readonly partitions: readonly Partition[];
  /** Where in `memory` the addresses of the tables of tokens, records and terms stand (`kernels/inversion-layout.ts`). */
  readonly shared: number;
  /** Where the addresses of what a partition is inverted in stand. */
  readonly room: number;
}

/** The terms from `first` to `end`, which have so many tokens. */
export interface Partition {
  readonly first: number;
  readonly end: number;
  readonly tokens: number;
}

export function partitionsOf(counts: Uint32Array, minTokens: number): readonly Partition[] {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const least = Math.max(minTokens, Math.ceil(all / MAX_PARTITIONS));
  const partitions: Partition[] = [];
  for (let end = 0; end < counts.length; ) {
    const first = end;
    let tokens = 0;
    while (end < counts.length && tokens < least) tokens += counts[end++]!;
    partitions.push({ first, end, tokens });
  }
  return partitions;
}

/** What a room has to be large enough for. */
interface RoomSize {
  readonly rows: number;
  /** In any partition. */
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

/** The bytes of a byte a row: kernels read 16 of them at a time. */
export const paddedRows = (rows: number): number => (rows + 31) & -32;

/** A room in which any of the partitions can be inverted. */
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
