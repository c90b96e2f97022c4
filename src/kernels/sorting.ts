/**
 * The measured token stream in the order of terms: a counting sort (Knuth, volume 3, section 5.2), for as many terms at a
 * time as their tokens have room.
 */
import { numberIn, placeIn } from './entries.js';
import * as places from './inversion-layout.js';
import { FIELD, POSITION_GAP, RECORD, REFERENCE } from './stream-layout.js';

/** So many entries of the stream are looked at together. */
const STEP_ENTRIES: u32 = 16;

/**
 * Sorts the tokens of the terms from `first` to `end` of the rows `from … to`. Behind the last record a record mark follows.
 * Most tokens are of other terms, and which are not cannot be foreseen: steps without jumps find them.
 */
export function sort(shared: usize, room: usize, from: u32, to: u32, first: u32, end: u32): void {
  const recordOf = placeIn(shared, places.RECORD_OF_ROW);
  const lists = placeIn(shared, places.TERM_LISTS);
  // Term 0 of this table is the first of all.
  const next = placeIn(room, places.NEXT_TOKENS) - ((<usize>first) << 2);
  for (let row = from; row < to; row++) {
    let at = placeIn(recordOf, row);
    if (at === 0) continue;
    let place: u32 = 0;
    while (true) {
      const tokens: u32 = ctz(entriesBelow(at, 0) | (1 << STEP_ENTRIES));
      const ours = entriesBelow(at, end) & ~entriesBelow(at, first) & ((1 << tokens) - 1);
      for (let left = ours; left !== 0; left &= left - 1) {
        const i: u32 = ctz(left);
        put(numberIn(at, i), row, place + i, next);
      }
      place += tokens;
      at += (<usize>tokens) << 2;
      if (tokens === STEP_ENTRIES) continue;
      const entry = load<i32>(at);
      at += 4;
      if (entry <= REFERENCE) {
        const reference = <u32>(REFERENCE - entry) >> 1;
        if ((entry & 1) !== (REFERENCE & 1)) putIfOurs(reference, row, place - 1, first, end, next);
        else {
          const list = lists + ((<usize>reference) << 2);
          const terms = load<u32>(list);
          for (let i: u32 = 1; i <= terms; i++) {
            const term = numberIn(list, i);
            // A term without position increment goes back to the word before it.
            place -= term & 1;
            putIfOurs(term >> 1, row, place++, first, end, next);
          }
        }
      } else {
        if (entry === RECORD) break;
        place += POSITION_GAP;
        if (entry <= FIELD) place = (place & places.POSITION_MASK) | ((<u32>(FIELD - entry)) << places.FIELD_SHIFT);
      }
    }
  }
}

/** Which of the entries from `at` on are below a limit, a bit each. */
/* @inline */ function entriesBelow(at: usize, limit: u32): u32 {
  const limits = i32x4.splat(limit);
  const low = i16x8.narrow_i32x4_s(i32x4.lt_s(v128.load(at), limits), i32x4.lt_s(v128.load(at, 16), limits));
  const high = i16x8.narrow_i32x4_s(i32x4.lt_s(v128.load(at, 32), limits), i32x4.lt_s(v128.load(at, 48), limits));
  return i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
}

/* @inline */ function put(term: u32, row: u32, place: u32, next: usize): void {
  const to = next + ((<usize>term) << 2);
  const at = load<u32>(to);
  store<u32>(<usize>at, row);
  store<u32>(<usize>at, place, 4);
  store<u32>(to, at + places.TOKEN_BYTES);
}

/* @inline */ function putIfOurs(term: u32, row: u32, place: u32, first: u32, end: u32, next: usize): void {
  if (term >= first && term < end) put(term, row, place, next);
}
