/**
 * A fixed number of sets of rows in one piece of memory, so that what two of them share is counted at the speed of
 * that memory: some 10 µs for a million rows. A bit for each row and set; none is ever moved.
 *
 * The rows of a set are also counted by what each row has of a field, a number or several, which stand in the same
 * memory, as narrow as they can be. They are read from beginning to end however few the rows are, for rows that stand far
 * apart are waited for one by one: from about a 200th of them on that is less.
 */
import { BLOCK_BYTES } from '../../../bit-kernel.js';
import type { Bits } from '../../../bits.js';
import { allocator, createMemory } from '../../../wasm.js';
import { createTallyKernel, NUMBERS_SLACK, type Width } from './tally-kernel.js';

export interface BitTable {
  readonly rows: number;
  /** A set, empty at first; it is written to in place. */
  readonly bitsOf: (set: number) => Bits;
  readonly count: (set: number) => number;
  readonly countCommon: (a: number, b: number) => number;
  /** Makes `into` what is in both; it may be one of them. */
  readonly intersect: (a: number, b: number, into: number) => void;
  /** The members of a set, of which there are `count`, ascending. */
  readonly membersOf: (set: number, count: number) => Uint32Array;
  /** All 0 at first; they are written to in place. */
  readonly columns: readonly Column[];
  /** How many rows of a set have each of the numbers of one of the columns: good until more is counted. */
  readonly countColumn: (set: number, column: Column) => Uint32Array;
  /** The first of the counts from `from` on, of `size`, that is above `least`; `size` if none is. */
  readonly nextAbove: (from: number, size: number, least: number) => number;
}

/** What the rows have of a field. */
export interface Column {
  /** All numbers are below. */
  readonly below: number;
  readonly width: Width;
  /** That of row r is `numbers[r]`, or with offsets those of row r are `numbers[offsets[r]] … numbers[offsets[r + 1] - 1]`. */
  readonly numbers: Uint8Array | Uint16Array | Uint32Array;
  readonly offsets: Uint32Array | null;
}

/** Room for a column. */
export interface ColumnRoom {
  readonly below: number;
  /** How many numbers the rows have together, where a row may have any number of them; null where each has one. */
  readonly several: number | null;
}

/** The rows that are listed and counted at a time: they stay in the nearer caches. */
export const BLOCK_ROWS = 1 << 15;

export function createBitTable(rows: number, sets: number, room: readonly ColumnRoom[] = []): BitTable {
  const words = (rows + 31) >>> 5;
  const stride = Math.max(1, Math.ceil((words * 4) / BLOCK_BYTES)) * BLOCK_BYTES;
  const place = allocator(BLOCK_BYTES);
  const setsAt = place(sets * stride);
  const listAt = place(BLOCK_ROWS * 4);
  const countsAt = place(4 * room.reduce((most, { below }) => Math.max(most, below), 0));
  const makers = room.map((one) => placeColumn(rows, one, place));
  const memory = createMemory(place(0));
  const kernel = createTallyKernel(memory);
  const words32 = new Uint32Array(memory.buffer);
  const columns = makers.map((make) => make(memory.buffer));

  const setAt = (set: number): number => setsAt + set * stride;
  const countCommon = (a: number, b: number): number => kernel.countCommon(setAt(a), setAt(b), stride);
  const views = Array.from({ length: sets }, (_, set) => new Uint32Array(memory.buffer, setAt(set), words));
  const empty = new Uint32Array(0);

  /** Calls `use` for each block of rows that has members, with where the list of these ends and with the block's rows. */
  function listBlocks(set: number, use: (listEnd: number, from: number, to: number) => void): void {
    for (let from = 0; from < rows; from += BLOCK_ROWS) {
      const bits = setAt(set) + from / 8;
      const bitsEnd = Math.min(bits + BLOCK_ROWS / 8, setAt(set) + stride);
      const listEnd = kernel.list(bits, bitsEnd, from, listAt) >>> 0;
      if (listEnd > listAt) use(listEnd, from, Math.min(from + BLOCK_ROWS, rows));
    }
  }

  function countBlock({ width, numbers, offsets }: Column, listEnd: number, from: number, to: number): void {
    const numbersAt = numbers.byteOffset;
    if (offsets === null) {
      kernel[`countOneEach${width}`](listAt, listEnd, numbersAt, countsAt);
      return;
    }
    const offsetsAt = offsets.byteOffset;
    kernel.bring(offsetsAt + 4 * from, offsetsAt + 4 * to);
    kernel.bring(numbersAt + width * offsets[from]!, numbersAt + width * offsets[to]!);
    kernel[`countSeveral${width}`](listAt, listEnd, offsetsAt, numbersAt, countsAt);
  }

  return {
    rows,
    bitsOf: (set) => views[set] ?? empty,
    count: (set) => countCommon(set, set),
    countCommon,
    intersect: (a, b, into) => kernel.intersect(setAt(a), setAt(b), setAt(into), stride),
    membersOf(set, count) {
      const members = new Uint32Array(count);
      let filled = 0;
      listBlocks(set, (listEnd) => {
        members.set(words32.subarray(listAt / 4, listEnd / 4), filled);
        filled += (listEnd - listAt) / 4;
      });
      return members;
    },
    columns,
    countColumn(set, column) {
      const counts = words32.subarray(countsAt / 4, countsAt / 4 + column.below).fill(0);
      listBlocks(set, (listEnd, from, to) => countBlock(column, listEnd, from, to));
      return counts;
    },
    nextAbove: (from, size, least) =>
      ((kernel.nextAbove(countsAt + 4 * from, countsAt + 4 * size, least) >>> 0) - countsAt) / 4,
  };
}

const widthOf = (below: number): Width => (below <= 0x100 ? 1 : below <= 0x1_0000 ? 2 : 4);
const arrayOf = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } satisfies Record<Width, unknown>;

/** A column's place in a memory that is still to be made. */
function placeColumn(
  rows: number,
  { below, several }: ColumnRoom,
  place: (bytes: number) => number,
): (memory: ArrayBuffer) => Column {
  const width = widthOf(below);
  const length = several ?? rows;
  const numbersAt = place(length * width + NUMBERS_SLACK);
  const offsetsAt = several === null ? null : place((rows + 1) * 4);
  return (memory) => ({
    below,
    width,
    numbers: new arrayOf[width](memory, numbersAt, length),
    offsets: offsetsAt === null ? null : new Uint32Array(memory, offsetsAt, rows + 1),
  });
}
