/** Records as they are served → what they hold: nothing in them needs a repair. */
import { isAscii } from 'node:buffer';
import type { CollectionModel, RecordValues, Value } from '../model.js';
import type { RawBatch, RawRecords } from '../raw.js';
import { BatchReader } from './batch-reader.js';
import { createRank, findColumns, type Rank } from './columns.js';
import { RawRuns } from './raw-runs.js';

/** Takes records in their order, as they can be read: many at once, one that is not parsed, or one that is. */
export interface ServedSink {
  many(batch: RawBatch): void;
  one(raw: RawRecords): void;
  parsed(values: RecordValues): void;
}

export class ServedReader {
  private readonly model: CollectionModel;
  private readonly sink: ServedSink;
  private readonly runs: RawRuns;
  private readonly rank: Rank;

  constructor(model: CollectionModel, sink: ServedSink) {
    this.model = model;
    this.sink = sink;
    this.runs = new RawRuns({ model, idIsGiven: false, batchReader: () => new BatchReader(model) });
    this.rank = createRank(model, new Map());
  }

  /** Reads records of these lengths, which stand one behind the other with `gap` bytes between them. */
  read(records: Buffer<ArrayBuffer>, lengths: readonly number[], gap: number): void {
    // The reader wants bytes that begin at a multiple of four, as all memory does.
    const bytes = Buffer.from(records.buffer);
    let at = records.byteOffset;
    const starts: number[] = [];
    const ends: number[] = [];
    for (const length of lengths) {
      starts.push(at);
      ends.push(at + length);
      at += length + gap;
    }
    this.runs.over({ bytes, isAscii: isAscii(records), limit: bytes.length, lease: undefined }, starts, ends);
    for (let i = 0; i < starts.length; ) i += this.readMany(i) || this.readOne(i, bytes.subarray(starts[i], ends[i]));
  }

  private readMany(i: number): number {
    const batch = this.runs.readMany(i);
    if (batch === undefined) return 0;
    this.sink.many(batch);
    return batch.size;
  }

  private readOne(i: number, record: Buffer): 1 {
    const raw = this.runs.readOne(i) ?? this.readLearnt(i, record);
    if (raw) this.sink.one(raw);
    else this.sink.parsed(this.parse(record));
    return 1;
  }

  private readLearnt(i: number, record: Buffer): RawRecords | undefined {
    const own = Object.keys(JSON.parse(record.toString()));
    this.runs.learn(findColumns(this.model, this.rank, own));
    return this.runs.readOne(i);
  }

  private parse(record: Buffer): RecordValues {
    const values: Readonly<Record<string, Value>> = JSON.parse(record.toString());
    return this.model.fields.map(({ name }) => values[name] ?? null);
  }
}
