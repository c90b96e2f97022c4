/**
 * Typed arrays that grow while a dataset is built. Past a small size they are given far more room than they need: memory
 * that was never written to costs nothing but addresses, so they are hardly ever copied, and what is finished is a view of them.
 * Blocks that large also go back to the system once they are collected, where smaller ones leave holes among what is kept.
 */
import { RETURNED_BYTES } from './memory.js';

type TypedArray = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

const MAX_EXACT_BYTES = 1 << 20;

/** `array` if it has room for `length` elements, else a copy with room for at least twice its own. */
export function withRoom<T extends TypedArray>(array: T, length: number, create: (length: number) => T): T {
  if (length <= array.length) return array;
  const larger = create(roomFor(Math.max(length, array.length * 2, 1024), array.BYTES_PER_ELEMENT));
  larger.set(array);
  return larger;
}

/** Elements to make room for where at least `length` are needed. */
export const roomFor = (length: number, bytesEach: number): number =>
  length * bytesEach <= MAX_EXACT_BYTES ? length : Math.max(length, RETURNED_BYTES / bytesEach);

export const float64 = (length: number): Float64Array<ArrayBuffer> => new Float64Array(length);
export const uint32 = (length: number): Uint32Array<ArrayBuffer> => new Uint32Array(length);
export const int32 = (length: number): Int32Array<ArrayBuffer> => new Int32Array(length);
export const uint16 = (length: number): Uint16Array<ArrayBuffer> => new Uint16Array(length);
export const uint8 = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length);

export type Narrow = Uint8Array | Uint16Array | Uint32Array;
/** The bytes of the smallest typed array for numbers up to `most`: 1, 2 or 4. */
export const bytesFor = (most: number): 1 | 2 | 4 => (most <= 0xff ? 1 : most <= 0xffff ? 2 : 4);
/** The smallest typed array for `length` numbers up to `most`. */
export const narrow = (length: number, most: number): Narrow =>
  narrowIn(new ArrayBuffer(length * bytesFor(most)), 0, bytesFor(most), length);
/** Numbers up to `most` in the smallest typed array; the same array if they need four bytes each. */
export function narrowed(numbers: Uint32Array, most: number): Narrow {
  if (bytesFor(most) === 4) return numbers;
  const narrower = narrow(numbers.length, most);
  narrower.set(numbers);
  return narrower;
}

/** A view of a buffer with 1, 2 or 4 bytes for each element. */
export function narrowIn(buffer: ArrayBufferLike, at: number, bytes: 1 | 2 | 4, length: number): Narrow {
  if (bytes === 1) return new Uint8Array(buffer, at, length);
  return bytes === 2 ? new Uint16Array(buffer, at, length) : new Uint32Array(buffer, at, length);
}
