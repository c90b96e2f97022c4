/**
 * Words on their way from records to terms. Those of up to 256 terms share a bucket, to which they are appended as they
 * come: the ends of so few buckets stay in the nearest caches, which the ends of one list a term would not. Later, one
 * bucket at a time is sorted by term (a radix sort with two digits).
 *
 * A word in a bucket is one number: its field, how many records lie between it and the bucket's word before, where it
 * stands in its record, and its term's low byte. What does not fit there precedes it in numbers of its own.
 */
import { uint32, withRoom } from '../growable.js';
import { RETURNED_BYTES } from '../memory.js';

/** Terms are numbered by first occurrence: the first are frequent, and fewer of them make a bucket. */
const FINE_TERMS = 1 << 10;
const FINE_BITS = 3;
const COARSE_BITS = 8;
const FINE_BUCKETS = FINE_TERMS >>> FINE_BITS;
const COARSE_SHIFT = FINE_BUCKETS - (FINE_TERMS >>> COARSE_BITS);

/** Reckoned without a branch, for which kind of term comes next can't be foreseen. */
function bucketOf(term: number): number {
  const isCoarse = (FINE_TERMS - 1 - term) >>> 31;
  return (term >>> (FINE_BITS + isCoarse * (COARSE_BITS - FINE_BITS))) + isCoarse * COARSE_SHIFT;
}

export const firstTermOf = (bucket: number): number =>
  bucket < FINE_BUCKETS ? bucket << FINE_BITS : (bucket - COARSE_SHIFT) << COARSE_BITS;

/** How many buckets so many terms take. */
export const bucketsFor = (terms: number): number => (terms === 0 ? 0 : bucketOf(terms - 1) + 1);

/** A word as a number, from its lowest bits up. */
const TERM_BITS = 8;
const POSITION_BITS = 16;
const GAP_BITS = 5;
const GAP_SHIFT = TERM_BITS + POSITION_BITS;
const FIELD_SHIFT = GAP_SHIFT + GAP_BITS;
const TERM_MASK = (1 << TERM_BITS) - 1;
const POSITION_MASK = (1 << POSITION_BITS) - 1;
const GAP_MASK = (1 << GAP_BITS) - 1;

/** What did not fit in the next word stands before it, in all bits but the field's: how many records are skipped, */
const SKIP = 7;
/** and the position's high bits. */
const FAR = 6;
const REST_MASK = (1 << FIELD_SHIFT) - 1;
/** Fields are numbered below this. */
export const MAX_FIELDS = FAR;

/** Each bucket's newest words stand here, one after the other; a piece is set aside when it is full. */
const PIECE_BITS = 9;
const PIECE_MASK = (1 << PIECE_BITS) - 1;

/** What is known of a bucket: where its next word goes, and the record of its last one. */
const END = 0;
const RECORD = 1;
const STATE = 2;

/** Words by bucket, in the order in which they were added. */
export interface BucketWords {
  /** Memory that threads can share. */
  readonly blocks: readonly Uint32Array[];
  /** A bucket's pieces, three numbers each: the block, where the piece begins in it, where it ends. */
  readonly pieces: readonly (readonly number[])[];
}

export class Buckets {
  private newest = new Uint32Array(0);
  private state = new Uint32Array(0);
  private readonly pieces: number[][] = [];
  private readonly pool = new SharedPool();

  /** Adds a word at a position of a record, which no word of a later record may precede. */
  add(term: number, record: number, field: number, position: number): void {
    const bucket = bucketOf(term);
    if (bucket >= this.pieces.length) this.addBuckets(bucket + 1);
    const { state } = this;
    const at = bucket * STATE;
    let gap = record - state[at + RECORD]!;
    state[at + RECORD] = record;
    if (gap > GAP_MASK || position > POSITION_MASK) gap = this.addFar(bucket, gap, position);
    const rest = (gap << GAP_SHIFT) | ((position & POSITION_MASK) << TERM_BITS) | (term & TERM_MASK);
    this.append(bucket, field, rest);
  }

  /** Adds what does not fit in the word that follows; returns the gap that is left. */
  private addFar(bucket: number, gap: number, position: number): number {
    if (gap > GAP_MASK) this.append(bucket, SKIP, gap);
    if (position > POSITION_MASK) this.append(bucket, FAR, position >>> POSITION_BITS);
    return gap > GAP_MASK ? 0 : gap;
  }

