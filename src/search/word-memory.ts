/**
 * The memory of the words' kernel: numbers and windows of fixed places, and behind them tables, which grow. What is known of
 * a table stands where the kernel has it.
 */

import { createMemory, MEMORY_PAGE_BYTES } from '../wasm.js';
import { IndexLimitError } from './limits.js';
import {
  LONG_BYTES,
  LONG_TABLE,
  LONGEST_BYTES,
  LONGEST_TABLE,
  SHORT_BYTES,
  SHORT_TABLE,
  STEM_TABLE,
} from './word-places.js';
import { createWordKernel } from './word-table-kernel.js';

/** Where a table's numbers stand, how many bytes an entry has, and what the kernel does with it. */
export interface Table {
  readonly numbers: number;
  readonly bytes: number;
  readonly move: 'moveShort' | 'moveLong' | 'moveLongest' | 'moveClusters';
}
export interface WordTable extends Table {
  readonly list: 'listShort' | 'listLong' | 'listLongest';
  readonly place: 'placeShort' | 'placeLong' | 'placeLongest';
}
const ofShort = { bytes: SHORT_BYTES, move: 'moveShort', list: 'listShort', place: 'placeShort' } as const;
const ofLong = { bytes: LONG_BYTES, move: 'moveLong', list: 'listLong', place: 'placeLong' } as const;
const ofLongest = {
  bytes: LONGEST_BYTES,
  move: 'moveLongest',
  list: 'listLongest',
  place: 'placeLongest',
} as const;
export const WORDS: readonly WordTable[] = [
  { numbers: SHORT_TABLE, ...ofShort },
  { numbers: LONG_TABLE, ...ofLong },
  { numbers: LONGEST_TABLE, ...ofLongest },
];
export const STEMS_OF_WORDS: WordTable = { numbers: STEM_TABLE, ...ofLongest };

const START_ENTRIES = 1 << 12;
/** Entries that are moved together. */
const MOVED_ENTRIES = START_ENTRIES;

/** Of the usual processors. */
const LINE_BYTES = 64;
export const wholeLines = (bytes: number): number => Math.ceil(bytes / LINE_BYTES) * LINE_BYTES;

/** What a memory of this kind can have. */
const MOST_BYTES = 2 ** 32;

export class WordMemory {
  private readonly memory;
  readonly kernel;
  // Of the whole memory; others once it has grown.
  bytes: Buffer<ArrayBuffer>;
  units: Uint16Array;
  numbers: Int32Array;
  /** Where the part ends that is in use. */
  end: number;

  /** So many bytes, whole lines, come before the tables. */
  constructor(fixedBytes: number) {
    this.memory = createMemory(fixedBytes);
    this.kernel = createWordKernel(this.memory);
    const { buffer } = this.memory;
    this.bytes = Buffer.from(buffer);
    this.units = new Uint16Array(buffer);
    this.numbers = new Int32Array(buffer);
    this.end = fixedBytes;
  }

  /** The address of so many bytes more, which are 0 and begin with a cache line. */
  reserve(bytes: number): number {
    const at = this.end;
    this.end += wholeLines(bytes);
    const missing = this.end - this.bytes.length;
    if (this.end > MOST_BYTES) throw new IndexLimitError('the records have more different words than an index holds');
    if (missing > 0) {
      this.memory.grow(Math.ceil(missing / MEMORY_PAGE_BYTES));
      const { buffer } = this.memory;
      this.bytes = Buffer.from(buffer);
      this.units = new Uint16Array(buffer);
      this.numbers = new Int32Array(buffer);
    }
    return at;
  }

  begin(table: Table): void {
    this.setTable(table, START_ENTRIES, 0);
  }

  tableAt({ numbers, bytes }: Table) {
    const [at, mask, taken] = this.numbers.subarray(numbers >> 2, (numbers >> 2) + 3);
    const entries = mask! + 1;
    return { at: at! >>> 0, end: (at! >>> 0) + entries * bytes, entries, taken: taken! };
  }

  /** Moves a table that is full to where there is room for twice as many entries. */
  makeRoom(table: Table): void {
    const { at, end, entries, taken } = this.tableAt(table);
    if (3 * (entries - 1) >= 4 * taken) return;
    const larger = this.setTable(table, 2 * entries, taken);
    // Pages that are read before they are written to are given twice, and other threads are waited for in between.
    this.bytes.fill(0, larger, larger + 2 * entries * table.bytes);
    const move = this.kernel[table.move];
    // In pieces, for a function is run as optimised once it is called again.
    const some = MOVED_ENTRIES * table.bytes;
    for (let from = at; from < end; from += some) move(from, from + some, larger, 2 * entries - 1);
  }

  /** Gives a table another place, with room for so many entries, and returns it. */
  private setTable({ numbers, bytes }: Table, entries: number, taken: number): number {
    const at = this.reserve(entries * bytes);
    this.numbers.set([at, entries - 1, taken], numbers >> 2);
    return at;
  }
}
