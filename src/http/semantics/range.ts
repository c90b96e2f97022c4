/** `Range` requests (RFC 9110, section 14): one range of bytes. Any other field is ignored, and the whole body is sent. */

/** The bytes from `from` up to `to`, which is excluded. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

const SINGLE = /^bytes=\s*(?:(\d+)-(\d*)|-(\d+))\s*$/i;

/**
 * The range that a field requests of `size` bytes; `unsatisfiable` where it lies past the end. Null where the field is
 * ignored: another unit, several ranges or no range at all (section 14.2).
 */
export function byteRange(field: string, size: number): ByteRange | null | 'unsatisfiable' {
  const match = SINGLE.exec(field);
  if (match === null) return null;
  const [, first, last, suffix] = match;
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? 'unsatisfiable' : { from: size - length, to: size };
  }
  const from = Number(first);
  const to = last === '' ? size : Number(last) + 1;
  if (to <= from) return last === '' ? 'unsatisfiable' : null;
  return from >= size ? 'unsatisfiable' : { from, to: Math.min(to, size) };
}
