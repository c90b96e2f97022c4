/** The export button of a view or record. Its box has download links, the API address and lines of code that read the view. */
import { type ExportFormat, exportFormats } from '../../../query/parameters.js';
import { count } from '../../../text.js';
import { fileSizeText } from '../../markup/format.js';
import { type Html, html } from '../../markup/html.js';
import { fileAddress, type Pairs, without } from '../frame/address.js';

/** Most people open CSV, so it stands first. */
const FORMATS: readonly ExportFormat[] = ['csv', ...exportFormats.filter((format) => format !== 'csv')];

/** A view that can be downloaded as a file. */
interface ExportedView {
  /** The name of the file, without its ending. */
  readonly name: string;
  readonly path: string;
  readonly pairs: Pairs;
  /** The number of its rows. */
  readonly rows: number;
  readonly hasFeed: boolean;
  /** The size of its file; null where it is not known before it is made. */
  readonly bytesOf: (format: ExportFormat) => number | null;
}

/** `api` is the address of the same view or record in the API, and `origin` that of the server. */
export function exportButton(origin: string, api: string, view: ExportedView | null): Html {
  const line = (label: string, id: string, text: string): Html =>
    html`<div><dt>${label}</dt><dd class="beside"><code id="${id}" data-origin="${origin}">${text}</code> <button type="button" class="copy" data-copy="${id}">Copy<span class="vh"> ${label}</span></button></dd></div>`;
  const files = view && FORMATS.map((format) => fileLink(view, format));
  // Readers of feeds expect the newest items first, whatever the order of the view.
  const feed =
    view?.hasFeed &&
    html`<a class="button" href="${fileAddress(view.path, without(view.pairs, 'sort', 'order'), 'atom')}">Feed</a>`;
  return html`<div class="export"><button type="button" popovertarget="export">Export</button>
<section class="box" id="export" popover aria-label="Export">
<p class="row">${view && html`<span>${count(view.rows, 'row')} as</span>`}${files}${feed}<a class="button" href="${api}">${view === null ? 'JSON' : 'API'}</a></p>
<dl>${line('API address', 'api-url', `${origin}${api}`)}${line('curl', 'curl', `curl '${origin}${api}'`)}${view && codeLines(origin, view).map((one) => line(...one))}</dl>
</section></div>`;
}

/** The whole view in other programs. An address has no apostrophe (`address`), so that it can stand between two. */
function codeLines(
  origin: string,
  { path, pairs }: ExportedView,
): readonly (readonly [label: string, id: string, text: string])[] {
  const [csv, json] = ['csv', 'json'].map((format) => `'${origin}${fileAddress(path, pairs, format)}'`);
  return [
    ['JavaScript', 'as-javascript', `const rows = await (await fetch(${json})).json();`],
    ['Python', 'as-python', `import json, urllib.request\nrows = json.load(urllib.request.urlopen(${json}))`],
    ['pandas', 'as-pandas', `import pandas\nrows = pandas.read_csv(${csv})`],
    ['DuckDB', 'as-duckdb', `SELECT * FROM read_csv(${csv});`],
  ];
}

function fileLink({ name, path, pairs, bytesOf }: ExportedView, format: ExportFormat): Html {
  const bytes = bytesOf(format);
  const size = bytes !== null && html` <span class="count small">${fileSizeText(bytes)}</span>`;
  return html`<a class="button" href="${fileAddress(path, pairs, format)}" download="${name}.${format}">${format.toUpperCase()}${size}</a>`;
}
