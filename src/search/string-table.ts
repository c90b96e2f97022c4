/** Strings as code units side by side, sorted by these. Most words come sorted by `plain-words.ts`: these are the others. */
import { KEY_WORDS, KeySort } from '../key-sort.js';
import type { StringTable, TermTable } from './tables.js';

/** Different strings sorted by code units; `terms[i]` belongs to the i-th of them as they are given. */
export function sortedTable(strings: StringTable, terms: Uint32Array): TermTable {
  const order = orderOf(strings);
  return { ...inOrder(strings, order), terms: order.map((i) => terms[i]!) };
}

/** Copies of some strings, in this order. */
function inOrder({ units, offsets }: StringTable, order: Uint32Array): StringTable {
  const sortedOffsets = new Uint32Array(order.length + 1);
  order.forEach((string, i) => {
    sortedOffsets[i + 1] = sortedOffsets[i]! + offsets[string + 1]! - offsets[string]!;
  });
  const sorted = new Uint16Array(sortedOffsets[order.length]!);
  order.forEach((string, i) => {
    sorted.set(units.subarray(offsets[string]!, offsets[string + 1]!), sortedOffsets[i]!);
  });
  return { units: sorted, offsets: sortedOffsets };
}

/** Two sorted tables as one; they have no string in common, and the second has fewer in most cases. */
export function merged(one: TermTable, other: TermTable): TermTable {
  const count = one.terms.length + other.terms.length;
  const units = new Uint16Array(one.units.length + other.units.length);
  const offsets = new Uint32Array(count + 1);
  const terms = new Uint32Array(count);
  let at = 0;
  const copy = (table: TermTable, from: number, to: number): void => {
    const [start, end] = [table.offsets[from]!, table.offsets[to]!];
    const shift = offsets[at]! - start;
    units.set(table.units.subarray(start, end), offsets[at]!);
    terms.set(table.terms.subarray(from, to), at);
    for (let i = from; i < to; i++) offsets[++at] = table.offsets[i + 1]! + shift;
  };
  let from = 0;
  for (let i = 0; i < other.terms.length; i++) {
    const to = firstBehind(one, from, other, i);
    copy(one, from, to);
    copy(other, i, i + 1);
    from = to;
  }
  copy(one, from, one.terms.length);
  return { units, offsets, terms };
}

/** The first string of a table from the `from`-th on that comes after the i-th of another. */
function firstBehind(table: StringTable, from: number, other: StringTable, i: number): number {
  let [low, high] = [from, table.offsets.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(table, middle, other, i) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** So many of a string's first units are its key, a byte each. */
const KEY_UNITS = 4 * KEY_WORDS;
/** Stands for all units from here on; nothing behind one of them is part of the key. */
const OTHERS = 0xfe;

/** Four units from `at` on as a number that compares as they do: a byte each, 0 where the string has ended. */
function wordOf(units: Uint16Array, at: number, end: number): number {
  let word = 0;
  for (let i = at; i < at + 4; i++) word = (word << 8) | (i < end ? Math.min(units[i]!, OTHERS) + 1 : 0);
  return word >>> 0;
}

/** Where the key of a string ends. */
function keyEnd(units: Uint16Array, start: number, end: number): number {
  const most = Math.min(end, start + KEY_UNITS);
  for (let i = start; i < most; i++) if (units[i]! >= OTHERS) return i + 1;
  return most;
}

/** The order of strings by code units: only those of the same key are compared. */
function orderOf(strings: StringTable): Uint32Array {
  const { units, offsets } = strings;
  const count = offsets.length - 1;
  const sort = new KeySort();
  sort.reserve(count);
  for (let i = 0; i < count; i++) {
    const start = offsets[i]!;
    const end = keyEnd(units, start, offsets[i + 1]!);
    const word = (number: number): number => wordOf(units, start + 4 * number, end);
    sort.set(i, i, word(0), word(1), word(2), word(3));
  }
  sort.sort(count);
  const order = sort.rows(count);
  sort.forEachRun(count, (from, to) => order.subarray(from, to).sort((a, b) => compare(strings, a, strings, b)));
  return order;
}

/** Below 0 if the a-th string of a table comes before the b-th of another. */
function compare(one: StringTable, a: number, other: StringTable, b: number): number {
  const [endA, endB] = [one.offsets[a + 1]!, other.offsets[b + 1]!];
  let i = one.offsets[a]!;
  let j = other.offsets[b]!;
  while (i < endA && j < endB && one.units[i] === other.units[j]) {
    i++;
    j++;
  }
  if (i === endA || j === endB) return endA - i - (endB - j);
  return one.units[i]! - other.units[j]!;
}
