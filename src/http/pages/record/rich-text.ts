/**
 * Scraped Markdown or HTML as a safe subset: links, emphasis, headings, lists, quotes, code and rules. Markdown becomes HTML
 * first. A parser reads the HTML, and each element is made here, so that no scraped tag becomes markup. Any other tag is
 * dropped, and scripts and styles with their content. A text that is neither is left to `paragraphs.ts`.
 */
import { Parser } from 'htmlparser2';
import MarkdownIt from 'markdown-it';
import type { Highlighter } from '../../highlight/highlight.js';
import { type Content, html } from '../../markup/html.js';
import { memoize } from '../../memoize.js';
import { linked, MAX_WRAPPED_LINE, MIN_WRAPPED_LINE } from './paragraphs.js';
import { outLink } from './value.js';

/** A longer text is plain: parsing it would block the event loop for too long. */
const MAX_CHARACTERS = 30_000;
const MAX_NESTING = 20;

/** A text is HTML if it has a block's tag; one that merely mentions `<b>` is not. */
const HTML_BLOCK = /<\/(?:p|div|li|ul|ol|h[1-6]|blockquote|section|article)>|<br\s*\/?>/i;
const MARKDOWN =
  /\]\(\s*<?https?:|(?:^|\s)(?:\*\*|__)\S|(?:^|\n)(?:#{1,6} \S|[-*+] \S|\d+[.)] \S|> ?\S|```|[^\S\n]{0,8}(?:-{3,}|\*{3,})[^\S\n]*(?:\n|$))|<\/?(?:a|b|i|em|strong|span|code)\b[^<>]*>/i;

/** Null where the text is neither Markdown nor HTML. */
export function richText(text: string, highlighter: Highlighter): Content {
  if (text.length > MAX_CHARACTERS) return null;
  if (HTML_BLOCK.test(text)) return markupOf([text], highlighter);
  if (!MARKDOWN.test(text)) return null;
  return markupOf(markdownParser(MarkdownIt).render(text).split(BLOCK_EDGE), highlighter);
}

/** The elements of the subset, by the scraped ones that become these. */
const ELEMENTS = {
  p: 'p',
  div: 'p',
  h1: 'h3',
  h2: 'h3',
  h3: 'h3',
  h4: 'h3',
  h5: 'h3',
  h6: 'h3',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
  blockquote: 'blockquote',
  pre: 'pre',
  code: 'code',
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  s: 'del',
  del: 'del',
  a: 'a',
} as const;
type ElementName = (typeof ELEMENTS)[keyof typeof ELEMENTS];
const elementNames = new Map<string, ElementName>(Object.entries(ELEMENTS));
const BLOCKS: readonly ElementName[] = ['p', 'h3'];
/** Elements within which an address is no link. */
const UNLINKED: readonly ElementName[] = ['a', 'code', 'pre'];
/** Elements whose text is dropped. */
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'iframe', 'object', 'svg', 'math', 'title', 'head']);

/** An open element, with its contents so far. */
interface OpenElement {
  readonly name: ElementName | null;
  readonly address: string;
  readonly contents: Content[];
}

/**
 * The markup of pieces of HTML, every second of which is a scraped block within the others: what is not closed in a block ends
 * with it. Other elements that are never closed are closed at the end.
 */
