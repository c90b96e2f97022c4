/** Records as they are served → what they hold: nothing in them needs a repair. */
import { isAscii } from 'node:buffer';
import type { CollectionModel, RecordValues, Value } from '../model.js';
import type { RawRecord } from '../raw.js';
import { createRank, findColumns } from './columns.js';
import { RawReader } from './raw-reader.js';

export class ServedReader {
  private readonly model: CollectionModel;
  private readonly reader: RawReader;
  /** The reader wants bytes that begin at a multiple of four. */
  private bytes = Buffer.alloc(1 << 16);

  constructor(model: CollectionModel) {
    this.model = model;
    this.reader = new RawReader(model, false);
  }

  /** The record without parsing it, lent until the next is read; undefined where it must be parsed. */
  read(record: Buffer): RawRecord | undefined {
    if (record.length > this.bytes.length) this.bytes = Buffer.alloc(2 * record.length);
    record.copy(this.bytes);
    this.reader.over({ bytes: this.bytes, isAscii: isAscii(record), limit: record.length, lease: undefined });
    if (this.reads(record)) return this.reader;
    this.learn(record);
    return this.reads(record) ? this.reader : undefined;
  }

  parse(record: Buffer): RecordValues {
    const values: Readonly<Record<string, Value>> = JSON.parse(record.toString());
    return this.model.fields.map(({ name }) => values[name] ?? null);
  }

  private reads(record: Buffer): boolean {
    return this.reader.read(0, record.length) !== undefined;
  }

  private learn(record: Buffer): void {
    const { names } = this.reader;
    const own = Object.keys(JSON.parse(record.toString()));
    names.learn(findColumns(this.model, createRank(this.model, new Map()), own));
  }
}
