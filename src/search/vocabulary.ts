/**
 * The words met while texts are read, and their terms: plain words have tables in the kernel's memory, all others tables of
 * their own.
 */
import { uint32, withRoom } from '../growable.js';
import type { Characters } from './characters.js';
import { PlainWords } from './plain-words.js';
import { merged, sortedTable } from './string-table.js';
import type { StringTable, TermTable, WordTables } from './tables.js';
import { NumberedStrings } from './unit-strings.js';
import { LISTED_BYTES } from './word-places.js';
import { bySize } from './words-by-size.js';

/** Words, each of which has a term of its own, by these. */
export interface ListedWords {
  /** Of plain words, see `plain-words.ts`. */
  readonly keys: Uint8Array;
  readonly others: StringTable;
  /** Ascending. */
  readonly otherTerms: Uint32Array;
}

const A = 'a'.charCodeAt(0);
const Z = 'z'.charCodeAt(0);

export class Vocabulary {
  readonly plain: PlainWords;
  private readonly stems: boolean;
  private readonly others = new StringTerms((units, length) => this.termOfNew(units, length));
  private readonly otherStems = new StringTerms(() => this.plain.addTerm());

  /** Words have the terms of their `stems`, or each a term of its own. */
  constructor(characters: Characters, stems: boolean) {
    this.stems = stems;
    this.plain = new PlainWords(characters, stems);
  }

  /** The term of a word, which is added if it is new. */
  termOf(units: Uint16Array, length: number): number {
    const term = this.plain.termOf(units, length);
    return term >= 0 ? term : this.others.termOf(units, length);
  }

  private termOfNew(units: Uint16Array, length: number): number {
    if (!this.stems) return this.plain.addTerm();
    if (!isEnglish(units, length)) return this.otherStems.termOf(units, length);
    // A word of too many letters to be plain, whose stem may be that of a plain one.
    const stem = this.plain.stemOf(units, length);
    const term = this.plain.termOfStem(stem);
    return term >= 0 ? term : this.otherStems.termOf(stem, stem.length);
  }

  /** How many terms there are. */
  get terms(): number {
    return this.plain.terms;
  }

  /** All words, where each has a term of its own. */
  list(): ListedWords {
    return { keys: this.plain.keysByTerm(), others: this.others.strings(), otherTerms: this.others.terms() };
  }

  /** The term here of each listed word, by the term that it has there; those that are new are added in that order. */
  termsOf({ keys, others, otherTerms }: ListedWords): Uint32Array {
    const found = new Uint32Array(keys.length / LISTED_BYTES);
    let at = 0;
    const lookUp = (to: number): void =>
      this.plain.lookUpMany(keys.subarray(at * LISTED_BYTES, to * LISTED_BYTES), (terms) => {
        found.set(terms, at);
        at += terms.length;
      });
    otherTerms.forEach((term, i) => {
      lookUp(term);
      const word = others.units.subarray(others.offsets[i]!, others.offsets[i + 1]!);
      found[at++] = this.termOf(word, word.length);
    });
    lookUp(found.length);
    return found;
  }

  dictionary(): WordTables {
    const plain = this.plain.dictionary();
    const words = this.others.addedTo(plain.words);
    return { words, stems: this.otherStems.addedTo(plain.stems), ...bySize(words) };
  }
}

/** Strings, each with a term. */
class StringTerms {
  private readonly numbered = new NumberedStrings();
  private termsOf = uint32(1 << 8);
  private readonly termOfNew: (units: Uint16Array, length: number) => number;

  /** `termOfNew` gives a string that is new its term. */
  constructor(termOfNew: (units: Uint16Array, length: number) => number) {
    this.termOfNew = termOfNew;
  }

  /** The term of `units[0 .. length)`, which are added if they are new. */
  termOf(units: Uint16Array, length: number): number {
    const known = this.numbered.size;
    const number = this.numbered.numberOf(units, length);
    if (number === known) {
      this.termsOf = withRoom(this.termsOf, number + 1, uint32);
      this.termsOf[number] = this.termOfNew(units, length);
    }
    return this.termsOf[number]!;
  }

  strings(): StringTable {
    return this.numbered.table();
  }

  terms(): Uint32Array {
    return this.termsOf.slice(0, this.numbered.size);
  }

  /** A table of other strings with these. */
  addedTo(table: TermTable): TermTable {
    return this.numbered.size === 0 ? table : merged(table, sortedTable(this.strings(), this.terms()));
  }
}

function isEnglish(units: Uint16Array, length: number): boolean {
  for (let i = 0; i < length; i++) if (units[i]! < A || units[i]! > Z) return false;
  return true;
}
