/**
 * Markup as values. Everything put into a template is escaped unless it is markup itself, and no page has another way
 * in: scraped text can only ever become text. A page is some 500 templates, so they are plain concatenation: what a
 * template of Hono's does besides, for promises and callbacks, cost a third of a page's rendering. Signs beyond Latin-1 stand
 * in templates as entities: a page of one byte a character is encoded in a third of the time.
 */

/** Finished markup; only `html` makes it. */
export class Html {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  static of(strings: TemplateStringsArray, values: readonly Content[]): Html {
    let text = strings[0] ?? '';
    for (let i = 0; i < values.length; i++) text += textOf(values[i] ?? null) + (strings[i + 1] ?? '');
    return new Html(text);
  }
}

/** What a template takes in a place where there may be nothing. */
export type Content = Html | string | number | null | readonly Content[];

export const html = (strings: TemplateStringsArray, ...values: readonly Content[]): Html => Html.of(strings, values);

function textOf(content: Content): string {
  if (typeof content === 'string') return escaped(content);
  if (content === null) return '';
  if (content instanceof Html || typeof content === 'number') return content.toString();
  let text = '';
  for (const part of content) text += textOf(part);
  return text;
}

const SPECIAL = /[&<>'"]/;
const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ["'", '&#39;'],
  ['"', '&quot;'],
]);

const escaped = (text: string): string =>
  SPECIAL.test(text) ? text.replace(/[&<>'"]/g, (character) => entities.get(character) ?? '') : text;

/** Scraped text, kept from turning the direction of what stands beside it (HTML standard, section 4.5.24). */
export const isolated = (content: Content): Html => html`<bdi>${content}</bdi>`;
