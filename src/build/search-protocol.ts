/**
 * How two threads build search tables together. One, the reader, reads the snapshots from the first document on. The
 * other, the helper, makes the record stores of them meanwhile; when it has them it cuts off a share of what the reader
 * has not read yet, the tail, and reads that out of its stores. The reader knows which terms the tail's words are: the
 * helper inverts most of the tail and the reader, which has inverted its own documents by then, the rest. Then both lay
 * out buckets, each taking the next that is left, until none is.
 * A reader that has read all before the stores are made begins to lay out at once, and may be done before it is helped.
 * Who does what changes nothing in the tables but for words that no record has any more.
 */
import type { SnapshotFault } from '../load/report.js';
import { type CollectionName, collectionOf, collections } from '../model.js';
import type { BucketMemories } from '../search/bucket-memory.js';
import { DEFAULT_RANKING, weightsOf } from '../search/builder.js';
import { type Inversion, type Inverted, isInOrder } from '../search/inverter.js';
import { invertTail, type Streams } from '../search/part-builder.js';
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
  /** It has inverted its share of the tail, where one was cut off. */
  | { readonly kind: 'tail'; readonly inverted: ByCollection<Inverted> }
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
  tails: readonly ByCollection<Inverted>[],
): ByCollection<Inversion> =>
  mapped(readings, ({ inverted, terms, memories }, name) => {
    const rows = collectionOf(rowOf, name);
    return {
      memories,
      parts: [inverted, ...tails.map((tail) => collectionOf(tail, name))],
      terms,
      rowOf: rows,
      inOrder: isInOrder(rows),
      weights: collectionOf(weightsByCollection, name),
      ranking: DEFAULT_RANKING,
    };
  });

/** Inverts parts of the tail, whose streams are used up. */
export const invertTails = (streams: ByCollection<Streams>, readings: ByCollection<Reading>): ByCollection<Inverted> =>
  mapped(streams, (some, name) => {
    const { termOf, memories } = collectionOf(readings, name);
    return invertTail(some, collectionOf(weightsByCollection, name), termOf ?? new Uint32Array(0), memories);
  });

/** Whether every document was read once: not where the files changed meanwhile. */
export const isComplete = (inversions: ByCollection<Inversion>): boolean =>
  [...inversions.values()].every(
    ({ parts, rowOf }) => parts.reduce((sum, { records }) => sum + records, 0) === rowOf.length,
  );

/** What the helper posts, in this order: the row of each document; if it cut off a tail, its words, and the streams of the reader's share; the parts of the tail that both have inverted, with the room for the postings of all. */
export type FromHelper =
  | { readonly kind: 'rows'; readonly rowOf: ByCollection<Int32Array> }
  | { readonly kind: 'words'; readonly words: ByCollection<ListedWords>; readonly streams: ByCollection<Streams> }
  | {
      readonly kind: 'room';
      /** In this order. */
      readonly tails: readonly ByCollection<Inverted>[];
      readonly rooms: ByCollection<PostingRoom>;
    };

/** The map with every value turned into another. */
export const mapped = <From, To>(
  map: ByCollection<From>,
  turn: (value: From, collection: CollectionName) => To,
): ByCollection<To> => new Map([...map].map(([name, value]) => [name, turn(value, name)]));
