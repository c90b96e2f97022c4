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
  const names = fields.map(({ name }, field) => `${field === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  // Before a text its name is written with the opening quote.
  const parts = concatenated([...names, ...names.map((name) => `${name}"`), NULL_TEXT, END]);
  const nullPart = 2 * fields.length;
  const endPart = nullPart + 1;
  const firstOnRequest = firstOf(fields, ({ onRequest }) => onRequest === true);
  const firstDetail = Math.min(
    firstOf(fields, ({ detailOnly }) => detailOnly === true),
    firstOnRequest,
  );
  const areLists = fields.map(({ kind }) => isList(kind));
  const chunks = new Chunks(isReturned);
  let starts = float64(0);
  let itemLengths = uint32(0);
  let defaultLengths = uint32(0);
  let lengths = uint32(0);
  let longest = 0;

  /** Upper bound of the bytes of a record. */
  function maxBytes({ kinds, starts, ends }: RecordBatch, i: number): number {
    let bytes = parts.source.bytes.length + fields.length;
    for (let cell = i; cell < kinds.length; cell += BATCH_RECORDS)
      bytes += kinds[cell]! <= NULL ? NULL_TEXT.length : ends[cell]! - starts[cell]!;
    return bytes;
  }

  /** Writes the text of the batch's i-th record from its cells, and notes where each extent of it ends. */
  function writeCells(row: number, source: ChunkSource, batch: RecordBatch, i: number): void {
    chunks.reserve(maxBytes(batch, i));
    const { kinds } = batch;
    const { view, used: begin } = chunks;
    let used = begin;
    let itemEnd = begin;
    let defaultEnd = begin;
    for (let field = 0, cell = i; field < fields.length; field++, cell += BATCH_RECORDS) {
      const kind = kinds[cell]!;
      // A list that a record lacks is left out; any other missing value is null.
      if (!areLists[field]! || kind > NULL) {
        const isText = hasText(kind);
        const part = isText ? fields.length + field : field;
        used = copyBytes(parts.source, parts.ends[part]!, parts.ends[part + 1]!, view, used);
        if (kind <= NULL) used = copyBytes(parts.source, parts.ends[nullPart]!, parts.ends[nullPart + 1]!, view, used);
        else used = copyBytes(source, batch.starts[cell]!, batch.ends[cell]!, view, used);
        if (isText) view.setUint8(used++, QUOTE);
      }
      if (field < firstDetail) itemEnd = used;
      if (field < firstOnRequest) defaultEnd = used;
    }
    used = copyBytes(parts.source, parts.ends[endPart]!, parts.ends[endPart + 1]!, view, used);
    chunks.used = used;
    const length = used - begin - RECORD_SEPARATOR.length;
    starts[row] = chunks.start + begin;
    itemLengths[row] = itemEnd - begin;
    defaultLengths[row] = defaultEnd - begin;
    lengths[row] = length;
    if (length > longest) longest = length;
  }

  return {
    setAll(rows, size, batch) {
      starts = withRoom(starts, size, float64);
      itemLengths = withRoom(itemLengths, size, uint32);
      defaultLengths = withRoom(defaultLengths, size, uint32);
      lengths = withRoom(lengths, size, uint32);
      const source = sourceOf(batch.bytes);
      for (let i = 0; i < rows.length; i++) writeCells(rows[i]!, source, batch, i);
    },
    finish(size) {
      const text = {
        chunks: chunks.all,
        starts: addressesOf(chunks, starts.subarray(0, size)),
        itemLengths: narrowed(itemLengths.subarray(0, size), longest),
        defaultLengths: firstOnRequest === fields.length ? null : narrowed(defaultLengths.subarray(0, size), longest),
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

/** The index of the first field that meets a condition; the number of fields if none does. */
function firstOf(fields: readonly Field[], meets: (field: Field) => boolean): number {
  const index = fields.findIndex(meets);
  return index === -1 ? fields.length : index;
}

/** Short texts side by side: text i ends at `ends[i + 1]`, where the next one begins. */
function concatenated(texts: readonly string[]): { readonly source: ChunkSource; readonly ends: Uint32Array } {
  const ends = new Uint32Array(texts.length + 1);
  for (const [i, text] of texts.entries()) ends[i + 1] = ends[i]! + Buffer.byteLength(text);
  return { source: textSource(texts.join('')).source, ends };
}
