/**
 * Markup as values. Everything put into a template is escaped unless it is markup itself, and no page has another way
 * in: scraped text can only ever become text.
 */
import { html } from 'hono/html';

export { html } from 'hono/html';

export type Html = ReturnType<typeof html>;
/** What a template takes in a place where there may be nothing. */
export type Content = Html | string | number | null | readonly Content[];

/** The text of finished markup. Pages are rendered synchronously; a promise among their parts is a bug. */
export function markup(content: Html): string {
  if (content instanceof Promise) throw new Error('a page holds a promise');
  return content.toString();
}

/** Scraped text, kept from turning the direction of what stands beside it (HTML standard, section 4.5.24). */
export const isolated = (content: Content): Html => html`<bdi>${content}</bdi>`;
