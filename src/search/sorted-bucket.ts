/** The words of a bucket, sorted by term. */

import { scratch } from '../growable.js';
import { countWords, firstTermOf, piecesOf, placeWords, type SortedWords } from './buckets.js';
import type { Inverted } from './inverter.js';

export const NO_WORDS: SortedWords = {
  starts: new Uint32Array(0),
  records: new Uint32Array(0),
  places: new Uint32Array(0),
};

/**
 * Sorts a bucket of records that were inverted in parts, one after the other, into the memory of one no longer needed.
 * There are `allTerms` terms in all.
 */
export function sortBucket(
  parts: readonly Inverted[],
  bucket: number,
  allTerms: number,
  used: SortedWords,
): SortedWords {
  const first = firstTermOf(bucket);
  const terms = Math.min(firstTermOf(bucket + 1), allTerms) - first;
  const starts = new Uint32Array(terms + 1);
  const counts = starts.subarray(1);
  for (const { buckets } of parts) for (const piece of piecesOf(buckets, bucket)) countWords(piece, first, counts);
  for (let i = 0; i < terms; i++) counts[i]! += starts[i]!;
  const sorted = { starts, ...reused(used, starts[terms]!) };
  const next = starts.slice();
  let firstRecord = 0;
  for (const { records, buckets } of parts) {
    placeWords(piecesOf(buckets, bucket), first, firstRecord, next, sorted);
    firstRecord += records;
  }
  return sorted;
}

/** Room for so many words. */
function reused({ records, places }: SortedWords, count: number): Omit<SortedWords, 'starts'> {
  return count <= places.length ? { records, places } : { records: scratch(count), places: scratch(count) };
}
