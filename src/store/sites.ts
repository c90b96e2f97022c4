/**
 * The site of an address is its host without `www.`, so that records are counted and filtered by where they come from:
 * `https://www.example.com/a?b` is of `example.com`. An address that is relative, or of another scheme, is of none.
 */
import { BACKSLASH, COLON, lowerCase, QUOTE, SPACE } from '../text.js';

const ENDS: ReadonlySet<number> = new Set([...Buffer.from('/?#'), QUOTE, BACKSLASH, COLON]);
const AT = 0x40;

/** Where in `bytes[start … end)` the site of an address stands, its end excluded; null where it has none. */
export function siteIn(bytes: Uint8Array, start: number, end: number): readonly [from: number, to: number] | null {
  let from = start;
  while (from < end && bytes[from]! <= SPACE) from++;
  if (!startsWith(bytes, from, end, 'http')) return null;
  from += lowerCase(bytes[from + 4] ?? 0) === 0x73 ? 5 : 4;
  if (!startsWith(bytes, from, end, '://')) return null;
  from += 3;
  let to = from;
  while (to < end && bytes[to]! > SPACE && !ENDS.has(bytes[to]!)) {
    // A user's name stands before the `@`.
    if (bytes[to] === AT) from = to + 1;
    to++;
  }
  if (startsWith(bytes, from, to, 'www.')) from += 4;
  return to > from ? [from, to] : null;
}

function startsWith(bytes: Uint8Array, from: number, end: number, text: string): boolean {
  if (from + text.length > end) return false;
  for (let i = 0; i < text.length; i++) if (lowerCase(bytes[from + i]!) !== text.charCodeAt(i)) return false;
  return true;
}

/** The site of an address, or null. */
export function siteOf(address: string): string | null {
  const bytes = Buffer.from(address);
  const [from, to] = siteIn(bytes, 0, bytes.length) ?? [0, 0];
  return to === 0 ? null : bytes.toString('utf8', from, to).toLowerCase();
}
