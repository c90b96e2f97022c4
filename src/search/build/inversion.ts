/**
 * The measured token stream → postings. Terms are cut into partitions, which are inverted one after another in the same work space:
 * the kernel (`kernels/inversion.ts`) sorts the tokens of a partition by term, and encodes them. What it wrote is copied to the memory
 * of the tables.
 */
import { greatest } from '../../arrays.js';
import { assert } from '../../assert.js';
import { denseBytes, impactBytes, TOKEN_BYTES } from '../../kernels/inversion-layout.js';
import { BLOCK_POSITIONS, MAX_POSITION_BYTES, MAX_POSTING_BYTES } from '../../kernels/posting-layout.js';
import type { SharedWasmMemory } from '../../wasm.js';
import type { DenseTerm, PostingTables } from '../tables.js';
import { addressIn, type WorkMemory } from '../work-memory.js';

/** The exports of `kernels/inversion.ts`. `tables` and `work` are addresses of the structs in `kernels/inversion-layout.ts`. */
export interface InversionKernel {
  readonly maxPosition: Counter;
  readonly postingAt: Counter;
  readonly positionAt: Counter;
  readonly blocks: Counter;
  readonly denseTerms: Counter;
  measure(tables: number, at: number, row: number): number;
  sort(tables: number, work: number, fromRow: number, toRow: number, firstTerm: number, endTerm: number): void;
  writeTerms(tables: number, work: number, terms: number): void;
}

interface Counter {
  readonly value: number;
}

/** A measured stream, and the memories that it is inverted in and copied to. */
export interface MeasuredStream {
  readonly kernel: InversionKernel;
  readonly work: WorkMemory<SharedWasmMemory>;
  readonly tablesMemory: WorkMemory<SharedWasmMemory>;
  readonly rows: number;
  /** By term: the number of its tokens. */
  readonly counts: Uint32Array;
  /** The norm of each length. */
  readonly norms: Float64Array;
  /** The address of `TokenTables`. */
  readonly tokenTables: number;
}

/** More partitions would read the token stream more often. */
const MAX_PARTITIONS = 8;
/** Only the last partition may have fewer tokens. */
const MIN_PARTITION_TOKENS = 1 << 21;
/** Rows whose tokens the kernel sorts at once. */
const ROWS_PER_CALL = 1 << 9;

/** The terms from `first` to `end`, excluded, and the number of their tokens. */
interface Partition {
  readonly first: number;
  readonly end: number;
  readonly tokens: number;
}

/** Terms side by side with at least `minTokens` tokens: of terms with 2, 1, 5 and 1 and at least 3, the first two, the third, the last. */
function partitionsOf(counts: Uint32Array, minTokens: number): readonly Partition[] {
  const allTokens = counts.reduce((sum, count) => sum + count, 0);
  const partitionTokens = Math.max(minTokens, Math.ceil(allTokens / MAX_PARTITIONS));
  const partitions: Partition[] = [];
  for (let end = 0; end < counts.length; ) {
    const first = end;
    let tokens = 0;
    while (end < counts.length && tokens < partitionTokens) tokens += counts[end++]!;
    partitions.push({ first, end, tokens });
  }
  return partitions;
}

/** The addresses of a work space, in the order of `Workspace` in `kernels/inversion-layout.ts`. */
type InversionWorkspace = ReturnType<typeof createWorkspace>;

/** Allocates a work space that suffices for each of the partitions. */
function createWorkspace({ work, rows, norms }: MeasuredStream, partitions: readonly Partition[]) {
  const terms = greatest(partitions.map(({ first, end }) => end - first));
  const tokens = greatest(partitions.map(({ tokens }) => tokens));
  const blocks = Math.ceil(tokens / BLOCK_POSITIONS) + 2 * terms;
  // A dense term has more tokens than half of the rows are.
  const maxDenseTerms = Math.ceil((2 * tokens) / Math.max(1, rows));
  return {
    normOfLength: work.copy(norms),
    sorted: work.allocate(TOKEN_BYTES * (tokens + 1)),
    nextTokens: work.allocate(4 * terms),
    termsOfDense: work.allocate(4 * maxDenseTerms),
    dense: work.allocate(denseBytes(rows) * maxDenseTerms),
    documentFrequencies: work.allocate(4 * terms),
    usualMasks: work.allocate(terms),
    blockBits: work.allocate(terms),
    firstBlocks: work.allocate(4 * terms),
    postingStarts: work.allocate(4 * blocks),
    positionStarts: work.allocate(4 * blocks),
    postings: work.allocate(MAX_POSTING_BYTES * tokens),
    positions: work.allocate(MAX_POSITION_BYTES * tokens),
  };
}

