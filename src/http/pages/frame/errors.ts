/** The HTML page of an error: its message, and links to other pages. */
import { type ApiError, andMore, errorStatus } from '../../../errors.js';
import { type Content, html, isolated } from '../../markup/html.js';
import type { PageFrame } from './document.js';

export interface RecoveryLink {
  readonly address: string;
  readonly label: string;
}

export const errorFrame = (error: ApiError, current: string | null, ways: readonly RecoveryLink[]): PageFrame => ({
  title: titleOf(error),
  current,
  kind: 'error',
  main: html`<p class="status">${errorStatus[error.code]}</p>
<h1>${titleOf(error)}</h1>
${faults(error)}
<ul class="row" role="list">${ways.map(({ address, label }) => html`<li><a class="button" href="${address}">${label}</a></li>`)}</ul>`,
});

function titleOf({ code, details }: ApiError): string {
  if (code === 'not_found') return 'Not found';
  return details?.length === 1 ? 'A parameter is wrong' : 'Some parameters are wrong';
}

function faults({ message, details, more = 0 }: ApiError): Content {
  if (details === undefined) return html`<p>${isolated(message)}</p>`;
  return html`<dl class="stack">${details.map((fault) => html`<div class="note"><dt><code>${isolated(fault.parameter)}</code></dt><dd>${isolated(fault.message)}</dd></div>`)}</dl>${more > 0 ? html`<p>${andMore(more)}</p>` : null}`;
}
