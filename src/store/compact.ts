/**
 * Makes the texts of long records compact: a third of their bytes as codes of their words, learnt from a sample of them.
 * That takes longer than reading them in did, so it is done once they are served, a little at a time; the collection
 * that it gives differs from the one before it in nothing that is asked for.
 */
import { float64 } from '../growable.js';
import { addressesOf, Chunks } from './chunks.js';
import type { Collection } from './collection.js';
import type { Dataset } from './dataset.js';
import { type RecordText, recordBytes, recordView } from './record-text.js';
import { WordCoder } from './word-codes.js';

/** Of less text there is little to gain. */
const LEAST_BYTES = 8 << 20;
/** Text that words are learnt from. */
const SAMPLE_BYTES = 16 << 20;

/** Whether a collection's texts can be made compact to an end. Packed ones are short already. */
export function isCompactable({ size, text }: Pick<Collection, 'size' | 'text'>): boolean {
  return text.words === null && text.pieces === null && bytesOf(text, size) >= LEAST_BYTES;
}

function bytesOf(text: RecordText, size: number): number {
  let bytes = 0;
  for (let row = 0; row < size; row++) bytes += recordBytes(text, row);
  return bytes;
}

/** The same dataset with compact texts; itself where none gets smaller. Pauses wherever it yields, some microseconds of work apart. */
export function* compacted(dataset: Dataset): Generator<void, Dataset> {
  const collections = new Map(dataset.collections);
  let isSame = true;
  for (const [name, collection] of dataset.collections) {
    if (!isCompactable(collection)) continue;
    const text = yield* compactText(collection);
    collections.set(name, { ...collection, text });
    isSame = false;
  }
  return isSame ? dataset : { ...dataset, collections };
}

export function* compactText({ size, text }: Pick<Collection, 'size' | 'text'>): Generator<void, RecordText> {
  const coder = new WordCoder();
  const step = Math.max(1, Math.floor(bytesOf(text, size) / SAMPLE_BYTES));
  for (let row = 0; row < size; row += step) {
    coder.learn(recordView(text, row));
    yield;
  }
  const words = yield* coder.settle();
  const chunks = new Chunks();
  const starts = float64(size);
  for (let row = 0; row < size; row++) {
    const codes = coder.encode(recordView(text, row));
    chunks.reserve(codes.length);
    chunks.current.set(codes, chunks.used);
    starts[row] = chunks.start + chunks.used;
    chunks.used += codes.length;
    yield;
  }
  return { ...text, chunks: chunks.all, starts: addressesOf(chunks, starts), words };
}
