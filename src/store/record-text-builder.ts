/** Writes the texts of records one after the other: see `record-text.ts`. */
import { float64, uint32, withRoom } from '../growable.js';
import type { CollectionModel } from '../model.js';
import type { Lease, RawBatch, RawRecords } from '../raw.js';
import type { BatchRows } from './batch-cells.js';
import { addressesOf, type Chunk, Chunks } from './chunks.js';
import { BatchPacker, LEAST_LEARNT_FROM, MOST_PACKED_BYTES } from './packed-text.js';
import { RawTextWriter } from './raw-text.js';
import { type RecordText, SEPARATOR } from './record-text.js';

const COMMA = 0x2c;
const LINE_BREAK = 0x0a;

export interface RecordTextBuilder {
  /** Sets the text of `row`, one of the rows so far or the next. `item` has no closing brace, `rest` has it. */
  set(row: number, item: string, rest: string): void;
  /** The same for one record that is copied, or let stay where it is. */
  copy(row: number, raw: RawRecords): void;
  /** The same for a batch. */
  copyBatch(rows: BatchRows, batch: RawBatch): void;
  finish(size: number): RecordText;
}

/** Whether the separator stands behind what ends at `end` already. */
const isSeparated = (memory: Buffer, end: number, limit: number): boolean =>
  end + SEPARATOR.length <= limit && memory[end] === COMMA && memory[end + 1] === LINE_BREAK;

const meanBytes = ({ size, recordStarts, recordEnds }: RawBatch): number =>
  (recordEnds[size - 1]! - recordStarts[0]!) / size;

export function createRecordTextBuilder(model: CollectionModel): RecordTextBuilder {
  const chunks = new Chunks();
  /** Memory in which records were let stay, the last of them, how far it is full, and its address. */
  let leased: Chunk = chunks.current;
  let leasedUsed = 0;
  let leasedStart = 0;
  let starts = float64(0);
  let itemLengths = uint32(0);
  let lengths = uint32(0);
  let hasDetail = false;
  let longest = 0;
  const writer = new RawTextWriter(model);
  let packer: BatchPacker | undefined;

  function makeRoom(row: number): void {
    starts = withRoom(starts, row + 1, float64);
    itemLengths = withRoom(itemLengths, row + 1, uint32);
    lengths = withRoom(lengths, row + 1, uint32);
  }

  function address(row: number, at: number, itemLength: number, length: number): void {
    if (row >= starts.length || row >= lengths.length) makeRoom(row);
    starts[row] = at;
    hasDetail ||= itemLength !== length - 1;
    itemLengths[row] = itemLength;
    lengths[row] = length;
    longest = Math.max(longest, length);
  }

  function place(row: number, itemLength: number, length: number): void {
    address(row, chunks.start + chunks.used, itemLength, length);
    chunks.used += length;
    for (let i = 0; i < SEPARATOR.length; i++) chunks.current[chunks.used++] = SEPARATOR.charCodeAt(i);
  }

  function letStay(row: number, raw: RawRecords, i: number, lease: Lease): boolean {
    const { leaseShift, limit } = raw;
    const memory = lease.bytes;
    const isNew = memory !== leased;
    const recordEnd = raw.recordEnds[i]! + leaseShift;
    const hasSeparator = isSeparated(memory, recordEnd, limit);
    // Without separators behind them records need more room than they have: all that is before the first.
    const at = isNew ? (hasSeparator ? raw.recordStarts[i]! + leaseShift : 0) : leasedUsed;
    const mostEnd = hasSeparator ? recordEnd : recordEnd - SEPARATOR.length;
    const end = writer.writeInPlace(raw, i, memory, leaseShift, at, mostEnd);
    if (end < 0) return false;
    if (isNew) {
      leased = memory;
      leasedStart = chunks.push(leased);
    }
    leased[end] = COMMA;
    leased[end + 1] = LINE_BREAK;
    leasedUsed = end + SEPARATOR.length;
    address(row, leasedStart + at, writer.itemLength, end - at);
    lease.stay(leasedUsed - at);
    return true;
  }

  function copy(row: number, raw: RawRecords, i: number): void {
    if (raw.lease !== undefined && letStay(row, raw, i, raw.lease)) return;
    chunks.reserve(writer.mostBytes(raw, i) + SEPARATOR.length);
    const length = writer.write(raw, i, chunks.current, chunks.used) - chunks.used;
    place(row, writer.itemLength, length);
  }

  function pack(rows: BatchRows, batch: RawBatch): void {
    packer ??= new BatchPacker(model, batch);
    packer.pack(batch);
    const { packed, results } = packer;
    // A byte before them, so that they never seem to lie side by side with a record that is not packed.
    chunks.reserve(packed.length + 1);
    chunks.used++;
    chunks.current.set(packed, chunks.used);
    addressMany(rows, chunks.start + chunks.used, results);
    chunks.used += packed.length;
  }

  /** Addresses what was packed from `first` on: three results for each of the rows. */
  function addressMany({ rows, areNew }: BatchRows, first: number, results: Uint32Array): void {
    makeRoom(areNew ? rows[0]! + rows.length - 1 : rows.reduce((last, row) => Math.max(last, row), 0));
    // What a closure reads of variables around it is read again each time.
    const tables = { starts, itemLengths, lengths };
    let at = first;
    let most = longest;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const length = results[3 * i + 2]!;
      tables.starts[row] = at;
      tables.itemLengths[row] = results[3 * i + 1]!;
      tables.lengths[row] = length;
      if (results[3 * i + 1] !== length - 1) hasDetail = true;
      if (length > most) most = length;
      at = first + results[3 * i]!;
    }
    longest = most;
  }

  return {
    set(row, item, rest) {
      // A UTF-16 unit takes at most three bytes of UTF-8, so this much room always holds the record.
      chunks.reserve((item.length + rest.length) * 3 + SEPARATOR.length);
      const { current, used } = chunks;
      const itemLength = current.write(item, used);
      place(row, itemLength, itemLength + current.write(rest, used + itemLength));
    },
    copy: (row, raw) => copy(row, raw, 0),
    copyBatch(known, batch) {
      if (meanBytes(batch) <= MOST_PACKED_BYTES && (packer || batch.size >= LEAST_LEARNT_FROM)) pack(known, batch);
      else for (let i = 0; i < batch.size; i++) copy(known.rows[i]!, batch, i);
    },
    finish(size) {
      const text = {
        chunks: chunks.all,
        starts: addressesOf(chunks, starts.subarray(0, size)),
        itemLengths: hasDetail ? itemLengths.subarray(0, size) : null,
        lengths: longest < 2 ** 16 ? new Uint16Array(lengths.subarray(0, size)) : lengths.subarray(0, size),
        pieces: packer?.pieces ?? null,
        words: null,
      };
      starts = float64(0);
      itemLengths = uint32(0);
      lengths = uint32(0);
      return text;
    },
  };
}
