/**
 * A set of rows of a collection: what a condition lets pass, what a text matches, what a query finds. Search and query
 * share it. It has a bit for each row, or its rows in ascending order: whichever it is made of, the other is made when it is
 * first asked for, and kept. Neither is ever written to. How many rows it has is known from the start, so that the smallest of
 * several sets can lead.
 */
import { type Bits, countBits, createBits, hasBit, intersect, membersAt, setAll } from './bits.js';

/** A set of a smaller share of all rows is read row by row, a larger one by words of bits. */
const MIN_DENSE_SHARE = 1 / 32;
/** It is faster to test this many rows one by one than to make the bits of a set. */
const MAX_TESTED_SHARE = 1 / 256;

/** The first rows of a dense set, up to this position, are found one by one without making its bits. */
const MAX_TESTED_POSITION = 1024;

/** The makers of a set's two forms, and a test of single rows that needs neither. */
interface Forms {
  readonly bits: () => Bits;
  readonly rows?: () => Uint32Array;
  readonly has?: (row: number) => boolean;
}

export class RowSet {
  readonly count: number;
  /** Whether the rows are faster to read than the bits. */
  readonly isSparse: boolean;
  readonly #forms: Forms;
  #bits: Bits | null = null;
  #rows: Uint32Array | null = null;

  /** A set of `count` rows, in a collection of `size` rows. A form that nobody reads is never made. */
  constructor(size: number, count: number, forms: Forms) {
    this.count = count;
    this.isSparse = count < size * MIN_DENSE_SHARE;
    this.#forms = forms;
  }

  static ofBits(bits: Bits, count = countBits(bits)): RowSet {
    return new RowSet(32 * bits.length, count, { bits: () => bits });
  }

  /** A set of ascending rows, in a collection of `size` rows. */
  static ofRows(rows: Uint32Array, size: number): RowSet {
    return new RowSet(size, rows.length, { bits: () => bitsOf(rows, size), rows: () => rows });
  }

  get bits(): Bits {
    this.#bits ??= this.#forms.bits();
    return this.#bits;
  }

  get rows(): Uint32Array {
    this.#rows ??= this.#forms.rows?.() ?? membersAt(this.bits, 0, this.count);
    return this.#rows;
  }

  /** The rows at positions `from` to `to` of the ascending set, the latter excluded; both within its size. */
  rowsAt(from: number, to: number): Uint32Array {
    if (this.isSparse) return this.rows.subarray(from, to);
    if (this.#bits !== null || !this.#forms.has || to > MAX_TESTED_POSITION) return membersAt(this.bits, from, to);
    const rows = new Uint32Array(Math.max(0, to - from));
    for (let row = 0, position = 0; position < to; row++) {
      if (this.#forms.has(row) && position++ >= from) rows[position - 1 - from] = row;
    }
    return rows;
  }

  /** How many numbers of 4 bytes the set holds by now. */
  get heldNumbers(): number {
    return (this.#bits?.length ?? 0) + (this.#rows?.length ?? 0);
  }

  has(row: number): boolean {
    return this.#bits === null && this.#forms.has ? this.#forms.has(row) : hasBit(this.bits, row);
  }
}

function bitsOf(rows: Uint32Array, size: number): Bits {
  const bits = createBits(size);
  setAll(bits, rows);
  return bits;
}

/** The intersection of at least one set, in a collection of `size` rows. */
export function inAll(sets: readonly RowSet[], size: number): RowSet {
  const [smallest, ...others] = sets.toSorted((a, b) => a.count - b.count);
  if (smallest === undefined) throw new Error('there is no set');
  if (others.length === 0) return smallest;
  if (smallest.isSparse) {
    const rows = others.reduce((left, set) => rowsIn(set, left, size), smallest.rows);
    return RowSet.ofRows(rows, size);
  }
  return RowSet.ofBits(others.reduce((left, { bits }) => intersect(left, bits), smallest.bits));
}

/** The ascending rows that are in a set. */
function rowsIn(set: RowSet, rows: Uint32Array, size: number): Uint32Array {
  if (rows.length < size * MAX_TESTED_SHARE) return rows.filter((row) => set.has(row));
  const { bits } = set;
  const common = new Uint32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    common[count] = row;
    // An addition in place of a branch, which the processor could not predict.
    count += (bits[row >>> 5]! >>> (row & 31)) & 1;
  }
  return common.subarray(0, count);
}
