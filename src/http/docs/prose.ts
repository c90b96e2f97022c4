/** Texts and examples of the OpenAPI document as markup. */
import { type Html, html } from '../markup/html.js';

/** Text as markup; parts between backticks become code. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;

export const example = (value: unknown): Html =>
  value === undefined ? html`` : html`<pre tabindex="0"><code>${JSON.stringify(value, cutTexts, 2)}</code></pre>`;

const MAX_EXAMPLE_CHARACTERS = 90;

/** A long text of an example is cut: an inline SVG has a thousand characters. */
const cutTexts = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > MAX_EXAMPLE_CHARACTERS
    ? `${value.slice(0, MAX_EXAMPLE_CHARACTERS)}…`
    : value;
