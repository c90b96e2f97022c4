/**
 * How two threads build search tables together. One, the reader, reads the snapshots from the first document on. The
 * other, the helper, makes the record stores of them meanwhile; when it has them it cuts off a share of what the reader
 * has not read yet, the tail, and reads that out of its stores. The reader knows which terms the tail's words are; each
 * inverts its own documents, and then both lay out buckets, each taking the next that is left, until none is.
 * A reader that has read all before the stores are made begins to lay out at once, and may be done before it is helped.
 * Who does what changes nothing in the tables but for words that no record has any more.
 */
import type { SnapshotFault } from '../load/report.js';
import { type CollectionName, collectionOf, collections } from '../model.js';
import type { BucketMemories } from '../search/bucket-memory.js';
import { DEFAULT_RANKING, weightsOf } from '../search/builder.js';
import { type Inversion, type Inverted, isInOrder } from '../search/inverter.js';
import type { LaidOut, PostingRoom } from '../search/posting-room.js';
import type { RowTables } from '../search/rows.js';
import type { WordTables } from '../search/tables.js';
import type { ListedWords } from '../search/vocabulary.js';
import { searchFields } from '../store/documents.js';
import type { BuildOptions } from './reading.js';

export type ByCollection<T> = ReadonlyMap<CollectionName, T>;

export interface SearchOrder {
  readonly options: Omit<BuildOptions, 'onProgress'>;
  readonly control: Int32Array;
}

/** What the reader posts, in this order. */
export type FromReader =
  /** It has read its documents. Where these are all, it lays them out from here on, in rooms of its own making. */
  | {
      readonly kind: 'read';
      readonly readings: ByCollection<Reading>;
      readonly rooms: ByCollection<PostingRoom> | undefined;
    }
  | {
      readonly kind: 'done';
      readonly laidOut: ByCollection<LaidOut>;
      readonly dictionaries: ByCollection<WordTables>;
      /** Where it has read all: the helper may not have made them. */
      readonly rows: ByCollection<RowTables> | undefined;
    }
  | { readonly kind: 'failed'; readonly fault: SnapshotFault };

/** What the reader has read of a collection. */
export interface Reading {
  readonly inverted: Inverted;
  /** Where a tail was cut off, what each of its terms is. */
  readonly termOf: Uint32Array | undefined;
  /** How many terms there are in all. */
  readonly terms: number;
  /** What all words by bucket stand in. */
  readonly memories: BucketMemories;
}

export const weightsByCollection: ByCollection<readonly number[]> = new Map(
  collections.map((model) => [model.name, weightsOf(searchFields(model))]),
);

/** What the buckets of all collections are laid out of. */
export const inversionsOf = (
  readings: ByCollection<Reading>,
  rowOf: ByCollection<Int32Array>,
  tails: ByCollection<Inverted> | undefined,
): ByCollection<Inversion> =>
  mapped(readings, ({ inverted, terms, memories }, name) => {
    const rows = collectionOf(rowOf, name);
    return {
      memories,
      parts: tails ? [inverted, collectionOf(tails, name)] : [inverted],
      terms,
      rowOf: rows,
      inOrder: isInOrder(rows),
      weights: collectionOf(weightsByCollection, name),
      ranking: DEFAULT_RANKING,
    };
  });

/** Whether every document was read once: not where the files changed meanwhile. */
export const isComplete = (inversions: ByCollection<Inversion>): boolean =>
  [...inversions.values()].every(
    ({ parts, rowOf }) => parts.reduce((sum, { records }) => sum + records, 0) === rowOf.length,
  );

/** What the helper posts, in this order: the row of each document; if it cut off a tail, its words, and what was inverted of that, with the room for the postings of all. */
export type FromHelper =
  | { readonly kind: 'rows'; readonly rowOf: ByCollection<Int32Array> }
  | { readonly kind: 'words'; readonly words: ByCollection<ListedWords> }
  | {
      readonly kind: 'room';
      readonly tails: ByCollection<Inverted> | undefined;
      readonly rooms: ByCollection<PostingRoom>;
    };

/** The map with every value turned into another. */
export const mapped = <From, To>(
  map: ByCollection<From>,
  turn: (value: From, collection: CollectionName) => To,
): ByCollection<To> => new Map([...map].map(([name, value]) => [name, turn(value, name)]));
