/** A view or a record as files, as an address of the API and as a line for a shell. */

import { type Content, type Html, html } from '../../markup/html.js';
import { percentEncode } from '../../semantics/percent.js';
import { apiAddress, exportAddress, type Pairs } from '../frame/address.js';

/** The address at which a server listens unless told otherwise; the script puts in the real one. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:3000';

export const takeView = (name: string, pairs: Pairs): Html =>
  takeAway('This view as', apiAddress(name, pairs), [
    html`<a class="button" href="${exportAddress(name, pairs, 'csv')}" download="${name}.csv">CSV</a>`,
    html`<a class="button" href="${exportAddress(name, pairs, 'json')}" download="${name}.json">JSON</a>`,
  ]);

export const takeRecord = (name: string, id: unknown): Html =>
  takeAway('This record as', `/api/${name}/${percentEncode(String(id))}`, null);

export const takeAway = (heading: string, api: string, files: Content): Html =>
  html`<section class="take" aria-label="${heading}">
<h2>${heading}</h2>
${files}
<a class="button" href="${api}">${files === null ? 'JSON' : 'API'}</a>
<details id="take-more"><summary>URL, curl</summary>
<dl>${line('API URL', 'api-url', `${DEFAULT_ORIGIN}${api}`)}${line('curl', 'curl', `curl '${DEFAULT_ORIGIN}${api}'`)}</dl>
</details>
</section>`;

const line = (label: string, id: string, text: string): Html =>
  html`<div><dt>${label}</dt><dd><code id="${id}" data-origin="${DEFAULT_ORIGIN}">${text}</code> <button type="button" class="copy" data-copy="${id}" hidden>Copy<span class="vh"> ${label}</span></button></dd></div>`;
