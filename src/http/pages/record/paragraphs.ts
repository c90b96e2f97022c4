/**
 * Scraped text as paragraphs, which blank lines separate. A single line break stays; in a text that is wrapped at a fixed
 * width it becomes a space. Bare web addresses become links.
 */

import type { Highlighter } from '../../highlight/highlight.js';
import { type Content, type Html, html } from '../../markup/html.js';
import { outLink } from './value.js';

/** A line of at least this length before another line was most likely wrapped. */
export const MIN_WRAPPED_LINE = 55;
/** A paragraph with a longer line was not wrapped, so its line breaks stay. */
export const MAX_WRAPPED_LINE = 120;
const LIST_ITEM = /^\s*(?:[-*+•>#|]|\d+[.)]\s|```|\t| {4})/;

export const paragraphsOf = (text: string): readonly string[] =>
  text
    .replace(/\r\n?/g, '\n')
    .split(/\n[^\S\n]*\n\s*/)
    .map((paragraph) => unwrap(paragraph.replace(/^\n+/, '').trimEnd()))
    .filter((paragraph) => paragraph.trim() !== '');

function unwrap(paragraph: string): string {
  const lines = paragraph.split('\n');
  if (lines.some((line) => line.length > MAX_WRAPPED_LINE)) return paragraph;
  return lines.reduce((text, line, i) => {
    if (i === 0) return line;
    const isBroken = (lines[i - 1]?.length ?? 0) < MIN_WRAPPED_LINE || LIST_ITEM.test(line);
    return isBroken ? `${text}\n${line}` : `${text} ${line.trimStart()}`;
  }, '');
}

export const proseMarkup = (text: string, highlighter: Highlighter): Html =>
  html`${paragraphsOf(text).map((paragraph) => html`<p dir="auto">${linked(paragraph, highlighter)}</p>`)}`;

const ADDRESS_IN_TEXT = /https?:\/\/[^\s<>"'()[\]{}]+[^\s<>"'()[\]{}.,;:!?…*_]/gi;

/** Text with its bare web addresses as links. */
export function linked(text: string, highlighter: Highlighter): Content {
  const parts: Content[] = [];
  let end = 0;
  for (const { 0: webLink, index } of text.matchAll(ADDRESS_IN_TEXT)) {
    parts.push(highlighter.mark(text.slice(end, index)), outLink(webLink, () => webLink, 'plain') ?? webLink);
    end = index + webLink.length;
  }
  return [...parts, highlighter.mark(text.slice(end))];
}
