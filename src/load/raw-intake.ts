/** Records as the bytes that they are, on their way from the readers to their sinks. */
import type { RawBatch, RawRecords } from '../raw.js';
import type { BatchReader } from './batch-reader.js';
import type { ColumnFinder } from './columns.js';
import { mayHoldDoubleEncoded } from './decode.js';
import type { RawRuns } from './raw-runs.js';
import type { RawBytes, RawIntake } from './reading.js';
import type { Tally } from './tally.js';

export interface RawSinks {
  /** Takes one record. */
  readonly take: (raw: RawRecords) => 'added' | 'replaced';
  /** Takes a batch; returns how many of its records replaced earlier ones. Without it there are none. */
  readonly takeBatch?: (batch: RawBatch) => number;
}

interface RawLoad extends RawSinks {
  readonly runs: RawRuns;
  readonly columns: ColumnFinder;
  readonly tally: Tally;
  readonly firstId: number | undefined;
}

export function createRawIntake({ runs, columns, tally, firstId, take, takeBatch }: RawLoad): RawIntake {
  const idIsGiven = firstId !== undefined;
  /** Whether something in the bytes may be double-encoded; undefined until it is asked for. */
  let mayBe: boolean | undefined;
  let bytes: Buffer = Buffer.alloc(0);
  let count = 0;

  function mayBeDoubleEncoded(): boolean {
    mayBe ??= mayHoldDoubleEncoded(bytes);
    return mayBe;
  }

  /** Takes a batch, and returns how many records it has. */
  function takeMany(batch: BatchReader | undefined, sink: NonNullable<typeof takeBatch>): number {
    if (batch === undefined) return 0;
    const number = tally.beginMany(batch.size);
    if (firstId !== undefined) batch.giveIds(firstId + number - 1);
    const mayHoldOthers = !batch.isAscii || batch.mayBeRespelt();
    tally.lookBatch(batch, mayHoldOthers && mayBeDoubleEncoded());
    tally.acceptRaw(batch.size, sink(batch), idIsGiven);
    return batch.size;
  }

  function takeOne(i: number): number {
    const raw = runs.readOne(i);
    if (raw === undefined) return 0;
    const number = tally.begin();
    if (firstId !== undefined) raw.giveId(firstId + number - 1);
    tally.lookRaw(raw, mayBeDoubleEncoded());
    tally.acceptRaw(1, take(raw) === 'replaced' ? 1 : 0, idIsGiven);
    return 1;
  }

  function lookAt({ bytes: all }: RawBytes, from: number | undefined, to: number | undefined): void {
    bytes = all.subarray(from, to);
    mayBe = undefined;
  }

  return {
    follow(next, following) {
      if (takeBatch === undefined || !runs.follow(next, following)) return undefined;
      lookAt(next, following.from, following.to);
      let isAny = false;
      while (takeMany(runs.readNext(), takeBatch) > 0) isAny = true;
      return isAny ? runs.passed : undefined;
    },
    over(next, starts, ends) {
      runs.over(next, starts, ends);
      lookAt(next, starts[0], ends.at(-1));
      count = starts.length;
    },
    take(from) {
      let i = from;
      while (i < count) {
        const taken = (takeBatch && takeMany(runs.readMany(i), takeBatch)) || takeOne(i);
        if (taken === 0) break;
        i += taken;
      }
      return i - from;
    },
    learn(names) {
      if (names.length === 0) return;
      const found = columns.find(names);
      if (!runs.knows(found)) runs.learn(found);
    },
  };
}
