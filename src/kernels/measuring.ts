/** The first pass over the token stream: replaces tokens by terms, and measures the length of records. */
import { entryOf, numberIn } from './entries.js';
import type { TokenTables } from './inversion-layout.js';
import { FIELD, POSITION_GAP, RECORD, REFERENCE } from './stream-layout.js';

const NOWHERE: u32 = 0xffffffff;

/** The greatest position in any record. */
export let maxPosition: u32 = 0;

/**
 * Measures the record from `at` to the next mark of a record; returns the address behind that mark. A record whose `row` is less
 * than 0 is passed.
 *
 * Replaces the tokens of the record by terms, and counts the tokens of each term. Writes where the row's record begins, how long it
 * is, and at which positions its fields begin. The term of a token is less than 0 where it has several: it is the complement of where
 * the token's list stands, in numbers of 4 bytes.
 */
export function measure(tables: TokenTables, at: usize, row: i32): usize {
  if (row < 0) {
    while (load<i32>(at) !== RECORD) at += 4;
    return at + 4;
  }
  const termOf = tables.termOfToken;
  const lists = tables.termLists;
  const counts = tables.countOfTerm;
  const fields = tables.fields;
  const fieldStarts = entryOf(tables.fieldStarts, <u32>row * fields);
  let position: u32 = 0;
  let length: u32 = 0;
  let weight: u32 = 0;
  let textStart: u32 = 0;
  store<u32>(entryOf(tables.recordOfRow, row), <u32>at);
  for (let field: u32 = 0; field < fields; field++) store<u32>(entryOf(fieldStarts, field), NOWHERE);
  for (; ; at += 4) {
    const entry = load<i32>(at);
    if (entry >= 0) {
      const term = numberIn(termOf, entry);
      if (<i32>term >= 0) {
        store<u32>(at, term);
        countToken(counts, term);
        position++;
      } else {
        store<i32>(at, REFERENCE - 2 * ~term);
        position += countAll(counts, entryOf(lists, ~term));
      }
    } else if (entry <= REFERENCE) {
      const term = numberIn(termOf, (REFERENCE - 1 - entry) >> 1);
      store<i32>(at, REFERENCE - 1 - 2 * term);
      countToken(counts, term);
    } else {
      length += weight * (position - textStart);
      if (entry === RECORD) break;
      position += POSITION_GAP;
      textStart = position;
      if (entry > FIELD) continue;
      const field = <u32>(FIELD - entry);
      weight = numberIn(tables.weightOfField, field);
      store<u32>(entryOf(fieldStarts, field), position);
    }
  }
  maxPosition = max(maxPosition, position);
  store<u32>(entryOf(tables.lengthOfRow, row), length);
  // An empty field begins where the next one does.
  for (let field = fields; field > 0; field--) {
    const start = entryOf(fieldStarts, field - 1);
    if (load<u32>(start) === NOWHERE) store<u32>(start, position);
    else position = load<u32>(start);
  }
  return at + 4;
}

/* @inline */ function countToken(counts: usize, term: u32): void {
  const count = entryOf(counts, term);
  store<u32>(count, load<u32>(count) + 1);
}

/** Counts the terms of a list, each of which is term << 1 | whether it is without a position; returns how many have one. */
function countAll(counts: usize, list: usize): u32 {
  const terms = load<u32>(list);
  let positions: u32 = 0;
  for (let i: u32 = 1; i <= terms; i++) {
    const term = numberIn(list, i);
    countToken(counts, term >> 1);
    positions += ~term & 1;
  }
  return positions;
}