  private append(bucket: number, field: number, rest: number): void {
    const end = this.state[bucket * STATE + END]!++;
    this.newest[end] = (field << FIELD_SHIFT) | rest;
    if ((end & PIECE_MASK) === PIECE_MASK) this.setAside(bucket);
  }

  private setAside(bucket: number): void {
    const from = bucket << PIECE_BITS;
    const to = this.state[bucket * STATE + END]!;
    if (to > from) this.pool.keep(this.newest.subarray(from, to), this.pieces[bucket]!);
    this.state[bucket * STATE + END] = from;
  }

  private addBuckets(count: number): void {
    this.newest = withRoom(this.newest, count << PIECE_BITS, uint32);
    this.state = withRoom(this.state, count * STATE, uint32);
    for (let bucket = this.pieces.length; bucket < count; bucket++) {
      this.state[bucket * STATE + END] = bucket << PIECE_BITS;
      this.pieces.push([]);
    }
  }

  /** All that was added. */
  finish(): BucketWords {
    for (let bucket = 0; bucket < this.pieces.length; bucket++) this.setAside(bucket);
    return { blocks: this.pool.blocks, pieces: this.pieces };
  }
}

const BLOCK_WORDS = RETURNED_BYTES / Uint32Array.BYTES_PER_ELEMENT;

/** Copies of pieces, in blocks that threads can share. */
class SharedPool {
  readonly blocks: Uint32Array[] = [];
  private used = BLOCK_WORDS;

  /** Keeps a copy of a piece, and adds where it stands to `places`. */
  keep(piece: Uint32Array, places: number[]): void {
    if (this.used + piece.length > BLOCK_WORDS) {
      this.blocks.push(new Uint32Array(new SharedArrayBuffer(RETURNED_BYTES)));
      this.used = 0;
    }
    const block = this.blocks.length - 1;
    this.blocks[block]!.set(piece, this.used);
    places.push(block, this.used, this.used + piece.length);
    this.used += piece.length;
  }
}

/** The pieces of a bucket. */
export function* piecesOf({ blocks, pieces }: BucketWords, bucket: number): Generator<Uint32Array> {
  const places = pieces[bucket] ?? [];
  for (let i = 0; i < places.length; i += 3) yield blocks[places[i]!]!.subarray(places[i + 1]!, places[i + 2]!);
}

/** Adds how many words of each term stand in a piece to `counts`; the bucket's first term is number 0. */
export function countWords(piece: Uint32Array, firstTerm: number, counts: Uint32Array): void {
  for (let i = 0; i < piece.length; i++) {
    const word = piece[i]!;
    if (word >>> FIELD_SHIFT < MAX_FIELDS) counts[(word - firstTerm) & TERM_MASK]!++;
  }
}

/** A place in a record: the field in the highest bits, the position in the others. */
export const fieldOf = (place: number): number => place >>> FIELD_SHIFT;
export const positionOf = (place: number): number => place & REST_MASK;

/** The words of a bucket, sorted by term. */
export interface SortedWords {
  /** Term i of the bucket has the words `starts[i] .. starts[i + 1]`, in the order in which they were added. */
  readonly starts: Uint32Array;
  readonly records: Uint32Array;
  readonly places: Uint32Array;
}

/** Puts the words of a bucket's pieces, whose records are numbered from `firstRecord` on, where `next` says. */
export function placeWords(
  pieces: Iterable<Uint32Array>,
  firstTerm: number,
  firstRecord: number,
  next: Uint32Array,
  { records, places }: SortedWords,
): void {
  let record = firstRecord;
  let far = 0;
  for (const piece of pieces) {
    for (let i = 0; i < piece.length; i++) {
      const word = piece[i]!;
      const field = word >>> FIELD_SHIFT;
      if (field === SKIP) record += word & REST_MASK;
      else if (field === FAR) far = (word & REST_MASK) << POSITION_BITS;
      else {
        record += (word >>> GAP_SHIFT) & GAP_MASK;
        const to = next[(word - firstTerm) & TERM_MASK]!++;
        records[to] = record;
        places[to] = (field << FIELD_SHIFT) | far | ((word >>> TERM_BITS) & POSITION_MASK);
        far = 0;
      }
    }
  }
}
