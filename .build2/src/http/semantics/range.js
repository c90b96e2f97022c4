/** `Range` requests (RFC 9110, section 14): one range of bytes; anything else is answered with the whole. */
const SINGLE = /^bytes=\s*(?:(\d+)-(\d*)|-(\d+))\s*$/i;
/**
 * The range that a field asks for of `size` bytes; null where the field is to be ignored (another unit, several ranges,
 * no range at all: section 14.2), `unsatisfiable` where it lies past the end.
 */
export function byteRange(field, size) {
    const found = SINGLE.exec(field);
    if (found === null)
        return null;
    const [, first, last, suffix] = found;
    if (suffix !== undefined) {
        const length = Math.min(Number(suffix), size);
        return length === 0 ? 'unsatisfiable' : { from: size - length, to: size };
    }
    const from = Number(first);
    const to = last === '' ? size : Number(last) + 1;
    if (to <= from)
        return last === '' ? 'unsatisfiable' : null;
    return from >= size ? 'unsatisfiable' : { from, to: Math.min(to, size) };
}
/** What of the whole is sent: `bytes 0-99/1234`. */
export const contentRange = ({ from, to }, size) => `bytes ${from}-${to - 1}/${size}`;
/** What there would be to ask for, on a 416. */
export const unsatisfiedRange = (size) => `bytes */${size}`;
