/**
 * Where the postings of all terms are laid out, by one thread or several: each claims what a block of terms takes of the
 * tables, so that nothing has to be moved once all are done. There is room for more than there can be of anything, as
 * memory that was never written to takes none.
 */
import type { Bits } from '../bits.js';
import { roomFor } from '../growable.js';
import { RETURNED_BYTES, WORD_BYTES, wholeWords } from '../memory.js';
import { LEAST_WORD_BYTES } from './buckets.js';
import type { Inversion } from './inverter.js';
import type { LayoutMemory } from './layout-memory.js';
import { RANGE_BYTES } from './layout-places.js';
import { IndexLimitError } from './limits.js';
import { MOST_POSTING_BYTES } from './posting-code.js';
import type { PostingTables } from './tables.js';

/** Tables that threads share; in the order in which they were claimed, but those by term. */
export type PostingRoom = Omit<
  PostingTables,
  'mostInRange' | 'mostPositions' | 'bitsOfTerm' | 'frequentBits' | 'denseOfTerm' | 'dense'
> & {
  /** How much of the tables by range, of the postings, and of the positions is claimed. */
  readonly claimed: Uint32Array;
};

/** What one thread has laid out besides. */
export interface LaidOut {
  mostInRange: number;
  mostPositions: number;
  /** By term. */
  readonly frequentBits: Map<number, Bits>;
  readonly dense: Map<number, Uint8Array>;
}

/** Starts are numbers of 32 bits. */
const MOST_BYTES = 2 ** 32 - 8;
/** The positions of a word take less than twice what the word takes in its bucket. */
const POSITION_BYTES_PER_BYTE = 2;

export function createRoom({ parts, terms }: Inversion): PostingRoom {
  const words = parts.reduce((sum, { buckets }) => buckets.bytes.reduce((all, bytes) => all + bytes, sum), 0);
  const positions = POSITION_BYTES_PER_BYTE * words + WORD_BYTES * terms;
  // Behind the ranges of a block, of which there are no more than terms, stands where they end.
  const ranges = Math.ceil(positions / RANGE_BYTES) + (2 + WORD_BYTES) * terms;
  return {
    documentFrequencies: new Uint32Array(shared(4 * terms), 0, terms),
    mostSaturation: new Float32Array(shared(4 * terms), 0, terms),
    rangeBits: new Uint8Array(shared(terms), 0, terms),
    firstRanges: new Uint32Array(shared(4 * terms), 0, terms),
    postingStarts: new Uint32Array(shared(4 * ranges)),
    positionStarts: new Uint32Array(shared(4 * ranges)),
    rangeMost: new Uint8Array(shared(ranges)),
    postings: new Uint8Array(shared(Math.ceil(words / LEAST_WORD_BYTES) * MOST_POSTING_BYTES + WORD_BYTES * terms)),
    positions: new Uint8Array(shared(positions)),
    claimed: new Uint32Array(shared(3 * Uint32Array.BYTES_PER_ELEMENT)),
  };
}

/** Large ones as large as takes no room until it is written to, and goes back to the system. */
const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(Math.min(roomFor(bytes, 1), MOST_BYTES));

/** What is used of a room; of a small one a copy, as all of that would take memory as long as a part is kept. */
const used = <T extends Room>(room: T, length = room.length): T =>
  room.buffer.byteLength < RETURNED_BYTES ? room.slice(0, length) : room.subarray(0, length);

/** As much of a typed array as is needed to take a part of it. */
interface Room {
  readonly buffer: ArrayBufferLike;
  readonly length: number;
  slice(from: number, to: number): this;
  subarray(from: number, to: number): this;
}

const [RANGES, POSTINGS, POSITIONS] = [0, 1, 2];

/** Claims so many elements of a table; returns where they begin. */
function claim({ claimed }: PostingRoom, which: number, count: number, most: number): number {
  const at = Atomics.add(claimed, which, wholeWords(count));
  if (at + count > most) throw new IndexLimitError('there are more words in the records than an index holds');
  return at;
}

/** Adds a block that was laid out: its terms from `first` on. */
export function addBlock(room: PostingRoom, memory: LayoutMemory, first: number, terms: number): void {
  const { ranges, postings, positions } = memory.sizes();
  const most = Math.min(room.rangeMost.length, room.postingStarts.length);
  const firstRange = claim(room, RANGES, ranges + 1, most);
  const posting = claim(room, POSTINGS, postings, room.postings.length);
  const position = claim(room, POSITIONS, positions, room.positions.length);
  room.documentFrequencies.set(memory.table('documentFrequencies', terms), first);
  room.mostSaturation.set(memory.mostSaturation(terms), first);
  room.rangeBits.set(memory.bytes('rangeBits', terms), first);
  setFrom(room.firstRanges, first, memory.table('firstRanges', terms), firstRange);
  setFrom(room.postingStarts, firstRange, memory.table('postingStarts', ranges), posting);
  room.postingStarts[firstRange + ranges] = posting + postings;
  setFrom(room.positionStarts, firstRange, memory.table('positionStarts', ranges), position);
  room.positionStarts[firstRange + ranges] = position + positions;
  room.rangeMost.set(memory.bytes('rangeMost', ranges), firstRange);
  room.postings.set(memory.bytes('postings', postings), posting);
  room.positions.set(memory.bytes('positions', positions), position);
}

/** Copies numbers to `target[at …]`, each greater by `base`. */
function setFrom(target: Uint32Array, at: number, numbers: Uint32Array, base: number): void {
  for (let i = 0; i < numbers.length; i++) target[at + i] = numbers[i]! + base;
}

/** The tables, once all terms are laid out. */
export function postingTables({ claimed, ...room }: PostingRoom, laidOut: readonly LaidOut[]): PostingTables {
  const [ranges, postings, positions] = claimed;
  const terms = room.firstRanges.length;
  const bits = numbered(terms, laidOut, ({ frequentBits }) => frequentBits);
  const dense = numbered(terms, laidOut, (some) => some.dense);
  return {
    documentFrequencies: used(room.documentFrequencies),
    mostSaturation: used(room.mostSaturation),
    rangeBits: used(room.rangeBits),
    firstRanges: used(room.firstRanges),
    postingStarts: used(room.postingStarts, ranges),
    positionStarts: used(room.positionStarts, ranges),
    rangeMost: used(room.rangeMost, ranges),
    postings: used(room.postings, postings),
    positions: used(room.positions, positions),
    mostInRange: laidOut.reduce((most, { mostInRange }) => Math.max(most, mostInRange), 0),
    mostPositions: laidOut.reduce((most, { mostPositions }) => Math.max(most, mostPositions), 0),
    bitsOfTerm: bits.ofTerm,
    frequentBits: bits.all,
    denseOfTerm: dense.ofTerm,
    dense: dense.all,
  };
}

/** What some of the terms have, one after the other, and which each term's is: -1 where it has none. */
function numbered<T>(
  terms: number,
  laidOut: readonly LaidOut[],
  having: (some: LaidOut) => ReadonlyMap<number, T>,
): { readonly ofTerm: Int32Array; readonly all: readonly T[] } {
  const ofTerm = new Int32Array(terms).fill(-1);
  const all: T[] = [];
  for (const some of laidOut) for (const [term, one] of having(some)) ofTerm[term] = all.push(one) - 1;
  return { ofTerm, all };
}
