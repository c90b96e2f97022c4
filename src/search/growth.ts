/** Typed arrays that grow by doubling while an index is built. */

/** `array` if it has `length` entries, else a copy with at least twice its own. */
export function enlarged(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const larger = new Uint32Array(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}

export function enlargedBytes(array: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const larger = new Uint8Array(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}
