/**
 * Texts side by side in memory, and the search for those that have a part. All texts in ASCII are searched as one (Horspool,
 * "Practical fast searching in strings", 1980): the longer the part, the fewer bytes are read. Other texts are folded one by one.
 */
import { firstWhere } from '../arrays.js';
import { fold, lowerCase, textOfBytes } from '../text.js';

/** Plain values, so that they can move to another thread. */
export interface Texts {
  /** Text t is `bytes[offsets[t] … offsets[t + 1])`, in UTF-8. */
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
  /** The texts with other characters than ASCII, ascending. */
  readonly others: Uint32Array;
}

/** The texts that have a part, case and accents aside, ascending. An empty text has none. */
export function textsWithPart(texts: Texts, part: string): Uint32Array {
  const { bytes, offsets, others } = texts;
  const folded = fold(part);
  // Marks alone are folded to nothing, which is a part of any text.
  if (folded === '')
    return new Uint32Array(offsets.length - 1)
      .map((_, text) => text)
      .filter((text) => offsets[text] !== offsets[text + 1]);
  const otherMatches = others.filter((text) =>
    fold(textOfBytes(bytes, offsets[text]!, offsets[text + 1]!)).includes(folded),
  );
  const needle = Buffer.from(folded);
  if (needle.some((byte) => byte >= 0x80)) return otherMatches;
  const asciiMatches = asciiTextsWith(texts, needle);
  if (otherMatches.length === 0) return asciiMatches;
  const matches = new Uint32Array(asciiMatches.length + otherMatches.length);
  matches.set(asciiMatches);
  matches.set(otherMatches, asciiMatches.length);
  return matches.sort();
}

/** The texts in ASCII that have a folded text as a part, ascending. */
function asciiTextsWith({ bytes, offsets, others }: Texts, needle: Uint8Array): Uint32Array {
  const nextPlace = placeFinder(bytes, needle);
  const matches = new Uint32Array(offsets.length - 1);
  let size = 0;
  let nextOther = 0;
  for (let place = nextPlace(0), text = 0; place >= 0; ) {
    text = textWithByte(offsets, place, text);
    while (nextOther < others.length && others[nextOther]! < text) nextOther++;
    // A part that begins in one text and ends in the next is in neither.
    const isWithin = place + needle.length <= offsets[text + 1]!;
    if (isWithin && others[nextOther] !== text) matches[size++] = text;
    place = nextPlace(isWithin ? offsets[text + 1]! : place + 1);
  }
  return matches.subarray(0, size);
}

/** Finds the first place, at or behind another one, where a folded text stands in bytes; -1 where there is none. */
function placeFinder(bytes: Uint8Array, needle: Uint8Array): (from: number) => number {
  const { shifts, shiftOfLast } = shiftsOf(needle);
  const beforeLast = needle.length - 1;
  return (from) => {
    for (let last = from + beforeLast; last < bytes.length; ) {
      const shift = shifts[bytes[last]!]!;
      if (shift > 0) last += shift;
      else if (isAt(bytes, last - beforeLast, needle)) return last - beforeLast;
      else last += shiftOfLast;
    }
    return -1;
  };
}

/**
 * By byte at the end of a place: how far the next place is where a text may be; 0 for the last byte of the text, of which the text may
 * be here. `shiftOfLast` is how far the next place is where it is not.
 */
function shiftsOf(needle: Uint8Array) {
  const end = needle.length - 1;
  const shifts = new Uint32Array(256).fill(needle.length);
  for (let i = 0; i < end; i++) {
    for (let byte = 0; byte < 0x80; byte++) if (lowerCase(byte) === needle[i]) shifts[byte] = end - i;
  }
  const shiftOfLast = shifts[needle[end] ?? 0]!;
  for (let byte = 0; byte < 0x80; byte++) if (lowerCase(byte) === needle[end]) shifts[byte] = 0;
  return { shifts, shiftOfLast };
}

function isAt(bytes: Uint8Array, from: number, needle: Uint8Array): boolean {
  for (let i = 0; i < needle.length; i++) if (lowerCase(bytes[from + i]!) !== needle[i]) return false;
  return true;
}

/** Texts that are looked at before the others are halved. */
const NEAR_TEXTS = 4;

/** The text that has the byte at a place: `from` or a later one, mostly one of the next. */
function textWithByte(offsets: Uint32Array, place: number, from: number): number {
  for (let text = from; text < from + NEAR_TEXTS; text++) if (offsets[text + 1]! > place) return text;
  let step = NEAR_TEXTS;
  while (from + step < offsets.length && offsets[from + step]! <= place) step *= 2;
  const behind = firstWhere(from + 1, Math.min(from + step, offsets.length - 1), (text) => offsets[text]! > place);
  return behind - 1;
}
