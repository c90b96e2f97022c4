/**
 * The site of an address is its host without `www.`, as `new URL` reads it, so that records are counted and filtered by where
 * their links lead: `https://www.example.com/a?b` is of `example.com`, `https://shop.test:x@evil.test/` of `evil.test`. An
 * address that is relative, or of another scheme, is of none.
 */
import { contentsAt } from '../batch.js';
import { BACKSLASH, COLON, HYPHEN, POINT, SLASH, SPACE } from '../kernels/ascii.js';
import { isDigit, isLetter, lowerCase, parseUrl } from '../text.js';

const [QUESTION_MARK, HASH_SIGN, UNDERSCORE, SMALL_S] = [0x3f, 0x23, 0x5f, 0x73] as const;

const isPathStart = (byte: number): boolean => byte === SLASH || byte === QUESTION_MARK || byte === HASH_SIGN;
const isHostByte = (byte: number): boolean =>
  isDigit(byte) || isLetter(byte) || byte === HYPHEN || byte === POINT || byte === UNDERSCORE;

/**
 * Where in `bytes[start … end)` the site of an address stands, its end excluded; null where it has none. `odd` is an address
 * whose site may be spelt otherwise than it stands there: `siteOf` reads it.
 */
export function siteIn(
  bytes: Uint8Array,
  start: number,
  end: number,
): readonly [from: number, to: number] | 'odd' | null {
  let from = start;
  while (from < end && bytes[from]! <= SPACE) from++;
  if (bytes[from] === BACKSLASH) return 'odd';
  if (!startsWith(bytes, from, end, 'http')) return null;
  from += lowerCase(bytes[from + 4] ?? 0) === SMALL_S ? 'https'.length : 'http'.length;
  if (!startsWith(bytes, from, end, '://')) return startsWith(bytes, from, end, ':') ? 'odd' : null;
  from += '://'.length;
  let to = from;
  /** Where the last label begins: `0x7f.1` and `127.1` are numbers, which `new URL` spells anew. */
  let label = from;
  for (; to < end && isHostByte(bytes[to]!); to++)
    if (bytes[to] === POINT && to + 1 < end && isHostByte(bytes[to + 1]!)) label = to + 1;
  if (to === from || isDigit(bytes[label]!) || hasPunycode(bytes, from, to)) return 'odd';
  let behind = to;
  if (bytes[behind] === COLON) for (behind++; behind < end && isDigit(bytes[behind]!); ) behind++;
  // A port of five digits may be out of range: `http://a.test:99999/` is no address.
  if (behind - to > ':9999'.length) return 'odd';
  if (behind < end && !isPathStart(bytes[behind]!)) return 'odd';
  if (startsWith(bytes, from, to, 'www.')) from += 'www.'.length;
  return to > from ? [from, to] : null;
}

/** Whether a label may be `xn--…`, which is no host where it cannot be decoded: `http://xn--a/` is no address. */
function hasPunycode(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at++) if (bytes[at] === HYPHEN && bytes[at - 1] === HYPHEN) return true;
  return false;
}

/** `text` is in lower case. */
function startsWith(bytes: Uint8Array, from: number, end: number, text: string): boolean {
  if (from + text.length > end) return false;
  for (let i = 0; i < text.length; i++) if (lowerCase(bytes[from + i]!) !== text.charCodeAt(i)) return false;
  return true;
}

/** The site of an address, or null. Takes a microsecond, where `siteIn` takes a few nanoseconds. */
export function siteOf(address: string): string | null {
  const url = parseUrl(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return url.hostname.replace(/^www\./, '') || null;
}

/** The site of an odd address, as UTF-8; empty where it has none. */
export const oddSite = (bytes: Buffer, start: number, end: number): Buffer =>
  Buffer.from(siteOf(contentsAt(bytes, start, end)) ?? '');
