/**
 * Draws the cover of a book as an SVG image in a data: URL, so that the sample needs no image host.
 * Type, palette and design follow the category and a seed; the same book and seed give the same bytes.
 */

import { createRandom } from '../../test/support/random.js';
import type { Design } from './cover-design.js';
import { COVER } from './cover-design.js';
import { coverStyle } from './cover-styles.js';
import type { Room, Setting } from './cover-text.js';
import { LINE_HEIGHT, setText } from './cover-text.js';

export interface Book {
  readonly title: string;
  readonly author: string;
  readonly category: string;
}

const MARGIN = 20;
const TEXT_WIDTH = COVER.width - 2 * MARGIN;
const TEXT_HEIGHT = 136;
/** Between title, subtitle and author. */
const GAP = 9;
/** Widths are estimated for bold type; regular type is narrower. */
const REGULAR = 0.9;
const STRETCH = { serif: 1.02, 'sans-serif': 1.02, monospace: 1.06 } as const;
const TITLE_SIZES = [44, 39, 35, 31, 28, 25, 22, 20, 18, 16] as const;
const SMALL_SIZES = [13, 12, 11, 10] as const;

export function drawCover(book: Book, seed: number): string {
  const random = createRandom(seed);
  const { font, palettes, designs } = coverStyle(book.category);
  const palette = random.pick(palettes);
  const design = random.pick(designs);
  const [ground, ink] = palette;
  const svg =
    `<svg xmlns='http://www.w3.org/2000/svg' width='240' height='360' viewBox='0 0 240 360'>` +
    `<path d='M0 0h240v360H0z' fill='${ground}'/>${design.draw(random, palette)}` +
    `<g fill='${ink}' font-family='${font}'${anchor(book.title, design)}>` +
    `${words(book, design, STRETCH[font])}</g></svg>`;
  return toDataUrl(svg);
}

/** Title, subtitle and author, each below the one before. */
function words(book: Book, design: Design, stretch: number): string {
  const [title, subtitle] = splitTitle(book.title);
  const small: Room = { width: TEXT_WIDTH, height: 32, sizes: SMALL_SIZES, maxLines: 2, stretch: REGULAR * stretch };
  const below = subtitle === '' ? undefined : setText(subtitle, small);
  const by = book.author === '' ? undefined : setText(book.author, { ...small, maxLines: 1 });
  const height = TEXT_HEIGHT - heightOf(below) - heightOf(by);
  const heading = setText(title, { width: TEXT_WIDTH, height, sizes: TITLE_SIZES, maxLines: 4, stretch });
  const x = textStart(book.title, design);
  const subtitleTop = design.textTop + heightOf(heading);
  const authorTop = subtitleTop + heightOf(below);
  return (
    textElement(heading, x, design.textTop, " font-weight='700'") +
    textElement(below, x, subtitleTop, '') +
    textElement(by, x, authorTop, " opacity='.75'")
  );
}

/** The part after the first colon is set smaller, unless nothing would be left before it. */
function splitTitle(title: string): [title: string, subtitle: string] {
  const [, main = title, rest = ''] = /^(.+?)\s?[:：]\s*(.+)$/u.exec(title) ?? [];
  return [main, rest];
}

function heightOf(setting: Setting | undefined): number {
  return setting === undefined ? 0 : Math.ceil(setting.lines.length * setting.size * LINE_HEIGHT) + GAP;
}

function textElement(setting: Setting | undefined, x: number, top: number, attributes: string): string {
  if (setting === undefined) return '';
  const { size, lines } = setting;
  const spans = lines.map((line, index) => {
    const y = Math.round(top + size * (0.86 + LINE_HEIGHT * index));
    return lines.length === 1 ? escapeXml(line) : `<tspan x='${x}' y='${y}'>${escapeXml(line)}</tspan>`;
  });
  const place = lines.length === 1 ? ` x='${x}' y='${Math.round(top + size * 0.86)}'` : '';
  return `<text${place} font-size='${size}'${attributes}>${spans.join('')}</text>`;
}

const isRightToLeft = (text: string): boolean => /^[^\p{L}]*[\p{sc=Arabic}\p{sc=Hebrew}]/u.test(text);

function anchor(title: string, design: Design): string {
  if (design.align === 'middle') return " text-anchor='middle'";
  return isRightToLeft(title) ? " direction='rtl'" : '';
}

function textStart(title: string, design: Design): number {
  if (design.align === 'middle') return COVER.width / 2;
  return isRightToLeft(title) ? COVER.width - MARGIN : MARGIN;
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Percent-encodes only what a data: URL or a quoted attribute cannot hold, to keep the image readable and short. */
function toDataUrl(svg: string): string {
  return `data:image/svg+xml,${svg.replace(/[%#<>"\r\n]/g, (character) => encodeURIComponent(character))}`;
}
