/**
 * Marks the words of a text that match a search, and cuts a snippet out of a long text. The search index decides which
 * words match; this module only cuts the text into pieces small enough to mark.
 */
import type { Query } from '../../query/query.js';
import type { SearchIndex, WordFinder } from '../../search/search.js';
import { type Content, type Html, html } from '../markup/html.js';

/** A run of letters and digits, with signs that may end a word (`C++`, `C#`). */
const RUN = /[\p{L}\p{N}\p{M}]+(?:\+\+|#)?/gu;
/** Length of a snippet, some thirty words; few stand before the first matching word, since a narrow column shows the first ones only. */
const SNIPPET_CHARACTERS = 220;
const CHARACTERS_BEFORE = 16;
/** Bounds on finding a snippet: characters that are searched, and matching words that are compared. */
const MAX_SEARCHED_CHARACTERS = 50_000;
const MAX_COMPARED_WORDS = 64;
/** Bound on the combining marks of one character; one with more may be cut. */
const MAX_ACCENTS = 32;

export interface Highlighter {
  /** The text with its matching words marked. */
  mark(text: string): Content;
  /** The part of the text with most different matching words, marked; null where none matches. */
  snippet(text: string): Html | null;
}

/** A part of a text; the end is excluded. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Characters with which words may begin, besides those beyond ASCII. */
const INITIALS = [...'.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

/**
 * Matches where a word of the search may begin. Of a search for `salt mill`: S, s, M and m behind no letter or digit, and every character
 * beyond ASCII, since one of them may be folded into such a letter.
 */
export function beginningsFor(finder: WordFinder): RegExp {
  const initials = INITIALS.filter((initial) => finder.mayBegin(initial.toLowerCase().charCodeAt(0)));
  const places = [
    ...(initials[0] === '.' ? ['\\.'] : []),
    `(?<![0-9A-Za-z])[${initials.filter((initial) => initial !== '.').join('')}]`,
    '[^\\x00-\\x7f\\s]',
  ];
  return new RegExp(places.join('|'), 'g');
}

/** The runs between white space in which a word of the search may occur. Most of a text is passed over by the expression. */
export function* markedPieces(text: string, beginnings: RegExp): Iterable<Span> {
  const space = /\s/g;
  for (let end = 0; end < text.length; ) {
    beginnings.lastIndex = end;
    const beginning = beginnings.exec(text)?.index;
    if (beginning === undefined) return;
    let from = beginning;
    while (from > end && !/\s/.test(text.charAt(from - 1))) from--;
    space.lastIndex = beginning;
    const to = space.exec(text)?.index ?? text.length;
    yield { from, to };
    end = to;
  }
}

/** A matching word and its beginning. */
interface MatchingWord {
  readonly at: number;
  readonly word: string;
}

const matchesOf = (text: string, pattern: RegExp): readonly Span[] =>
  [...text.matchAll(pattern)].map(({ 0: match, index }) => ({ from: index, to: index + match.length }));

const NO_SPANS: readonly Span[] = [];

const cutBefore = html`&hellip; `;
const cutAfter = html` &hellip;`;

export const noHighlighter: Highlighter = { mark: (text) => text, snippet: () => null };

export const createHighlighter = (search: SearchIndex, { text, textOptions }: Query): Highlighter =>
  text === null ? noHighlighter : new WordHighlighter(search.finder(text, textOptions));

/** A class, since closures made for each page of hits would not be optimised by V8. */
class WordHighlighter implements Highlighter {
  readonly #finder: WordFinder;
  readonly #beginnings: RegExp;
  /** Memos: the pieces of a page of hits repeat, and so do their pairs of characters. */
  readonly #spansOfPiece = new Map<string, readonly Span[]>();
  readonly #pairMatches = new Map<string, boolean>();

  constructor(finder: WordFinder) {
    this.#finder = finder;
    this.#beginnings = beginningsFor(finder);
  }

  mark(text: string): Content {
    const parts: Content[] = [];
    let end = 0;
    for (const piece of markedPieces(text, this.#beginnings)) {
      for (const { from, to } of this.#foundIn(text.slice(piece.from, piece.to))) {
        const [start, stop] = [piece.from + from, piece.from + to];
        parts.push(text.slice(end, start), html`<mark>${text.slice(start, stop)}</mark>`);
        end = stop;
      }
    }
    return end === 0 ? text : [...parts, text.slice(end)];
  }

  snippet(text: string): Html | null {
    const best = bestStart(this.#wordsIn(text.slice(0, MAX_SEARCHED_CHARACTERS)));
    if (best === null) return null;
    const from = wordStart(text, best - CHARACTERS_BEFORE, best);
    const to = characterEnd(text, from + SNIPPET_CHARACTERS);
    const isCut = to < text.length;
    const reached = text.slice(from, to);
    // The snippet ends between words, unless its last word is very long.
    const part = isCut ? reached.replace(/\s+\S{0,30}$/, '') : reached;
    return html`${from > 0 ? cutBefore : null}${this.mark(part)}${isCut ? cutAfter : null}`;
  }

  /** The first matching words of a text. */
  #wordsIn(text: string): readonly MatchingWord[] {
    const words: MatchingWord[] = [];
    for (const span of markedPieces(text, this.#beginnings)) {
      const piece = text.slice(span.from, span.to);
      for (const { from, to } of this.#foundIn(piece))
        words.push({ at: span.from + from, word: piece.slice(from, to).toLowerCase() });
      if (words.length >= MAX_COMPARED_WORDS) break;
    }
    return words;
  }

  #foundIn(piece: string): readonly Span[] {
    const memo = this.#spansOfPiece.get(piece);
    if (memo !== undefined) return memo;
    const spans = this.#finder.look(piece).isFound ? this.#spansOf(piece) : NO_SPANS;
    this.#spansOfPiece.set(piece, spans);
    return spans;
  }

  /** The words that match alone. Where none does, the words match only together (`e-mail`): then all of the piece. */
  #spansOf(piece: string): readonly Span[] {
    const runs = matchesOf(piece, RUN);
    const spans = runs.flatMap((run) => {
      const { words, isFound } = this.#finder.look(piece.slice(run.from, run.to));
      if (!isFound) return [];
      return words === 1 ? [run] : this.#pairsOf(piece, run);
    });
    return spans.length > 0 ? spans : [{ from: runs[0]?.from ?? 0, to: runs.at(-1)?.to ?? piece.length }];
  }

  /** The matching pairs of characters, by which scripts without spaces are searched. */
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
    const isMatching = this.#pairMatches.get(pair) ?? this.#finder.look(pair).isFound;
    this.#pairMatches.set(pair, isMatching);
    return isMatching;
  }
}

/** The beginning of the first snippet with most different words; null without words. */
function bestStart(words: readonly MatchingWord[]): number | null {
  let best: number | null = null;
  let mostWords = 0;
  words.forEach(({ at }, i) => {
    const distinct = new Set<string>();
    for (let j = i; j < words.length && words[j]!.at < at + SNIPPET_CHARACTERS - CHARACTERS_BEFORE; j++)
      distinct.add(words[j]!.word);
    if (distinct.size <= mostWords) return;
    mostWords = distinct.size;
    best = at;
  });
  return best;
}

/** The beginning of the next word after `near`, up to `last`; within a longer word, the next whole character. */
function wordStart(text: string, near: number, last: number): number {
  if (near <= 0) return 0;
  const space = text.slice(near, last).search(/\s/);
  return space < 0 ? characterEnd(text, near) : near + space + 1;
}

/** `at`, moved to the end of its character if it lies between surrogates or before combining marks. */
function characterEnd(text: string, at: number): number {
  const from = /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at + 1 : at;
  const accents = text.slice(from, from + MAX_ACCENTS).search(/\P{M}/u);
  return from + Math.max(0, accents);
}
