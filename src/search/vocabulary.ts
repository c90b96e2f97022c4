/**
 * The words met while an index is built: an open-addressing hash table over folded code units, so that a word seen
 * before costs one probe and no string. A word is stemmed once, when it is new; words of one stem share a term.
 */
import { stem } from './stem.js';
import type { StringTable, TermTable } from './tables.js';

const START_SLOTS = 1 << 16;

/** A slot's four numbers, side by side so that a probe touches one cache line: hash, term + 1 (0: free), start, end. */
const SLOT = 4;

export class Vocabulary {
  private slots = new Int32Array(START_SLOTS * SLOT);
  private mask = START_SLOTS - 1;
  private units = new Uint16Array(1 << 18);
  private used = 0;
  /** Every word, and its term. */
  private readonly words: string[] = [];
  private readonly termOfWord: number[] = [];
  private readonly termOfStem = new Map<string, number>();

  get terms(): number {
    return this.termOfStem.size;
  }

  /** The term of a word, which is added if it is new. */
  termOf(units: Uint16Array, length: number, hash: number): number {
    const { slots, mask } = this;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = slot * SLOT;
      const term = slots[at + 1]! - 1;
      if (term < 0) return this.add(units, length, hash, at);
      if (slots[at] === (hash | 0) && this.holds(slots[at + 2]!, slots[at + 3]!, units, length)) return term;
    }
  }

  private holds(start: number, end: number, units: Uint16Array, length: number): boolean {
    if (end - start !== length) return false;
    const own = this.units;
    for (let i = 0; i < length; i++) if (own[start + i] !== units[i]) return false;
    return true;
  }

  private add(units: Uint16Array, length: number, hash: number, at: number): number {
    const word = String.fromCharCode(...units.subarray(0, length));
    const stemmed = stem(word);
    const term = this.termOfStem.get(stemmed) ?? this.termOfStem.size;
    this.termOfStem.set(stemmed, term);
    this.words.push(word);
    this.termOfWord.push(term);
    const start = this.used;
    if (start + length > this.units.length) this.growUnits();
    for (let i = 0; i < length; i++) this.units[start + i] = units[i]!;
    this.used += length;
    this.slots[at] = hash;
    this.slots[at + 1] = term + 1;
    this.slots[at + 2] = start;
    this.slots[at + 3] = this.used;
    if (this.words.length * 3 > this.mask * 2) this.rehash();
    return term;
  }

  private growUnits(): void {
    const larger = new Uint16Array(this.units.length * 2);
    larger.set(this.units);
    this.units = larger;
  }

  private rehash(): void {
    const old = this.slots;
    this.slots = new Int32Array(old.length * 2);
    this.mask = this.mask * 2 + 1;
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from + 1] === 0) continue;
      let slot = old[from]! & this.mask;
      while (this.slots[slot * SLOT + 1] !== 0) slot = (slot + 1) & this.mask;
      this.slots.set(old.subarray(from, from + SLOT), slot * SLOT);
    }
  }

  /** The words of terms that some record still has, sorted by code units, each with its term. */
  wordTable(isUsed: (term: number) => boolean): TermTable {
    const inUse = this.termOfWord.map(isUsed);
    return sortedTable(
      this.words.filter((_, word) => inUse[word]),
      this.termOfWord.filter((_, word) => inUse[word]),
    );
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
