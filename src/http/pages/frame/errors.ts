/** The HTML page of an error: its message, a search field, and links to other pages. */
import { type ApiError, andMore, errorStatus } from '../../../errors.js';
import type { Message } from '../../../text.js';
import { type Content, html, isolated } from '../../markup/html.js';
import type { PageFrame } from './document.js';

export interface RecoveryLink {
  readonly address: string;
  readonly label: Content;
}

/** `search` is a search form, shown where nothing is at the address. */
export const errorFrame = (
  error: ApiError,
  current: string | null,
  ways: readonly RecoveryLink[],
  search: Content,
): PageFrame => ({
  title: errorTitle(error),
  current,
  kind: 'error',
  main: html`<p class="status">${errorStatus[error.code]}</p>
<h1>${errorTitle(error)}</h1>
${faults(error)}
${search}
<ul class="row" role="list">${ways.map(({ address, label }) => html`<li><a class="button" href="${address}">${label}</a></li>`)}</ul>`,
});

const errorTitle = ({ code }: ApiError): string =>
  code === 'not_found' ? 'Not found' : 'This address is not understood';

function faults({ message, parts = [message], details, more = 0, note }: ApiError): Content {
  if (details === undefined) return html`<p>${quoting(parts)}</p>`;
  return html`<ul class="stack" role="list">${details.map(({ parameter, says }) => html`<li class="note"><code>${isolated(parameter)}</code> ${quoting(says)}</li>`)}</ul>${more > 0 ? html`<p>${andMore(more)}</p>` : null}${note === undefined ? null : html`<p>${isolated(note)}</p>`}`;
}

/** A message with the quotation marks of a text. */
const quoting = (message: Message): Content =>
  message.map((part) => (typeof part === 'string' ? isolated(part) : html`<q>${isolated(part.quoted)}</q>`));
