/** A view or a record as files, as an address of the API and as a line for a shell. */
import { percentEncode } from '../../semantics/percent.js';
import { apiAddress, exportAddress } from '../frame/address.js';
import { html } from '../frame/html.js';
/** The address at which a server listens unless told otherwise; the script puts in the real one. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:3000';
export const takeView = (name, pairs) => takeAway('This view as', apiAddress(name, pairs), [
    html `<a class="button" href="${exportAddress(name, pairs, 'csv')}" download="${name}.csv">CSV</a>`,
    html `<a class="button" href="${exportAddress(name, pairs, 'json')}" download="${name}.json">JSON</a>`,
]);
export const takeRecord = (name, id) => takeAway('This record as', `/api/${name}/${percentEncode(String(id))}`, null);
export const takeAway = (heading, api, files) => html `<section class="take" aria-label="${heading}">
<h2>${heading}</h2>
${files}
<a class="button" href="${api}">${files === null ? 'JSON' : 'API'}</a>
<details id="take-more"><summary>URL, curl</summary>
<dl>${line('API URL', 'api-url', `${DEFAULT_ORIGIN}${api}`)}${line('curl', 'curl', `curl '${DEFAULT_ORIGIN}${api}'`)}</dl>
</details>
</section>`;
const line = (label, id, text) => html `<div><dt>${label}</dt><dd><code id="${id}" data-origin="${DEFAULT_ORIGIN}">${text}</code> <button type="button" class="copy" data-copy="${id}" hidden>Copy<span class="vh"> ${label}</span></button></dd></div>`;
