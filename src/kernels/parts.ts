/**
 * Texts in UTF-8 → those that have a part, case and accents aside. Sixteen places are looked at at a time: where the first and the
 * last byte of the part stand, all of it is compared (Muła, "SIMD-friendly algorithms for substring searching", 2016). A text beyond
 * ASCII is folded character by character before that. Characters whose folded form depends on their neighbours, such as combining
 * marks, make a text unread: it is left to the caller.
 */

import { entryOf, numberIn } from './entries.js';
import { CASES, FOLDED, FOLDS, FOUND, IS_FOLDED, LENGTH_SHIFT, PART, STARTS, UNREAD } from './parts-layout.js';

const CAPITAL_A: u32 = 0x41;
const CAPITAL_Z: u32 = 0x5a;
/** The bit that tells a small letter from its capital. */
const CASE_BIT: u32 = 0x20;

/** How many texts were unread by the last call of `find`. */
export let unread: u32 = 0;

/**
 * Finds the texts that have the part of `length` bytes. Only a part in ASCII can be found without folding a text. Without `hasOthers`
 * all texts are in ASCII.
 */
export function find(texts: u32, length: usize, isAscii: bool, hasOthers: bool): u32 {
  const first = i8x16.splat(load<u8>(PART));
  const firstCase = i8x16.splat(load<u8>(CASES));
  const last = i8x16.splat(load<u8>(PART + length - 1));
  const lastCase = i8x16.splat(load<u8>(CASES + length - 1));
  let matches: u32 = 0;
  unread = 0;
  for (let text: u32 = 0; text < texts; text++) {
    const from: usize = numberIn(STARTS, text);
    const to: usize = numberIn(STARTS, text + 1);
    // Folding never parts ASCII characters by what it removes or adds beside them, nor puts any before the first one or behind the last.
    if (isAscii && hasPart(from, to, length, first, firstCase, last, lastCase))
      store<u32>(entryOf(FOUND, matches++), text);
    else if (hasOthers && isBeyondAscii(from, to)) {
      const end = foldedEnd(from, to);
      if (end === 0) store<u32>(entryOf(UNREAD, unread++), text);
      else if (hasPart(FOLDED, end, length, first, firstCase, last, lastCase))
        store<u32>(entryOf(FOUND, matches++), text);
    }
  }
  return matches;
}

/** Whether the text `[from … to)` has the part. `first` and `last` are sixteen times its outer bytes, `firstCase` and `lastCase` their case bits. */
/* @inline */ function hasPart(
  from: usize,
  to: usize,
  length: usize,
  first: v128,
  firstCase: v128,
  last: v128,
  lastCase: v128,
): bool {
  if (to - from < length) return false;
  const lastStart = to - length;
  for (let at = from; at <= lastStart; at += 16) {
    const areFirst = i8x16.eq(v128.or(v128.load(at), firstCase), first);
    const areLast = i8x16.eq(v128.or(v128.load(at + length - 1), lastCase), last);
    let places: u32 = i8x16.bitmask(v128.and(areFirst, areLast));
    // The last of the sixteen places may stand behind the last one at which the part has room.
    const startsLeft = lastStart - at;
    if (startsLeft < 15) places &= (2 << (<u32>startsLeft)) - 1;
    for (; places !== 0; places &= places - 1) if (isPartAt(at + ctz(places), length)) return true;
  }
  return false;
}

/** Whether all of the part stands at `at`, whatever the case of its letters. */
function isPartAt(at: usize, length: usize): bool {
  let i: usize = 0;
  for (; i + 16 <= length; i += 16) {
    const bytes = v128.or(v128.load(at + i), v128.load(CASES + i));
    if (i8x16.bitmask(i8x16.eq(bytes, v128.load(PART + i))) !== 0xffff) return false;
  }
  for (; i < length; i++) if ((load<u8>(at + i) | load<u8>(CASES + i)) !== load<u8>(PART + i)) return false;
  return true;
}

function isBeyondAscii(from: usize, to: usize): bool {
  let at = from;
  for (; at + 16 <= to; at += 16) if (i8x16.bitmask(v128.load(at)) !== 0) return true;
  for (; at < to; at++) if (load<u8>(at) > 127) return true;
  return false;
}

/** Writes the folded text to `FOLDED`; returns its end, or 0 for a text that is unread. */
function foldedEnd(from: usize, to: usize): usize {
  let end: usize = FOLDED;
  for (let at = from; at < to; ) {
    const byte: u32 = load<u8>(at);
    if (byte < 0x80) {
      store<u8>(end++, isIn(byte, CAPITAL_A, CAPITAL_Z) ? byte | CASE_BIT : byte);
      at++;
    } else if (byte < 0xe0) {
      const folded = numberIn(FOLDS, ((byte & 31) << 6) | (<u32>load<u8>(at + 1) & 63));
      if ((folded & IS_FOLDED) === 0) return 0;
      store<u32>(end, folded);
      end += (folded >> LENGTH_SHIFT) & 127;
      at += 2;
    } else {
      const length: usize = byte < 0xf0 ? 3 : 4;
      // Pictures are the only characters of four bytes that are known: they begin with F0 9F.
      const isKnown = length === 3 ? isItsOwnFold(wideCharacter(at)) : byte === 0xf0 && load<u8>(at + 1) === 0x9f;
      if (!isKnown) return 0;
      store<u32>(end, load<u32>(at));
      end += length;
      at += length;
    }
  }
  return end;
}

/** The character of three bytes. */
/* @inline */ function wideCharacter(at: usize): u32 {
  return ((<u32>load<u8>(at) & 15) << 12) | ((<u32>load<u8>(at + 1) & 63) << 6) | (<u32>load<u8>(at + 2) & 63);
}

/** Whether a character of three bytes is folded to itself: punctuation, currencies, Kana, Han, Hangul. Others are left to the caller. */
/* @inline */ function isItsOwnFold(character: u32): bool {
  return (
    isIn(character, 0x2010, 0x203f) ||
    isIn(character, 0x20a0, 0x20bf) ||
    isIn(character, 0x3000, 0x3029) ||
    isIn(character, 0x3030, 0x3098) ||
    isIn(character, 0x309b, 0x9fff) ||
    isIn(character, 0xac00, 0xd7a3)
  );
}

/** Whether a character is one from `first` to `last`: unsigned, one below `first` becomes a large number. */
/* @inline */ function isIn(character: u32, first: u32, last: u32): bool {
  return character - first <= last - first;
}
