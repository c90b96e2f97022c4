/**
 * Which words of a text a search most likely found, and the part of a long text to show for them. A word counts as
 * found if it begins with a word of the query, case and accents aside. The one place to change when the search
 * itself tells what it matched.
 */
import { fold } from '../../text.js';
import { type Content, type Html, html } from './html.js';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Shorter words of a query must match whole: as a beginning they would be everywhere. */
const MIN_PREFIX = 3;
const SNIPPET_CHARACTERS = 220;
/** Characters of a text in which a snippet is looked for. */
const SNIPPET_REACH = 50_000;

export interface Highlighter {
  /** The text with its found words marked. */
  readonly mark: (text: string) => Content;
  /** The part of the text around its first found words, marked; null where there are none. */
  readonly snippet: (text: string) => Html | null;
}

export const noHighlighter: Highlighter = { mark: (text) => text, snippet: () => null };

export function createHighlighter(query: string | null): Highlighter {
  const wanted = [...new Set([...(query ?? '').matchAll(WORD)].map(([word]) => fold(word)))];
  if (wanted.length === 0) return noHighlighter;

  const isFound = (word: string): boolean => {
    const folded = fold(word);
    return wanted.some((one) => (one.length < MIN_PREFIX ? folded === one : folded.startsWith(one)));
  };

  function mark(text: string): Content {
    const parts: Content[] = [];
    let end = 0;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (!isFound(word)) continue;
      parts.push(text.slice(end, index), html`<mark>${word}</mark>`);
      end = index + word.length;
    }
    return end === 0 ? text : [...parts, text.slice(end)];
  }

  function snippet(text: string): Html | null {
    const reach = text.slice(0, SNIPPET_REACH);
    for (const { 0: word, index } of reach.matchAll(WORD)) {
      if (!isFound(word)) continue;
      const from = wordStart(text, index - SNIPPET_CHARACTERS / 3);
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
