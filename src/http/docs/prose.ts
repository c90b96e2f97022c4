/** Texts and examples of the OpenAPI document as markup. */
import { type Html, html } from '../pages/frame/html.js';

/** Text in which `code` stands between backticks. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;

export const example = (value: unknown): Html =>
  value === undefined ? html`` : html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
