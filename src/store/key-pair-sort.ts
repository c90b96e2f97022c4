/**
 * Rows sorted by two keys of 32 bits, most significant digits first (MSD radix sort): a pass spreads rows, with their
 * keys beside them, over so few buckets that these stay in the near caches, and what falls into one is sorted there.
 */
import { scratch } from '../growable.js';

/** The digits of both keys: which key, how many bits stand behind the digit, and how many buckets it has. */
const DIGITS = [0, 1].flatMap((key) => [
  { key, shift: 21, buckets: 1 << 11 },
  { key, shift: 11, buckets: 1 << 10 },
  { key, shift: 0, buckets: 1 << 11 },
]);

/** So few are inserted one by one in less time than counters are looked through. */
const INSERTED = 96;

/** Rows, and the keys of each beside it. */
interface KeyedRows {
  readonly rows: Uint32Array;
  readonly keys: readonly [Uint32Array, Uint32Array];
}

const roomFor = (rows: number): KeyedRows => ({ rows: scratch(rows), keys: [scratch(rows), scratch(rows)] });

/** Sorts rows in place by pairs of keys, equal ones as they stand, in 20 bytes of memory a row. */
export class KeyPairSort {
  private readonly sorted: KeyedRows;
  private readonly other: KeyedRows;
  /** By digit, for it is needed until all of its buckets are sorted. */
  private readonly ends = DIGITS.map(({ buckets }) => new Uint32Array(buckets));

  constructor(rows: Uint32Array) {
    this.sorted = { ...roomFor(rows.length), rows };
    this.other = roomFor(rows.length);
  }

  /** Gives each row the entries `row * stride + offset` and the next one of a table. */
  takeKeys(table: Uint32Array, stride: number, offset = 0): void {
    const { rows, keys } = this.sorted;
    const [first, second] = keys;
    for (let i = 0; i < rows.length; i++) {
      const at = rows[i]! * stride + offset;
      first[i] = table[at]!;
      second[i] = table[at + 1]!;
    }
  }

  /** Sorts the rows `from … to`. */
  sort(from: number, to: number): void {
    this.sortFrom(from, to, 0, true);
  }

  /** Whether the i-th row has the keys of the one before. */
  isSame(i: number): boolean {
    const [first, second] = this.sorted.keys;
    return first[i] === first[i - 1] && second[i] === second[i - 1];
  }

  /** Sorts the rows `from … to`, all digits of which before `digit` are the same; they stand in `sorted`, or in `other`. */
  private sortFrom(from: number, to: number, digit: number, inPlace: boolean): void {
    const source = inPlace ? this.sorted : this.other;
    const isFew = to - from <= INSERTED;
    const next = isFew ? DIGITS.length : differingDigit(source, from, to, digit);
    if (next === DIGITS.length) {
      if (!inPlace) this.copyBack(from, to);
      if (isFew) this.insert(from, to);
      return;
    }
    const ends = this.ends[next]!;
    spread(source, inPlace ? this.other : this.sorted, from, to, next, ends);
    let start = from;
    for (let bucket = 0; bucket < ends.length; bucket++) {
      const end = ends[bucket]!;
      if (end > start) this.sortFrom(start, end, next + 1, !inPlace);
      start = end;
    }
  }

  private copyBack(from: number, to: number): void {
    const { sorted, other } = this;
    for (let i = from; i < to; i++) {
      sorted.rows[i] = other.rows[i]!;
      sorted.keys[0][i] = other.keys[0][i]!;
      sorted.keys[1][i] = other.keys[1][i]!;
    }
  }

  private insert(from: number, to: number): void {
    const { rows, keys } = this.sorted;
    const [firsts, seconds] = keys;
    for (let i = from + 1; i < to; i++) {
      const row = rows[i]!;
      const first = firsts[i]!;
      const second = seconds[i]!;
      let at = i;
      for (; at > from; at--) {
        const before = firsts[at - 1]!;
        if (before < first || (before === first && seconds[at - 1]! <= second)) break;
        rows[at] = rows[at - 1]!;
        firsts[at] = before;
        seconds[at] = seconds[at - 1]!;
      }
      rows[at] = row;
      firsts[at] = first;
      seconds[at] = second;
    }
  }
}

/** The first digit from `digit` on that not all rows have the same; one behind the last where there is none. */
function differingDigit({ keys }: KeyedRows, from: number, to: number, digit: number): number {
  const differences = keys.map((of) => {
    let bits = 0;
    for (let i = from + 1; i < to; i++) bits |= of[i]! ^ of[from]!;
    return bits;
  });
  let next = digit;
  for (; next < DIGITS.length; next++) {
    const { key, shift, buckets } = DIGITS[next]!;
    if (((differences[key]! >>> shift) & (buckets - 1)) !== 0) break;
  }
  return next;
}

/** Puts rows where their digit belongs, and leaves where each digit's end. */
function spread(
  source: KeyedRows,
  target: KeyedRows,
  from: number,
  to: number,
  digit: number,
  ends: Uint32Array,
): void {
  const { key, shift } = DIGITS[digit]!;
  const mask = ends.length - 1;
  const digits = source.keys[key]!;
  ends.fill(0);
  for (let i = from; i < to; i++) ends[(digits[i]! >>> shift) & mask]!++;
  for (let bucket = 0, start = from; bucket < ends.length; bucket++) {
    const count = ends[bucket]!;
    ends[bucket] = start;
    start += count;
  }
  const [firsts, seconds] = source.keys;
  const [targetFirsts, targetSeconds] = target.keys;
  for (let i = from; i < to; i++) {
    const at = ends[(digits[i]! >>> shift) & mask]!++;
    target.rows[at] = source.rows[i]!;
    targetFirsts[at] = firsts[i]!;
    targetSeconds[at] = seconds[i]!;
  }
}
