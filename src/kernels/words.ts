/**
 * Texts → numbered tokens. A token is a run of bytes between separators that never connect words. A token of one to sixteen
 * ASCII letters, perhaps with a full stop or comma behind them, is an ASCII word: its letters are packed into 80 bits, which
 * are its key. Every other token is a raw token: its key is a hash, and its bytes are stored, to compare them and for the
 * tokenizer. Tokens are numbered from 0 on, in the order of their first occurrence.
 *
 * An entry of the hash table (open addressing, linear probing):
 *
 *     bytes 0-7    packed letters 1 to 12, 5 bits each; of a raw token its hash, with the highest bit set; 0: free
 *     bytes 8-11   packed letters 13 to 16; of a raw token where its bytes stand, behind a byte that says how many
 *     bytes 12-15  the token's number
 */
import { LETTER_U } from './ascii.js';
import {
  ESCAPE,
  LETTER_BITS,
  MAX_TOKEN_BYTES,
  NEEDS_TABLE,
  NEEDS_TOKENIZER,
  READ_ALL,
  STOP,
  TEXT_BYTES,
  TOKEN_ENTRY_BYTES,
  TOKEN_SEPARATOR,
} from './words-layout.js';

const LETTERS: u32 = 16;
const RAW_TOKEN: u64 = 1 << 63;
const MULTIPLIER: u64 = (0x9e3779b9 << 32) | 0x7f4a7c15;
const OTHER_MULTIPLIER: u64 = (0xc2b2ae3d << 32) | 0x27d4eb4f;

/** The number of distinct tokens. */
export let tokens: u32 = 0;
/** The stop of `read`: the text, the address in it (0 before its beginning), and the end of the token there. */
export let stopText: u32 = 0;
export let at: usize = 0;
export let tokenEnd: usize = 0;
/** The end of the stream written last. */
export let written: usize = 0;
/** The end of the bytes of raw tokens. */
export let arena: usize = 0;

let table: usize = 0;
let mask: u32 = 0;
let shift: u64 = 0;
let entries: u32 = 0;

/** Numbers a token that has no entry. */
export function addToken(): u32 {
  return tokens++;
}

/** Moves the entries to a table of `slots` zeroed entries, a power of two. */
export function useTable(address: usize, slots: u32): void {
  let entry = table;
  const end = table + (mask === 0 ? 0 : (<usize>mask + 1) * TOKEN_ENTRY_BYTES);
  table = address;
  mask = slots - 1;
  shift = 64 - u64(ctz(slots));
  for (; entry < end; entry += TOKEN_ENTRY_BYTES) {
    const key = load<u64>(entry);
    if (key === 0) continue;
    const lastLetters = load<u32>(entry, 8);
    let slot = slotOf(key, key & RAW_TOKEN ? 0 : lastLetters);
    while (load<u64>(slotAddress(slot)) !== 0) slot++;
    const moved = slotAddress(slot);
    store<u64>(moved, key);
    store<u64>(moved, load<u64>(entry, 8), 8);
  }
}

/** Stores the bytes of further raw tokens at `address`. Its caller makes space for those of all texts that are read. */
export function useArena(address: usize): void {
  arena = address;
}

/* @inline */ function slotAddress(slot: u32): usize {
  return table + <usize>(slot & mask) * TOKEN_ENTRY_BYTES;
}

/** Multiplicative hashing: the highest bits of a product depend on every bit of the key (Knuth, volume 3, section 6.4). */
/* @inline */ function slotOf(key: u64, lastLetters: u32): u32 {
  return <u32>(((key ^ (<u64>lastLetters * OTHER_MULTIPLIER)) * MULTIPLIER) >> shift);
}

/* @inline */ function classAt(address: usize): u32 {
  return load<u8>(<usize>load<u8>(address));
}

/** Begins the texts of a batch. */
export function begin(): void {
  stopText = 0;
  at = 0;
}

/**
 * Reads texts up to the `count`-th. A text is a mark for the stream (0: none), where its bytes begin, and where the quote
 * behind them stands. Writes marks and tokens to `out`, 4 bytes each; returns why it stopped.
 */
