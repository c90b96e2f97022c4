/** The thread that reads the snapshots into terms: see `search-protocol.ts`. */
import { on } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { buffersIn } from '../memory.js';
import { type CollectionModel, type CollectionName, collectionOf, collections, type RecordValues } from '../model.js';
import type { RawBatch, RawRecords } from '../raw.js';
import { weightsOf } from '../search/builder.js';
import type { Inversion } from '../search/inverter.js';
import { layOutBuckets } from '../search/layout.js';
import { PartBuilder } from '../search/part-builder.js';
import { createRoom, type PostingRoom } from '../search/posting-room.js';
import { rowLengths, rowTables } from '../search/rows.js';
import type { ListedWords } from '../search/vocabulary.js';
import { createSearchedTexts, searchFields } from '../store/documents.js';
import { claimBucket, claimDocuments, endReading } from './control.js';
import { collectGarbage } from './garbage.js';
import { type Builder, buildFrom, type Failed, withinLimits } from './reading.js';
import {
  type ByCollection,
  type FromHelper,
  type FromReader,
  inversionsOf,
  invertTails,
  isComplete,
  mapped,
  type Reading,
  type SearchOrder,
} from './search-protocol.js';

const { options, control }: SearchOrder = workerData;

const post = (message: FromReader, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer);

class CollectionReader {
  isEnough = false;
  private readonly name: CollectionName;
  private readonly texts;
  private readonly part: PartBuilder;
  private documents = 0;
  private claimed = 0;

  constructor(model: CollectionModel & { readonly name: CollectionName }) {
    this.name = model.name;
    this.texts = createSearchedTexts(model);
    this.part = new PartBuilder(weightsOf(searchFields(model)));
  }

  add(values: RecordValues): void {
    if (this.begins()) this.part.add(this.texts.of(values));
  }

  addRaw(raw: RawRecords): void {
    if (this.begins()) this.part.add(this.texts.ofRaw(raw));
  }

  addBatch(batch: RawBatch): void {
    // As far ahead of what is read as a batch goes.
    let size = 0;
    while (size < batch.size && this.begins()) size++;
    this.part.addBatch(this.texts.ofBatch(batch), size);
  }

  /** Whether the next document is this thread's. */
  private begins(): boolean {
    if (this.isEnough) return false;
    if (this.documents === this.claimed) {
      this.claimed = claimDocuments(control, this.name, this.claimed);
      this.isEnough = this.documents === this.claimed;
      if (this.isEnough) return false;
    }
    this.documents++;
    return true;
  }

  /** Whether all documents were read, or a tail was cut off. */
  end(): boolean {
    return endReading(control, this.name, this.claimed);
  }

  finish(tail: ListedWords | undefined): Reading {
    const inverted = this.part.finish();
    const termOf = tail && this.part.adopt(tail);
    const { terms, memories } = this.part;
    return { inverted, termOf, terms, memories };
  }

  dictionary() {
    return this.part.dictionary();
  }
}

const readers: Map<CollectionName, CollectionReader> = new Map(
  collections.map((model) => [model.name, new CollectionReader(model)]),
);

const builder: Builder<void> = {
  add(name, values) {
    collectionOf(readers, name).add(values);
    return 'added';
  },
  addRaw(name, raw) {
    collectionOf(readers, name).addRaw(raw);
    return 'added';
  },
  addBatch(name, batch) {
    collectionOf(readers, name).addBatch(batch);
    return 0;
  },
  finish() {},
};

/** Room for all postings; none if the files changed meanwhile, which the other thread will tell. */
const ownRooms = (inversions: ByCollection<Inversion>): ByCollection<PostingRoom> | undefined =>
  isComplete(inversions) ? mapped(inversions, createRoom) : undefined;

async function build(port: MessagePort): Promise<Failed | { readonly ok: true }> {
  // From here on messages are kept until they are asked for.
  const messages = on(port, 'message');
  const next = async <Kind extends FromHelper['kind']>(kind: Kind): Promise<Extract<FromHelper, { kind: Kind }>> => {
    const { value } = await messages.next();
    const [message] = value;
    if (message.kind === kind) return message;
    throw new Error(`expected ${kind}, found ${message.kind}`);
  };

  const isEnough = (name: CollectionName): boolean => collectionOf(readers, name).isEnough;
  const built = await buildFrom({ ...options, isEnough }, builder);
  if (!built.ok) return built;
  const isWhole = [...readers.values()].map((reader) => reader.end()).every((ended) => ended);
  const telling = next('rows');
  const tail = isWhole ? undefined : await next('words');
  const readings = mapped(readers, (reader, name) => reader.finish(tail && collectionOf(tail.words, name)));
  if (tail) {
    post({ kind: 'read', readings, rooms: undefined });
    post({ kind: 'tail', inverted: invertTails(tail.streams, readings) });
  }
  const dictionaries = mapped(readers, (reader) => reader.dictionary());
  // The words' tables and strings are not needed any more: the buckets' tables take their place.
  readers.clear();
  collectGarbage();
  const { rowOf } = await telling;
  const own = tail ? undefined : ownRooms(inversionsOf(readings, rowOf, []));
  if (!tail) post({ kind: 'read', readings, rooms: own });
  const { tails, rooms } = own ? { tails: [], rooms: own } : await next('room');
  const inversions = inversionsOf(readings, rowOf, tails);
  const rows = own && mapped(inversions, rowTables);
  const laidOut = mapped(inversions, (inversion, name) => {
    const known = rows ? collectionOf(rows, name) : rowLengths(inversion);
    const claim = () => claimBucket(control, name);
    return layOutBuckets(inversion, known, collectionOf(rooms, name), claim, collectGarbage);
  });
  post({ kind: 'done', laidOut, dictionaries, rows }, buffersIn([laidOut, dictionaries, rows]));
  return built;
}

if (parentPort) {
  const port = parentPort;
  const built = await withinLimits(options.dir, () => build(port));
  if (!built.ok) post({ kind: 'failed', fault: built.fault });
  // Nothing is asked for any more.
  port.close();
}
