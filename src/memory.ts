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