export function read(texts: usize, count: u32, out: usize): u32 {
  let to = out;
  while (stopText < count) {
    const text = texts + <usize>stopText * TEXT_BYTES;
    const end = <usize>load<u32>(text, 8);
    let p = at;
    if (p === 0) {
      p = <usize>load<u32>(text, 4);
      const mark = load<i32>(text);
      if (mark !== 0) {
        store<i32>(to, mark);
        to += 4;
      }
    }
    while (p < end) {
      let kind = classAt(p);
      if (kind === TOKEN_SEPARATOR) {
        p++;
        continue;
      }
      if (kind === ESCAPE) {
        p += load<u8>(p, 1) === LETTER_U ? 6 : 2;
        continue;
      }
      const isTableFull = entries * 4 > mask * 3;
      if (isTableFull) return stopAt(p, to, NEEDS_TABLE);
      const letters = i8x16.sub(v128.or(v128.load(p), i8x16.splat(0x20)), i8x16.splat(0x60));
      const isLetter = i8x16.lt_u(i8x16.sub(letters, i8x16.splat(1)), i8x16.splat(26));
      const length: u32 = ctz(~i8x16.bitmask(isLetter));
      let behind = p + <usize>length;
      kind = classAt(behind);
      if (kind === STOP) kind = classAt(++behind);
      if (kind >= TOKEN_SEPARATOR && length > 0 && length <= LETTERS) {
        store<u32>(to, wordOf(letters, length));
        to += 4;
        p = behind;
        continue;
      }
      while (kind < TOKEN_SEPARATOR) kind = classAt(++behind);
      const bytes = behind - p;
      if (bytes > MAX_TOKEN_BYTES) {
        tokenEnd = behind;
        return stopAt(p, to, NEEDS_TOKENIZER);
      }
      store<u32>(to, rawTokenOf(p, bytes));
      to += 4;
      p = behind;
    }
    at = 0;
    stopText++;
  }
  written = to;
  return READ_ALL;
}

/* @inline */ function stopAt(address: usize, to: usize, reason: u32): u32 {
  at = address;
  written = to;
  return reason;
}

/** The number of the word of `length` letters, which are numbers from 1 to 26. */
/* @inline */ function wordOf(letters: v128, length: u32): u32 {
  const numbers = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const word = v128.and(letters, i8x16.lt_s(numbers, i8x16.splat(<i8>length)));
  // Two letters to ten bits, then four to twenty.
  const twos = v128.or(i16x8.shr_u(i16x8.shl(word, 8), 8 - LETTER_BITS), i16x8.shr_u(word, 8));
  const fours = i32x4.dot_i16x8_s(twos, i16x8(1024, 1, 1024, 1, 1024, 1, 1024, 1));
  const low = i64x2.extract_lane(fours, 0);
  const high = i64x2.extract_lane(fours, 1);
  const key = ((low & 0xfffff) << 40) | ((low >> 32) << 20) | (high & 0xfffff);
  const lastLetters = <u32>(high >> 32);
  let slot = slotOf(key, lastLetters);
  let entry = slotAddress(slot);
  for (let entryKey = load<u64>(entry); entryKey !== 0; entryKey = load<u64>(entry)) {
    if (entryKey === key && load<u32>(entry, 8) === lastLetters) return load<u32>(entry, 12);
    entry = slotAddress(++slot);
  }
  return addEntry(entry, key, lastLetters);
}

function addEntry(entry: usize, key: u64, rest: u32): u32 {
  store<u64>(entry, key);
  store<u32>(entry, rest, 8);
  store<u32>(entry, tokens, 12);
  entries++;
  return tokens++;
}

/** The number of the raw token of `bytes` bytes at `address`. */
function rawTokenOf(address: usize, bytes: usize): u32 {
  const key = hashOf(address, bytes);
  let slot = slotOf(key, 0);
  let entry = slotAddress(slot);
  for (let entryKey = load<u64>(entry); entryKey !== 0; entryKey = load<u64>(entry)) {
    if (entryKey === key && isStoredAt(<usize>load<u32>(entry, 8), address, bytes)) return load<u32>(entry, 12);
    entry = slotAddress(++slot);
  }
  const stored = arena;
  store<u8>(stored, <u8>bytes);
  memory.copy(stored + 1, address, bytes);
  arena += bytes + 1;
  return addEntry(entry, key, <u32>stored);
}

/** Hashes eight bytes at a time; a shift removes the bytes that are read behind the token. */
/* @inline */ function hashOf(address: usize, bytes: usize): u64 {
  let hash = <u64>bytes;
  let p = address;
  let bytesLeft = <i32>bytes;
  for (; bytesLeft > 8; bytesLeft -= 8) {
    hash = rotl<u64>((hash ^ load<u64>(p)) * MULTIPLIER, 29);
    p += 8;
  }
  const last = load<u64>(p) << u64(8 * (8 - bytesLeft));
  hash = (hash ^ last) * OTHER_MULTIPLIER;
  return (hash ^ (hash >> 32)) | RAW_TOKEN;
}

/** Whether the raw token that is stored at `stored` has these bytes. */
/* @inline */ function isStoredAt(stored: usize, address: usize, bytes: usize): bool {
  if (<usize>load<u8>(stored) !== bytes) return false;
  return memory.compare(stored + 1, address, bytes) === 0;
}
