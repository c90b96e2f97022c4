/**
 * Plain words of batches, read where the records stand: no string is made of a text, and there is one call for many records.
 * A record that has more than plain words in its texts is left to be read by itself.
 */
import type { WasmMemory } from '../wasm.js';
import type { FieldText } from './search.js';
import { CELL_BYTES, type CellKernel, createCellKernel } from './word-kernel.js';

/** Texts of records as they stand in a memory: of the i-th searched field those of the `cells[i]`-th cells and further ones, record by record. */
export interface TextBatch {
  readonly memory: WasmMemory;
  /** From here to the end the memory is the reader's: half a kilobyte at least, and 8 bytes for each byte of a record's texts. */
  readonly free: number;
  /** Kinds below have no text; of this one is JSON text without escapes, whose quotes are at `starts[cell]` and before `ends[cell]`. */
  readonly plainKind: number;
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly cells: readonly number[];
  /** The texts of the i-th record, whatever they are. */
  textsOf(i: number): readonly FieldText[];
}

export class CellWords {
  /** The keys of what was read, and marks between them. */
  keys = new Uint8Array(0);
  readonly #classes: Uint8Array;
  #memory: WasmMemory | null = null;
  #kernel: CellKernel | null = null;

  /** The class of each byte. */
  constructor(classes: Uint8Array) {
    this.#classes = classes;
  }

  /** Reads the records `from … to`; returns the first that could not be read, or `to`. */
  read(batch: TextBatch, from: number, to: number): number {
    const kernel = this.#kernelIn(batch);
    const { buffer } = batch.memory;
    const { result, fields, fieldsEnd, classes, keys, keysEnd } = this.#placesIn(batch);
    new Uint8Array(buffer, classes, this.#classes.length).set(this.#classes);
    const addresses = new Int32Array(buffer, fields, (fieldsEnd - fields) >> 2);
    batch.cells.forEach((cell, i) => {
      addresses[3 * i] = batch.kinds.byteOffset + cell;
      addresses[3 * i + 1] = batch.starts.byteOffset + cell * 4;
      addresses[3 * i + 2] = batch.ends.byteOffset + cell * 4;
    });
    const read = kernel.readCells(from, to, fields, fieldsEnd, classes, keys, keysEnd, result);
    const end = new Int32Array(buffer, result, 1)[0]!;
    this.keys = new Uint8Array(buffer, keys, end - keys);
    return read;
  }

  #placesIn({ free, cells, memory }: TextBatch) {
    const result = (free + 15) & -16;
    const fields = result + 16;
    const fieldsEnd = fields + cells.length * CELL_BYTES;
    const keys = (fieldsEnd + this.#classes.length + 15) & -16;
    return { result, fields, fieldsEnd, classes: fieldsEnd, keys, keysEnd: memory.buffer.byteLength };
  }

  /** A batch comes again and again in the same memory. */
  #kernelIn({ memory, plainKind }: TextBatch): CellKernel {
    if (this.#kernel === null || this.#memory !== memory) {
      this.#kernel = createCellKernel(plainKind)(memory);
      this.#memory = memory;
    }
    return this.#kernel;
  }
}
