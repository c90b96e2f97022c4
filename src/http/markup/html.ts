/**
 * Markup as values. A template escapes every value that is not markup itself. Pages are made by templates only, so scraped
 * text can only become text. A page has some 500 templates, so they are plain concatenation, without the promises and
 * callbacks of Hono's templates. Templates write characters beyond Latin-1 as entities, so that a page can be a one-byte
 * string, which is encoded three times as fast.
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
    for (let i = 0; i < values.length; i++) text += htmlText(values[i]) + (strings[i + 1] ?? '');
    return new Html(text);
  }
}

/** A value that a template takes; null, undefined and false for nothing. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

export const html = (strings: TemplateStringsArray, ...values: readonly Content[]): Html => Html.of(strings, values);

function htmlText(content: Content): string {
  if (typeof content === 'string') return escaped(content);
  if (content === null || content === undefined || content === false) return '';
  if (content instanceof Html || typeof content === 'number') return content.toString();
  let text = '';
  for (const part of content) text += htmlText(part);
  return text;
}

const MARKUP_CHARACTERS = /[&<>'"]/;
const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ["'", '&#39;'],
  ['"', '&quot;'],
]);

const escaped = (text: string): string =>
  MARKUP_CHARACTERS.test(text) ? text.replace(/[&<>'"]/g, (character) => entities.get(character) ?? '') : text;

/** Scraped text, isolated so that it cannot change the direction of its neighbours (HTML standard, section 4.5.24). */
export const isolated = (content: Content): Html => html`<bdi>${content}</bdi>`;
