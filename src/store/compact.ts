/**
 * Compresses long texts to about a third of their bytes: codes of words, which are learnt from a sample. That takes longer
 * than loading, so it runs in short steps after the start. The new collection answers every query as the old one does.
 */
import { float64 } from '../arrays.js';
import { addressesOf, Chunks } from './chunks.js';
import type { Collection } from './collection.js';
import type { Dataset } from './dataset.js';
import { type RecordText, recordBytes, separatedJson } from './record-text.js';
import { WordCoder } from './word-codes.js';

/** Collections of less text are not compressed: there is little to gain. */
const MIN_COMPACTED_BYTES = 8 << 20;
/** Text that words are learnt from. */
const SAMPLE_BYTES = 16 << 20;
/** The share of the texts that are coded before the length of the codes can end the work: files may differ. */
const TRIED_SHARE = 0.25;
/** Codes must take at most this share of the texts' bytes; else the texts stay as they are. */
const MAX_CODED_SHARE = 0.7;

type Texts = Pick<Collection, 'size' | 'text'>;

/** The dataset with compact texts, or the same dataset if no collection gains. Yields every few milliseconds at the latest. */
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

/** The compact texts; null if codes take more than `maxShare` of their bytes, since words are seldom repeated. */
export function* compactText(
  { size, text }: Texts,
  maxShare: number = MAX_CODED_SHARE,
): Generator<void, RecordText | null> {
  const coder = new WordCoder();
  const allBytes = bytesOf({ size, text });
  const step = Math.max(1, Math.floor(allBytes / SAMPLE_BYTES));
  for (let row = 0; row < size; row += step) yield* coder.learn(separatedJson(text, row, row + 1));
  const words = yield* coder.settle();
  const chunks = new Chunks();
  const starts = float64(size);
  let textBytes = 0;
  let codeBytes = 0;
  for (let row = 0; row < size; row++) {
    const record = separatedJson(text, row, row + 1);
    const codes = yield* coder.encode(record);
    textBytes += record.length;
    codeBytes += codes.length;
    if (codeBytes > maxShare * textBytes && textBytes > TRIED_SHARE * allBytes) return null;
    chunks.reserve(codes.length);
    chunks.current.set(codes, chunks.used);
    starts[row] = chunks.start + chunks.used;
    chunks.used += codes.length;
  }
  return { ...text, chunks: chunks.all, starts: addressesOf(chunks, starts), words };
}

function bytesOf({ size, text }: Texts): number {
  let bytes = 0;
  for (let row = 0; row < size; row++) bytes += recordBytes(text, row);
  return bytes;
}
