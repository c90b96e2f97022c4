/**
 * Sorts the measured token stream by term: a counting sort (Knuth, volume 3, section 5.2). One partition of the terms is sorted at a
 * time, so that its tokens fit the work space.
 */
import { entryOf, numberIn } from './entries.js';
import type { TokenTables, Workspace } from './inversion-layout.js';
import { FIELD_SHIFT, POSITION_MASK, TOKEN_BYTES } from './inversion-layout.js';
import { FIELD, POSITION_GAP, RECORD, REFERENCE } from './stream-layout.js';

/**
 * Sorts the tokens of the terms from `first` to `end` of the rows `from … to`. A record mark stands behind the last record.
 */
export function sort(tables: TokenTables, work: Workspace, from: u32, to: u32, first: u32, end: u32): void {
  const recordOf = tables.recordOfRow;
  const lists = tables.termLists;
  // The table begins with term `first`; `next` is where term 0 would be.
  const next = work.nextTokens - ((<usize>first) << 2);
  for (let row = from; row < to; row++) {
    let at = <usize>numberIn(recordOf, row);
    if (at === 0) continue;
    // With the field in the highest bits.
    let position: u32 = 0;
    while (true) {
      const entry = load<i32>(at);
      at += 4;
      if (entry >= 0) putTokenIfOurs(entry, row, position++, first, end, next);
      else if (entry <= REFERENCE) {
        const reference = <u32>(REFERENCE - entry) >> 1;
        // An entry at an odd distance from `REFERENCE` is a term without position increment.
        if ((entry & 1) !== (REFERENCE & 1)) putTokenIfOurs(reference, row, position - 1, first, end, next);
        else {
          const list = entryOf(lists, reference);
          const terms = load<u32>(list);
          for (let i: u32 = 1; i <= terms; i++) {
            const term = numberIn(list, i);
            // A term without position increment has the position of the word before it.
            position -= term & 1;
            putTokenIfOurs(term >> 1, row, position++, first, end, next);
          }
        }
      } else {
        if (entry === RECORD) break;
        position += POSITION_GAP;
        if (entry <= FIELD) position = (position & POSITION_MASK) | ((<u32>(FIELD - entry)) << FIELD_SHIFT);
      }
    }
  }
}

/** Writes a token (`TOKEN_BYTES`) where the next one of its term belongs, if it is of one of these terms. */
/* @inline */ function putTokenIfOurs(term: u32, row: u32, position: u32, first: u32, end: u32, next: usize): void {
  if (term < first || term >= end) return;
  const to = entryOf(next, term);
  const at = load<u32>(to);
  store<u32>(<usize>at, row);
  store<u32>(<usize>at, position, 4);
  store<u32>(to, at + TOKEN_BYTES);
}