/** The postings of all terms. */
export function invert(stream: MeasuredStream, minPartitionTokens = MIN_PARTITION_TOKENS): PostingTables {
  const { counts, work, tablesMemory } = stream;
  const partitions = partitionsOf(counts, minPartitionTokens);
  const space = createWorkspace(stream, partitions);
  const address = work.copy(Uint32Array.from(Object.values(space)));
  const documentFrequencies = new Uint32Array(counts.length);
  const usualMasks = new Uint8Array(counts.length);
  const blockBits = new Uint8Array(counts.length);
  const firstBlocks = new Uint32Array(counts.length);
  const starts: Starts = { postings: [], positions: [], blocks: 0 };
  const dense: DenseAddress[] = [];
  for (const partition of partitions) {
    const { first, end } = partition;
    sortTokens(stream, space, address, partition);
    stream.kernel.writeTerms(stream.tokenTables, address, end - first);
    const numbersByTerm = (at: number): Uint32Array => new Uint32Array(work.memory.buffer, at, end - first);
    const bytesByTerm = (at: number): Uint8Array => new Uint8Array(work.memory.buffer, at, end - first);
    documentFrequencies.set(numbersByTerm(space.documentFrequencies), first);
    usualMasks.set(bytesByTerm(space.usualMasks), first);
    blockBits.set(bytesByTerm(space.blockBits), first);
    // The kernel numbers the blocks of each partition from 0.
    const numberedFromAll = numbersByTerm(space.firstBlocks).map((block) => block + starts.blocks);
    firstBlocks.set(numberedFromAll, first);
    copyBlocks(stream, space, starts);
    dense.push(...copyDense(stream, space, first));
  }
  const postingStarts = tablesMemory.copy(joinedParts(starts.postings, starts.blocks));
  const positionStarts = tablesMemory.copy(joinedParts(starts.positions, starts.blocks));
  const { memory } = tablesMemory;
  const { buffer } = memory;
  return {
    memory,
    bytes: new Uint8Array(buffer),
    documentFrequencies,
    usualMasks,
    blockBits,
    firstBlocks,
    postingStarts: new Uint32Array(buffer, postingStarts, starts.blocks),
    positionStarts: new Uint32Array(buffer, positionStarts, starts.blocks),
    dense: new Map(dense.map(({ term, at }) => [term, denseTerm(buffer, stream.rows, at)])),
  };
}

/** Sorts the tokens of a partition by term. Each term has room for its tokens behind those of the term before. */
function sortTokens(
  { kernel, work, counts, rows, tokenTables }: MeasuredStream,
  space: InversionWorkspace,
  address: number,
  { first, end }: Partition,
): void {
  const nextTokens = new Uint32Array(work.memory.buffer, space.nextTokens, end - first);
  let next = space.sorted;
  for (let term = first; term < end; term++) {
    nextTokens[term - first] = next;
    next += TOKEN_BYTES * counts[term]!;
  }
  for (let row = 0; row < rows; row += ROWS_PER_CALL)
    kernel.sort(tokenTables, address, row, Math.min(row + ROWS_PER_CALL, rows), first, end);
}

interface DenseAddress {
  readonly term: number;
  readonly at: number;
}

/** Copies the dense terms of a partition. */
function copyDense(
  { kernel, work, tablesMemory, rows }: MeasuredStream,
  space: InversionWorkspace,
  first: number,
): DenseAddress[] {
  const { buffer } = work.memory;
  const bytes = denseBytes(rows);
  return Array.from(new Uint32Array(buffer, space.termsOfDense, kernel.denseTerms.value), (term, i) => ({
    term: first + term,
    at: tablesMemory.copy(new Uint8Array(buffer, space.dense + i * bytes, bytes)),
  }));
}

/** The impacts and the bitmap of a dense term, which stand at `at`. */
const denseTerm = (buffer: SharedArrayBuffer, rows: number, at: number): DenseTerm => ({
  impacts: new Uint8Array(buffer, at, impactBytes(rows)),
  rows: new Uint32Array(buffer, at + impactBytes(rows), (rows + 31) >>> 5),
});

/** The starts of blocks, as parts side by side, and the number of blocks so far. */
interface Starts {
  readonly postings: Uint32Array[];
  readonly positions: Uint32Array[];
  blocks: number;
}

/** Copies the postings and positions of a partition to the tables. The end of its last block is counted as a block more. */
function copyBlocks({ kernel, work, tablesMemory }: MeasuredStream, space: InversionWorkspace, starts: Starts): void {
  const blocks = kernel.blocks.value + 1;
  const { buffer } = work.memory;
  assert(() => addressIn(kernel.postingAt) <= space.positions, 'the postings of a partition fit the work space');
  assert(
    () => 4 * blocks <= space.positionStarts - space.postingStarts,
    'the blocks of a partition fit the work space',
  );
  const copied = (startsAt: number, from: number, to: number): Uint32Array => {
    const shift = tablesMemory.copy(new Uint8Array(buffer, from, to - from)) - from;
    const moved = new Uint32Array(buffer, startsAt, blocks).map((start) => start + shift);
    moved[blocks - 1] = to + shift;
    return moved;
  };
  starts.postings.push(copied(space.postingStarts, space.postings, addressIn(kernel.postingAt)));
  starts.positions.push(copied(space.positionStarts, space.positions, addressIn(kernel.positionAt)));
  starts.blocks += blocks;
}

function joinedParts(parts: readonly Uint32Array[], length: number): Uint32Array {
  const all = new Uint32Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
