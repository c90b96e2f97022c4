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

/**
 * The system gets back what is so large as soon as it is dropped (glibc's greatest threshold for mapping memory); of
 * smaller arrays, dropped among others that stay, it gets little. Memory that was never written to takes no room.
 */
export const RETURNED_BYTES = 32 << 20;

/** Where there is little to keep, a large block would only be more for the runtime to look after. */
const FIRST_BYTES = 1 << 16;

/** Copies of arrays that will be dropped together, in blocks that threads can share: of such a size, but for the first. */
export class Pool {
  private block = new SharedArrayBuffer(0);
  private used = 0;

  bytes(array: Uint8Array): Uint8Array {
    const copy = new Uint8Array(this.reserve(array.length), this.used, array.length);
    copy.set(array);
    this.used += wholeWords(array.length);
    return copy;
  }

  /** The block that has room for so many bytes at `used`. */
  private reserve(bytes: number): SharedArrayBuffer {
    if (this.used + bytes > this.block.byteLength) {
      this.block = new SharedArrayBuffer(Math.max(this.block.byteLength === 0 ? FIRST_BYTES : RETURNED_BYTES, bytes));
      this.used = 0;
    }
    return this.block;
  }
}

/**
 * Memory that threads share is copied word by word only between places that lie equally within words of so many bytes, and
 * byte by byte, in seven times the time, between others.
 */
export const WORD_BYTES = 8;

/** So many, or as few more as make whole words. */
export const wholeWords = (bytes: number): number => Math.ceil(bytes / WORD_BYTES) * WORD_BYTES;

/** The first place from one on that lies in its word as element `at`, of so many bytes, lies in a table's. */
export const alignedWith = (at: number, bytesEach: number, place: number): number =>
  wholeWords(place) + ((at * bytesEach) & (WORD_BYTES - 1));
