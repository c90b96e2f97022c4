/** The export button of a view or record. Its box has download links, the API address and a curl command. */
import { exportFormats } from '../../../query/parameters.js';
import { type Html, html } from '../../markup/html.js';
import { DEFAULT_ORIGIN } from '../../semantics/host.js';

interface ExportFile {
  readonly label: string;
  readonly address: string;
  readonly name: string;
}

/** Most people open CSV, so it stands first. */
const FORMATS: readonly string[] = ['csv', ...exportFormats.filter((format) => format !== 'csv')];

/** The files of a view, whose addresses differ in their format only. */
export const filesOf = (name: string, addressOf: (format: string) => string): readonly ExportFile[] =>
  FORMATS.map((format) => ({ label: format.toUpperCase(), address: addressOf(format), name: `${name}.${format}` }));

export const exportButton = (api: string, files: readonly ExportFile[]): Html =>
  html`<div class="export"><button type="button" popovertarget="export">Export</button>
<section class="box" id="export" popover aria-label="Export">
<p class="row">${files.map(({ label, address, name }) => html`<a class="button" href="${address}" download="${name}">${label}</a>`)}<a class="button" href="${api}">${files.length === 0 ? 'JSON' : 'API'}</a></p>
<dl>${line('API address', 'api-url', `${DEFAULT_ORIGIN}${api}`)}${line('curl', 'curl', `curl '${DEFAULT_ORIGIN}${api}'`)}</dl>
</section></div>`;

const line = (label: string, id: string, text: string): Html =>
  html`<div><dt>${label}</dt><dd class="beside"><code id="${id}" data-origin="${DEFAULT_ORIGIN}">${text}</code> <button type="button" class="copy" data-copy="${id}">Copy<span class="vh"> ${label}</span></button></dd></div>`;
