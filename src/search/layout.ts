/**
 * Postings as queries read them. A term's rows are cut into ranges of equal length, a power of two that gives a range
 * about `RANGE_BYTES` of positions, so that the postings of a row are found without a search; each range has a bound on
 * what its postings can add to a score. A term that most records hold has its frequencies as one byte a row instead, and
 * no postings.
 */
import { type Bits, createBits, setAll } from '../bits.js';
import type { SharedWasmMemory } from '../wasm.js';
import { memoryOf } from './bucket-memory.js';
import { bucketsFor, FREQUENT_TERMS, firstTermOf, LEAST_WORD_BYTES, MOST_TERMS_IN_BUCKET } from './buckets.js';
import type { Inversion } from './inverter.js';
import { LayoutMemory } from './layout-memory.js';
import { COUNT, MOST_FREQUENCY, MOST_IN_RANGE, MOST_POSITIONS, POSITION_BYTES } from './layout-places.js';
import { addBlock, type LaidOut, type PostingRoom } from './posting-room.js';
import type { RowLengths } from './tables.js';

/** Of more words the memory would only be larger, of fewer a bucket would be read again and again. */
const MOST_TOGETHER = 1 << 20;
/** For fewer bytes of words it is not worth while to look for what is left behind. */
const MUCH_DROPPED = 8 << 20;
/** Nor right away: functions that the engine is compiling meanwhile hold what they worked with, some 50 ms long. */
const HOLDING_BUCKETS = 3;
/** A term that more than one record in this many holds gets its rows as bits too. */
const FREQUENT_SHARE = 16;
/** A term that more than one record in this many holds gets a byte a row, if that holds its frequencies. */
const DENSE_SHARE = 2;
const MOST_DENSE_FREQUENCY = 255;
/** More than any term has postings. */
const MOST_POSTINGS = 2 ** 28;

/**
 * Lays out buckets in a room: number by number, as `claim` gives them, ascending, until there is no such bucket. Terms of
 * shared buckets are laid out together as long as they have no more than so many words, or one by one. The words of
 * frequent terms are dropped before others are laid out: `onDropped` is called, some buckets later, if they were many.
 */
export function layOutBuckets(
  inversion: Inversion,
  known: RowLengths,
  room: PostingRoom,
  claim: () => number,
  onDropped: () => void = () => {},
  together: number = MOST_TOGETHER,
): LaidOut {
  const laidOut: LaidOut = { mostInRange: 0, mostPositions: 0, frequentBits: new Map(), dense: new Map() };
  const { memories, terms } = inversion;
  const capacity = Math.max(together, mostWords(inversion));
  const task = { inversion, known, room, laidOut, together, capacity };
  const buckets = bucketsFor(terms);
  let bucket = layOutFrequent(task, claim);
  memories.frequent = undefined;
  if (bucket >= buckets) return laidOut;
  const layout = new Layout(memories.rare, task);
  let held = frequentBytes(inversion) >= MUCH_DROPPED ? HOLDING_BUCKETS : 0;
  for (; bucket < buckets; bucket = claim()) {
    layout.layOutShared(bucket);
    if (held > 0 && --held === 0) onDropped();
  }
  return laidOut;
}

/** Returns the first bucket that is claimed of others. On its own, so that nothing of it is kept once it is done. */
function layOutFrequent(task: LayoutTask, claim: () => number): number {
  const { memories, terms } = task.inversion;
  const end = Math.min(FREQUENT_TERMS, terms);
  let bucket = claim();
  if (bucket >= end) return bucket;
  const layout = new Layout(memoryOf(memories, bucket), task);
  for (; bucket < end; bucket = claim()) layout.layOutFrequent(bucket);
  layout.endBlock();
  return bucket;
}

/** The words of a bucket, at most. */
const wordsOf = ({ parts }: Inversion, bucket: number): number =>
  Math.ceil(parts.reduce((sum, { buckets }) => sum + (buckets.bytes[bucket] ?? 0), 0) / LEAST_WORD_BYTES);

/** The words of a frequent term, at most. */
function mostWords(inversion: Inversion): number {
  let most = 0;
  for (let bucket = 0; bucket < FREQUENT_TERMS; bucket++) most = Math.max(most, wordsOf(inversion, bucket));
  return most;
}

const frequentBytes = ({ parts }: Inversion): number =>
  parts.reduce((sum, { buckets }) => buckets.bytes.subarray(0, FREQUENT_TERMS).reduce(add, sum), 0);

const add = (a: number, b: number): number => a + b;

interface LayoutTask {
  readonly inversion: Inversion;
  readonly known: RowLengths;
  readonly room: PostingRoom;
  readonly laidOut: LaidOut;
  /** Terms of a bucket are laid out together if they have no more words. */
  readonly together: number;
  /** There is room for so many words of a term. */
  readonly capacity: number;
}

/** Lays out one bucket after the other, of those whose words stand in one memory. */
class Layout {
  private readonly wasm: SharedWasmMemory;
  private readonly task: LayoutTask;
  private memory: LayoutMemory;
  private readonly rows: number;
  /** Of frequent terms: the block's first, how many there are, and their words, at most. */
  private block = { first: 0, terms: 0, words: 0 };

  constructor(wasm: SharedWasmMemory, task: LayoutTask) {
    const { inversion, known, together, capacity } = task;
    this.wasm = wasm;
    this.task = task;
    this.memory = new LayoutMemory(wasm, inversion, known, together, capacity);
    this.rows = known.lengths.length;
  }

