/** Writes the texts of records one after the other: see `record-text.ts`. */
import { ABSENT, cellOf, NULL, type RecordBatch } from '../batch.js';
import { float64, uint32, withRoom } from '../growable.js';
import type { CollectionModel } from '../model.js';
import { addressesOf, Chunks } from './chunks.js';
import { type RecordText, SEPARATOR } from './record-text.js';

const CLOSING_BRACE = 0x7d;
const NULL_TEXT = Buffer.from('null');
/** Longer copies are left to the runtime, whose call costs as much as a loop over this many bytes. */
const MAX_LOOP_BYTES = 96;

export interface RecordTextBuilder {
  /** Sets the text of `rows[i]`, an earlier row or the next one, to that of the i-th record of a batch. There are `size` rows then. */
  setAll(rows: Int32Array, size: number, batch: RecordBatch): void;
  finish(size: number): RecordText;
}

export function createRecordTextBuilder(model: CollectionModel): RecordTextBuilder {
  const { fields } = model;
  const names = fields.map(({ name }, field) => Buffer.from(`${field === 0 ? '{' : ','}${JSON.stringify(name)}:`));
  const namesLength = names.reduce((sum, { length }) => sum + length, 0);
  const firstDetail = fields.findIndex(({ detailOnly }) => detailOnly);
  const isList = Uint8Array.from(fields, ({ kind }) => (kind === 'tags' ? 1 : 0));
  const chunks = new Chunks();
  let starts = float64(0);
  let itemLengths = uint32(0);
  let lengths = uint32(0);
  let longest = 0;

  /** A bound of a record's bytes. */
  function maxBytes({ kinds, starts, ends }: RecordBatch, i: number): number {
    let bytes = namesLength + 1 + SEPARATOR.length;
    for (let field = 0; field < names.length; field++) {
      const cell = cellOf(field, i);
      bytes += kinds[cell] === ABSENT ? NULL_TEXT.length : ends[cell]! - starts[cell]!;
    }
    return bytes;
  }

  function set(row: number, batch: RecordBatch, i: number): void {
    chunks.reserve(maxBytes(batch, i));
    const { kinds, bytes } = batch;
    const target = chunks.current;
    const first = chunks.used;
    let at = first;
    let itemEnd = -1;
    // What is still to be copied: a field that follows the one before it as it does in the record's text makes it longer.
    let from = 0;
    let to = 0;
    for (let field = 0; field < names.length; field++) {
      if (field === firstDetail) itemEnd = at + to - from;
      const cell = cellOf(field, i);
      const kind = kinds[cell]!;
      // A list that a record lacks is left out; any other missing value is null.
      if (isList[field] === 1 && kind <= NULL) continue;
      const name = names[field]!;
      const start = batch.starts[cell]!;
      if (kind !== ABSENT && start - name.length === to && stands(name, bytes, to)) {
        to = batch.ends[cell]!;
        continue;
      }
      at = copy(bytes, from, to, target, at);
      at = copy(name, 0, name.length, target, at);
      from = kind === ABSENT ? 0 : start;
      to = kind === ABSENT ? 0 : batch.ends[cell]!;
      if (kind === ABSENT) at = copy(NULL_TEXT, 0, NULL_TEXT.length, target, at);
    }
    at = copy(bytes, from, to, target, at);
    target[at] = CLOSING_BRACE;
    const length = at + 1 - first;
    place(row, itemEnd === -1 ? length - 1 : itemEnd - first, length);
  }

  function place(row: number, itemLength: number, length: number): void {
    starts = withRoom(starts, row + 1, float64);
    itemLengths = withRoom(itemLengths, row + 1, uint32);
    lengths = withRoom(lengths, row + 1, uint32);
    starts[row] = chunks.start + chunks.used;
    itemLengths[row] = itemLength;
    lengths[row] = length;
    longest = Math.max(longest, length);
    chunks.used += length;
    for (let i = 0; i < SEPARATOR.length; i++) chunks.current[chunks.used++] = SEPARATOR.charCodeAt(i);
  }

  return {
    setAll(rows, _size, batch) {
      for (let i = 0; i < rows.length; i++) set(rows[i]!, batch, i);
    },
    finish(size) {
      const text = {
        chunks: chunks.all,
        starts: addressesOf(chunks, starts.subarray(0, size)),
        itemLengths: firstDetail === -1 ? null : itemLengths.subarray(0, size),
        lengths: longest < 2 ** 16 ? new Uint16Array(lengths.subarray(0, size)) : lengths.subarray(0, size),
        words: null,
      };
      starts = float64(0);
      itemLengths = uint32(0);
      lengths = uint32(0);
      return text;
    },
  };
}

/** Whether `text` stands in `bytes` at `at`. */
function stands(text: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}

/** Copies `bytes[from … to)`; returns where the copy ends. */
function copy(bytes: Uint8Array, from: number, to: number, target: Uint8Array, at: number): number {
  if (to - from <= MAX_LOOP_BYTES) for (let i = from; i < to; i++) target[at + i - from] = bytes[i]!;
  else target.set(bytes.subarray(from, to), at);
  return at + to - from;
}
