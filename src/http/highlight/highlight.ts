/**
 * Marks the words of a text that a search found it by, and cuts the part of a long text that shows them. What counts as
 * found is the search's to say; here a text is only cut into pieces small enough to mark.
 */
import type { Query } from '../../query/query.js';
import type { SearchIndex, WordFinder } from '../../search/search.js';
import { type Content, type Html, html } from '../markup/html.js';
import { Pieces } from './pieces.js';

/** Letters, digits and the signs that may end a word (`C++`). */
const RUN = /[\p{L}\p{N}\p{M}]+(?:\+\+|#)?/gu;
/** Some thirty words, of which a third stand before the first that is found. */
const SNIPPET_CHARACTERS = 220;
const CHARACTERS_BEFORE = 73;
/** Characters of a text in which a snippet is looked for, and found words that are compared. */
const MAX_SEARCHED_CHARACTERS = 50_000;
const MAX_PLACES = 64;
/** A character with more accents may be cut. */
const MAX_ACCENTS = 32;

export interface Highlighter {
  /** The text with its found words marked. */
  mark(text: string): Content;
  /** The part of the text that shows most of what was searched, marked; null where nothing is found. */
  snippet(text: string): Html | null;
}

/** A part of a text, the end excluded. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** A found word, and where it begins. */
interface Place {
  readonly at: number;
  readonly word: string;
}

const matchesOf = (text: string, pattern: RegExp): readonly Span[] =>
  [...text.matchAll(pattern)].map(({ 0: match, index }) => ({ from: index, to: index + match.length }));

const NONE: readonly Span[] = [];

const cutBefore = html`&hellip; `;
const cutAfter = html` &hellip;`;

const noHighlighter: Highlighter = { mark: (text) => text, snippet: () => null };

export const createHighlighter = (search: SearchIndex, { text, textOptions }: Query): Highlighter =>
  text === null ? noHighlighter : new WordHighlighter(search.finder(text, textOptions));

/** A class: closures made for each page would be interpreted for each. */
class WordHighlighter implements Highlighter {
  readonly #finder: WordFinder;
  readonly #pieces: Pieces;
  /** The pieces of one page repeat, and so do their pairs of characters. */
  readonly #known = new Map<string, readonly Span[]>();
  readonly #pairs = new Map<string, boolean>();

  constructor(finder: WordFinder) {
    this.#finder = finder;
    this.#pieces = new Pieces(finder);
  }

  mark(text: string): Content {
    const parts: Content[] = [];
    const pieces = this.#pieces;
    let end = 0;
    pieces.begin(text);
    while (pieces.next()) {
      const { start } = pieces;
      for (const { from, to } of this.#foundIn(text.slice(start, pieces.end))) {
        parts.push(text.slice(end, start + from), html`<mark>${text.slice(start + from, start + to)}</mark>`);
        end = start + to;
      }
    }
    return end === 0 ? text : [...parts, text.slice(end)];
  }

  snippet(text: string): Html | null {
    const best = bestPlace(this.#placesIn(text.slice(0, MAX_SEARCHED_CHARACTERS)));
    if (best === null) return null;
    const from = wordStart(text, best - CHARACTERS_BEFORE);
    const to = characterEnd(text, from + SNIPPET_CHARACTERS);
    const isCut = to < text.length;
    const reached = text.slice(from, to);
    // Not within a word, unless it is a very long one.
    const part = isCut ? reached.replace(/\s+\S{0,30}$/, '') : reached;
    return html`${from > 0 ? cutBefore : null}${this.mark(part)}${isCut ? cutAfter : null}`;
  }

  /** The first found words of a text. */
  #placesIn(text: string): readonly Place[] {
    const pieces = this.#pieces;
    const places: Place[] = [];
    pieces.begin(text);
    while (places.length < MAX_PLACES && pieces.next()) {
      const piece = text.slice(pieces.start, pieces.end);
      for (const { from, to } of this.#foundIn(piece))
        places.push({ at: pieces.start + from, word: piece.slice(from, to).toLowerCase() });
    }
    return places;
  }

  #foundIn(piece: string): readonly Span[] {
    const known = this.#known.get(piece);
    if (known !== undefined) return known;
    const found = this.#finder.look(piece).isFound ? this.#spansOf(piece) : NONE;
    this.#known.set(piece, found);
    return found;
  }

  /** Each word that is found by itself; all of the piece where only its words together are (`e-mail`). */
  #spansOf(piece: string): readonly Span[] {
    const runs = matchesOf(piece, RUN);
    const spans = runs.flatMap((run) => {
      const { words, isFound } = this.#finder.look(piece.slice(run.from, run.to));
      if (!isFound) return [];
      return words === 1 ? [run] : this.#pairsOf(piece, run);
    });
    return spans.length > 0 ? spans : [{ from: runs[0]?.from ?? 0, to: runs.at(-1)?.to ?? piece.length }];
  }

  /** Scripts without spaces are searched by pairs of characters. */
  #pairsOf(piece: string, run: Span): readonly Span[] {
    const spans: { from: number; to: number }[] = [];
    let end = characterEnd(piece, run.from + 1);
    for (let from = run.from; from < run.to; ) {
      const next = Math.min(characterEnd(piece, end + 1), run.to);
      const to = [next, end].find((one) => this.#isPairFound(piece.slice(from, one)));
      const before = spans.at(-1);
      if (to !== undefined && before !== undefined && from <= before.to) before.to = Math.max(before.to, to);
      else if (to !== undefined) spans.push({ from, to });
      [from, end] = [end, next];
    }
    return spans.length > 0 ? spans : [run];
  }

  #isPairFound(pair: string): boolean {
    const known = this.#pairs.get(pair) ?? this.#finder.look(pair).isFound;
    this.#pairs.set(pair, known);
    return known;
  }
}

/** The place with most different words behind it that a snippet would show, of equal ones the first; null of none. */
function bestPlace(places: readonly Place[]): number | null {
  let best: number | null = null;
  let most = 0;
  places.forEach(({ at }, i) => {
    const shown = new Set<string>();
    for (let j = i; j < places.length && places[j]!.at < at + SNIPPET_CHARACTERS - CHARACTERS_BEFORE; j++)
      shown.add(places[j]!.word);
    if (shown.size <= most) return;
    most = shown.size;
    best = at;
  });
  return best;
}

/** The end of the white space nearest to `near`, or of the character there within a very long word. */
function wordStart(text: string, near: number): number {
  const from = Math.max(0, Math.floor(near));
  if (from === 0) return 0;
  const space = text.slice(from, from + 40).search(/\s/);
  return space < 0 ? characterEnd(text, from) : from + space + 1;
}

/** `at`, or where the character ends that would be cut there: between surrogates, or before its accents. */
function characterEnd(text: string, at: number): number {
  const from = /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at + 1 : at;
  const accents = text.slice(from, from + MAX_ACCENTS).search(/\P{M}/u);
  return from + Math.max(0, accents);
}
