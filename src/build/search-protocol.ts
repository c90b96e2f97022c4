/**
 * How two threads build search tables together. One reads the snapshots into terms and has all the words. It also
 * inverts the terms until the other, done with the records, offers its help: from then on the other inverts, and the
 * reader only what would wait for long. Then both lay out buckets, each taking the next that is left, until none is.
 * Who does what changes nothing in the tables.
 */
import type { SnapshotFault } from '../load/report.js';
import { type CollectionName, collections } from '../model.js';
import type { Inversion, Inverted } from '../search/inverter.js';
import type { Blocks } from '../search/layout.js';
import type { Dictionary } from '../search/tables-of.js';
import type { BuildOptions } from './parts.js';

export type ByCollection<T> = ReadonlyMap<CollectionName, T>;

export interface SearchOrder {
  readonly options: Omit<BuildOptions, 'onProgress'>;
  readonly control: Int32Array;
}

/** What the reading thread posts. */
export type FromReader =
  /** Terms of whole records, to be inverted with the others of this part. */
  | {
      readonly kind: 'terms';
      readonly collection: CollectionName;
      readonly part: number;
      readonly entries: Int32Array;
    }
  /** There are no more. */
  | { readonly kind: 'read'; readonly readings: ByCollection<Reading> }
  | { readonly kind: 'done'; readonly blocks: ByCollection<Blocks>; readonly dictionaries: ByCollection<Dictionary> }
  | { readonly kind: 'failed'; readonly fault: SnapshotFault };

/** Parts of a collection, by their numbers: records in order, inverted by one thread. */
export type Parts = ReadonlyMap<number, Inverted>;

/** What was read of a collection, with the parts that the reader has inverted itself. */
export interface Reading extends Omit<Inversion, 'parts'> {
  readonly parts: Parts;
}

/** The parts that the helping thread has inverted; posted if there are any. */
export type FromHelper = ByCollection<Parts>;

export const inversionOf = (reading: Reading, helped: Parts | undefined): Inversion => ({
  ...reading,
  parts: [...reading.parts, ...(helped ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part),
});

/** Numbers that both threads see: whether there is help, how many lots of terms it has inverted, */
const HELPED = 0;
const INVERTED = 1;
/** and each collection's next bucket. */
const BUCKETS = 2;
/** The reader inverts itself from when so many lots of terms wait until so few do. */
const MANY_WAITING = 48;
const FEW_WAITING = 4;

export const createControl = (): Int32Array =>
  new Int32Array(new SharedArrayBuffer((BUCKETS + collections.length) * Int32Array.BYTES_PER_ELEMENT));

export const offerHelp = (control: Int32Array): void => void Atomics.store(control, HELPED, 1);

/** Whether terms are to be sent to the helper, after `sent` lots were; `isSending` says whether the last were. */
export function isHelpWanted(control: Int32Array, sent: number, isSending: boolean): boolean {
  if (Atomics.load(control, HELPED) === 0) return false;
  return sent - Atomics.load(control, INVERTED) < (isSending ? MANY_WAITING : FEW_WAITING);
}

export const tellInverted = (control: Int32Array): void => void Atomics.add(control, INVERTED, 1);

/** Takes the next bucket of a collection. */
export const claimBucket = (control: Int32Array, collection: CollectionName): number =>
  Atomics.add(control, BUCKETS + collections.findIndex(({ name }) => name === collection), 1);

/** The map with every value turned into another. */
export const mapped = <From, To>(
  map: ByCollection<From>,
  turn: (value: From, collection: CollectionName) => To,
): ByCollection<To> => new Map([...map].map(([name, value]) => [name, turn(value, name)]));
