/** Strings as code units side by side, sorted by these. */
import { KEY_WORDS, KeySort } from '../../key-sort.js';
import type { StringTable, TermTable } from '../tables.js';

/** The strings whose numbers are in `some`, sorted by code units; `termOf[i]` is the term of string i. */
export function sortedTable(strings: StringTable, some: Uint32Array, termOf: ArrayLike<number>): TermTable {
  const order = orderOf(strings, some);
  return { ...inOrder(strings, order), terms: order.map((i) => termOf[i]!) };
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

/** The key of a string is its first units, a byte each. */
const KEY_UNITS = 4 * KEY_WORDS;
/** The byte of every unit from 0xfe on. The key ends behind such a unit, since it does not tell these units apart. */
const OTHERS = 0xfe;

/** Four units from `at` on as one number in the same order: a byte each, 0 behind the end of the string. */
function wordOf(units: Uint16Array, at: number, end: number): number {
  let word = 0;
  for (let i = at; i < at + 4; i++) word = (word << 8) | (i < end ? Math.min(units[i]!, OTHERS) + 1 : 0);
  return word >>> 0;
}

/** Where the key of a string ends. */
function keyEnd(units: Uint16Array, start: number, end: number): number {
  const maxEnd = Math.min(end, start + KEY_UNITS);
  for (let i = start; i < maxEnd; i++) if (units[i]! >= OTHERS) return i + 1;
  return maxEnd;
}

/** The order of strings by code units: only strings of equal keys are compared unit by unit. */
function orderOf(strings: StringTable, some: Uint32Array): Uint32Array {
  const { units, offsets } = strings;
  const count = some.length;
  const sort = new KeySort();
  sort.reserve(count);
  for (let i = 0; i < count; i++) {
    const string = some[i]!;
    const start = offsets[string]!;
    const end = keyEnd(units, start, offsets[string + 1]!);
    const word = (number: number): number => wordOf(units, start + 4 * number, end);
    sort.set(i, string, word(0), word(1), word(2), word(3));
  }
  sort.sort(count);
  const order = sort.rows(count);
  sort.forEachRun(count, (from, to) => order.subarray(from, to).sort((a, b) => compare(strings, a, b)));
  return order;
}

/** Below 0 if the a-th string comes before the b-th. */
function compare({ units, offsets }: StringTable, a: number, b: number): number {
  const [endA, endB] = [offsets[a + 1]!, offsets[b + 1]!];
  let i = offsets[a]!;
  let j = offsets[b]!;
  while (i < endA && j < endB && units[i] === units[j]) {
    i++;
    j++;
  }
  if (i === endA || j === endB) return endA - i - (endB - j);
  return units[i]! - units[j]!;
}
