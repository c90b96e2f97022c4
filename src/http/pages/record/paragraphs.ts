/**
 * Scraped text as paragraphs. Blank lines part them; a single line break stays, unless the text is wrapped at a fixed
 * width, where it is a space. Bare web addresses become links.
 */

import type { Highlighter } from '../../highlight/highlight.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { outLink } from './value.js';

/** A line at least this long that is followed by another was most likely wrapped. */
const WRAPPED = 55;
/** Lines longer than this were not wrapped, so their breaks are meant. */
const WIDEST = 120;
const LIST_ITEM = /^\s*(?:[-*+•>#|]|\d+[.)]\s|```|\t| {4})/;

export const paragraphsOf = (text: string): readonly string[] =>
  text
    .replace(/\r\n?/g, '\n')
    .split(/\n[^\S\n]*\n\s*/)
    .map((paragraph) => unwrap(paragraph.replace(/^\n+|\s+$/g, '')))
    .filter((paragraph) => paragraph.trim() !== '');

function unwrap(paragraph: string): string {
  const lines = paragraph.split('\n');
  if (lines.some((line) => line.length > WIDEST)) return paragraph;
  return lines.reduce((text, line, i) => {
    if (i === 0) return line;
    const isBroken = (lines[i - 1]?.length ?? 0) < WRAPPED || LIST_ITEM.test(line);
    return isBroken ? `${text}\n${line}` : `${text} ${line.trimStart()}`;
  }, '');
}

export const prose = (text: string, highlighter: Highlighter): Html =>
  html`${paragraphsOf(text).map((paragraph) => html`<p>${isolated(linked(paragraph, highlighter))}</p>`)}`;

const ADDRESS = /https?:\/\/[^\s<>"'()[\]{}]+[^\s<>"'()[\]{}.,;:!?…*_]/gi;

/** Bare web addresses become links. */
export function linked(text: string, highlighter: Highlighter): Content {
  const parts: Content[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    parts.push(highlighter.mark(text.slice(end, index)), outLink(found, () => found, 'plain') ?? found);
    end = index + found.length;
  }
  return [...parts, highlighter.mark(text.slice(end))];
}
