/**
 * Words on their way from records to terms. Those of a frequent term have a bucket of their own, those of up to 256 others
 * share one, to which they are appended as they come: the ends of so few buckets stay in the nearer caches, which the ends
 * of one list a term would not. Later, one shared bucket at a time is sorted by term.
 *
 * A word in a bucket is a number. From its lowest bits up: how many bytes it takes, its term's lowest bits where the bucket
 * is shared, its field, how many records lie between it and the bucket's word before, and where it stands in its record.
 * Many records are skipped by a number of their own.
 */

/** Terms are numbered by first occurrence, so that the first are frequent. */
export const FREQUENT_TERMS = 1 << 11;
/** How many bits of a term a shared bucket does not tell. */
export const TERM_BITS = 8;
export const MOST_TERMS_IN_BUCKET = 1 << TERM_BITS;
/** A shared bucket's number, but for what its terms' high bits say. */
export const SHARED_SHIFT = FREQUENT_TERMS - (FREQUENT_TERMS >>> TERM_BITS);

export const isShared = (bucket: number): boolean => bucket >= FREQUENT_TERMS;

export const firstTermOf = (bucket: number): number =>
  isShared(bucket) ? (bucket - SHARED_SHIFT) << TERM_BITS : bucket;

/** How many buckets so many terms take. */
export const bucketsFor = (terms: number): number =>
  terms <= FREQUENT_TERMS ? terms : ((terms - 1) >>> TERM_BITS) + SHARED_SHIFT + 1;

/** Bits for the size, for the field of so many fields, and for records. */
export const SIZE_BITS = 2;
export const fieldBitsFor = (fields: number): number => Math.ceil(Math.log2(fields));
export const GAP_BITS = 4;
/** This gap stands for as many records as the position says, and for no word. */
export const SKIP = (1 << GAP_BITS) - 1;

/** A number takes two bytes, three, four or, as the last of the sizes, so many. */
export const LEAST_WORD_BYTES = 2;
export const LONGEST_BYTES = 6;
/** They are written and read by eight bytes, of which those behind the number mean nothing. */
export const CODE_BYTES = 8;
/** Where a word stands in its record is a number of so many bits. */
export const POSITION_BITS = 29;
/** Fields are numbered below this. */
export const MAX_FIELDS = 6;

/**
 * The words of a bucket stand in pieces. Each begins with two addresses: of the bucket's next piece, 0 if there is none, and
 * of where its words end.
 */
export const NEXT_PIECE = 0;
export const PIECE_END = 4;
export const PIECE_WORDS = 8;
/** Words are added to pieces of so many bytes, which begin at multiples of that. */
export const PIECE_BYTES = 1 << 10;
/** Where less is left of a piece, the next one is begun: a skip and a word have room, the latter as `CODE_BYTES`. */
export const PIECE_MARGIN = LONGEST_BYTES + CODE_BYTES;

/** Words by bucket, in the order in which they were added. */
export interface BucketWords {
  /** By bucket: the address of its first piece, 0 if it has no words, and how many bytes these take at most. */
  readonly first: Uint32Array;
  readonly bytes: Uint32Array;
}
