/**
 * Words of batches, read where the records stand: no string is made of a text, and there is one call for many records.
 * A record with a list whose texts have escapes, or with a long text without separators, is left to be read by itself.
 */
import type { WasmMemory } from '../wasm.js';
import { CELL_BYTES, type CellKernel, createCellKernel, type TextKinds } from './cell-words-kernel.js';
import type { FieldText } from './search.js';

/** Texts of records as they stand in a memory: of the i-th searched field those of the `cells[i]`-th cells and further ones, record by record. */
export interface TextBatch {
  readonly memory: WasmMemory;
  /** From here to the end the memory is the reader's: half a kilobyte at least. A record whose texts have more than an eighth of it is read by itself. */
  readonly free: number;
  readonly textKinds: TextKinds;
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** A list's texts, quotes included: from `elements[2i]` to `elements[2i + 1]`, i from the cell's `elementsFrom` to its `elementsTo`. */
  readonly elements: Int32Array;
  readonly elementsFrom: Int32Array;
  readonly elementsTo: Int32Array;
  readonly cells: readonly number[];
  /** The texts of the i-th record, whatever they are. */
  textsOf(i: number): readonly FieldText[];
}

/** What was read of a batch. */
export interface CellRun {
  /** The first record that was not read; */
  readonly next: number;
  /** whether there was no room for it, which there may be once the keys are taken. */
  readonly lacksRoom: boolean;
  /** The keys of the others' words, and marks between them: lent until more is read. */
  readonly keys: Uint8Array;
}

/** Keys that are taken while they are in the cache: of longer texts there are more. */
const CACHED_BYTES = 1 << 18;

/** One batch after the other. */
export class CellWords {
  readonly #classes: Uint8Array;
  #memory: WasmMemory | null = null;
  #textKinds: TextKinds = { plain: 0, escaped: 0, lists: 0 };
  #kernel: CellKernel | null = null;
  #places = placesIn(0, 0, 0);
  #elements = 0;

  /** The class of each byte. */
  constructor(classes: Uint8Array) {
    this.#classes = classes;
  }

  /** A batch comes again and again in the same memory, of which others have used the free part meanwhile. */
  begin({ memory, free, textKinds, kinds, starts, ends, elements, elementsFrom, elementsTo, cells }: TextBatch): void {
    if (this.#kernel === null || this.#memory !== memory) {
      this.#kernel = createCellKernel(memory);
      this.#memory = memory;
    }
    this.#textKinds = textKinds;
    const places = placesIn(free, cells.length, this.#classes.length);
    new Uint8Array(memory.buffer, places.classes, this.#classes.length).set(this.#classes);
    const addresses = new Int32Array(memory.buffer, places.fields, (cells.length * CELL_BYTES) >> 2);
    cells.forEach((cell, i) => {
      const ofCell = [starts, ends, elementsFrom, elementsTo].map(({ byteOffset }) => byteOffset + cell * 4);
      addresses.set([kinds.byteOffset + cell, ...ofCell], (i * CELL_BYTES) >> 2);
    });
    this.#places = places;
    this.#elements = elements.byteOffset;
  }

  /** Reads the records `from … to` of the batch that was begun; stops before one that is left. */
  read(from: number, to: number): CellRun {
    const inCache = this.#readUpTo(this.#places.keys + CACHED_BYTES, from, to);
    return inCache.next > from || !inCache.lacksRoom ? inCache : this.#readUpTo(Number.POSITIVE_INFINITY, from, to);
  }

  #readUpTo(most: number, from: number, to: number): CellRun {
    if (this.#kernel === null || this.#memory === null) throw new Error('no batch was begun');
    const { buffer } = this.#memory;
    const { result, fields, classes, keys } = this.#places;
    const keysEnd = Math.min(most, buffer.byteLength);
    const { plain, escaped, lists } = this.#textKinds;
    const next = this.#kernel.readCells(
      from,
      to,
      fields,
      classes,
      this.#elements,
      classes,
      keys,
      keysEnd,
      result,
      plain,
      escaped,
      lists,
    );
    const [end, lacksRoom] = new Int32Array(buffer, result, 2);
    return { next, lacksRoom: lacksRoom !== 0, keys: new Uint8Array(buffer, keys, end! - keys) };
  }
}

/** Where in the free memory what stands: the classes behind the fields. */
function placesIn(free: number, fieldCount: number, classBytes: number) {
  const result = (free + 15) & -16;
  const fields = result + 16;
  const classes = fields + fieldCount * CELL_BYTES;
  return { result, fields, classes, keys: (classes + classBytes + 15) & -16 };
}
