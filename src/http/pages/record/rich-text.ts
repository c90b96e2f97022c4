/**
 * Scraped Markdown or HTML as a safe subset: links, emphasis, headings, lists, quotes, code and rules. A parser reads the
 * text, and each element is made here, so that no scraped tag becomes markup. Any other tag is dropped, and scripts and
 * styles with their content. A text that is neither is left to `paragraphs.ts`.
 */
import { Parser } from 'htmlparser2';
import MarkdownIt from 'markdown-it';
import type { Highlighter } from '../../highlight/highlight.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
import { memoize } from '../../memoize.js';
import { linked, MAX_WRAPPED_LINE, MIN_WRAPPED_LINE } from './paragraphs.js';
import { outLink } from './value.js';

/** A longer text is plain: parsing it would block the event loop for too long. */
const MAX_CHARACTERS = 30_000;
const MAX_NESTING = 20;

/** A text is HTML if it has a block's tag; one that merely mentions `<b>` is not. */
const HTML_BLOCK = /<\/(?:p|div|li|ul|ol|h[1-6]|blockquote|section|article)>|<br\s*\/?>/i;
const MARKDOWN =
  /\]\(\s*<?https?:|(?:^|\s)(?:\*\*|__)\S|(?:^|\n)(?:#{1,6} \S|[-*+] \S|\d+[.)] \S|> ?\S|```|\s*(?:-{3,}|\*{3,})\s*(?:\n|$))|<\/?(?:a|b|i|em|strong|span|code)\b[^>]*>/i;

export type TextForm = 'html' | 'markdown' | 'plain';

export const formOf = (text: string): TextForm => {
  if (text.length > MAX_CHARACTERS) return 'plain';
  if (HTML_BLOCK.test(text)) return 'html';
  return MARKDOWN.test(text) ? 'markdown' : 'plain';
};

type ElementKind =
  | 'p'
  | 'heading'
  | 'ul'
  | 'ol'
  | 'li'
  | 'blockquote'
  | 'pre'
  | 'code'
  | 'strong'
  | 'em'
  | 'del'
  | 'link'
  | 'root';

/** An open element, with its contents so far. */
interface OpenElement {
  readonly kind: ElementKind;
  readonly address: string;
  readonly contents: Content[];
}

/** Builds markup from a parser's events; elements that are never closed are closed at the end. */
class Builder {
  readonly #highlighter: Highlighter;
  readonly #openElements: OpenElement[] = [{ kind: 'root', address: '', contents: [] }];

  constructor(highlighter: Highlighter) {
    this.#highlighter = highlighter;
  }

  open(kind: ElementKind, address = ''): void {
    this.#openElements.push({ kind, address, contents: [] });
  }

  /** Closes the last open element of the kind, with all open elements within; does nothing if there is none. */
  close(kind: ElementKind): void {
    const at = this.#openElements.findLastIndex((element) => element.kind === kind);
    while (at > 0 && this.#openElements.length > at) this.#closeLast();
  }

  /** Adds a text. Its bare addresses become links, except within links and code. */
  text(text: string): void {
    const isLinked = this.#openElements.some(({ kind }) => kind === 'link' || kind === 'code' || kind === 'pre');
    this.add(isLinked ? this.#highlighter.mark(text) : linked(text, this.#highlighter));
  }

  add(content: Content): void {
    this.#openElements.at(-1)?.contents.push(content);
  }

  finish(): Content {
    while (this.#openElements.length > 1) this.#closeLast();
    return this.#openElements[0]?.contents ?? null;
  }

  #closeLast(): void {
    const element = this.#openElements.pop();
    if (element !== undefined) this.add(elementOf(element));
  }
}

function elementOf({ kind, address, contents }: OpenElement): Content {
  switch (kind) {
    case 'p':
      return html`<p>${isolated(contents)}</p>`;
    case 'heading':
      return html`<h3>${isolated(contents)}</h3>`;
    case 'ul':
      return html`<ul>${contents}</ul>`;
    case 'ol':
      return html`<ol>${contents}</ol>`;
    case 'li':
      return html`<li>${contents}</li>`;
    case 'blockquote':
      return html`<blockquote>${contents}</blockquote>`;
    case 'pre':
      return html`<pre tabindex="0"><code>${contents}</code></pre>`;
    case 'code':
      return html`<code>${contents}</code>`;
    case 'strong':
      return html`<strong>${contents}</strong>`;
    case 'em':
      return html`<em>${contents}</em>`;
    case 'del':
      return html`<del>${contents}</del>`;
    case 'link':
      return outLink(address, () => contents, 'plain') ?? contents;
    case 'root':
      return contents;
  }
}

const RULE: Html = html`<hr>`;
const BREAK: Html = html`<br>`;

/** Null where the text is neither Markdown nor HTML. */
export function richText(text: string, highlighter: Highlighter): Content {
  const form = formOf(text);
  if (form === 'plain') return null;
  const builder = new Builder(highlighter);
  if (form === 'html') readHtml(text, builder);
  else readMarkdown(text, builder);
  return builder.finish();
}

const KINDS: Readonly<Record<string, ElementKind>> = {
  p: 'p',
  div: 'p',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
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
  a: 'link',
};
/** Elements whose text is dropped. */
const SILENT = new Set(['script', 'style', 'noscript', 'template', 'iframe', 'object', 'svg', 'math', 'title', 'head']);
const isBlock = (kind: ElementKind): boolean => kind === 'p' || kind === 'heading';

function readHtml(text: string, builder: Builder): void {
  let silent = 0;
  let depth = 0;
  const parser = new Parser({
    onopentag(name, { href = '' }) {
      if (SILENT.has(name)) silent++;
      const kind = KINDS[name];
      if (silent > 0 || kind === undefined || depth >= MAX_NESTING) {
        if (silent === 0 && name === 'br') builder.add(BREAK);
        if (silent === 0 && name === 'hr') builder.add(RULE);
        return;
      }
      // Paragraphs do not nest; a `div` counts as a paragraph.
      if (isBlock(kind)) {
        builder.close('p');
        builder.close('heading');
      }
      builder.open(kind, href);
      depth++;
    },
    onclosetag(name) {
      if (SILENT.has(name)) silent = Math.max(0, silent - 1);
      const kind = KINDS[name];
      if (silent > 0 || kind === undefined) return;
      builder.close(kind);
      depth = Math.max(0, depth - 1);
    },
    ontext(part) {
      if (silent === 0) builder.text(part);
    },
  });
  parser.end(text);
}

/** The Markdown parser, made when a record is first shown, so that a start does not wait for it. */
const parserOf = memoize((Parser: typeof MarkdownIt) =>
  new Parser({ html: true, linkify: false, maxNesting: MAX_NESTING }).disable(['table', 'code']),
);

const MARKDOWN_KINDS: Readonly<Record<string, ElementKind>> = {
  paragraph: 'p',
  heading: 'heading',
  bullet_list: 'ul',
  ordered_list: 'ol',
  list_item: 'li',
  blockquote: 'blockquote',
  strong: 'strong',
  em: 'em',
  s: 'del',
  link: 'link',
};

type Token = ReturnType<ReturnType<typeof parserOf>['parse']>[number];

function readMarkdown(text: string, builder: Builder): void {
  for (const token of parserOf(MarkdownIt).parse(text, {})) readToken(token, builder);
}

function readToken(token: Token, builder: Builder): void {
  const { type, content, children } = token;
  const kind = MARKDOWN_KINDS[type.replace(/_(?:open|close)$/, '')];
  if (kind !== undefined) {
    // Paragraphs of a tight list are hidden.
    if (token.hidden) return;
    if (token.nesting > 0) builder.open(kind, String(token.attrGet('href') ?? ''));
    else builder.close(kind);
    return;
  }
  switch (type) {
    case 'inline':
      readInline(children ?? [], content, builder);
      break;
    case 'text':
      builder.text(content);
      break;
    case 'code_inline':
      builder.open('code');
      builder.text(content);
      builder.close('code');
      break;
    case 'fence':
      builder.open('pre');
      builder.text(content);
      builder.close('pre');
      break;
    case 'image':
      builder.open('link', String(token.attrGet('src') ?? ''));
      builder.text(content === '' ? 'image' : content);
      builder.close('link');
      break;
    case 'hr':
      builder.add(RULE);
      break;
    case 'hardbreak':
      builder.add(BREAK);
      break;
    case 'html_block':
    case 'html_inline':
      readHtmlOf(content, builder);
      break;
  }
}

/** Line breaks of a text wrapped at a fixed width become spaces; others stay. */
function readInline(children: readonly Token[], content: string, builder: Builder): void {
  const lines = content.split('\n');
  const isWrapped =
    lines.every((line) => line.length <= MAX_WRAPPED_LINE) &&
    lines.slice(0, -1).every((line) => line.length >= MIN_WRAPPED_LINE);
  for (const token of children) {
    if (token.type === 'softbreak') builder.add(isWrapped ? ' ' : BREAK);
    else readToken(token, builder);
  }
}

/** The tags that count within Markdown: links, emphasis and code. */
const INLINE_TAG = /^<(\/?)(a|b|strong|i|em|s|del|code)\b/i;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;

function readHtmlOf(content: string, builder: Builder): void {
  const tag = INLINE_TAG.exec(content);
  const kind = KINDS[tag?.[2]?.toLowerCase() ?? ''];
  if (tag === null || kind === undefined) {
    // A block of tags may hold text.
    if (!/^<[^<>]*>$/.test(content.trim())) readHtml(content, builder);
    return;
  }
  if (!/^<[^<>]*>$/.test(content)) readHtml(content, builder);
  else if (tag[1] === '/') builder.close(kind);
  else
    builder.open(
      kind,
      HREF.exec(content)
        ?.slice(1)
        .find((part) => part !== undefined) ?? '',
    );
}
