/**
 * Draws the cover of a book as an SVG image in a data: URL, so that the sample needs no image host.
 * Type, palette and design follow the category and a seed; the same book and seed give the same bytes.
 */
import { COVER } from './cover-design.js';
import { coverStyle } from './cover-styles.js';
import { LINE_HEIGHT, setText } from './cover-text.js';
import { createRandom } from './random.js';
const MARGIN = 20;
const TEXT_WIDTH = COVER.width - 2 * MARGIN;
const TEXT_HEIGHT = 136;
/** Between title, subtitle and author. */
const GAP = 9;
/** Widths are estimated for bold type; regular type is narrower. */
const REGULAR = 0.9;
const STRETCH = { serif: 1.02, 'sans-serif': 1.02, monospace: 1.06 };
const TITLE_SIZES = [44, 39, 35, 31, 28, 25, 22, 20, 18, 16];
const SMALL_SIZES = [13, 12, 11, 10];
export function drawCover(book, seed) {
    const random = createRandom(seed);
    const { font, palettes, designs } = coverStyle(book.category);
    const palette = random.pick(palettes);
    const design = random.pick(designs);
    const [ground, ink] = palette;
    const svg = `<svg xmlns='http://www.w3.org/2000/svg' width='240' height='360' viewBox='0 0 240 360'>` +
        `<path d='M0 0h240v360H0z' fill='${ground}'/>${design.draw(random, palette)}` +
        `<g fill='${ink}' font-family='${font}'${anchor(book.title, design)}>` +
        `${words(book, design, STRETCH[font])}</g></svg>`;
    return toDataUrl(svg);
}
/** Title, subtitle and author, each below the one before. */
function words(book, design, stretch) {
    const [title, subtitle] = splitTitle(book.title);
    const small = { width: TEXT_WIDTH, height: 32, sizes: SMALL_SIZES, maxLines: 2, stretch: REGULAR * stretch };
    const below = subtitle === '' ? undefined : setText(subtitle, small);
    const by = book.author === '' ? undefined : setText(book.author, { ...small, maxLines: 1 });
    const height = TEXT_HEIGHT - heightOf(below) - heightOf(by);
    const heading = setText(title, { width: TEXT_WIDTH, height, sizes: TITLE_SIZES, maxLines: 4, stretch });
    const x = textStart(book.title, design);
    const subtitleTop = design.textTop + heightOf(heading);
    const authorTop = subtitleTop + heightOf(below);
    return (textElement(heading, x, design.textTop, " font-weight='700'") +
        textElement(below, x, subtitleTop, '') +
        textElement(by, x, authorTop, " opacity='.75'"));
}
/** The part after the first colon is set smaller, unless nothing would be left before it. */
function splitTitle(title) {
    const [, main = title, rest = ''] = /^(.+?)\s?[:：]\s*(.+)$/u.exec(title) ?? [];
    return [main, rest];
}
function heightOf(setting) {
    return setting === undefined ? 0 : Math.ceil(setting.lines.length * setting.size * LINE_HEIGHT) + GAP;
}
function textElement(setting, x, top, attributes) {
    if (setting === undefined)
        return '';
    const { size, lines } = setting;
    const spans = lines.map((line, index) => {
        const y = Math.round(top + size * (0.86 + LINE_HEIGHT * index));
        return lines.length === 1 ? escapeXml(line) : `<tspan x='${x}' y='${y}'>${escapeXml(line)}</tspan>`;
    });
    const place = lines.length === 1 ? ` x='${x}' y='${Math.round(top + size * 0.86)}'` : '';
    return `<text${place} font-size='${size}'${attributes}>${spans.join('')}</text>`;
}
const isRightToLeft = (text) => /^[^\p{L}]*[\p{sc=Arabic}\p{sc=Hebrew}]/u.test(text);
function anchor(title, design) {
    if (design.align === 'middle')
        return " text-anchor='middle'";
    return isRightToLeft(title) ? " direction='rtl'" : '';
}
function textStart(title, design) {
    if (design.align === 'middle')
        return COVER.width / 2;
    return isRightToLeft(title) ? COVER.width - MARGIN : MARGIN;
}
function escapeXml(text) {
    return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
/** Percent-encodes only what a data: URL or a quoted attribute cannot hold, to keep the image readable and short. */
function toDataUrl(svg) {
    return `data:image/svg+xml,${svg.replace(/[%#<>"\r\n]/g, (character) => encodeURIComponent(character))}`;
}
