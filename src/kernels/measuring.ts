/** The first pass over the token stream: replaces tokens by terms, and measures the length of records. */
import { entryOf, numberIn } from './entries.js';
import type { TokenTables } from './inversion-tables.js';
import { FIELD, POSITION_GAP, RECORD, REFERENCE } from './stream-layout.js';

const NOWHERE: u32 = 0xffffffff;

/** The greatest position in any record. */
export let maxPosition: u32 = 0;

/** The state of the current record: its number, its row, the weight of its field, the next position, its length. */
let record: u32 = 0;
let row: i32 = -1;
let weight: u32 = 0;
let position: u32 = 0;
let length: u32 = 0;

/**
 * Measures the stream from `at` to `end`. The next call continues with the same record; `endMeasure` ends the last one.
 *
 * Replaces the tokens of records that have a row by terms, counts how many tokens each term has, and writes where each
 * row's record begins, how long it is, and at which positions its fields begin. The term of a token is less than 0 where it
 * has several: it is the complement of where the token's list stands, in numbers of 4 bytes.
 */
export function measure(tables: TokenTables, at: usize, end: usize): void {
  const termOf = tables.termOfToken;
  const lists = tables.termLists;
  const counts = tables.countOfTerm;
  // A local counter: the engine stores a global variable in memory at each change.
  let tokens: u32 = 0;
  for (; at < end; at += 4) {
    const entry = load<i32>(at);
    if (row < 0 && entry !== RECORD) continue;
    if (entry >= 0) {
      const term = numberIn(termOf, entry);
      if (<i32>term >= 0) {
        store<u32>(at, term);
        increase(counts, term);
        tokens++;
      } else {
        store<i32>(at, REFERENCE - 2 * ~term);
        tokens += countAll(counts, entryOf(lists, ~term));
      }
    } else if (entry <= REFERENCE) {
      const term = numberIn(termOf, (REFERENCE - 1 - entry) >> 1);
      store<i32>(at, REFERENCE - 1 - 2 * term);
      increase(counts, term);
    } else {
      advance(tokens);
      tokens = 0;
      if (entry === RECORD) beginRecord(tables, at + 4);
      else beginText(tables, entry);
    }
  }
  advance(tokens);
}

/* @inline */ function increase(counts: usize, term: u32): void {
  const count = entryOf(counts, term);
  store<u32>(count, load<u32>(count) + 1);
}

/** Counts the terms of a list; returns how many have a position of their own. */
function countAll(counts: usize, list: usize): u32 {
  const terms = load<u32>(list);
  let positions: u32 = 0;
  for (let i: u32 = 1; i <= terms; i++) {
    const term = numberIn(list, i);
    increase(counts, term >> 1);
    positions += ~term & 1;
  }
  return positions;
}

function advance(tokens: u32): void {
  position += tokens;
  length += weight * tokens;
}

function beginRecord(tables: TokenTables, at: usize): void {
  endMeasure(tables);
  row = numberIn(tables.rowOfRecord, record);
  record++;
  position = 0;
  length = 0;
  if (row < 0) return;
  store<u32>(entryOf(tables.recordOfRow, row), <u32>at);
  const fields = tables.fields;
  for (let field: u32 = 0; field < fields; field++) store<u32>(fieldStart(tables, field), NOWHERE);
}

function beginText(tables: TokenTables, mark: i32): void {
  position += POSITION_GAP;
  if (mark > FIELD) return;
  const field = <u32>(FIELD - mark);
  weight = numberIn(tables.weightOfField, field);
  store<u32>(fieldStart(tables, field), position);
}

/** Ends the record that is being measured, if any is. An empty field begins where the next one does. */
export function endMeasure(tables: TokenTables): void {
  if (row < 0) return;
  maxPosition = max(maxPosition, position);
  store<u32>(entryOf(tables.lengthOfRow, row), length);
  let next = position;
  for (let field = tables.fields; field > 0; field--) {
    const start = fieldStart(tables, field - 1);
    if (load<u32>(start) === NOWHERE) store<u32>(start, next);
    else next = load<u32>(start);
  }
}

function fieldStart(tables: TokenTables, field: u32): usize {
  return entryOf(tables.fieldStarts, <u32>row * tables.fields + field);
}
