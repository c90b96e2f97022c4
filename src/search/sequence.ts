/**
 * What is kept of the records while an index is built: their words in order, as codes of 7 bits a byte, high bit set
 * where a code goes on (LEB128). Code 0 is a gap: what stands on both sides of it is not adjacent. Code 1 + f begins
 * field f, and the code after the last field's begins a field's words beside the sequence, which do not count towards
 * its length. Every other code is a term plus `firstTermCode`. Terms are numbered as they first occur, so frequent
 * ones have short codes. Reading back costs about 1.5 ns a word.
 */

export const GAP = 0;
export const fieldCode = (field: number): number => 1 + field;
export const besideCode = (fields: number): number => 1 + fields;
export const firstTermCode = (fields: number): number => 2 + fields;

/** The sequences of all rows, one after the other. */
export interface Sequences {
  readonly bytes: Uint8Array;
  /** Row r's codes are `bytes[starts[r] .. starts[r + 1])`. */
  readonly starts: Uint32Array;
  /** How many rows have a record, and which. */
  readonly documents: number;
  readonly hasRecord: Uint8Array;
}

/** A growing byte array of codes. */
export class SequenceWriter {
  bytes = new Uint8Array(1 << 16);
  size = 0;

  write(code: number): void {
    if (this.size + 5 > this.bytes.length) this.grow();
    let rest = code;
    while (rest > 127) {
      this.bytes[this.size++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.size++] = rest;
  }

  private grow(): void {
    const larger = new Uint8Array(this.bytes.length * 2);
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

/** Reads the codes of `bytes[from .. to)` into `codes`; returns how many there are. */
export function readCodes(bytes: Uint8Array, from: number, to: number, codes: Uint32Array): number {
  let count = 0;
  for (let at = from; at < to; ) {
    let byte = bytes[at++]!;
    let code = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      code |= (byte & 127) << shift;
    }
    codes[count++] = code;
  }
  return count;
}
