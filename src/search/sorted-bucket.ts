/** The postings of a bucket's terms, sorted by term. */
import { firstTermOf, MUCH, piecesOf } from './buckets.js';
import type { Inverted } from './inverter.js';
import { readNumber, skipNumber, skipPositions } from './posting-code.js';

export interface SortedBucket {
  /** Term i of the bucket has the postings `postings[i] .. postings[i + 1]`, */
  readonly postings: Uint32Array;
  /** and its positions stand in the bytes `positionStarts[i] .. positionStarts[i + 1]`. */
  readonly positionStarts: Uint32Array;
  readonly records: Uint32Array;
  readonly frequencies: Uint32Array;
  readonly positions: Uint8Array;
}

export const NO_BUCKET: SortedBucket = {
  postings: new Uint32Array(0),
  positionStarts: new Uint32Array(0),
  records: new Uint32Array(0),
  frequencies: new Uint32Array(0),
  positions: new Uint8Array(0),
};

/**
 * Sorts a bucket of records that were inverted in parts, one after the other, into the memory of one no longer needed.
 * There are `allTerms` terms in all.
 */
export function sortBucket(
  parts: readonly Inverted[],
  bucket: number,
  allTerms: number,
  used: SortedBucket,
): SortedBucket {
  const first = firstTermOf(bucket);
  const terms = Math.min(firstTermOf(bucket + 1), allTerms) - first;
  const sumsOf = (count: (part: Inverted, term: number) => number): Uint32Array => {
    const sums = new Uint32Array(terms + 1);
    for (let i = 0; i < terms; i++) {
      sums[i + 1] = parts.reduce((sum, part) => sum + count(part, first + i), sums[i]!);
    }
    return sums;
  };
  const sorted = reused(
    used,
    sumsOf(({ postings }, term) => postings[term] ?? 0),
    sumsOf(({ bytes }, term) => bytes[term] ?? 0),
  );
  const places = { first, postings: sorted.postings.slice(), positions: sorted.positionStarts.slice() };
  let firstRecord = 0;
  for (const { records, buckets } of parts) {
    let record = firstRecord;
    for (const piece of piecesOf(buckets, bucket)) record = place(piece, record, sorted, places);
    firstRecord += records;
  }
  return sorted;
}

/** Room for so many postings and positions, in the memory of a bucket that is no longer needed. */
function reused(used: SortedBucket, postings: Uint32Array, positionStarts: Uint32Array): SortedBucket {
  const count = postings.at(-1) ?? 0;
  const bytes = positionStarts.at(-1) ?? 0;
  const isRoomy = count <= used.records.length;
  return {
    postings,
    positionStarts,
    records: isRoomy ? used.records : new Uint32Array(count),
    frequencies: isRoomy ? used.frequencies : new Uint32Array(count),
    positions: bytes <= used.positions.length ? used.positions : new Uint8Array(bytes),
  };
}

/** Where the next posting of each of a bucket's terms goes, and its positions. */
interface Places {
  /** The bucket's first term. */
  readonly first: number;
  readonly postings: Uint32Array;
  readonly positions: Uint32Array;
}

/** Puts the postings of a piece to their places; returns the record of the last. */
function place(bytes: Uint8Array, before: number, sorted: SortedBucket, places: Places): number {
  const { records, frequencies, positions } = sorted;
  const first = places.first & 0xff;
  let record = before;
  for (let at = 0; at < bytes.length; ) {
    const term = bytes[at]! - first;
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
