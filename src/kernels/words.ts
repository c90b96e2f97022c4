/**
 * Tokens of texts to numbers. A token is what stands between separators that never tie words together. Tokens of one to
 * sixteen ASCII letters, with a full stop or comma behind them perhaps, are ASCII words: their letters are packed into
 * 80 bits, which are their key. All others are raw tokens: their key is a hash, and their bytes are kept to be compared
 * and to be read by the tokenizer later. Tokens are numbered from 0 on, in the order in which they first appear.
 *
 * An entry of the hash table (open addressing, linear probing):
 *
 *     bytes 0-7    packed letters 1 to 12, 5 bits each; of a raw token its hash, with the highest bit set; 0: free
 *     bytes 8-11   packed letters 13 to 16; of a raw token where its bytes stand, behind a byte that says how many
 *     bytes 12-15  the token's number
 */
import {
  ENTRY_BYTES,
  ESCAPE,
  LETTER_BITS,
  MAX_KEPT_BYTES,
  NEEDS_ARENA,
  NEEDS_TABLE,
  NEEDS_TOKENIZER,
  READ_ALL,
  SEPARATOR,
  STOP,
  TEXT_BYTES,
} from './words-layout.js';

const LETTERS: u32 = 16;
const LETTER_U: u32 = 117;
const NO_ROOM: u32 = 0xffffffff;
const RAW: u64 = 1 << 63;
const MULTIPLIER: u64 = (0x9e3779b9 << 32) | 0x7f4a7c15;
const OTHER_MULTIPLIER: u64 = (0xc2b2ae3d << 32) | 0x27d4eb4f;

/** How many tokens there are. */
export let tokens: u32 = 0;
/** Where reading stopped: the text, the place in it (0 before its beginning), and the end of the token there. */
export let text: u32 = 0;
export let at: usize = 0;
export let tokenEnd: usize = 0;
/** Where the stream ends. */
export let written: usize = 0;

let table: usize = 0;
let mask: u32 = 0;
let shift: u64 = 0;
let entries: u32 = 0;
let arena: usize = 0;
let arenaEnd: usize = 0;

/** Numbers a token that has no entry. */
export function addToken(): u32 {
  return tokens++;
}

/** Moves the entries to a table of `slots` zeroed entries, a power of two. */
export function useTable(address: usize, slots: u32): void {
  let entry = table;
  const end = table + (mask === 0 ? 0 : (<usize>mask + 1) * ENTRY_BYTES);
  table = address;
  mask = slots - 1;
  shift = 64 - u64(ctz(slots));
  for (; entry < end; entry += ENTRY_BYTES) {
    const key = load<u64>(entry);
    if (key === 0) continue;
    const rest = load<u32>(entry, 8);
    let slot = slotOf(key, key & RAW ? 0 : rest);
    while (load<u64>(slotAddress(slot)) !== 0) slot++;
    const moved = slotAddress(slot);
    store<u64>(moved, key);
    store<u64>(moved, load<u64>(entry, 8), 8);
  }
}

/** Keeps the bytes of further raw tokens from `address` to `end`. */
export function useArena(address: usize, end: usize): void {
  arena = address;
  arenaEnd = end;
}

/* @inline */ function slotAddress(slot: u32): usize {
  return table + <usize>(slot & mask) * ENTRY_BYTES;
}

/** Of a product the highest bits, on which every bit of a factor tells (Knuth, volume 3, section 6.4). */
/* @inline */ function slotOf(key: u64, rest: u32): u32 {
  return <u32>(((key ^ (<u64>rest * OTHER_MULTIPLIER)) * MULTIPLIER) >> shift);
}

/* @inline */ function classAt(address: usize): u32 {
  return load<u8>(<usize>load<u8>(address));
}

/** Begins the texts of a batch. */
export function begin(): void {
  text = 0;
  at = 0;
}

/**
 * Reads texts up to the `count`-th. A text is a mark for the stream (0: none), where its bytes begin, and where the quote
 * behind them stands. Writes marks and tokens to `out`, 4 bytes each; returns why it stopped.
 */
