/** How the measured token stream is inverted: what stands where in memory, and which terms at a time. */
import { BLOCK_POSITION_BYTES, MAX_POSITION_BYTES, MAX_POSTING_BYTES } from '../../kernels/posting-layout.js';
import type { SharedWasmMemory } from '../../wasm.js';
import type { WorkMemory } from '../work-memory.js';

/** There are at most so many partitions, and none but the last has fewer tokens. */
const MAX_PARTITIONS = 8;
export const MIN_PARTITION_TOKENS = 1 << 21;
export const TOKEN_BYTES = 8;
/** The terms from `first` to `end`, which have so many tokens. */
export interface Partition {
  readonly first: number;
  readonly end: number;
  readonly tokens: number;
}

/** Plain values, which can be posted to a thread. All but numbers of rows are addresses in `memory`. */
export interface Inversion {
  readonly memory: SharedWasmMemory;
  /** What segments are copied to. */
  readonly tables: SharedWasmMemory;
  readonly rows: number;
  /** How many tokens each term has. */
  readonly counts: Uint32Array;
  readonly partitions: readonly Partition[];
  /** One for each thread. */
  readonly rooms: readonly Room[];
  readonly lists: number;
  readonly weights: number;
  readonly recordStarts: number;
  readonly lengths: number;
  readonly inverseNorms: number;
}

/** Where in the kernel's memory a thread keeps what. */
export interface Room {
  readonly sorted: number;
  /** Where the next token of each term goes, and where the term's tokens end afterwards. */
  readonly next: number;
  readonly waiting: number;
  /** Of the term that is being written. */
  readonly postingRows: number;
  readonly frequencies: number;
  readonly positionEnds: number;
  /** A byte a row, and a word at least. */
  readonly rowBytes: number;
  /** Of the terms of a partition, */
  readonly documentFrequencies: number;
  readonly maxSaturations: number;
  readonly blockBits: number;
  readonly firstBlocks: number;
  /** and of their blocks. */
  readonly postingStarts: number;
  readonly positionStarts: number;
  readonly blockBounds: number;
  readonly postings: number;
  readonly positions: number;
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

const most = (numbers: Iterable<number>): number => {
  let most = 0;
  for (const number of numbers) most = Math.max(most, number);
  return most;
};

/** Rooms in which any of the partitions can be inverted. */
export function roomsFor(
  work: WorkMemory<SharedWasmMemory>,
  partitions: readonly Partition[],
  counts: Uint32Array,
  rows: number,
  maxStacked: number,
  threads: number,
): readonly Room[] {
  const tokens = most(partitions.map(({ tokens }) => tokens));
  const terms = most(partitions.map(({ first, end }) => end - first));
  const ofTerm = most(counts);
  const blocks = Math.ceil((MAX_POSITION_BYTES * tokens) / BLOCK_POSITION_BYTES) + 2 * terms;
  return Array.from({ length: threads }, () => ({
    sorted: work.allocate(TOKEN_BYTES * (tokens + 1)),
    next: work.allocate(4 * terms),
    waiting: work.allocate(4 * maxStacked),
    postingRows: work.allocate(4 * ofTerm),
    frequencies: work.allocate(4 * ofTerm),
    positionEnds: work.allocate(4 * ofTerm),
    rowBytes: work.allocate(rows + 4),
    documentFrequencies: work.allocate(4 * terms),
    maxSaturations: work.allocate(4 * terms),
    blockBits: work.allocate(terms),
    firstBlocks: work.allocate(4 * terms),
    postingStarts: work.allocate(4 * blocks),
    positionStarts: work.allocate(4 * blocks),
    blockBounds: work.allocate(blocks),
    postings: work.allocate(MAX_POSTING_BYTES * tokens),
    positions: work.allocate(MAX_POSITION_BYTES * tokens),
  }));
}
