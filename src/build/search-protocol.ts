/**
 * How two threads build search tables together. One reads the snapshots into terms and has all the words. It also
 * inverts the terms until the other, done with the records, offers its help: from then on the other inverts. Then both
 * lay out buckets, each taking the next that is left, until none is. Who does what changes nothing in the tables.
 */
import type { SnapshotFault } from '../load/report.js';
import { type CollectionName, collections } from '../model.js';
import type { Inversion, Inverted } from '../search/inverter.js';
import type { Blocks } from '../search/layout.js';
import type { Dictionary } from '../search/tables-of.js';
import { collectionOf } from '../store/dataset.js';
import type { BuildOptions } from './parts.js';

export type ByCollection<T> = ReadonlyMap<CollectionName, T>;

export interface SearchOrder {
  readonly options: Omit<BuildOptions, 'onProgress'>;
  readonly control: Int32Array;
}

/** What the reading thread posts. */
export type FromReader =
  /** Terms of whole records, to be inverted; all records of the collection that follow come so too. */
  | { readonly kind: 'terms'; readonly collection: CollectionName; readonly entries: Int32Array }
  /** There are no more; what it has inverted itself comes first in the order of records. */
  | { readonly kind: 'read'; readonly inversions: ByCollection<Inversion> }
  | { readonly kind: 'done'; readonly blocks: ByCollection<Blocks>; readonly dictionaries: ByCollection<Dictionary> }
  | { readonly kind: 'failed'; readonly fault: SnapshotFault };

/** What the helping thread has inverted; posted if it was sent terms. */
export type FromHelper = ByCollection<Inverted>;

/** Numbers that both threads see: whether there is help, how many lots of terms it has inverted, */
const HELPED = 0;
const INVERTED = 1;
/** and each collection's next bucket. */
const BUCKETS = 2;
/** So many lots of terms may wait to be inverted: some megabytes. */
const MOST_WAITING = 64;

export const createControl = (): Int32Array =>
  new Int32Array(new SharedArrayBuffer((BUCKETS + collections.length) * Int32Array.BYTES_PER_ELEMENT));

export const offerHelp = (control: Int32Array): void => void Atomics.store(control, HELPED, 1);

export const isHelped = (control: Int32Array): boolean => Atomics.load(control, HELPED) === 1;

export function tellInverted(control: Int32Array): void {
  Atomics.add(control, INVERTED, 1);
  Atomics.notify(control, INVERTED);
}

/** Waits while much of what was sent still waits to be inverted. */
export function waitForHelper(control: Int32Array, sent: number): void {
  for (;;) {
    const inverted = Atomics.load(control, INVERTED);
    if (sent - inverted < MOST_WAITING) return;
    Atomics.wait(control, INVERTED, inverted);
  }
}

/** Takes the next bucket of a collection. */
export const claimBucket = (control: Int32Array, collection: CollectionName): number =>
  Atomics.add(control, BUCKETS + collections.findIndex(({ name }) => name === collection), 1);

/** The map with every value turned into another. */
export const mapped = <From, To>(
  map: ByCollection<From>,
  turn: (value: From, collection: CollectionName) => To,
): ByCollection<To> => new Map([...map].map(([name, value]) => [name, turn(value, name)]));

/** Inversions with one part more each. */
export const withParts = (
  inversions: ByCollection<Inversion>,
  parts: ByCollection<Inverted>,
): ByCollection<Inversion> =>
  mapped(inversions, (inversion, name) => ({
    ...inversion,
    parts: [...inversion.parts, collectionOf(parts, name)],
  }));
