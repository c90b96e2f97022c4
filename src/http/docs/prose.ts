/** Texts and examples of the OpenAPI document as markup. */
import { type Html, html } from '../markup/html.js';

/** Text in which `code` stands between backticks. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;

export const example = (value: unknown): Html =>
  value === undefined ? html`` : html`<pre tabindex="0"><code>${JSON.stringify(value, shortened, 2)}</code></pre>`;

const MAX_SHOWN = 90;

/** A text of an example as far as it is worth reading: a drawn cover has a thousand characters. */
const shortened = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value;
