/** The tail of the documents, read out of the record stores: see `search-protocol.ts`. */
import { ServedReader } from '../load/served-reader.js';
import type { CollectionModel } from '../model.js';
import { type Tail, TailBuilder } from '../search/part-builder.js';
import type { RecordStore } from '../store/collection.js';
import { createSearchedTexts } from '../store/documents.js';
import { copySeparated, type RecordText, recordBytes, SEPARATOR } from '../store/record-text.js';
import { claimedDocuments, cutTail } from './control.js';
import type { ByCollection } from './search-protocol.js';

/** The helper's share: it has the tail's words to hand over, and the tail to invert, when it has read it. */
export const SHARE = 0.42;
/** Records are copied together up to so many bytes, and read at once. */
const ROOM_BYTES = 1 << 19;
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
export function readTail(model: CollectionModel, store: RecordStore, rowOf: Int32Array, first: number): Tail {
  const texts = createSearchedTexts(model);
  const tail = new TailBuilder();
  const reader = new ServedReader(model, {
    many: (batch) => tail.addBatch(texts.ofBatch(batch), batch.size),
    one: (raw) => tail.add(texts.ofRaw(raw)),
    parsed: (values) => tail.add(texts.of(values)),
  });
  let room = Buffer.allocUnsafeSlow(ROOM_BYTES);
  for (let document = first; document < rowOf.length; ) {
    const run = runFrom(store.text, rowOf, document);
    if (run.rows.length === 0) {
      tail.add([]);
      document++;
    } else {
      if (run.bytes > room.length) room = Buffer.allocUnsafeSlow(run.bytes);
      copySeparated(store.text, run.rows.length, (i) => run.rows[i]!, room, 0);
      reader.read(room.subarray(0, run.bytes), run.lengths, SEPARATOR.length);
      document += run.rows.length;
    }
  }
  return tail.finish();
}

/** The rows of the documents from one on that are read at once; none if that was replaced. */
function runFrom(text: RecordText, rowOf: Int32Array, first: number) {
  const rows: number[] = [];
  const lengths: number[] = [];
  let bytes = 0;
  for (let document = first; document < rowOf.length; document++) {
    const row = rowOf[document]!;
    if (row < 0) break;
    const length = recordBytes(text, row);
    if (rows.length > 0 && bytes + length + SEPARATOR.length > ROOM_BYTES) break;
    rows.push(row);
    lengths.push(length);
    bytes += length + SEPARATOR.length;
  }
  return { rows, lengths, bytes };
}
