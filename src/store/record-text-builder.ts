/** Writes the texts of records one after the other, each composed of its cells: see `record-text.ts`. */

import { float64, narrowed, uint32, withRoom } from '../arrays.js';
import { BATCH_RECORDS, hasText, NULL, type RecordBatch } from '../batch.js';
import { QUOTE } from '../kernels/ascii.js';
import { type CollectionModel, type Field, isList } from '../model.js';
import { addressesOf, type ChunkSource, Chunks, copyBytes, sourceOf, textSource } from './chunks.js';
import { NULL_TEXT, RECORD_SEPARATOR, type StoredText } from './record-text.js';

const END = `}${RECORD_SEPARATOR}`;

interface RecordTextBuilder {
  /**
   * Sets the text of `rows[i]` to that of the i-th record of a batch. Each row is an earlier row or the next one; `size` is the
   * number of rows afterwards.
   */
  setAll(rows: Int32Array, size: number, batch: RecordBatch): void;
  finish(size: number): StoredText;
}

/** `isReturned`: the texts are let go of soon. */
export function createRecordTextBuilder(model: CollectionModel, isReturned = false): RecordTextBuilder {
  const { fields } = model;
  const layout = recordLayout(fields);
  const chunks = new Chunks(isReturned);
  const ends: RecordEnds = { item: 0, default: 0, whole: 0 };
  let starts = float64(0);
  let itemLengths = uint32(0);
  let defaultLengths = uint32(0);
  let lengths = uint32(0);
  let longest = 0;

  /** Writes the text of the batch's i-th record, and notes where it stands and where each extent of it ends. */
  function setText(row: number, source: ChunkSource, batch: RecordBatch, i: number): void {
    chunks.reserve(maxRecordBytes(layout, batch, i));
    const begin = chunks.used;
    chunks.used = writeRecord(layout, source, batch, i, chunks.view, begin, ends);
    starts[row] = chunks.start + begin;
    itemLengths[row] = ends.item - begin;
    defaultLengths[row] = ends.default - begin;
    lengths[row] = ends.whole - begin;
    longest = Math.max(longest, ends.whole - begin);
  }

  return {
    setAll(rows, size, batch) {
      starts = withRoom(starts, size, float64);
      itemLengths = withRoom(itemLengths, size, uint32);
      defaultLengths = withRoom(defaultLengths, size, uint32);
      lengths = withRoom(lengths, size, uint32);
      const source = sourceOf(batch.bytes);
      for (let i = 0; i < rows.length; i++) setText(rows[i]!, source, batch, i);
    },
    finish(size) {
      const hasFurther = layout.firstOnRequest < fields.length;
      const text = {
        chunks: chunks.all,
        starts: addressesOf(chunks, starts.subarray(0, size)),
        itemLengths: narrowed(itemLengths.subarray(0, size), longest),
        defaultLengths: hasFurther ? narrowed(defaultLengths.subarray(0, size), longest) : null,
        lengths: narrowed(lengths.subarray(0, size), longest),
      };
      starts = float64(0);
      itemLengths = uint32(0);
      defaultLengths = uint32(0);
      lengths = uint32(0);
      return text;
    },
  };
}

/** What the records of a collection have in common. */
interface RecordLayout {
  /** By field. */
  readonly areLists: readonly boolean[];
  /** The names of all fields, those names with a text's opening quote behind, null, and the end of a record. */
  readonly parts: Concatenated;
  /** The first field that a list item lacks, and the first that only a request brings; the number of fields where there is none. */
  readonly firstDetail: number;
  readonly firstOnRequest: number;
}

function recordLayout(fields: readonly Field[]): RecordLayout {
  const names = fields.map(({ name }, field) => `${field === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  const firstOnRequest = firstOf(fields, ({ onRequest }) => onRequest === true);
  return {
    areLists: fields.map(({ kind }) => isList(kind)),
    parts: concatenated([...names, ...names.map((name) => `${name}"`), NULL_TEXT, END]),
    firstDetail: Math.min(
      firstOf(fields, ({ detailOnly }) => detailOnly === true),
      firstOnRequest,
    ),
    firstOnRequest,
  };
}

/** Upper bound of the bytes of a batch's i-th record. */
function maxRecordBytes({ parts, areLists }: RecordLayout, { kinds, starts, ends }: RecordBatch, i: number): number {
  let bytes = parts.source.bytes.length + areLists.length;
  for (let cell = i; cell < kinds.length; cell += BATCH_RECORDS)
    bytes += kinds[cell]! <= NULL ? NULL_TEXT.length : ends[cell]! - starts[cell]!;
  return bytes;
}

/** Where the extents of a record end, in bytes of a chunk. */
interface RecordEnds {
  item: number;
  default: number;
  whole: number;
}

/** Writes the i-th record of a batch from its cells at `begin`, with a separator behind it; returns where that ends. */
function writeRecord(
  { areLists, parts, firstDetail, firstOnRequest }: RecordLayout,
  source: ChunkSource,
  { kinds, starts, ends }: RecordBatch,
  i: number,
  view: DataView,
  begin: number,
  recordEnds: RecordEnds,
): number {
  const fieldCount = areLists.length;
  const nullPart = 2 * fieldCount;
  const endPart = nullPart + 1;
  let used = begin;
  let itemEnd = begin;
  let defaultEnd = begin;
  for (let field = 0, cell = i; field < fieldCount; field++, cell += BATCH_RECORDS) {
    const kind = kinds[cell]!;
    // A list that a record lacks is left out; any other missing value is null.
    if (!areLists[field]! || kind > NULL) {
      const isText = hasText(kind);
      used = copyPart(parts, isText ? fieldCount + field : field, view, used);
      if (kind <= NULL) used = copyPart(parts, nullPart, view, used);
      else used = copyBytes(source, starts[cell]!, ends[cell]!, view, used);
      if (isText) view.setUint8(used++, QUOTE);
    }
    if (field < firstDetail) itemEnd = used;
    if (field < firstOnRequest) defaultEnd = used;
  }
  used = copyPart(parts, endPart, view, used);
  recordEnds.item = itemEnd;
  recordEnds.default = defaultEnd;
  recordEnds.whole = used - RECORD_SEPARATOR.length;
  return used;
}

const copyPart = ({ source, ends }: Concatenated, part: number, view: DataView, at: number): number =>
  copyBytes(source, ends[part]!, ends[part + 1]!, view, at);

/** The index of the first field that meets a condition; the number of fields if none does. */
function firstOf(fields: readonly Field[], meets: (field: Field) => boolean): number {
  const index = fields.findIndex(meets);
  return index === -1 ? fields.length : index;
}

/** Short texts side by side: text i ends at `ends[i + 1]`, where the next one begins. */
interface Concatenated {
  readonly source: ChunkSource;
  readonly ends: Uint32Array;
}

function concatenated(texts: readonly string[]): Concatenated {
  const ends = new Uint32Array(texts.length + 1);
  for (const [i, text] of texts.entries()) ends[i + 1] = ends[i]! + Buffer.byteLength(text);
  return { source: textSource(texts.join('')).source, ends };
}