export function read(texts: usize, count: u32, out: usize): u32 {
  let to = out;
  while (text < count) {
    const record = texts + <usize>text * TEXT_BYTES;
    const end = <usize>load<u32>(record, 8);
    let p = at;
    if (p === 0) {
      p = <usize>load<u32>(record, 4);
      const mark = load<i32>(record);
      if (mark !== 0) {
        store<i32>(to, mark);
        to += 4;
      }
    }
    while (p < end) {
      let kind = classAt(p);
      if (kind === SEPARATOR) {
        p++;
        continue;
      }
      if (kind === ESCAPE) {
        p += load<u8>(p, 1) === LETTER_U ? 6 : 2;
        continue;
      }
      if (entries * 4 > mask * 3) return stopAt(p, to, NEEDS_TABLE);
      const letters = i8x16.sub(v128.or(v128.load(p), i8x16.splat(0x20)), i8x16.splat(0x60));
      const isLetter = i8x16.lt_u(i8x16.sub(letters, i8x16.splat(1)), i8x16.splat(26));
      const length: u32 = ctz(~i8x16.bitmask(isLetter));
      let behind = p + <usize>length;
      kind = classAt(behind);
      if (kind === STOP) kind = classAt(++behind);
      if (kind >= SEPARATOR && length - 1 < LETTERS) {
        store<u32>(to, wordOf(letters, length));
        to += 4;
        p = behind;
        continue;
      }
      while (kind < SEPARATOR) kind = classAt(++behind);
      const bytes = behind - p;
      if (bytes > MAX_KEPT_BYTES) {
        tokenEnd = behind;
        return stopAt(p, to, NEEDS_TOKENIZER);
      }
      const token = rawTokenOf(p, bytes);
      if (token === NO_ROOM) {
        tokenEnd = behind;
        return stopAt(p, to, NEEDS_ARENA);
      }
      store<u32>(to, token);
      to += 4;
      p = behind;
    }
    at = 0;
    text++;
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
  const rest = <u32>(high >> 32);
  let slot = slotOf(key, rest);
  let entry = slotAddress(slot);
  for (let found = load<u64>(entry); found !== 0; found = load<u64>(entry)) {
    if (found === key && load<u32>(entry, 8) === rest) return load<u32>(entry, 12);
    entry = slotAddress(++slot);
  }
  return addEntry(entry, key, rest);
}

function addEntry(entry: usize, key: u64, rest: u32): u32 {
  store<u64>(entry, key);
  store<u32>(entry, rest, 8);
  store<u32>(entry, tokens, 12);
  entries++;
  return tokens++;
}

/** The number of the raw token of `bytes` bytes at `address`; `NO_ROOM` if it is new and cannot be kept. */
function rawTokenOf(address: usize, bytes: usize): u32 {
  const key = hashOf(address, bytes);
  let slot = slotOf(key, 0);
  let entry = slotAddress(slot);
  for (let found = load<u64>(entry); found !== 0; found = load<u64>(entry)) {
    if (found === key && isKept(<usize>load<u32>(entry, 8), address, bytes)) return load<u32>(entry, 12);
    entry = slotAddress(++slot);
  }
  const kept = arena;
  if (kept + bytes + 1 > arenaEnd) return NO_ROOM;
  store<u8>(kept, <u8>bytes);
  memory.copy(kept + 1, address, bytes);
  arena += bytes + 1;
  return addEntry(entry, key, <u32>kept);
}

/** Eight bytes at a time; what is read behind the last ones is shifted out. */
/* @inline */ function hashOf(address: usize, bytes: usize): u64 {
  let hash = <u64>bytes;
  let p = address;
  let left = <i32>bytes;
  for (; left > 8; left -= 8) {
    hash = rotl<u64>((hash ^ load<u64>(p)) * MULTIPLIER, 29);
    p += 8;
  }
  const last = load<u64>(p) << u64(8 * (8 - left));
  hash = (hash ^ last) * OTHER_MULTIPLIER;
  return (hash ^ (hash >> 32)) | RAW;
}

/* @inline */ function isKept(kept: usize, address: usize, bytes: usize): bool {
  if (<usize>load<u8>(kept) !== bytes) return false;
  return memory.compare(kept + 1, address, bytes) === 0;
}
