/**
 * Postings on their way from records to terms. Those of 256 terms share a bucket, to which they are appended as they
 * come: the ends of so few buckets stay in the nearest cache, which the ends of one list a term would not. Later, one
 * bucket at a time is sorted by term (a radix sort with two digits).
 *
 * A posting in a bucket is its term's low byte, a byte for the records since the posting before and the frequency, four
 * bits each, the numbers that did not fit there, and the positions.
 */
import { uint8, uint32, withRoom } from '../growable.js';
import {
  MOST_NUMBER_BYTES,
  MOST_POSITION_BYTES,
  readNumber,
  skipNumber,
  skipPositions,
  writeNumber,
} from './posting-code.js';

export const BUCKET_BITS = 8;
export const BUCKET_TERMS = 1 << BUCKET_BITS;

/** The first number that four bits can't hold. */
const MUCH = 15;
const MOST_HEAD_BYTES = 2 + 2 * MOST_NUMBER_BYTES;

/** Each bucket's newest postings stand here, one after the other; a piece is set aside when it is full. */
const PIECE_BITS = 12;
const PIECE_BYTES = 1 << PIECE_BITS;

const POOL_BYTES = 1 << 22;

/** What is known of a bucket: where its next posting goes, and the record of its last one. */
const END = 0;
const RECORD = 1;
const STATE = 2;

export class Buckets {
  /** What `begin` found room in: the positions are to be written here. */
  bytes = new Uint8Array(0);
  private newest = this.bytes;
  private state = new Uint32Array(0);
  private readonly pieces: Uint8Array[][] = [];
  private readonly pool = new Pool();

  /** Begins a posting; returns where its `count` positions go in `bytes`. Then `end` says where they ended. */
  begin(term: number, record: number, frequency: number, count: number): number {
    const bucket = term >>> BUCKET_BITS;
    if (bucket >= this.pieces.length) this.addBuckets(bucket + 1);
    const { state } = this;
    const size = MOST_HEAD_BYTES + count * MOST_POSITION_BYTES;
    const at = bucket * STATE;
    if (state[at + END]! + size > (bucket + 1) << PIECE_BITS) this.makeRoom(bucket, size);
    const { bytes } = this;
    const gap = record - state[at + RECORD]!;
    state[at + RECORD] = record;
    let next = bytes === this.newest ? state[at + END]! : 0;
    bytes[next++] = term;
    bytes[next++] = ((gap < MUCH ? gap : MUCH) << 4) | (frequency < MUCH ? frequency : MUCH);
    if (gap >= MUCH) next = writeNumber(bytes, next, gap - MUCH);
    if (frequency >= MUCH) next = writeNumber(bytes, next, frequency - MUCH);
    return next;
  }

  end(term: number, end: number): void {
    const bucket = term >>> BUCKET_BITS;
    if (this.bytes === this.newest) this.state[bucket * STATE + END] = end;
    else {
      this.pieces[bucket]!.push(this.bytes.subarray(0, end));
      this.bytes = this.newest;
    }
  }

  /** Sets a bucket's newest postings aside; one posting that does not fit a piece gets an array of its own. */
  private makeRoom(bucket: number, size: number): void {
    this.setAside(bucket);
    if (size > PIECE_BYTES) this.bytes = new Uint8Array(size);
  }

  private setAside(bucket: number): void {
    const from = bucket << PIECE_BITS;
    const to = this.state[bucket * STATE + END]!;
    if (to > from) this.pieces[bucket]!.push(this.pool.keep(this.newest.subarray(from, to)));
    this.state[bucket * STATE + END] = from;
  }

  private addBuckets(count: number): void {
    this.newest = withRoom(this.newest, count << PIECE_BITS, uint8);
    this.bytes = this.newest;
    this.state = withRoom(this.state, count * STATE, uint32);
    for (let bucket = this.pieces.length; bucket < count; bucket++) {
      this.state[bucket * STATE + END] = bucket << PIECE_BITS;
      this.pieces.push([]);
    }
  }

