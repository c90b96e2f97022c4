/**
 * Words on their way from records to terms. Those of up to 256 terms share a bucket, to which they are appended as they
 * come: the ends of so few buckets stay in the nearest caches, which the ends of one list a term would not. Later, one
 * bucket at a time is sorted by term.
 *
 * A word in a bucket is a number. From its lowest bits up: how many bytes it takes, its term's lowest bits, its field, how
 * many records lie between it and the bucket's word before, and where it stands in its record. Many records are skipped by
 * a number of their own.
 */
import { RETURNED_BYTES, wholeWords } from '../memory.js';

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
/** A word takes as many at least. */
export const LEAST_WORD_BYTES = Math.ceil((SIZE_BITS + FINE_BITS + GAP_BITS) / 8);
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
  readonly blocks: Block[];
  /** A bucket's pieces, three numbers each: the block, where the piece begins in it, where it ends. */
  readonly pieces: readonly (readonly number[])[];
}

/** Words of buckets of one group. */
interface Block {
  readonly group: number;
  /** Memory that threads can share. */
  bytes: Uint8Array;
  used: number;
}

/** Buckets that follow one another: a quarter of the fine ones, the others of them, and then twice as many again and again, in halves. */
export function groupOf(bucket: number): number {
  if (bucket < FINE_BUCKETS) return bucket * 4 < FINE_BUCKETS ? 0 : 1;
  const octave = 31 - Math.clz32(bucket / FINE_BUCKETS);
  return 2 + 2 * octave + Math.floor((2 * bucket) / (FINE_BUCKETS << octave) - 2);
}

/** Words that were set aside, apart from those of other groups: they can be dropped by themselves. */
export class KeptWords implements BucketWords {
  readonly blocks: Block[] = [];
  readonly pieces: number[][] = [];
  /** Of each group the number of the block that is being filled. */
  private readonly current: number[] = [];

  /** Keeps a copy of a bucket's next piece. */
  keep(bucket: number, piece: Uint8Array): void {
    const group = groupOf(bucket);
    let number = this.current[group] ?? -1;
    if (number < 0 || this.blocks[number]!.used + piece.length > RETURNED_BYTES) {
      const bytes = new Uint8Array(new SharedArrayBuffer(RETURNED_BYTES));
      number = this.blocks.push({ group, bytes, used: 0 }) - 1;
      this.current[group] = number;
    }
    const block = this.blocks[number]!;
    block.bytes.set(piece, block.used);
    while (this.pieces.length <= bucket) this.pieces.push([]);
    this.pieces[bucket]!.push(number, block.used, block.used + piece.length);
    block.used += wholeWords(piece.length);
  }
}

const NONE = new Uint8Array(0);

/** Drops the words of all groups before one; returns how many bytes they took. */
export function dropGroups({ blocks }: BucketWords, before: number): number {
  let dropped = 0;
  for (const block of blocks) {
    if (block.group >= before) continue;
    dropped += block.used;
    block.bytes = NONE;
    block.used = 0;
  }
  return dropped;
}

/** The pieces of a bucket. */
export function* piecesOf({ blocks, pieces }: BucketWords, bucket: number): Generator<Uint8Array> {
  const places = pieces[bucket] ?? [];
  for (let i = 0; i < places.length; i += 3) yield blocks[places[i]!]!.bytes.subarray(places[i + 1]!, places[i + 2]!);
}
