/** The thread that reads the snapshots into terms: see `search-protocol.ts`. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { buffersIn } from '../memory.js';
import { type CollectionModel, type CollectionName, collections } from '../model.js';
import { DEFAULT_RANKING, STREAM_TERMS, weightsOf } from '../search/builder.js';
import { type Inversion, Inverter } from '../search/inverter.js';
import { layOutBuckets } from '../search/layout.js';
import type { FieldText } from '../search/search.js';
import { TermReader } from '../search/term-reader.js';
import { collectionOf } from '../store/dataset.js';
import { createDocumentFeed, searchFields } from '../store/documents.js';
import { type Builder, buildFrom } from './parts.js';
import {
  type ByCollection,
  claimBucket,
  type FromHelper,
  type FromReader,
  isHelped,
  mapped,
  type SearchOrder,
  waitForHelper,
  withParts,
} from './search-protocol.js';

const { options, control }: SearchOrder = workerData;
let sent = 0;

const post = (message: FromReader, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer);

class CollectionReader {
  readonly feed;
  private readonly name: CollectionName;
  private readonly terms = new TermReader();
  private readonly weights: readonly number[];
  private readonly inverter: Inverter;

  constructor(model: CollectionModel & { readonly name: CollectionName }) {
    const fields = searchFields(model);
    this.name = model.name;
    this.weights = weightsOf(fields);
    this.inverter = new Inverter(this.weights);
    this.feed = createDocumentFeed(model, this);
  }

  add(texts: readonly FieldText[]): void {
    this.terms.read(texts);
    if (this.terms.stream.length >= STREAM_TERMS) this.passOn();
  }

  private passOn(): void {
    const { stream } = this.terms;
    if (isHelped(control)) this.send(stream.entries.slice(0, stream.length));
    else this.inverter.read(stream.entries, stream.length);
    stream.length = 0;
  }

  private send(entries: Int32Array<ArrayBuffer>): void {
    waitForHelper(control, sent++);
    post({ kind: 'terms', collection: this.name, entries }, [entries.buffer]);
  }

  finish(): Inversion {
    this.passOn();
    return {
      parts: [this.inverter.finish()],
      terms: this.terms.terms,
      rowOf: this.feed.rowOf(),
      weights: this.weights,
      ranking: DEFAULT_RANKING,
    };
  }

  dictionary() {
    return this.terms.dictionary();
  }
}

const readers = new Map(collections.map((model) => [model.name, new CollectionReader(model)]));

const builder: Builder<ByCollection<Inversion>> = {
  add: (name, values) => collectionOf(readers, name).feed.add(values),
  addRaw: (name, raw) => collectionOf(readers, name).feed.addRaw(raw),
  finish: () => mapped(readers, (reader) => reader.finish()),
};

/** What was inverted here, and after it what the helper has inverted. */
async function withHelp(own: ByCollection<Inversion>): Promise<ByCollection<Inversion>> {
  if (sent === 0 || parentPort === null) return own;
  const [helped]: FromHelper[] = await once(parentPort, 'message');
  return helped === undefined ? own : withParts(own, helped);
}

const built = await buildFrom(options, builder);
if (built.ok) {
  post({ kind: 'read', inversions: built.made });
  const blocks = mapped(await withHelp(built.made), (inversion, name) =>
    layOutBuckets(inversion, () => claimBucket(control, name)),
  );
  const dictionaries = mapped(readers, (reader) => reader.dictionary());
  post({ kind: 'done', blocks, dictionaries }, buffersIn([blocks, dictionaries]));
} else post({ kind: 'failed', fault: built.fault });
