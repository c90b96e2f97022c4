/**
 * A column of texts of which hardly two are the same: titles, and whole addresses. Such texts are not counted by value, so they need
 * no dictionary: they stand in row order, each with a hash of its folded form. A look-up compares the hashes of all rows, a
 * millisecond for each million, and the texts of those that are equal. Frozen once built.
 */
import { int32, narrow, uint8, uint32, withRoom } from '../arrays.js';
import { type ColumnBuilder, hasText, isBlank, TEXT, textOf } from '../batch.js';
import { pieceHash } from '../byte-table.js';
import type { Field } from '../model.js';
import { fold, lowerCase, textOfBytes } from '../text.js';
import { type PieceBytes, type SortedPieces, sortPieces, writeRanks } from './byte-order.js';
import { type ChunkSource, COPY_SLACK_BYTES, copyBytes, sourceOf, textSource } from './chunks.js';
import type { Texts } from './part-search.js';
import { orderByKeys, type SortOrder } from './sort-order.js';
import { collated } from './text-order.js';

/** Plain values, so that it can move to another thread. */
export interface TextColumn {
  /** By row; empty where a row has none. */
  readonly texts: Texts;
  /** By row: the hash of the folded text. */
  readonly hashes: Int32Array;
  /** Titles as an English reader orders them; addresses by their bytes, case and accents aside. */
  readonly order: SortOrder;
}

/** The text of a row; empty where it has none. */
export const textAt = ({ texts: { bytes, offsets } }: TextColumn, row: number): string =>
  textOfBytes(bytes, offsets[row]!, offsets[row + 1]!);

/** By folded text the rows that have it, ascending, case and accents aside. Each row is looked at once, however many texts there are. */
export function rowsByText(column: TextColumn, some: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const { hashes, texts } = column;
  const rowsOf = new Map<string, number[]>(some.map((text) => [fold(text), []]));
  /** By hash: the last row that had it, and the rows of its text, if that is one of those. */
  const matches = new Map<number, { row: number; rows: number[] | undefined }>();
  /** By the lower 16 bits of a hash: whether it may be that of such a text. */
  const isWanted = new Uint8Array(1 << 16);
  for (const folded of rowsOf.keys()) {
    const hash = hashOfFolded(Buffer.from(folded));
    matches.set(hash, { row: -1, rows: undefined });
    isWanted[hash & 0xffff] = 1;
  }
  for (let row = 0; row < hashes.length; row++) {
    if (isWanted[hashes[row]! & 0xffff] === 0) continue;
    const match = matches.get(hashes[row]!);
    if (match === undefined || !hasTextAt(texts, row)) continue;
    // All rows of a dump may have one text: each is compared with the one before, which takes less than to fold it.
    if (match.row < 0 || !isSameText(texts, match.row, row)) {
      match.row = row;
      match.rows = rowsOf.get(fold(textAt(column, row)));
    }
    match.rows?.push(row);
  }
  return rowsOf;
}

function isSameText({ bytes, offsets }: Texts, a: number, b: number): boolean {
  const start = offsets[a]!;
  const otherStart = offsets[b]!;
  const length = offsets[a + 1]! - start;
  if (offsets[b + 1]! - otherStart !== length) return false;
  for (let i = 0; i < length; i++) if (bytes[start + i] !== bytes[otherStart + i]) return false;
  return true;
}

const hasTextAt = ({ offsets }: Texts, row: number): boolean => offsets[row] !== offsets[row + 1];

/** The bit that tells the cases of a letter of ASCII apart, in four bytes. */
const CASE_BITS = 0x2020_2020;

/** The hash of a folded text. Texts in ASCII have the same without being folded. */
const hashOfFolded = (folded: Buffer): number =>
  pieceHash(new DataView(folded.buffer, folded.byteOffset, folded.length), 0, folded.length, CASE_BITS);

const MAX_COLUMN_BYTES = 2 ** 32 - 1;
const LOWER_CASE_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => lowerCase(byte));

/** Builds the column of a field of texts. Only titles are ordered as a collator orders them. */
export function createTextColumnBuilder({ role }: Pick<Field, 'role'>): ColumnBuilder<TextColumn> {
  let target = sourceOf(uint8(0));
  let used = 0;
  /** By row: where its text begins and ends. */
  let starts = uint32(0);
  let ends = uint32(0);
  /** Whether a record replaced an earlier one: texts are not in row order then, and some are of no row. */
  let isReplaced = false;
  let rowCount = 0;

  function append(source: ChunkSource, from: number, to: number): void {
    const end = used + to - from;
    if (end + COPY_SLACK_BYTES > MAX_COLUMN_BYTES) throw new RangeError('out of memory: texts take more than 4 GB');
    const bytes = withRoom(target.bytes, end + COPY_SLACK_BYTES, uint8);
    if (bytes !== target.bytes) target = sourceOf(bytes);
    used = copyBytes(source, from, to, target.view, used);
  }

  return {
    setAll(rows, size, batch, firstCell) {
      starts = withRoom(starts, size, uint32);
      ends = withRoom(ends, size, uint32);
      const batchSource = sourceOf(batch.bytes);
      for (let i = 0; i < rows.length; i++) {
        const cell = firstCell + i;
        const row = rows[i]!;
        if (row < rowCount) isReplaced = true;
        else rowCount = row + 1;
        starts[row] = used;
        if (!isBlank(batch, cell)) {
          if (batch.kinds[cell] === TEXT) append(batchSource, batch.starts[cell]!, batch.ends[cell]!);
          else if (hasText(batch.kinds[cell]!)) {
            const { source, length } = textSource(textOf(batch, cell) ?? '');
            append(source, 0, length);
          }
        }
        ends[row] = used;
      }
    },
    finish(size) {
      const texts = isReplaced
        ? inRowOrder(target.bytes, starts, ends, size)
        : { bytes: target.bytes.subarray(0, used), offsets: withEnd(starts, size, used) };
      target = sourceOf(uint8(0));
      starts = uint32(0);
      ends = uint32(0);
      return textColumnOf(texts, role === 'title');
    },
  };
}

