/**
 * Text ↔ codes of its words (`store/word-codes.ts`), sixteen bytes at a time. Bytes read beyond a word are masked; bytes
 * written beyond it are overwritten by the next word.
 */
import {
  CODE,
  CODE_LENGTH,
  COUNT,
  FIRST_LENGTH,
  FIRST_SHIFT,
  FIRSTS,
  IS_LETTER,
  KNOWN,
  LITERAL,
  MASKS,
  MAX_LITERAL_BYTES,
  MAX_WORD_LENGTH,
  POSITION,
  SLOT_BITS,
  SLOT_BYTES,
  SLOTS,
  TABLE,
  WORD_BYTES,
} from './word-codes-layout.js';

const TABLE_BYTES: usize = SLOTS * SLOT_BYTES;
const MAX_KNOWN: u32 = (SLOTS / 4) * 3;
const SPACE: u32 = 0x20;
/** The lowest first byte, in UTF-8, of Chinese, Japanese and Korean characters: each of them begins a word. */
const WIDE: u32 = 0xe3;
const MULTIPLIER: u64 = (0x9e3779b9 << 32) | 0x7f4a7c15;

/** The word read last, and its slot, or the free slot where it belongs. */
let low: u64 = 0;
let high: u64 = 0;
let slot: usize = 0;

/* @inline */ function isLetter(at: usize): bool {
  return load<u8>(<usize>load<u8>(at), IS_LETTER) !== 0;
}

/** Whether a space stands at `at` with a letter behind it: the space is part of that word. */
/* @inline */ function beginsWord(at: usize): bool {
  return <u32>load<u8>(at) === SPACE && isLetter(at + 1);
}

/** Finds the word that begins at `start`; returns where it ends. */
/* @inline */ function readWord(start: usize, end: usize): usize {
  const stop = min(start + MAX_WORD_LENGTH, end);
  let at = start + usize(beginsWord(start));
  if (isLetter(at)) {
    do at++;
    while (at < stop && isLetter(at) && <u32>load<u8>(at) < WIDE);
  } else {
    do at++;
    while (at < stop && !isLetter(at) && !beginsWord(at));
  }
  const length = at - start;
  const mask = MASKS + (length << 4);
  low = load<u64>(start) & load<u64>(mask);
  high = (load<u64>(start, 8) & load<u64>(mask, 8)) | ((<u64>length) << 56);
  const hash = ((low ^ (high * MULTIPLIER)) * MULTIPLIER) >> (64 - SLOT_BITS);
  slot = (<usize>hash) << 5;
  while (load<u64>(TABLE + slot) !== low || load<u64>(TABLE + slot, 8) !== high) {
    if (load<u64>(TABLE + slot, 8) === 0) break;
    slot = (slot + SLOT_BYTES) & (TABLE_BYTES - 1);
  }
  slot += TABLE;
  return at;
}

/** Counts the words of a text in the table; new words only until the table is three quarters full. */
export function learn(start: usize, end: usize): void {
  for (let at = start; at < end; ) {
    at = readWord(at, end);
    if (load<u64>(slot, 8) === 0) {
      if (load<u32>(KNOWN) >= MAX_KNOWN) continue;
      store<u32>(KNOWN, load<u32>(KNOWN) + 1);
      store<u64>(slot, low);
      store<u64>(slot, high, 8);
    }
    store<u32>(slot, load<u32>(slot, COUNT) + 1, COUNT);
  }
}

/** Writes the codes of a text, which are at most three times as long; returns where they end. */
export function encode(start: usize, end: usize, into: usize): usize {
  let to = into;
  // The address of the length byte of the literal before; 0 if a code stands there.
  let literal: usize = 0;
  for (let at = start; at < end; ) {
    const word = at;
    at = readWord(at, end);
    const codeLength = load<u32>(slot, CODE_LENGTH);
    if (codeLength > 0) {
      store<u32>(to, load<u32>(slot, CODE));
      to += <usize>codeLength;
      literal = 0;
      continue;
    }
    // Neighbouring words without a code share one literal, as long as its length fits a byte.
    const length = <u32>(at - word);
    if (literal === 0 || <u32>load<u8>(literal) + length > MAX_LITERAL_BYTES) {
      store<u32>(to, LITERAL);
      literal = to + 1;
      to += 2;
    }
    v128.store(to, v128.load(word));
    to += <usize>length;
    store<u8>(literal, <u32>load<u8>(literal) + length);
  }
  return to;
}

/**
 * Decodes the codes before `end` until the text reaches `stop`; returns the end of the text, and writes the end of the codes
 * to `POSITION`. `words` is the table of words by code. A table gives the code of each first byte, since a branch on the
 * length of codes could not be predicted. Two more bytes are read for every code; a shift drops those that are not its own.
 */
export function decode(start: usize, end: usize, into: usize, stop: usize, words: usize): usize {
  let at = start;
  let to = into;
  while (at < end && to < stop) {
    const first = FIRSTS + ((<usize>load<u8>(at)) << 3);
    const length = <usize>load<u8>(first, FIRST_LENGTH);
    if (length > 0) {
      const behind = (((<u32>load<u8>(at, 1)) << 8) | <u32>load<u8>(at, 2)) >> <u32>load<u8>(first, FIRST_SHIFT);
      const word = words + ((<usize>(load<u32>(first) + behind)) << 4);
      v128.store(to, v128.load(word));
      to += <usize>load<u8>(word, MAX_WORD_LENGTH);
      at += length;
      continue;
    }
    const bytes = <usize>load<u8>(at, 1);
    for (let copied: usize = 0; copied < bytes; copied += WORD_BYTES)
      v128.store(to + copied, v128.load(at + 2 + copied));
    at += 2 + bytes;
    to += bytes;
  }
  store<u32>(POSITION, <u32>at);
  return to;
}
