/**
 * Makes long texts compact: a third of their bytes as codes of their words, learnt from a sample of them.
 * That takes longer than reading them in did, so it is done once they are served, a little at a time; the collection
 * that it gives differs from the one before it in nothing that is asked for.
 */
import { float64 } from '../growable.js';
import { addressesOf, Chunks } from './chunks.js';
import type { Collection } from './collection.js';
import type { Dataset } from './dataset.js';
import { type RecordText, recordBytes, separatedView } from './record-text.js';
import { WordCoder } from './word-codes.js';

/** Of less text there is little to gain. */
const MIN_COMPACTED_BYTES = 8 << 20;
/** Text that words are learnt from. */
const SAMPLE_BYTES = 16 << 20;
/** Of the sample, what is coded to see whether that pays: what it must come to. */
const TRIED_SHARE = 1 / 4;
const MAX_CODED_SHARE = 0.7;

type Texts = Pick<Collection, 'size' | 'text'>;

/** The same dataset with compact texts; itself where nothing is gained. Pauses wherever it yields, a few milliseconds apart at most. */
export function* compacted(dataset: Dataset): Generator<void, Dataset> {
  const collections = new Map(dataset.collections);
  let isSame = true;
  for (const [name, collection] of dataset.collections) {
    if (collection.text.words !== null) continue;
    const text = bytesOf(collection) < MIN_COMPACTED_BYTES ? null : yield* compactText(collection);
    if (text === null) continue;
    collections.set(name, { ...collection, text });
    isSame = false;
  }
  return isSame ? dataset : { ...dataset, collections };
}

/** Null where words are too seldom repeated to come to `maxShare` of the text. */
export function* compactText(
  { size, text }: Texts,
  maxShare: number = MAX_CODED_SHARE,
): Generator<void, RecordText | null> {
  const coder = new WordCoder();
  const step = Math.max(1, Math.floor(bytesOf({ size, text }) / SAMPLE_BYTES));
  for (let row = 0; row < size; row += step) yield* coder.learn(separatedView(text, row, row + 1));
  const words = yield* coder.settle();
  if ((yield* shareOf(coder, { size, text }, step / TRIED_SHARE)) > maxShare) return null;
  const chunks = new Chunks();
  const starts = float64(size);
  for (let row = 0; row < size; row++) {
    const codes = yield* coder.encode(separatedView(text, row, row + 1));
    chunks.reserve(codes.length);
    chunks.current.set(codes, chunks.used);
    starts[row] = chunks.start + chunks.used;
    chunks.used += codes.length;
  }
  return { ...text, chunks: chunks.all, starts: addressesOf(chunks, starts), words };
}

/** What every so many records come to, of their texts. */
function* shareOf(coder: WordCoder, { size, text }: Texts, step: number): Generator<void, number> {
  let bytes = 0;
  let coded = 0;
  for (let row = 0; row < size; row += step) {
    const record = separatedView(text, row, row + 1);
    bytes += record.length;
    coded += (yield* coder.encode(record)).length;
  }
  return coded / bytes;
}

function bytesOf({ size, text }: Texts): number {
  let bytes = 0;
  for (let row = 0; row < size; row++) bytes += recordBytes(text, row);
  return bytes;
}
