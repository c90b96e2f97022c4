/** The bytes that the tables take: of each buffer as a whole, once. */
export function bytesOf(tables) {
    return [...buffersOf(tables)].reduce((sum, buffer) => sum + buffer.byteLength, 0);
}
function buffersOf(value, found = new Set()) {
    if (ArrayBuffer.isView(value))
        found.add(value.buffer);
    else if (typeof value === 'object' && value !== null)
        for (const inner of Object.values(value))
            buffersOf(inner, found);
    return found;
}
