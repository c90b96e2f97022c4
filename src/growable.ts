/** Typed arrays that grow by doubling while a dataset is built; what is finished holds them trimmed. */

type TypedArray = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

/** `array` if it has room for `length` elements, else a copy with room for at least twice its own. */
export function withRoom<T extends TypedArray>(array: T, length: number, create: (length: number) => T): T {
  if (length <= array.length) return array;
  const larger = create(Math.max(length, array.length * 2, 1024));
  larger.set(array);
  return larger;
}

/** The first `length` elements, without memory for many more: a view where few are left over, else a copy. */
export const trimmed = <T>(array: Sliceable<T>, length: number): T =>
  array.length - length <= length / 8 ? array.subarray(0, length) : array.slice(0, length);

interface Sliceable<T> {
  readonly length: number;
  subarray(from: number, to: number): T;
  slice(from: number, to: number): T;
}

export const float64 = (length: number): Float64Array<ArrayBuffer> => new Float64Array(length);
export const uint32 = (length: number): Uint32Array<ArrayBuffer> => new Uint32Array(length);
export const int32 = (length: number): Int32Array<ArrayBuffer> => new Int32Array(length);
export const uint16 = (length: number): Uint16Array<ArrayBuffer> => new Uint16Array(length);
export const uint8 = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length);
