/** The thread that reads the snapshots into terms: see `search-protocol.ts`. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { buffersIn } from '../memory.js';
import { type CollectionModel, type CollectionName, collections } from '../model.js';
import { DEFAULT_RANKING, STREAM_TERMS, weightsOf } from '../search/builder.js';
import { type Inverted, Inverter } from '../search/inverter.js';
import { layOutBuckets } from '../search/layout.js';
import type { FieldText } from '../search/search.js';
import type { Dictionary } from '../search/tables-of.js';
import { TermReader } from '../search/term-reader.js';
import { collectionOf } from '../store/dataset.js';
import { createDocumentFeed, searchFields } from '../store/documents.js';
import { type Builder, buildFrom } from './parts.js';
import {
  type ByCollection,
  claimBucket,
  type FromHelper,
  type FromReader,
  inversionOf,
  isHelpWanted,
  mapped,
  type Reading,
  type SearchOrder,
} from './search-protocol.js';

const { options, control }: SearchOrder = workerData;
let sent = 0;

const post = (message: FromReader, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer);

class CollectionReader {
  readonly feed;
  private readonly name: CollectionName;
  private readonly terms = new TermReader();
  private readonly weights: readonly number[];
  /** The inverter of the part that is being read; none where it is sent to the helper. */
  private inverter: Inverter | null = null;
  private part = -1;
  private readonly parts = new Map<number, Inverted>();

  constructor(model: CollectionModel & { readonly name: CollectionName }) {
    const fields = searchFields(model);
    this.name = model.name;
    this.weights = weightsOf(fields);
    this.feed = createDocumentFeed(model, this);
  }

  add(texts: readonly FieldText[]): void {
    this.terms.read(texts);
    if (this.terms.stream.length >= STREAM_TERMS) this.passOn();
  }

  private passOn(): void {
    const { stream } = this.terms;
    const isSending = this.part >= 0 && this.inverter === null;
    if (isHelpWanted(control, sent, isSending)) {
      if (!isSending) this.beginPart(null);
      this.send(stream.entries.slice(0, stream.length));
    } else {
      const inverter = this.inverter ?? this.beginPart(new Inverter(this.weights));
      inverter.read(stream.entries, stream.length);
    }
    stream.length = 0;
  }

  private beginPart<T extends Inverter | null>(inverter: T): T {
    if (this.inverter !== null) this.parts.set(this.part, this.inverter.finish());
    this.inverter = inverter;
    this.part++;
    return inverter;
  }

  private send(entries: Int32Array<ArrayBuffer>): void {
    sent++;
    post({ kind: 'terms', collection: this.name, part: this.part, entries }, [entries.buffer]);
  }

  finish(): Reading {
    this.passOn();
    this.beginPart(null);
    return {
      parts: this.parts,
      terms: this.terms.terms,
      rowOf: this.feed.rowOf(),
      weights: this.weights,
      ranking: DEFAULT_RANKING,
    };
  }

  dictionary(): Dictionary {
    return this.terms.dictionary();
  }
}

const readers = new Map(collections.map((model) => [model.name, new CollectionReader(model)]));

const builder: Builder<ByCollection<Reading>> = {
  add: (name, values) => collectionOf(readers, name).feed.add(values),
  addRaw: (name, raw) => collectionOf(readers, name).feed.addRaw(raw),
  finish: () => mapped(readers, (reader) => reader.finish()),
};

async function helpedWith(): Promise<FromHelper | undefined> {
  if (sent === 0 || parentPort === null) return undefined;
  const [helped]: FromHelper[] = await once(parentPort, 'message');
  return helped;
}

const built = await buildFrom(options, builder);
if (built.ok) {
  post({ kind: 'read', readings: built.made });
  const helped = await helpedWith();
  const blocks = mapped(built.made, (reading, name) =>
    layOutBuckets(inversionOf(reading, helped?.get(name)), () => claimBucket(control, name)),
  );
  const dictionaries = mapped(readers, (reader) => reader.dictionary());
  post({ kind: 'done', blocks, dictionaries }, buffersIn([blocks, dictionaries]));
} else post({ kind: 'failed', fault: built.fault });
