/**
 * The cells that short texts of a field became, so that each spelling is read once. They stand in columns, as the cells of a batch do:
 * a look-up among thousands of objects would miss the cache several times.
 */
import { ByteTable } from '../../byte-table.js';
import type { CellNote } from '../report/tally.js';
import type { BatchMemory } from '../source/batch-memory.js';

/** Longer texts are not remembered, nor texts whose cell is longer. */
export const MAX_MEMO_BYTES = 48;
const MAX_MEMO_TEXTS = 1 << 14;

export class CellMemo {
  readonly #texts = new ByteTable();
  /** Per text its cell: the bytes, the kind and the number; and the finding about it: a repair, or a cell left null. */
  readonly spellings = new ByteTable();
  readonly kinds: number[] = [];
  readonly numbers: number[] = [];
  readonly notes: (CellNote | undefined)[] = [];

  get isFull(): boolean {
    return this.#texts.size === MAX_MEMO_TEXTS;
  }

  /** The code of a text; -1 where it is not remembered. */
  find(batch: BatchMemory, start: number, end: number): number {
    return this.#texts.find(batch, start, end);
  }

  /** Remembers the cell that a text became, which is not remembered yet. */
  add(batch: BatchMemory, start: number, end: number, cell: number, note: CellNote | undefined): void {
    this.#texts.codeOf(batch, start, end);
    this.spellings.add(batch.bytes, batch.starts[cell]!, batch.ends[cell]!);
    this.kinds.push(batch.kinds[cell]!);
    this.numbers.push(batch.numbers[cell]!);
    this.notes.push(note);
  }
}
