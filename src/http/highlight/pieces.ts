/**
 * The pieces of a text between white space in which a search may find a word. No word goes on beyond white space, and
 * every word begins where letters or digits do, or with a full stop: a piece of ASCII of which none begins as one of the
 * search's words does is passed over without being cut out.
 */
import type { WordFinder } from '../../search/search.js';

/** What a unit is to a piece. */
const SPACE = 0;
const OTHER = 1;
const WORD = 2;
/** As `WORD`, and a word of the search may begin with it. */
const BEGINNING = 3;
/** No ASCII, or a full stop that a word of the search begins with: what it gives is the search's to say. */
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