  /** Takes the postings of a bucket out, sorted by term; its terms have so many postings and bytes of positions. */
  take(bucket: number, counts: Uint32Array, sizes: Uint32Array, into: SortedBucket): SortedBucket {
    this.setAside(bucket);
    const sorted = reused(into, runningSums(counts), runningSums(sizes));
    const places = { postings: sorted.postings.slice(), positions: sorted.positionStarts.slice() };
    let record = 0;
    for (const piece of this.pieces[bucket]!) record = place(piece, record, sorted, places);
    this.pieces[bucket] = [];
    return sorted;
  }
}

/** Copies of pieces, in blocks so large that the system gets them back: thousands of small ones it would not. */
class Pool {
  private block = new Uint8Array(0);
  private used = 0;

  keep(piece: Uint8Array): Uint8Array {
    if (this.used + piece.length > this.block.length) {
      this.block = new Uint8Array(POOL_BYTES);
      this.used = 0;
    }
    const copy = this.block.subarray(this.used, this.used + piece.length);
    copy.set(piece);
    this.used += piece.length;
    return copy;
  }
}

/** The postings of a bucket's terms, sorted by term. */
export interface SortedBucket {
  /** Term i of the bucket has the postings `postings[i] .. postings[i + 1]`, */
  readonly postings: Uint32Array;
  /** and its positions stand in the bytes `positionStarts[i] .. positionStarts[i + 1]`. */
  readonly positionStarts: Uint32Array;
  readonly records: Uint32Array<ArrayBuffer>;
  readonly frequencies: Uint32Array<ArrayBuffer>;
  readonly positions: Uint8Array<ArrayBuffer>;
}

export const NO_BUCKET: SortedBucket = {
  postings: new Uint32Array(0),
  positionStarts: new Uint32Array(0),
  records: new Uint32Array(0),
  frequencies: new Uint32Array(0),
  positions: new Uint8Array(0),
};

/** Room for so many postings and positions, in the memory of a bucket that is no longer needed. */
function reused(used: SortedBucket, postings: Uint32Array, positionStarts: Uint32Array): SortedBucket {
  const count = postings[BUCKET_TERMS]!;
  const bytes = positionStarts[BUCKET_TERMS]!;
  const isRoomy = count <= used.records.length;
  return {
    postings,
    positionStarts,
    records: isRoomy ? used.records : new Uint32Array(count),
    frequencies: isRoomy ? used.frequencies : new Uint32Array(count),
    positions: bytes <= used.positions.length ? used.positions : new Uint8Array(bytes),
  };
}

function runningSums(numbers: Uint32Array): Uint32Array {
  const sums = new Uint32Array(numbers.length + 1);
  for (let i = 0; i < numbers.length; i++) sums[i + 1] = sums[i]! + numbers[i]!;
  return sums;
}

/** Where the next posting of each term goes, and its positions. */
interface Places {
  readonly postings: Uint32Array;
  readonly positions: Uint32Array;
}

/** Puts the postings of a piece to their places; returns the record of the last. */
function place(bytes: Uint8Array, before: number, sorted: SortedBucket, places: Places): number {
  const { records, frequencies, positions } = sorted;
  let record = before;
  for (let at = 0; at < bytes.length; ) {
    const term = bytes[at]!;
    let gap = bytes[at + 1]! >>> 4;
    let frequency = bytes[at + 1]! & MUCH;
    at += 2;
    if (gap === MUCH) {
      gap += readNumber(bytes, at);
      at = skipNumber(bytes, at);
    }
    if (frequency === MUCH) {
      frequency += readNumber(bytes, at);
      at = skipNumber(bytes, at);
    }
    record += gap;
    const posting = places.postings[term]!++;
    records[posting] = record;
    frequencies[posting] = frequency;
    const end = skipPositions(bytes, at);
    let to = places.positions[term]!;
    while (at < end) positions[to++] = bytes[at++]!;
    places.positions[term] = to;
  }
  return record;
}
