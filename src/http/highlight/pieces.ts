/**
 * The pieces of a text, between white space, in which a word of the search may occur. A word has no white space in it, and
 * begins with a letter, a digit or a full stop. So an ASCII piece is skipped, without being cut out, if none of its words
 * begins with the first letter of a word of the search.
 */
import type { WordFinder } from '../../search/search.js';

/** Kinds of UTF-16 units. */
const SPACE = 0;
const OTHER = 1;
const WORD = 2;
/** A letter or digit with which a word of the search may begin. */
const BEGINNING = 3;
/** A unit whose piece is always looked up: beyond ASCII, or a full stop with which a word of the search begins. */
const SOUGHT = 4;

const ASCII = 0x80;
/** White space beyond ASCII, as `\s` has it. */
const isForeignSpace = (unit: number): boolean =>
  unit === 0xa0 || unit === 0xfeff || (unit >= 0x1680 && unit <= 0x3000 && /\s/.test(String.fromCharCode(unit)));

const FULL_STOP = 46;
const characters = Array.from({ length: ASCII }, (_, unit) => String.fromCharCode(unit));
const plainKinds = Uint8Array.from(characters, (one) =>
  /\s/.test(one) ? SPACE : /[0-9a-z]/i.test(one) ? WORD : OTHER,
);
const folded = Uint8Array.from(characters, (one) => one.toLowerCase().charCodeAt(0));

function kindsFor(finder: WordFinder): Uint8Array {
  const kinds = plainKinds.slice();
  for (let unit = 0; unit < ASCII; unit++) {
    if (kinds[unit] === WORD && finder.mayBegin(folded[unit]!)) kinds[unit] = BEGINNING;
  }
  if (finder.mayBegin(FULL_STOP)) kinds[FULL_STOP] = SOUGHT;
  return kinds;
}

export class Pieces {
  /** The piece, the end excluded. */
  start = 0;
  end = 0;
  #text = '';
  readonly #kinds: Uint8Array;

  constructor(finder: WordFinder) {
    this.#kinds = kindsFor(finder);
  }

  begin(text: string): void {
    this.#text = text;
    this.end = 0;
  }

  /** Goes on to the next piece; false if there is none. */
  next(): boolean {
    const { length } = this.#text;
    let at = this.end;
    while (at < length) {
      while (at < length && this.#kindAt(at) === SPACE) at++;
      this.start = at;
      let isSought = false;
      for (let before = OTHER, kind = OTHER; at < length; at++) {
        kind = this.#kindAt(at);
        if (kind === SPACE) break;
        isSought ||= kind === SOUGHT || (kind === BEGINNING && before !== WORD && before !== BEGINNING);
        before = kind;
      }
      this.end = at;
      if (isSought) return true;
    }
    return false;
  }

  #kindAt(at: number): number {
    const unit = this.#text.charCodeAt(at);
    if (unit < ASCII) return this.#kinds[unit]!;
    return isForeignSpace(unit) ? SPACE : SOUGHT;
  }
}
