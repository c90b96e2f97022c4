/** The tail of the documents, read out of the record stores: see `search-protocol.ts`. */
import { CHUNK_BYTES } from '../load/read-blocks.js';
import { ServedReader } from '../load/served-reader.js';
import type { CollectionModel } from '../model.js';
import { TailBuilder } from '../search/part-builder.js';
import type { RecordStore } from '../store/collection.js';
import { createSearchedTexts } from '../store/documents.js';
import { type RecordText, recordBytes, SEPARATOR, separatedView, sideBySide } from '../store/record-text.js';
import { type ByCollection, claimedDocuments, cutTail } from './search-protocol.js';

/** The helper's share: it has the tail's words to hand over, and the tail to invert, when it has read it. */
export const SHARE = 0.48;
/** Of less it takes longer to put two parts together than it saves. */
const LEAST_BYTES = 2 << 20;

/** The first document of each collection's tail: a share of the bytes that the reader has not claimed, from the end. Undefined where nothing is cut off. */
export function cutTails(
  control: Int32Array,
  stores: ByCollection<RecordStore>,
  rowOf: ByCollection<Int32Array>,
): ByCollection<number> | undefined {
  const left = [...stores].map(([name, store]) => {
    const documents = rowOf.get(name)?.length ?? 0;
    const bytesEach = meanBytes(store);
    const claimed = claimedDocuments(control, name) ?? documents;
    return { name, documents, bytesEach, bytes: Math.max(0, documents - claimed) * bytesEach };
  });
  let wanted = left.reduce((sum, { bytes }) => sum + bytes, 0) * SHARE;
  if (wanted < LEAST_BYTES * SHARE) return undefined;
  const cuts = new Map(left.map(({ name, documents }) => [name, documents]));
  let isCut = false;
  for (const { name, documents, bytesEach, bytes } of left.toReversed()) {
    const count = Math.floor(Math.min(wanted, bytes) / bytesEach);
    if (count === 0 || !cutTail(control, name, documents - count)) continue;
    isCut = true;
    cuts.set(name, documents - count);
    wanted -= count * bytesEach;
  }
  return isCut ? cuts : undefined;
}

function meanBytes({ size, text }: RecordStore): number {
  let bytes = 0;
  for (let row = 0; row < size; row++) bytes += recordBytes(text, row);
  return size === 0 ? 1 : bytes / size;
}

/** Reads the documents from `first` on; one that was replaced has no text any more. */
export function readTail(model: CollectionModel, store: RecordStore, rowOf: Int32Array, first: number): TailBuilder {
  const texts = createSearchedTexts(model);
  const tail = new TailBuilder();
  const reader = new ServedReader(model, {
    many: (batch) => tail.addBatch(texts.ofBatch(batch), batch.size),
    one: (raw) => tail.add(texts.ofRaw(raw)),
    parsed: (values) => tail.add(texts.of(values)),
  });
  for (let document = first; document < rowOf.length; ) {
    const row = rowOf[document]!;
    if (row < 0) {
      tail.add([]);
      document++;
    } else {
      const rows = sideBySide(store.text, row, row + sameRun(store.text, rowOf, document)) - row;
      const lengths = Array.from({ length: rows }, (_, i) => recordBytes(store.text, row + i));
      reader.read(separatedView(store.text, row, row + rows), lengths, SEPARATOR.length);
      document += rows;
    }
  }
  return tail;
}

/** How many documents from one on have rows that follow one another, and are read at once. */
function sameRun(text: RecordText, rowOf: Int32Array, first: number): number {
  const row = rowOf[first]!;
  let bytes = recordBytes(text, row);
  let count = 1;
  while (first + count < rowOf.length && rowOf[first + count] === row + count) {
    bytes += recordBytes(text, row + count) + SEPARATOR.length;
    if (bytes > CHUNK_BYTES) break;
    count++;
  }
  return count;
}
