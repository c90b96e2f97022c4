/**
 * Where in the memory of the layout's kernel what stands, from its base on, for the kernel's functions and for who calls them.
 */
import { add, type Code, get, i32, less, load32, shiftLeft, shiftRight, store32, subtract, when } from '../assembly.js';
import { MAX_FIELDS } from './buckets.js';

/** A range has at least so many bytes of positions in the mean, and less than twice as many. */
export const RANGE_BYTES = 32;

/** From the memory's base on: of the term that was read its postings, the greatest frequency, and the most positions of one; */
export const COUNT = 0;
export const MOST_FREQUENCY = 4;
export const MOST_OF_TERM = 8;
/** of the block the ranges, the most postings of one, the most positions of a posting, and the bytes of postings and positions. */
export const RANGES = 12;
export const MOST_IN_RANGE = 16;
export const MOST_POSITIONS = 20;
export const POSTING_BYTES = 24;
export const POSITION_BYTES = 28;
/** Each field's weight. */
export const WEIGHTS = 32;
export const FREE = WEIGHTS + 4 * MAX_FIELDS;

/** A word of a bucket that was sorted: its record, and its place there, which is the position and in the highest bits the field. */
export const WORD_BYTES = 8;
export const PLACE = 4;

/**
 * What the kernel is made for, and where from its base on what stands; everything but bytes is 4 bytes each, unless said
 * otherwise. Threads that lay out the same have kernels of the same bytes, which are compiled only once.
 */
export interface LayoutPlaces {
  readonly rows: number;
  /** How many bits of a word are its field. */
  readonly fieldBits: number;
  /** By row, `lengthBytes` each, and 1 / the norm by length, 8 bytes each. */
  readonly lengths: number;
  readonly lengthBytes: number;
  readonly inverseNorms: number;

  /** By term of the bucket: how many words. */
  readonly counts: number;
  /** By term of the block: where the next word goes; where they begin, and one more. */
  readonly next: number;
  readonly termStarts: number;
  /** The words, sorted by term. */
  readonly words: number;
  /** Of a term's postings: row (or record, until they have the order of rows), frequency, where the positions end. */
  readonly postingRows: number;
  readonly frequencies: number;
  readonly ends: number;

  /** The block: see `PostingTables`. */
  readonly documentFrequencies: number;
  readonly mostSaturation: number;
  readonly rangeBits: number;
  readonly firstRanges: number;
  readonly postingStarts: number;
  readonly positionStarts: number;
  readonly rangeMost: number;
  readonly postings: number;
  readonly positions: number;
}

/** The first parameter of all that read and lay out. */
export const BASE = 0;
export const known = (place: number): Code => load32(get(BASE), place);
export const keep = (place: number, value: Code): Code => store32(get(BASE), value, place);
export const raise = (place: number, value: Code): Code => when(less(known(place), value), keep(place, value));
/** Where a table's entry of 4 bytes stands, from that table's place on. */
export const inTable = (index: Code): Code => add(get(BASE), shiftLeft(index, i32(2)));
/** The same of the address. */
export const indexOf = (address: number): Code => shiftRight(subtract(get(address), get(BASE)), i32(2));

/** Functions of the kernel that others call, by their places among all. */
export const READ = 0;
export const ADD = 1;
