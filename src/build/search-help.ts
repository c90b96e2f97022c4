/** The thread that helps to build search tables, and gets them: see `search-protocol.ts`. */
import { collectionOf } from '../model.js';
import type { Inversion, Inverted } from '../search/inverter.js';
import { layOutBuckets } from '../search/layout.js';
import { type Streams, splitStreams } from '../search/part-builder.js';
import { createRoom, type LaidOut, type PostingRoom } from '../search/posting-room.js';
import { type RowTables, rowTables } from '../search/rows.js';
import { tablesOf } from '../search/tables-of.js';
import type { RecordStores } from '../store/dataset.js';
import { claimBucket } from './control.js';
import { collectGarbage, releaseNewRoom } from './garbage.js';
import type { Meanwhile } from './meanwhile.js';
import type { SearchTables } from './parts.js';
import type { Failed } from './reading.js';
import {
  type ByCollection,
  type FromHelper,
  type FromReader,
  inversionsOf,
  invertTails,
  isComplete,
  mapped,
  type Reading,
} from './search-protocol.js';
import type { SearchThread } from './search-thread.js';
import { cutTails, readTail } from './tail.js';

export interface SearchBuild {
  /** Tells which row each document has, as soon as that is known. */
  tellRows(rowOf: ByCollection<Int32Array>): void;
  /**
   * Helps until the tables are built, and the other thread has ended; the rows were told. Does something else where that
   * thread has to be waited for, and the rest of it as soon as that can work alone.
   */
  help(
    stores: RecordStores,
    meanwhile: Meanwhile<unknown>,
  ): Promise<{ readonly ok: true; readonly tables: SearchTables } | Failed>;
  cancel(): void;
}

/** Builds search tables together with a thread that has begun to. */
export function helpToSearch({ worker, control, messages }: SearchThread, dir: string): SearchBuild {
  const post = (message: FromHelper): void => worker.postMessage(message);
  let rowOf: ByCollection<Int32Array> = new Map();

  /** On its own, so that nothing of it is kept; returns whether there are any. */
  function tellTails(tails: ReturnType<Helper['readTails']>): boolean {
    if (tails) post({ kind: 'words', ...tails });
    return tails !== undefined;
  }

  async function help(stores: RecordStores, meanwhile: Meanwhile<unknown>) {
    try {
      return await tablesOrFault(stores, meanwhile);
    } finally {
      await worker.terminate();
    }
  }

  async function tablesOrFault(stores: RecordStores, meanwhile: Meanwhile<unknown>) {
    const helper = new Helper(control, rowOf);
    const isCut = tellTails(helper.readTails(stores));
    if (isCut) await releaseNewRoom();
    const arriving = messages[Symbol.asyncIterator]();
    let next = arriving.next();
    await meanwhile.until(next);
    for (let message = await next; !message.done; message = await next) {
      const [from] = message.value;
      if (from?.kind === 'failed') return { ok: false as const, fault: from.fault };
      if (from?.kind === 'done') {
        // As long as that thread is there, what it has read is; it takes its time to end.
        const ended = worker.terminate();
        const tables = helper.tables(from);
        await ended;
        return { ok: true as const, tables };
      }
      if (from === undefined) break;
      next = arriving.next();
      if (from.kind === 'read') helper.invert(from.readings);
      else helper.tails.push(from.inverted);
      if (from.kind === 'read' && isCut) {
        // The streams are used up, and its share of the tail is yet to come.
        collectGarbage();
        await meanwhile.until(next);
        continue;
      }
      if (!helper.join()) return changed(dir);
      if (from.kind === 'read' && from.rooms) helper.rooms = from.rooms;
      else post({ kind: 'room', tails: helper.tails, rooms: helper.makeRooms() });
      if (!(await meanwhile.until(next))) helper.layOut();
    }
    throw new Error('the thread that builds the search tables ended before it was done');
  }
  return {
    tellRows(known) {
      rowOf = known;
      post({ kind: 'rows', rowOf });
    },
    help,
    cancel: () => void worker.terminate(),
  };
}

const changed = (dir: string): Failed => ({
  ok: false,
  fault: { file: dir, message: 'the snapshots were changed while they were read' },
});

/** Of the tail; the other thread has its dictionary to make besides. */
const OWN_SHARE = 0.65;

class Helper {
  /** For the postings of all. */
  rooms: ByCollection<PostingRoom> = new Map();
  /** What was inverted of the tail, in this order: by this thread, and by the other. */
  readonly tails: ByCollection<Inverted>[] = [];
  private readonly control: Int32Array;
  private readonly rowOf: ByCollection<Int32Array>;
  private streams: ByCollection<Streams> | undefined;
  private readings: ByCollection<Reading> = new Map();
  private rows: ByCollection<RowTables> = new Map();
  private inversions: ByCollection<Inversion> = new Map();
  private laidOut: ByCollection<LaidOut> = new Map();

  constructor(control: Int32Array, rowOf: ByCollection<Int32Array>) {
    this.control = control;
    this.rowOf = rowOf;
  }

  /** Reads what the other thread is to leave, if that is worth while; returns its words, and the streams of which the other thread inverts. */
  readTails(stores: RecordStores) {
    const cuts = cutTails(this.control, stores, this.rowOf);
    if (cuts === undefined) return undefined;
    const tails = mapped(stores, (store, name) =>
      readTail(store.model, store, collectionOf(this.rowOf, name), collectionOf(cuts, name)),
    );
    const shares = mapped(tails, ({ streams }) => splitStreams(streams, OWN_SHARE));
    this.streams = mapped(shares, ([own]) => own);
    return { words: mapped(tails, ({ words }) => words), streams: mapped(shares, ([, other]) => other) };
  }

  /** Takes what the other thread has read, and inverts this one's share of the tail, if there is one. */
  invert(readings: ByCollection<Reading>): void {
    this.readings = readings;
    if (this.streams) this.tails.push(invertTails(this.streams, readings));
    this.streams = undefined;
  }

  /** Puts together what both have inverted; returns whether that is every document once. */
  join(): boolean {
    this.inversions = inversionsOf(this.readings, this.rowOf, this.tails);
    return isComplete(this.inversions);
  }

  /** Makes room for the postings of all. */
  makeRooms(): ByCollection<PostingRoom> {
    this.rooms = mapped(this.inversions, createRoom);
    return this.rooms;
  }

  /** Lays out what the other thread does not. */
  layOut(): void {
    this.rows = mapped(this.inversions, rowTables);
    this.laidOut = mapped(this.inversions, (inversion, name) =>
      layOutBuckets(
        inversion,
        collectionOf(this.rows, name),
        collectionOf(this.rooms, name),
        () => claimBucket(this.control, name),
        collectGarbage,
      ),
    );
    this.inversions = new Map();
  }

  tables({ laidOut, dictionaries, rows }: Extract<FromReader, { kind: 'done' }>): SearchTables {
    return mapped(rows ?? this.rows, (rows, name) =>
      tablesOf(
        rows,
        collectionOf(this.rooms, name),
        [this.laidOut, laidOut].filter(({ size }) => size > 0).map((some) => collectionOf(some, name)),
        collectionOf(dictionaries, name),
      ),
    );
  }
}