/** Where the rows' texts begin, and behind them where the last one ends. */
function withEnd(starts: Uint32Array, size: number, end: number): Uint32Array {
  const offsets = withRoom(starts, size + 1, uint32).subarray(0, size + 1);
  offsets[size] = end;
  return offsets;
}

/** Copies texts to the order of their rows, without those of no row. */
function inRowOrder(bytes: Uint8Array, starts: Uint32Array, ends: Uint32Array, size: number): PieceBytes {
  const offsets = new Uint32Array(size + 1);
  for (let row = 0; row < size; row++) offsets[row + 1] = offsets[row]! + ends[row]! - starts[row]!;
  const ordered = uint8(offsets[size]!);
  for (let row = 0; row < size; row++) ordered.set(bytes.subarray(starts[row]!, ends[row]!), offsets[row]!);
  return { bytes: ordered, offsets };
}

function textColumnOf({ bytes, offsets }: PieceBytes, isTitle: boolean): TextColumn {
  const size = offsets.length - 1;
  const { hashes, otherRows } = hashedTexts(sourceOf(bytes), offsets);
  const foldedAt = (row: number): Buffer => Buffer.from(fold(textOfBytes(bytes, offsets[row]!, offsets[row + 1]!)));
  for (const row of otherRows) hashes[row] = hashOfFolded(foldedAt(row));
  const texts = { bytes, offsets, others: Uint32Array.from(otherRows) };
  const rows = uint32(size)
    .map((_, row) => row)
    .filter((row) => hasTextAt(texts, row));
  const sorted = isTitle ? collated(texts, rows) : sortedByFolded(texts, rows, otherRows.map(foldedAt));
  return { texts, hashes, order: rowOrderOf(sorted, size) };
}

/** The hashes of the texts in ASCII, and the rows of the others. */
function hashedTexts(source: ChunkSource, offsets: Uint32Array) {
  const hashes = int32(offsets.length - 1);
  const otherRows: number[] = [];
  for (let row = 0; row < hashes.length; row++) {
    const from = offsets[row]!;
    const to = offsets[row + 1]!;
    if (isAscii(source, from, to)) hashes[row] = pieceHash(source.view, from, to, CASE_BITS);
    else otherRows.push(row);
  }
  return { hashes, otherRows };
}

/** The highest bit of each of four bytes: no character of ASCII has it. */
const HIGH_BITS = 0x8080_8080;

function isAscii({ view }: ChunkSource, from: number, to: number): boolean {
  let bitsOfAll = 0;
  let at = from;
  for (; at + 4 <= to; at += 4) bitsOfAll |= view.getInt32(at, true);
  for (; at < to; at++) bitsOfAll |= view.getUint8(at);
  return (bitsOfAll & HIGH_BITS) === 0;
}

/** Sorts the texts of rows by their folded bytes. The folded forms of the other texts take their places meanwhile, behind all rows. */
function sortedByFolded({ bytes, offsets, others }: Texts, rows: Uint32Array, folded: readonly Buffer[]) {
  if (others.length === 0) return sortPieces({ bytes, offsets }, rows, LOWER_CASE_BYTES);
  const size = offsets.length - 1;
  const allOffsets = new Uint32Array(size + 1 + others.length);
  allOffsets.set(offsets);
  for (const [i, { length }] of folded.entries()) allOffsets[size + i + 1] = allOffsets[size + i]! + length;
  const pieceOf = new Map(Array.from(others, (row, i) => [row, size + i]));
  const pieces = rows.map((row) => pieceOf.get(row) ?? row).sort();
  const allBytes = uint8(allOffsets[allOffsets.length - 1]!);
  allBytes.set(bytes);
  for (const [i, text] of folded.entries()) allBytes.set(text, allOffsets[size + i]!);
  const sorted = sortPieces({ bytes: allBytes, offsets: allOffsets }, pieces, LOWER_CASE_BYTES);
  return { ...sorted, order: sorted.order.map((piece) => (piece < size ? piece : others[piece - size]!)) };
}

/** The order of rows by their texts: those of equal ones ascend. */
function rowOrderOf(sorted: SortedPieces, size: number): SortOrder {
  const distinct = sorted.isRepeated.filter((repeated) => repeated === 0).length;
  const keys = narrow(size, distinct).fill(distinct);
  writeRanks(sorted, keys);
  return orderByKeys(keys, distinct).order;
}
