/**
 * Postings on their way from records to terms. Those of up to 256 terms share a bucket, to which they are appended as
 * they come: the ends of so few buckets stay in the nearest caches, which the ends of one list a term would not. Later,
 * one bucket at a time is sorted by term (a radix sort with two digits).
 *
 * A posting in a bucket is its term's low byte, a byte for the records since the posting before and the frequency, four
 * bits each, the numbers that did not fit there, and the positions.
 */
import { uint8, uint32, withRoom } from '../growable.js';
import { RETURNED_BYTES } from '../memory.js';
import { MOST_NUMBER_BYTES, MOST_POSITION_BYTES, writeNumber } from './posting-code.js';

/** Terms are numbered by first occurrence: the first are frequent, and fewer of them make a bucket. */
const FINE_TERMS = 1 << 10;
const FINE_BITS = 5;
const COARSE_BITS = 8;
const FINE_BUCKETS = FINE_TERMS >>> FINE_BITS;
const COARSE_SHIFT = FINE_BUCKETS - (FINE_TERMS >>> COARSE_BITS);

const bucketOf = (term: number): number =>
  term < FINE_TERMS ? term >>> FINE_BITS : (term >>> COARSE_BITS) + COARSE_SHIFT;

export const firstTermOf = (bucket: number): number =>
  bucket < FINE_BUCKETS ? bucket << FINE_BITS : (bucket - COARSE_SHIFT) << COARSE_BITS;

/** How many buckets so many terms take. */
export const bucketsFor = (terms: number): number => (terms === 0 ? 0 : bucketOf(terms - 1) + 1);

/** The first number that four bits can't hold. */
export const MUCH = 15;
const MOST_HEAD_BYTES = 2 + 2 * MOST_NUMBER_BYTES;

/** Each bucket's newest postings stand here, one after the other; a piece is set aside when it is full. */
const PIECE_BITS = 12;
const PIECE_BYTES = 1 << PIECE_BITS;

/** What is known of a bucket: where its next posting goes, and the record of its last one. */
const END = 0;
const RECORD = 1;
const STATE = 2;

/** Postings by bucket, in the order in which they were written. */
export interface BucketBytes {
  /** Memory that threads can share. */
  readonly blocks: readonly Uint8Array[];
  /** A bucket's pieces, three numbers each: the block, where the piece begins in it, where it ends. */
  readonly pieces: readonly (readonly number[])[];
}

export class Buckets {
  /** What `begin` found room in: the positions are to be written here. */
  bytes: Uint8Array = new Uint8Array(0);
  private newest = new Uint8Array(0);
  private state = new Uint32Array(0);
  private readonly pieces: number[][] = [];
  private readonly pool = new SharedPool();

  /** Begins a posting; returns where its `count` positions go in `bytes`. Then `end` says where they ended. */
  begin(term: number, record: number, frequency: number, count: number): number {
    const bucket = bucketOf(term);
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
    const bucket = bucketOf(term);
    if (this.bytes === this.newest) this.state[bucket * STATE + END] = end;
    else {
      this.pool.keep(this.bytes.subarray(0, end), this.pieces[bucket]!);
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
    if (to > from) this.pool.keep(this.newest.subarray(from, to), this.pieces[bucket]!);
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

  /** All that was written. */
  finish(): BucketBytes {
    for (let bucket = 0; bucket < this.pieces.length; bucket++) this.setAside(bucket);
    return { blocks: this.pool.blocks, pieces: this.pieces };
  }
}

/** Copies of pieces, in blocks that threads can share. */
class SharedPool {
  readonly blocks: Uint8Array[] = [];
  private used = RETURNED_BYTES;

  /** Keeps a copy of a piece, and adds where it stands to `places`. */
  keep(piece: Uint8Array, places: number[]): void {
    if (this.used + piece.length > RETURNED_BYTES) {
      this.blocks.push(new Uint8Array(new SharedArrayBuffer(Math.max(RETURNED_BYTES, piece.length))));
      this.used = 0;
    }
    const block = this.blocks.length - 1;
    this.blocks[block]!.set(piece, this.used);
    places.push(block, this.used, this.used + piece.length);
    this.used += piece.length;
  }
}

/** The pieces of a bucket. */
export function* piecesOf({ blocks, pieces }: BucketBytes, bucket: number): Generator<Uint8Array> {
  const places = pieces[bucket] ?? [];
  for (let i = 0; i < places.length; i += 3) yield blocks[places[i]!]!.subarray(places[i + 1]!, places[i + 2]!);
}