  /** The words of a frequent term need no sorting. Terms that follow one another are a block, as those of a shared bucket are. */
  layOutFrequent(bucket: number): void {
    const { memory } = this;
    const words = wordsOf(this.task.inversion, bucket);
    const { first, terms } = this.block;
    const isNext = bucket === first + terms && terms < MOST_TERMS_IN_BUCKET;
    if (!isNext || this.block.words + words > this.task.together) this.endBlock();
    if (this.block.terms === 0) {
      this.block.first = bucket;
      memory.begin();
    }
    memory.read(bucket);
    if (memory.get(COUNT) > this.mostInKernel) this.addTerm(bucket, this.block.terms);
    else memory.add(this.block.terms, false);
    this.block.terms++;
    this.block.words += words;
  }

  /** Adds the block of frequent terms that was begun, if any was. */
  endBlock(): void {
    const { first, terms } = this.block;
    if (terms > 0) this.addBlock(first, terms);
    this.block = { first: 0, terms: 0, words: 0 };
  }

  layOutShared(bucket: number): void {
    const counts = this.memory.count(bucket);
    const most = counts.reduce((most, count) => Math.max(most, count), 0);
    const { inversion, known, together } = this.task;
    if (most > this.memory.capacity) this.memory = new LayoutMemory(this.wasm, inversion, known, together, most);
    for (let from = 0; from < counts.length; ) {
      let to = from + 1;
      for (let words = counts[from]!; to < counts.length; to++) {
        words += counts[to]!;
        if (words > together) break;
      }
      this.memory.sort(bucket, from, to, counts);
      this.layOutTerms(firstTermOf(bucket) + from, to - from);
      from = to;
    }
  }

  /** Lays out the terms from `first` on whose words were sorted. */
  private layOutTerms(first: number, terms: number): void {
    const { memory, mostInKernel } = this;
    for (let i = memory.layOut(0, terms, mostInKernel); i < terms; i = memory.layOut(i + 1, terms, mostInKernel)) {
      this.addTerm(first + i, i);
    }
    this.addBlock(first, terms);
  }

  /** The kernel alone can lay out terms of no more postings. */
  private get mostInKernel(): number {
    return this.task.inversion.inOrder ? Math.floor(this.rows / FREQUENT_SHARE) : 0;
  }

  /** Adds the term that was read, the block's i-th. */
  private addTerm(term: number, i: number): void {
    const { memory } = this;
    const { laidOut, inversion } = this.task;
    if (!inversion.inOrder) this.orderByRow();
    const count = memory.get(COUNT);
    const isDense = count * DENSE_SHARE > this.rows && memory.get(MOST_FREQUENCY) <= MOST_DENSE_FREQUENCY;
    if (count * FREQUENT_SHARE > this.rows) laidOut.frequentBits.set(term, this.bits(count));
    if (isDense) laidOut.dense.set(term, this.denseFrequencies(count));
    memory.add(i, isDense);
  }

  private addBlock(first: number, terms: number): void {
    const { memory } = this;
    const { laidOut, room } = this.task;
    laidOut.mostInRange = Math.max(laidOut.mostInRange, memory.get(MOST_IN_RANGE));
    laidOut.mostPositions = Math.max(laidOut.mostPositions, memory.get(MOST_POSITIONS));
    addBlock(room, memory, first, terms);
  }

  private bits(count: number): Bits {
    const bits = createBits(this.rows);
    setAll(bits, this.memory.table('postingRows', count));
    return bits;
  }

  private denseFrequencies(count: number): Uint8Array {
    const rows = this.memory.table('postingRows', count);
    const frequencies = this.memory.table('frequencies', count);
    const dense = new Uint8Array(this.rows);
    for (let i = 0; i < count; i++) dense[rows[i]!] = frequencies[i]!;
    return dense;
  }

  /** Gives the postings of the term that was read their rows and puts them in the order of these; those of replaced records are left out. */
  private orderByRow(): void {
    const { memory } = this;
    const { rowOf } = this.task.inversion;
    const count = memory.get(COUNT);
    const begin = memory.get(POSITION_BYTES);
    const [rows, frequencies, ends] = [
      memory.table('postingRows', count),
      memory.table('frequencies', count),
      memory.table('ends', count),
    ];
    const positions = memory.bytes('positions', ends[count - 1]!);
    const before = {
      records: rows.slice(),
      frequencies: frequencies.slice(),
      ends: ends.slice(),
      positions: positions.slice(begin),
    };
    let kept = 0;
    let end = begin;
    for (const i of this.orderOf(before.records)) {
      const from = i === 0 ? begin : before.ends[i - 1]!;
      for (let at = from; at < before.ends[i]!; at++) positions[end++] = before.positions[at - begin]!;
      rows[kept] = rowOf[before.records[i]!]!;
      frequencies[kept] = before.frequencies[i]!;
      ends[kept++] = end;
    }
    memory.set(COUNT, kept);
  }

  /** The postings of records that have a row, by ascending row: a row and its posting are sorted as one number. */
  private orderOf(records: Uint32Array): Float64Array {
    const { rowOf } = this.task.inversion;
    const keys = new Float64Array(records.length);
    let count = 0;
    for (let i = 0; i < records.length; i++) {
      const row = rowOf[records[i]!]!;
      if (row >= 0) keys[count++] = row * MOST_POSTINGS + i;
    }
    return keys
      .subarray(0, count)
      .sort()
      .map((key) => key % MOST_POSTINGS);
  }
}
