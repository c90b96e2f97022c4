/**
 * Numbers by which two threads share work: see `search-protocol.ts`. Per collection how many documents the reader has
 * claimed, or, as ~n, that it is to read n; and the next bucket.
 */
import { type CollectionName, collections } from '../model.js';

const CLAIMED = 0;
const BUCKETS = collections.length;
/** Documents are claimed so many at once. */
const LOT = 64;

export const createControl = (): Int32Array =>
  new Int32Array(new SharedArrayBuffer(2 * collections.length * Int32Array.BYTES_PER_ELEMENT));

const numberOf = (collection: CollectionName): number => collections.findIndex(({ name }) => name === collection);

/** Claims documents for the reader behind the `claimed` ones; returns up to where: as before if it has read enough. */
export function claimDocuments(control: Int32Array, collection: CollectionName, claimed: number): number {
  const found = Atomics.compareExchange(control, CLAIMED + numberOf(collection), claimed, claimed + LOT);
  return found === claimed ? claimed + LOT : Math.max(claimed, Math.min(claimed + LOT, ~found));
}

/** Tells that the reader, which claimed so many documents, has read all that there are; false if a tail was cut off. */
export const endReading = (control: Int32Array, collection: CollectionName, claimed: number): boolean =>
  Atomics.compareExchange(control, CLAIMED + numberOf(collection), claimed, ~claimed) === claimed;

/** How many documents the reader has claimed; undefined once it has read all. */
export function claimedDocuments(control: Int32Array, collection: CollectionName): number | undefined {
  const claimed = Atomics.load(control, CLAIMED + numberOf(collection));
  return claimed < 0 ? undefined : claimed;
}

/** Cuts off all documents from `document` on; false where the reader has claimed more, or read all. */
export function cutTail(control: Int32Array, name: CollectionName, document: number): boolean {
  for (;;) {
    const claimed = claimedDocuments(control, name);
    if (claimed === undefined || claimed > document) return false;
    if (Atomics.compareExchange(control, CLAIMED + numberOf(name), claimed, ~document) === claimed) return true;
  }
}

/** Takes the next bucket of a collection. */
export const claimBucket = (control: Int32Array, collection: CollectionName): number =>
  Atomics.add(control, BUCKETS + numberOf(collection), 1);
