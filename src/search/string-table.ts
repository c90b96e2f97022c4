/** Strings as code units side by side, sorted by these or not. */
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

/** A string's first units as a number, each one of so many codes: up to the first unit that shares its code with others. */
const KEY_UNITS = 5;
const CODES = 40;
const [BELOW_DIGITS, DIGITS, BELOW_LETTERS, LETTERS, ABOVE] = [1, 2, 12, 13, 39] as const;
/** A key and a string's number below this are one number without a fraction. */
const MOST_STRINGS = 2 ** 26;

const CODE_OF = Uint8Array.from({ length: 128 }, (_, unit) => {
  if (unit < 48) return BELOW_DIGITS;
  if (unit < 58) return DIGITS + unit - 48;
  if (unit < 97) return BELOW_LETTERS;
  return unit < 123 ? LETTERS + unit - 97 : ABOVE;
});

function keyOf(string: string): number {
  let key = 0;
  let left = KEY_UNITS;
  for (let i = 0; i < string.length && left > 0; i++, left--) {
    const unit = string.charCodeAt(i);
    const code = unit < CODE_OF.length ? CODE_OF[unit]! : ABOVE;
    key = key * CODES + code;
    if (code === BELOW_DIGITS || code === BELOW_LETTERS || code === ABOVE) return key * CODES ** (left - 1);
  }
  return key * CODES ** left;
}

/** The order of strings by code units: numbers are sorted three times as fast, and only strings of the same key compared. */
function orderOf(strings: readonly string[]): Uint32Array {
  const compare = (a: number, b: number): number => (strings[a]! < strings[b]! ? -1 : 1);
  if (strings.length > MOST_STRINGS) return Uint32Array.from(strings.keys()).sort(compare);
  const keys = Float64Array.from(strings, (string, i) => keyOf(string) * MOST_STRINGS + i).sort();
  const order = Uint32Array.from(keys, (key) => key % MOST_STRINGS);
  for (let from = 0; from < keys.length; ) {
    const next = (Math.floor(keys[from]! / MOST_STRINGS) + 1) * MOST_STRINGS;
    let to = from + 1;
    while (to < keys.length && keys[to]! < next) to++;
    if (to - from > 1) order.subarray(from, to).sort(compare);
    from = to;
  }
  return order;
}
