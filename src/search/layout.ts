/**
 * Postings as queries read them. A term's rows are cut into ranges of equal length, a power of two that gives a range
 * about `RANGE_BYTES` of positions, so that the postings of a row are found without a search; each range has a bound on
 * what its postings can add to a score. A term that most records hold has its frequencies as one byte a row instead, and
 * no postings.
 */
import { type Bits, createBits, setAll } from '../bits.js';
import { bucketsFor, dropGroups, firstTermOf, groupOf } from './buckets.js';
import type { Inversion } from './inverter.js';
import { COUNT, MOST_FREQUENCY, MOST_IN_RANGE, MOST_POSITIONS, POSITION_BYTES } from './layout-kernel.js';
import { LayoutMemory } from './layout-memory.js';
import { addBlock, type LaidOut, type PostingRoom } from './posting-room.js';
import type { RowLengths } from './tables.js';

/** Of more words the memory would only be larger, of fewer a bucket would be read again and again. */
const MOST_TOGETHER = 1 << 20;
/** For fewer bytes of words it is not worth while to look for what is left behind. */
const MUCH_LEFT = 8 << 20;
/** A term that more than one record in this many holds gets its rows as bits too. */
const FREQUENT_SHARE = 16;
/** A term that more than one record in this many holds gets a byte a row, if that holds its frequencies. */
const DENSE_SHARE = 2;
const MOST_DENSE_FREQUENCY = 255;
/** More than any term has postings. */
const MOST_POSTINGS = 2 ** 28;

/**
 * Lays out buckets in a room: number by number, as `claim` gives them, ascending, until there is no such bucket. Terms are
 * laid out together as long as they have no more than so many words, or one by one. The inversion's words are used up:
 * `onLeft` is called whenever many of them are left behind.
 */
export function layOutBuckets(
  inversion: Inversion,
  known: RowLengths,
  room: PostingRoom,
  claim: () => number,
  onLeft: () => void = () => {},
  together: number = MOST_TOGETHER,
): LaidOut {
  const laidOut: LaidOut = { mostInRange: 0, mostPositions: 0, frequentBits: new Map(), dense: new Map() };
  const buckets = bucketsFor(inversion.terms);
  if (buckets === 0) return laidOut;
  const layout = new Layout(inversion, known, room, laidOut, together);
  let left = 0;
  for (let bucket = claim(); bucket < buckets; bucket = claim()) {
    for (const part of inversion.parts) left += dropGroups(part.buckets, groupOf(bucket));
    if (left >= MUCH_LEFT) {
      onLeft();
      left = 0;
    }
    layout.layOut(bucket);
  }
  return laidOut;
}

/** Lays out one bucket after the other. */
class Layout {
  private readonly inversion: Inversion;
  private readonly known: RowLengths;
  private readonly room: PostingRoom;
  private readonly laidOut: LaidOut;
  private readonly together: number;
  private memory: LayoutMemory;
  private readonly rows: number;
  /** Every record has the row of its number. */
  private readonly inOrder: boolean;

  constructor(inversion: Inversion, known: RowLengths, room: PostingRoom, laidOut: LaidOut, together: number) {
    this.inversion = inversion;
    this.known = known;
    this.room = room;
    this.laidOut = laidOut;
    this.together = together;
    this.memory = new LayoutMemory(inversion, known, together);
    this.rows = known.lengths.length;
    this.inOrder = inversion.rowOf.every((row, record) => row === record);
  }

  layOut(bucket: number): void {
    const counts = this.memory.count(bucket);
    const most = counts.reduce((most, count) => Math.max(most, count), 0);
    if (most > this.memory.capacity) this.memory = new LayoutMemory(this.inversion, this.known, this.together, most);
    for (let from = 0; from < counts.length; ) {
      let to = from + 1;
      for (let words = counts[from]!; to < counts.length; to++) {
        words += counts[to]!;
        if (words > this.together) break;
      }
      this.memory.sort(bucket, from, to, counts);
      this.layOutTerms(firstTermOf(bucket) + from, to - from);
      from = to;
    }
  }

  /** Lays out the terms from `first` on whose words were sorted. */
  private layOutTerms(first: number, terms: number): void {
    const { memory, laidOut } = this;
    const { kernel } = memory;
    // The kernel stops at terms that it can't lay out alone.
    const most = this.inOrder ? Math.floor(this.rows / FREQUENT_SHARE) : 0;
    for (let i = kernel.layOut(0, terms, most); i < terms; i = kernel.layOut(i + 1, terms, most)) {
      if (!this.inOrder) this.orderByRow();
      const count = memory.get(COUNT);
      const isDense = count * DENSE_SHARE > this.rows && memory.get(MOST_FREQUENCY) <= MOST_DENSE_FREQUENCY;
      if (count * FREQUENT_SHARE > this.rows) laidOut.frequentBits.set(first + i, this.bits(count));
      if (isDense) laidOut.dense.set(first + i, this.denseFrequencies(count));
      kernel.add(i, isDense ? 1 : 0);
    }
    laidOut.mostInRange = Math.max(laidOut.mostInRange, memory.get(MOST_IN_RANGE));
    laidOut.mostPositions = Math.max(laidOut.mostPositions, memory.get(MOST_POSITIONS));
    addBlock(this.room, memory, first, terms);
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
    const { rowOf } = this.inversion;
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
    const { rowOf } = this.inversion;
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
