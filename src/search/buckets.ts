/**
 * Words on their way from records to terms. Those of up to 256 terms share a bucket, to which they are appended as they
 * come: the ends of so few buckets stay in the nearest caches, which the ends of one list a term would not. Later, one
 * bucket at a time is sorted by term.
 *
 * A word in a bucket is a number. From its lowest bits up: how many bytes it takes, its term's lowest bits, its field, how
 * many records lie between it and the bucket's word before, and where it stands in its record. Many records are skipped by
 * a number of their own.
 */
import { RETURNED_BYTES } from '../memory.js';

/** Terms are numbered by first occurrence: the first are frequent, and fewer of them make a bucket. */
export const FINE_TERMS = 1 << 10;
export const FINE_BITS = 3;
export const COARSE_BITS = 8;
const FINE_BUCKETS = FINE_TERMS >>> FINE_BITS;
/** A coarse bucket's number, but for what its terms' high bits say. */
export const COARSE_SHIFT = FINE_BUCKETS - (FINE_TERMS >>> COARSE_BITS);
export const MOST_TERMS_IN_BUCKET = 1 << COARSE_BITS;

/** How many bits of a term its bucket does not tell. */
export const termBitsOf = (bucket: number): number => (bucket < FINE_BUCKETS ? FINE_BITS : COARSE_BITS);

export const firstTermOf = (bucket: number): number =>
  bucket < FINE_BUCKETS ? bucket << FINE_BITS : (bucket - COARSE_SHIFT) << COARSE_BITS;

/** How many buckets so many terms take. */
export function bucketsFor(terms: number): number {
  const last = terms - 1;
  if (last < 0) return 0;
  if (last < FINE_TERMS) return (last >>> FINE_BITS) + 1;
  return (last >>> COARSE_BITS) + COARSE_SHIFT + 1;
}

/** Bits for the size, for the field of so many fields, and for records. */
export const SIZE_BITS = 2;
export const fieldBitsFor = (fields: number): number => Math.ceil(Math.log2(fields));
export const GAP_BITS = 4;
/** This gap stands for as many records as the position says, and for no word. */
export const SKIP = (1 << GAP_BITS) - 1;

/** A number takes one byte, two, three or, as the last of the sizes, so many. */
export const LONGEST_BYTES = 6;
/** They are written and read by eight bytes, of which those behind the number mean nothing. */
export const CODE_BYTES = 8;
/** Where a word stands in its record is a number of so many bits. */
export const POSITION_BITS = 29;
/** Fields are numbered below this. */
export const MAX_FIELDS = 6;

/** Each bucket's newest words stand in a piece, which is set aside when it has no room for one more. */
export const PIECE_BITS = 11;
export const PIECE_BYTES = 1 << PIECE_BITS;

/** Words by bucket, in the order in which they were added. */
export interface BucketWords {
  /** Memory that threads can share. */
  readonly blocks: readonly Uint8Array[];
  /** A bucket's pieces, three numbers each: the block, where the piece begins in it, where it ends. */
  readonly pieces: readonly (readonly number[])[];
}

/** Words that were set aside, in blocks that threads can share. */
export class KeptWords implements BucketWords {
  readonly blocks: Uint8Array[] = [];
  readonly pieces: number[][] = [];
  private used = RETURNED_BYTES;

  /** Keeps a copy of a bucket's next piece. */
  keep(bucket: number, piece: Uint8Array): void {
    if (this.used + piece.length > RETURNED_BYTES) {
      this.blocks.push(new Uint8Array(new SharedArrayBuffer(RETURNED_BYTES)));
      this.used = 0;
    }
    const block = this.blocks.length - 1;
    this.blocks[block]!.set(piece, this.used);
    while (this.pieces.length <= bucket) this.pieces.push([]);
    this.pieces[bucket]!.push(block, this.used, this.used + piece.length);
    // Shared memory is copied in whole words only where these are aligned.
    this.used += (piece.length + 7) & -8;
  }
}

/** The pieces of a bucket. */
export function* piecesOf({ blocks, pieces }: BucketWords, bucket: number): Generator<Uint8Array> {
  const places = pieces[bucket] ?? [];
  for (let i = 0; i < places.length; i += 3) yield blocks[places[i]!]!.subarray(places[i + 1]!, places[i + 2]!);
}
