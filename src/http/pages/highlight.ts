/**
 * Marks the words of a text that a search found it by, and cuts the part of a long text that shows them. What counts as
 * found is the search's to say; here a text is only cut into pieces small enough to mark.
 */
import type { SearchIndex } from '../../search/search.js';
import { type Content, type Html, html } from './html.js';

/** No word goes on beyond white space. */
const PIECE = /\S+/g;
/** Letters, digits and the signs that may end a word (`C++`). */
const RUN = /[\p{L}\p{N}\p{M}]+(?:\+\+|#)?/gu;
const CHARACTER = /\P{M}\p{M}*/gu;
const SNIPPET_CHARACTERS = 220;
/** Characters of a text in which a snippet is looked for. */
const SNIPPET_REACH = 50_000;

export interface Highlighter {
  /** The text with its found words marked. */
  readonly mark: (text: string) => Content;
  /** The part of the text around its first found words, marked; null where there are none. */
  readonly snippet: (text: string) => Html | null;
}

/** A part of a text, the end excluded. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const matchesOf = (text: string, pattern: RegExp): readonly Span[] =>
  [...text.matchAll(pattern)].map(({ 0: match, index }) => ({ from: index, to: index + match.length }));

export const noHighlighter: Highlighter = { mark: (text) => text, snippet: () => null };

export function createHighlighter(search: SearchIndex, query: string | null): Highlighter {
  if (query === null) return noHighlighter;
  const look = search.finder(query);
  /** The pieces of one page repeat. */
  const known = new Map<string, readonly Span[]>();

  function foundIn(piece: string): readonly Span[] {
    const found = known.get(piece) ?? (look(piece).isFound ? spansOf(piece) : []);
    known.set(piece, found);
    return found;
  }

  /** Each word that is found by itself; all of the piece where only its words together are (`e-mail`). */
  function spansOf(piece: string): readonly Span[] {
    const runs = matchesOf(piece, RUN);
    const spans = runs.flatMap((run) => {
      const { words, isFound } = look(piece.slice(run.from, run.to));
      if (!isFound) return [];
      return words === 1 ? [run] : pairsOf(piece, run);
    });
    return spans.length > 0 ? spans : [{ from: runs[0]?.from ?? 0, to: runs.at(-1)?.to ?? piece.length }];
  }

  /** Scripts without spaces are searched by pairs of characters. */
  function pairsOf(piece: string, run: Span): readonly Span[] {
    const characters = matchesOf(piece.slice(run.from, run.to), CHARACTER);
    const spans: { from: number; to: number }[] = [];
    characters.forEach(({ from, to }, i) => {
      const pair = { from: run.from + from, to: run.from + (characters[i + 1]?.to ?? to) };
      const one = { from: pair.from, to: run.from + to };
      const found = [pair, one].find((span) => look(piece.slice(span.from, span.to)).isFound);
      if (found === undefined) return;
      const before = spans.at(-1);
      if (before !== undefined && found.from <= before.to) before.to = Math.max(before.to, found.to);
      else spans.push({ ...found });
    });
    return spans.length > 0 ? spans : [run];
  }

  function mark(text: string): Content {
    const parts: Content[] = [];
    let end = 0;
    for (const { 0: piece, index } of text.matchAll(PIECE)) {
      for (const { from, to } of foundIn(piece)) {
        parts.push(text.slice(end, index + from), html`<mark>${piece.slice(from, to)}</mark>`);
        end = index + to;
      }
    }
    return end === 0 ? text : [...parts, text.slice(end)];
  }

  function snippet(text: string): Html | null {
    const reach = text.slice(0, SNIPPET_REACH);
    for (const { 0: piece, index } of reach.matchAll(PIECE)) {
      const [first] = foundIn(piece);
      if (first === undefined) continue;
      const from = wordStart(text, index + first.from - SNIPPET_CHARACTERS / 3);
      const isCut = from + SNIPPET_CHARACTERS < text.length;
      const reached = text.slice(from, from + SNIPPET_CHARACTERS);
      // Not within a word, unless it is a very long one, and never within a character.
      const part = isCut ? reached.replace(/\s+\S{0,30}$|[\uD800-\uDBFF]$/, '') : reached;
      return html`${from > 0 ? '… ' : ''}${mark(part)}${isCut ? ' …' : ''}`;
    }
    return null;
  }

  return { mark, snippet };
}

/** The end of the white space nearest to `near`, or `near` itself within a very long word. */
function wordStart(text: string, near: number): number {
  const from = Math.max(0, Math.floor(near));
  if (from === 0) return 0;
  const space = text.slice(from, from + 40).search(/\s/);
  return space < 0 ? from : from + space + 1;
}
