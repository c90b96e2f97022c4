/**
 * The words met while texts are read, and their terms. Plain words have a table in the kernel's memory, all others an
 * open-addressing hash table over their code units, so that a word seen before costs one probe and no string.
 */
import { uint16, withRoom } from '../growable.js';
import type { Characters } from './characters.js';
import { PlainWords } from './plain-words.js';
import type { WordTerms } from './word-terms.js';

const START_SLOTS = 1 << 12;

/** A word that is no plain one: its hash, where its units stand, how many they are, and its term. */
interface Entry {
  readonly hash: number;
  readonly start: number;
  readonly length: number;
  readonly term: number;
}

export class Vocabulary {
  readonly plain: PlainWords;
  private readonly words: WordTerms;

  /** The numbers of entries, counted from 1; 0 is a free slot. */
  private slots = new Int32Array(START_SLOTS);
  private readonly entries: Entry[] = [];
  private units = new Uint16Array(1 << 12);
  private used = 0;

  /** `words` gives a word that is new its term. */
  constructor(characters: Characters, words: WordTerms) {
    this.words = words;
    this.plain = new PlainWords(characters, words);
  }

  /** The term of a word, which is added if it is new. */
  termOf(units: Uint16Array, length: number): number {
    const term = this.plain.termOf(units, length);
    return term >= 0 ? term : this.probe(units, length);
  }

  private probe(units: Uint16Array, length: number): number {
    const hash = hashUnits(units, length);
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = this.entries[this.slots[slot]! - 1];
      if (entry === undefined) return this.addEntry(slot, hash, units, length);
      if (entry.hash === hash && this.holds(entry, units, length)) return entry.term;
    }
  }

  private holds({ start, length }: Entry, units: Uint16Array, wanted: number): boolean {
    if (length !== wanted) return false;
    const own = this.units;
    for (let i = 0; i < length; i++) if (own[start + i] !== units[i]) return false;
    return true;
  }

  private addEntry(slot: number, hash: number, units: Uint16Array, length: number): number {
    const start = this.used;
    this.used += length;
    this.units = withRoom(this.units, this.used, uint16);
    this.units.set(units.subarray(0, length), start);
    const term = this.words.add(String.fromCharCode(...units.subarray(0, length)));
    this.slots[slot] = this.entries.push({ hash, start, length, term });
    if (this.entries.length * 2 > this.slots.length) this.rehash();
    return term;
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    this.entries.forEach(({ hash }, i) => {
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = i + 1;
    });
    this.slots = slots;
  }
}

/** FNV-1a over code units. */
function hashUnits(units: Uint16Array, length: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ units[i]!, 0x01000193);
  return hash;
}
