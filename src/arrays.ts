/**
 * Typed arrays, and the memory behind them: arrays that grow while a dataset is built, narrow ones, and a binary search. Past a
 * small size an array is given far more room than it needs. Memory that was never written to costs nothing but addresses, so
 * these arrays are hardly ever copied, and a finished array is a view.
 */
type TypedArray = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

const MAX_EXACT_BYTES = 1 << 20;
/**
 * The greatest threshold from which glibc maps memory: a block of this size goes back to the system once it is collected, where
 * a smaller one leaves a hole among others.
 */
const RETURNED_BYTES = 32 << 20;

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
export const uint8 = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length);

/** The greatest of some numbers that are not negative; 0 if there are none. */
export function greatest(numbers: Iterable<number>): number {
  let largest = 0;
  for (const number of numbers) if (number > largest) largest = number;
  return largest;
}

export type Narrow = Uint8Array | Uint16Array | Uint32Array;
/** The bytes of the smallest typed array for numbers up to `most`: 1, 2 or 4. */
export function bytesFor(most: number): 1 | 2 | 4 {
  if (most <= 0xff) return 1;
  return most <= 0xffff ? 2 : 4;
}
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

/** The first number in [low, high) that meets a condition which all later ones meet as well; else `high`. */
export function firstWhere(low: number, high: number, holds: (place: number) => boolean): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** The memory behind every typed array in a value, each once: what to transfer when the value is posted to a thread. */
export function buffersIn(value: unknown, found: Set<ArrayBuffer> = new Set()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (value instanceof Map || Array.isArray(value)) {
    for (const inner of value.values()) buffersIn(inner, found);
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) buffersIn(inner, found);
  }
  return [...found];
}

/** Whether an error is V8's for lack of memory; it has neither a class nor a code of its own. */
export const isAllocationFailure = (error: unknown): error is Error =>
  error instanceof Error && /allocation failed|could not allocate|out of memory/i.test(error.message);
