/** Strings as code units side by side, sorted by these or not. */
import { KeySort } from '../key-sort.js';
import { KEY_WORDS } from '../key-sort-kernel.js';
import type { StringTable, TermTable } from './tables.js';

/** Strings sorted by code units; `terms[i]` belongs to `strings[i]`. */
export function sortedTable(strings: readonly string[], terms: readonly number[]): TermTable {
  const order = orderOf(strings);
  const sorted = Array.from(order, (i) => strings[i]!);
  return { ...stringTable(sorted), terms: order.map((i) => terms[i]!) };
}

/** Strings in the order in which they are given. */
export function stringTable(strings: readonly string[]): StringTable {
  const offsets = new Uint32Array(strings.length + 1);
  for (let i = 0; i < strings.length; i++) offsets[i + 1] = offsets[i]! + strings[i]!.length;
  const units = new Uint16Array(offsets[strings.length]!);
  for (let i = 0; i < strings.length; i++) {
    const string = strings[i]!;
    const start = offsets[i]!;
    for (let j = 0; j < string.length; j++) units[start + j] = string.charCodeAt(j);
  }
  return { units, offsets };
}

/** So many of a string's first units are its key, a byte each. */
const KEY_UNITS = 4 * KEY_WORDS;
/** Stands for all units from here on; nothing behind one of them is part of the key. */
const OTHERS = 0xfe;

/** Four units from the i-th on as a number that compares as they do: a byte each, 0 where the string has ended. */
function wordOf(string: string, i: number, end: number): number {
  let word = 0;
  for (let at = i; at < i + 4; at++) word = word * 256 + (at < end ? Math.min(string.charCodeAt(at), OTHERS) + 1 : 0);
  return word;
}

/** Where the key of a string ends. */
function keyEnd(string: string): number {
  const most = Math.min(string.length, KEY_UNITS);
  for (let i = 0; i < most; i++) if (string.charCodeAt(i) >= OTHERS) return i + 1;
  return most;
}

/** The order of strings by code units: only those of the same key are compared. */
function orderOf(strings: readonly string[]): Uint32Array {
  const sort = new KeySort();
  sort.reserve(strings.length);
  for (let i = 0; i < strings.length; i++) {
    const string = strings[i]!;
    const end = keyEnd(string);
    sort.set(i, i, wordOf(string, 0, end), wordOf(string, 4, end), wordOf(string, 8, end), wordOf(string, 12, end));
  }
  sort.sort(strings.length);
  const order = sort.rows(strings.length);
  const compare = (a: number, b: number): number => (strings[a]! < strings[b]! ? -1 : 1);
  sort.forEachRun(order.length, (from, to) => order.subarray(from, to).sort(compare));
  return order;
}