function markupOf(pieces: readonly string[], highlighter: Highlighter): Content {
  const root: OpenElement = { name: null, address: '', contents: [] };
  const open = [root];
  /** The parser gives a text in parts, cut at entities. */
  let pendingText = '';
  const flush = (): void => {
    const isUnlinked = open.some(({ name }) => name !== null && UNLINKED.includes(name));
    open.at(-1)?.contents.push(isUnlinked ? highlighter.mark(pendingText) : linked(pendingText, highlighter));
    pendingText = '';
  };
  /** Closes the last open element of the name, with all open elements within; does nothing if there is none. */
  const close = (name: ElementName): void => {
    flush();
    const at = open.findLastIndex((element) => element.name === name);
    if (at > 0) closeFrom(open, at);
  };
  const createParser = (): Parser => {
    let silent = 0;
    return new Parser({
      onopentag(tag, { href = '' }) {
        if (SILENT.has(tag)) silent++;
        if (silent > 0) return;
        flush();
        if (tag === 'br' || tag === 'hr') open.at(-1)?.contents.push(tag === 'br' ? html`<br>` : html`<hr>`);
        const name = elementNames.get(tag);
        if (name === undefined || open.length > MAX_NESTING) return;
        // Paragraphs do not nest; a `div` counts as a paragraph.
        if (BLOCKS.includes(name)) for (const block of BLOCKS) close(block);
        open.push({ name, address: href, contents: [] });
      },
      onclosetag(tag) {
        if (SILENT.has(tag)) silent = Math.max(0, silent - 1);
        const name = elementNames.get(tag);
        if (silent === 0 && name !== undefined) close(name);
      },
      ontext(part) {
        if (silent === 0) pendingText += part;
      },
    });
  };
  const parser = createParser();
  for (const [i, piece] of pieces.entries()) {
    if (i % 2 === 0) parser.write(piece);
    else createParser().end(piece);
  }
  parser.end();
  flush();
  closeFrom(open, 1);
  return root.contents;
}

function closeFrom(open: OpenElement[], at: number): void {
  while (open.length > at) {
    const element = open.pop();
    if (element !== undefined) open.at(-1)?.contents.push(elementMarkup(element));
  }
}

function elementMarkup({ name, address, contents }: OpenElement): Content {
  if (name === null) return contents;
  if (name === 'a') return outLink(address, () => contents, 'plain') ?? contents;
  const attributes = name === 'pre' ? html` tabindex="0"` : null;
  return html`<${name}${attributes}${BLOCKS.includes(name) && html` dir="auto"`}>${contents}</${name}>`;
}

/** Tags that count within a line of Markdown. */
const INLINE_TAG = /^<\/?(?:a|b|strong|i|em|s|del|code)\b/i;
const SINGLE_TAG = /^<[^<>]*>$/;
/** Stands before and behind a block of scraped HTML. No other one is rendered: the parser replaces it in texts. */
const BLOCK_EDGE = '\0';

/** Makes HTML of Markdown. It is made when a record is first shown, so that a start does not wait for it. */
const markdownParser = memoize((Parser: typeof MarkdownIt) => {
  const parser = new Parser({ html: true, linkify: false, maxNesting: MAX_NESTING }).disable(['table', 'code']);
  const { renderer, utils } = parser;
  const { escapeHtml } = utils;
  parser.core.ruler.push('line_breaks', ({ tokens }) => {
    for (const { content, children } of tokens) {
      if (children === null || isWrapped(content)) continue;
      for (const child of children) if (child.type === 'softbreak') child.type = 'hardbreak';
    }
  });
  // Without the line breaks that are usual between elements.
  renderer.renderToken = (tokens, at) => {
    const token = tokens[at]!;
    if (token.hidden) return '';
    return token.nesting < 0 ? `</${token.tag}>` : `<${token.tag}${renderer.renderAttrs(token)}>`;
  };
  renderer.rules.softbreak = () => ' ';
  renderer.rules.hardbreak = () => '<br>';
  renderer.rules.html_inline = (tokens, at) => (INLINE_TAG.test(tokens[at]!.content) ? tokens[at]!.content : '');
  renderer.rules.html_block = (tokens, at) => {
    const { content } = tokens[at]!;
    if (!SINGLE_TAG.test(content.trim())) return BLOCK_EDGE + content + BLOCK_EDGE;
    return INLINE_TAG.test(content) ? content : '';
  };
  renderer.rules.fence = (tokens, at) => `<pre><code>${escapeHtml(tokens[at]!.content)}</code></pre>`;
  renderer.rules.image = (tokens, at) => {
    const token = tokens[at]!;
    return `<a href="${escapeHtml(String(token.attrGet('src') ?? ''))}">${escapeHtml(token.content || 'image')}</a>`;
  };
  return parser;
});

/** Whether a text is wrapped at a fixed width: then its line breaks are spaces. */
function isWrapped(text: string): boolean {
  const lines = text.split('\n');
  return (
    lines.every((line) => line.length <= MAX_WRAPPED_LINE) &&
    lines.slice(0, -1).every((line) => line.length >= MIN_WRAPPED_LINE)
  );
}
