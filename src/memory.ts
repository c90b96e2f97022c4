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

/**
 * The system gets back what is so large as soon as it is dropped (glibc's greatest threshold for mapping memory); of
 * smaller arrays, dropped among others that stay, it gets little. Memory that was never written to takes no room.
 */
export const RETURNED_BYTES = 32 << 20;
