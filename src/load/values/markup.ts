/** HTML → text with paragraphs, and entities → the characters that they stand for. */
import { decodeHTMLStrict } from 'entities/decode';
import { Parser } from 'htmlparser2';

/** Decodes entities, which end in a semicolon: `AT&T` and `?a=1&copy=2` stay as they are. */
export const withoutEntities = (text: string): string => (text.includes('&') ? decodeHTMLStrict(text) : text);

/** Elements whose contents are not read. */
const UNREAD_ELEMENTS = new Set('script style head template noscript svg iframe object form button'.split(' '));
/** Elements that stand in a paragraph of their own. */
const PARAGRAPHS = new Set(
  'p div section article header footer main aside nav h1 h2 h3 h4 h5 h6 blockquote pre ul ol dl table figure figcaption hr address details summary'.split(
    ' ',
  ),
);
/** Elements that begin a line. */
const LINE_ELEMENTS = new Set(['br', 'li', 'tr', 'dt', 'dd', 'caption', 'option']);
const CELLS = new Set(['td', 'th']);

/** No page nests elements so deep. Each further one takes the parser time by the number of open ones. */
const MAX_ELEMENT_DEPTH = 256;

/** Where more than `MAX_ELEMENT_DEPTH` elements are open, all of them are closed. */
export function textOfHtml(html: string): string {
  const writer = new TextWriter();
  for (let from = 0; from >= 0; ) from = readFrom(html, from, writer);
  return writer.written;
}

/** Reads up to the end, or up to an element that is too deep; returns where to go on behind it, else -1. */
function readFrom(html: string, from: number, writer: TextWriter): number {
  let depth = 0;
  /** Where the element begins that is too deep. */
  let deepest = -1;
  const parser = new Parser({
    onopentagname(name) {
      writer.open(name);
      if (++depth <= MAX_ELEMENT_DEPTH) return;
      parser.pause();
      deepest = from + parser.endIndex;
    },
    onclosetag(name) {
      depth--;
      writer.close(name);
    },
    ontext: (text) => writer.text(text),
  });
  parser.end(from === 0 ? html : html.slice(from));
  if (deepest < 0) return -1;
  writer.closeAll();
  const behind = html.indexOf('>', deepest);
  return behind < 0 ? -1 : behind + 1;
}

/** Collects text: white space is one space, except where it is preformatted; breaks are written before the next text. */
class TextWriter {
  written = '';
  #breaks = 0;
  #hasSpace = false;
  #unread = 0;
  #preformatted = 0;

  open(name: string): void {
    if (UNREAD_ELEMENTS.has(name)) this.#unread++;
    if (name === 'pre') this.#preformatted++;
    this.#break(name);
  }

  close(name: string): void {
    if (UNREAD_ELEMENTS.has(name)) this.#unread--;
    if (name === 'pre') this.#preformatted--;
    if (name !== 'br') this.#break(name);
  }

  closeAll(): void {
    this.#unread = 0;
    this.#preformatted = 0;
  }

  text(text: string): void {
    if (this.#unread > 0) return;
    if (this.#preformatted > 0) {
      this.#write(text.replace(/\r\n?/g, '\n'));
      return;
    }
    const words = text.replace(/[ \t\r\n\f]+/g, ' ');
    if (words.startsWith(' ')) this.#hasSpace = true;
    const trimmed = words.replace(/^ | $/g, '');
    if (trimmed === '') return;
    this.#write(trimmed);
    this.#hasSpace = words.endsWith(' ');
  }

  #break(name: string): void {
    if (PARAGRAPHS.has(name)) this.#breaks = Math.max(this.#breaks, 2);
    else if (name === 'br') this.#breaks = Math.min(2, this.#breaks + 1);
    else if (LINE_ELEMENTS.has(name)) this.#breaks = Math.max(this.#breaks, 1);
    else if (CELLS.has(name)) this.#hasSpace = true;
  }

  #write(text: string): void {
    const space = this.#hasSpace ? ' ' : '';
    if (this.written !== '') this.written += this.#breaks > 0 ? '\n'.repeat(this.#breaks) : space;
    this.#breaks = 0;
    this.#hasSpace = false;
    this.written += text;
  }
}
