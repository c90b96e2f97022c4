/** Records as the bytes that they are, on their way from a reader of batches, or one by one, to their sinks. */
import type { CollectionModel } from '../model.js';
import type { RawBatch, RawRecord } from '../raw.js';
import { type BatchReader, isReadable } from './batch-reader.js';
import type { ColumnFinder, Columns } from './columns.js';
import { mayHoldDoubleEncoded } from './decode.js';
import type { RawReader } from './raw-reader.js';
import type { RawBytes, RawIntake } from './reading.js';
import type { Tally } from './tally.js';

export interface RawSinks {
  readonly take: (raw: RawRecord) => 'added' | 'replaced';
  /** Takes a batch; returns how many of its records replaced earlier ones. Without it there are none. */
  readonly takeBatch?: (batch: RawBatch) => number;
}

interface RawLoad extends RawSinks {
  readonly model: CollectionModel;
  readonly reader: RawReader;
  readonly columns: ColumnFinder;
  readonly tally: Tally;
  readonly firstId: number | undefined;
  /** Makes the reader of batches when it is first asked for it. */
  readonly batchReader: () => BatchReader;
}

/** From so many records more on that had other names than were expected, those are expected. */
const OTHERS = 16;
/** Fewer records than this are not worth a copy to where the reader of batches sees them. */
const FEWEST = 256;

export function createRawIntake(load: RawLoad): RawIntake {
  const { model, reader, columns, tally, firstId, batchReader, take, takeBatch } = load;
  const idIsGiven = firstId !== undefined;
  /** Whether something in the bytes may be double-encoded; undefined until it is asked for. */
  let mayBe: boolean | undefined;
  let bytes: RawBytes = reader;
  let starts: readonly number[] = [];
  let ends: readonly number[] = [];
  let batches: BatchReader | undefined;
  /** What batches are read by, if they can be, and how many records more had other names since. */
  let expected: Columns | undefined;
  let isExpectedReadable = false;
  let others = OTHERS;
  /** Whether the batch reader has the bytes. */
  let isOver = false;

  function mayBeDoubleEncoded(): boolean {
    mayBe ??= mayHoldDoubleEncoded(bytes.bytes.subarray(starts[0], ends.at(-1)));
    return mayBe;
  }

  function takeBatchOf(i: number, by: Columns, sink: NonNullable<typeof takeBatch>): number {
    const from = batchesOf(by);
    const size = from.read(i);
    if (size === 0) return 0;
    by.records += size;
    others = Math.max(0, others - size);
    const number = tally.beginMany(size);
    if (firstId !== undefined) from.giveIds(firstId + number - 1);
    // Nothing in a batch is spelt in escapes.
    tally.lookBatch(from, !from.isAscii && mayBeDoubleEncoded());
    tally.acceptRaw(size, sink(from), idIsGiven);
    return size;
  }

  /** The reader of batches, over the bytes. */
  function batchesOf(by: Columns): BatchReader {
    if (batches === undefined) {
      batches = batchReader();
      batches.expect(by, idIsGiven);
    }
    if (!isOver) batches.over(bytes.bytes, bytes.isAscii, starts, ends);
    isOver = true;
    return batches;
  }

  function takeMany(i: number): number {
    if (takeBatch === undefined || expected === undefined || starts.length < FEWEST) return 0;
    // What is known of names may have been forgotten meanwhile.
    if (!reader.names.knows(expected)) expected = undefined;
    return expected !== undefined && isExpectedReadable ? takeBatchOf(i, expected, takeBatch) : 0;
  }

  function takeOne(i: number): boolean {
    const found = reader.read(starts[i]!, ends[i]!);
    if (found === undefined) return false;
    found.records++;
    if (found !== expected && ++others >= OTHERS) expect(found);
    const number = tally.begin();
    if (firstId !== undefined) reader.giveId(firstId + number - 1);
    tally.lookRaw(reader, mayBeDoubleEncoded());
    tally.acceptRaw(1, take(reader) === 'replaced' ? 1 : 0, idIsGiven);
    return true;
  }

  function expect(found: Columns): void {
    expected = found;
    others = 0;
    isExpectedReadable = isReadable(model, found);
    if (isExpectedReadable) batches?.expect(found, idIsGiven);
  }

  return {
    over(next, from, to) {
      reader.over(next);
      bytes = next;
      starts = from;
      ends = to;
      mayBe = undefined;
      isOver = false;
    },
    take(from) {
      let i = from;
      while (i < starts.length) {
        const size = takeMany(i);
        if (size === 0 && !takeOne(i)) break;
        i += Math.max(1, size);
      }
      return i - from;
    },
    learn(names) {
      if (names.length === 0) return;
      const found = columns.find(names);
      if (!reader.names.knows(found)) reader.names.learn(found);
    },
  };
}
