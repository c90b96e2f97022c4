/**
 * A fixed number of sets of rows in one piece of memory, so that what two of them share is counted at the speed of
 * that memory: some 10 µs for a million rows. A bit for each row and set; none is ever moved.
 *
 * The rows of a set are also counted by what each row has: a number of a column, which is a byte a row in the same memory,
 * or values, whose tables are brought there a block of rows at a time. They are read from beginning to end however few
 * the rows are, for rows that stand far apart are waited for one by one: from about a 200th of them on that is less.
 */
import type { Bits } from '../../bits.js';
import { type ValueIndex, valueCount } from '../../store/value-index.js';
import { allocator, createKernel, createMemory } from '../../wasm.js';
import { type BitKernel, BLOCK_BYTES, bitFunctions } from './bit-kernel.js';
import { CODES_SLACK, LIST_SLACK, type TallyKernel, tallyFunctions } from './tally-kernel.js';

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
  /** A byte for each row, 0 at first; written to in place. */
  readonly columnOf: (column: number) => Uint8Array;
  /** How many rows of a set have each byte: good until more is counted. */
  readonly countColumn: (set: number, column: number) => Uint32Array;
  /** How many rows of a set have each value, by code: good until more is counted. */
  readonly countValues: (set: number, index: ValueIndex) => Uint32Array;
  /** The first of the counts from `from` on, of `size`, that is above `least`; `size` if none is. */
  readonly nextAbove: (from: number, size: number, least: number) => number;
}

/** What a table has room for besides sets. */
export interface Room {
  readonly columns: number;
  /** The most values of any index that is counted by, and the most codes of any block of rows. */
  readonly values: number;
  readonly blockCodes: number;
}

/** The rows that are listed, and the tables that are read, at a time: they stay in the nearer caches. */
const BLOCK_ROWS = 8192;
const BYTE_VALUES = 256;

/** The most codes that the rows of a block have together. */
export function mostBlockCodes({ rowOffsets, rowCodes }: ValueIndex): number {
  if (rowOffsets === null) return Math.min(rowCodes.length, BLOCK_ROWS);
  let most = 0;
  for (let row = 0; row + 1 < rowOffsets.length; row += BLOCK_ROWS) {
    const end = Math.min(row + BLOCK_ROWS, rowOffsets.length - 1);
    most = Math.max(most, rowOffsets[end]! - rowOffsets[row]!);
  }
  return most;
}

const NO_ROOM: Room = { columns: 0, values: 0, blockCodes: 0 };

const instantiate = createKernel<BitKernel & TallyKernel>([...bitFunctions, ...tallyFunctions]);

export function createBitTable(rows: number, sets: number, room: Room = NO_ROOM): BitTable {
  const words = (rows + 31) >>> 5;
  const stride = Math.max(1, Math.ceil((words * 4) / BLOCK_BYTES)) * BLOCK_BYTES;
  const place = allocator(BLOCK_BYTES);
  const setsAt = place(sets * stride);
  const columnsAt = place(room.columns * rows);
  const listAt = place(BLOCK_ROWS * 4 + LIST_SLACK);
  const offsetsAt = place((BLOCK_ROWS + 1) * 4);
  const codesAt = place(room.blockCodes * 4 + CODES_SLACK);
  const countsAt = place(Math.max(BYTE_VALUES, room.values) * 4);
  const memory = createMemory(place(0));
  const kernel = instantiate(memory);
  const numbers = new Uint32Array(memory.buffer);

  const setAt = (set: number): number => setsAt + set * stride;
  const countCommon = (a: number, b: number): number => kernel.countCommon(setAt(a), setAt(b), stride);
  const views = Array.from({ length: sets }, (_, set) => new Uint32Array(memory.buffer, setAt(set), words));
  const empty = new Uint32Array(0);

  /** Calls `use` for each block that has members, with its rows and where the list of members ends: rows, or how far they are from the first. */
  function listBlocks(set: number, as: 'rows' | 'distances', use: (from: number, to: number, listEnd: number) => void) {
    for (let from = 0; from < rows; from += BLOCK_ROWS) {
      const bits = setAt(set) + from / 8;
      const bitsEnd = Math.min(bits + BLOCK_ROWS / 8, setAt(set) + stride);
      const listEnd = kernel.list(bits, bitsEnd, as === 'rows' ? from : 0, listAt);
      if (listEnd > listAt) use(from, Math.min(from + BLOCK_ROWS, rows), listEnd);
    }
  }

  function emptyCounts(size: number): Uint32Array {
    return numbers.subarray(countsAt / 4, countsAt / 4 + size).fill(0);
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
      listBlocks(set, 'rows', (_from, _to, listEnd) => {
        members.set(numbers.subarray(listAt / 4, listEnd / 4), filled);
        filled += (listEnd - listAt) / 4;
      });
      return members;
    },
    columnOf: (column) => new Uint8Array(memory.buffer, columnsAt + column * rows, rows),
    countColumn(set, column) {
      const counts = emptyCounts(BYTE_VALUES);
      listBlocks(set, 'rows', (_from, _to, listEnd) => {
        kernel.countBytes(listAt, listEnd, columnsAt + column * rows, countsAt);
      });
      return counts;
    },
    countValues(set, index) {
      const { rowCodes, rowOffsets } = index;
      const counts = emptyCounts(valueCount(index));
      listBlocks(set, 'distances', (from, to, listEnd) => {
        if (rowOffsets === null) {
          numbers.set(rowCodes.subarray(from, to), codesAt / 4);
          kernel.countCodes(listAt, listEnd, codesAt, countsAt);
          return;
        }
        const firstCode = rowOffsets[from]!;
        numbers.set(rowOffsets.subarray(from, to + 1), offsetsAt / 4);
        numbers.set(rowCodes.subarray(firstCode, rowOffsets[to]), codesAt / 4);
        kernel.countLists(listAt, listEnd, offsetsAt, codesAt - 4 * firstCode, countsAt);
      });
      return counts;
    },
    nextAbove: (from, size, least) =>
      (kernel.nextAbove(countsAt + 4 * from, countsAt + 4 * size, least) - countsAt) / 4,
  };
}
