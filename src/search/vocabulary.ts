/**
 * The words met while an index is built: an open-addressing hash table over folded code units, so that a word seen
 * before costs one probe and no string. A word is stemmed once, when it is new; words of one stem share a term.
 */
import { stem } from './stem.js';
import type { StringTable, TermTable } from './tables.js';

const START_SLOTS = 1 << 16;

/** Room for `length` more after `used` entries of `array`. */
function withRoom<T extends Uint16Array | Uint32Array>(
  array: T,
  used: number,
  length: number,
  make: (n: number) => T,
): T {
  if (used + length <= array.length) return array;
  const larger = make(Math.max(array.length * 2, used + length));
  larger.set(array);
  return larger;
}

const shorts = (n: number): Uint16Array<ArrayBuffer> => new Uint16Array(n);
const ints = (n: number): Uint32Array<ArrayBuffer> => new Uint32Array(n);

/** A slot's four numbers, side by side so that a probe touches one cache line: hash, word + 1 (0: free), start, end. */
const SLOT = 4;

export class Vocabulary {
  private slots = new Int32Array(START_SLOTS * SLOT);
  private mask = START_SLOTS - 1;
  private units = shorts(1 << 18);
  private offsets = ints(1 << 14);
  private hashes = ints(1 << 14);
  private termOfWord = ints(1 << 14);
  private count = 0;
  private readonly termOfStem = new Map<string, number>();

  get terms(): number {
    return this.termOfStem.size;
  }

  /** The term of a word, which is added if it is new. */
  termOf(units: Uint16Array, length: number, hash: number): number {
    const { slots, mask } = this;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = slot * SLOT;
      const word = slots[at + 1]! - 1;
      if (word < 0) return this.add(units, length, hash, slot);
      if (slots[at] === (hash | 0) && this.holds(slots[at + 2]!, slots[at + 3]!, units, length)) {
        return this.termOfWord[word]!;
      }
    }
  }

  private holds(start: number, end: number, units: Uint16Array, length: number): boolean {
    if (end - start !== length) return false;
    const own = this.units;
    for (let i = 0; i < length; i++) if (own[start + i] !== units[i]) return false;
    return true;
  }

  private add(units: Uint16Array, length: number, hash: number, slot: number): number {
    const word = this.count++;
    const start = this.offsets[word]!;
    this.units = withRoom(this.units, start, length, shorts);
    this.offsets = withRoom(this.offsets, word, 2, ints);
    this.hashes = withRoom(this.hashes, word, 1, ints);
    this.termOfWord = withRoom(this.termOfWord, word, 1, ints);
    for (let i = 0; i < length; i++) this.units[start + i] = units[i]!;
    this.offsets[word + 1] = start + length;
    this.hashes[word] = hash;
    this.fill(slot, word);
    const stemmed = stem(String.fromCharCode(...units.subarray(0, length)));
    const term = this.termOfStem.get(stemmed) ?? this.termOfStem.size;
    this.termOfStem.set(stemmed, term);
    this.termOfWord[word] = term;
    if (this.count * 2 > this.mask) this.rehash();
    return term;
  }

  private fill(slot: number, word: number): void {
    const { slots } = this;
    slots[slot * SLOT] = this.hashes[word]!;
    slots[slot * SLOT + 1] = word + 1;
    slots[slot * SLOT + 2] = this.offsets[word]!;
    slots[slot * SLOT + 3] = this.offsets[word + 1]!;
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * 2);
    this.mask = this.mask * 2 + 1;
    for (let word = 0; word < this.count; word++) {
      let slot = this.hashes[word]! & this.mask;
      while (this.slots[slot * SLOT + 1] !== 0) slot = (slot + 1) & this.mask;
      this.fill(slot, word);
    }
  }

  /** The words of terms that some record still has, sorted by code units, each with its term. */
  wordTable(isUsed: (term: number) => boolean): TermTable {
    const words: string[] = [];
    const terms: number[] = [];
    for (let word = 0; word < this.count; word++) {
      const term = this.termOfWord[word]!;
      if (!isUsed(term)) continue;
      words.push(String.fromCharCode(...this.units.subarray(this.offsets[word]!, this.offsets[word + 1]!)));
      terms.push(term);
    }
    return sortedTable(words, terms);
  }

  /** All stems, sorted by code units, each with its term. */
  stemTable(): TermTable {
    return sortedTable([...this.termOfStem.keys()], [...this.termOfStem.values()]);
  }
}

/** Strings sorted by code units; `terms[i]` belongs to `strings[i]`. */
function sortedTable(strings: readonly string[], terms: readonly number[]): TermTable {
  const order = Uint32Array.from(strings, (_, i) => i);
  const compare = (a: number, b: number): number => (strings[a]! < strings[b]! ? -1 : 1);
  order.sort(compare);
  const sorted = Array.from(order, (i) => strings[i]!);
  return { ...stringTable(sorted), terms: Uint32Array.from(order, (i) => terms[i]!) };
}

function stringTable(strings: readonly string[]): StringTable {
  const offsets = new Uint32Array(strings.length + 1);
  strings.forEach((string, i) => {
    offsets[i + 1] = offsets[i]! + string.length;
  });
  const units = new Uint16Array(offsets[strings.length]!);
  strings.forEach((string, i) => {
    const start = offsets[i]!;
    for (let j = 0; j < string.length; j++) units[start + j] = string.charCodeAt(j);
  });
  return { units, offsets };
}
