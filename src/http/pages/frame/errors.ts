/** The HTML page of an error: its message, a search field, and links to other pages. */
import { type ApiError, andMore, errorStatus, type Fault } from '../../../errors.js';
import { parsedJson } from '../../../text.js';
import { type Content, type Html, html, isolated } from '../../markup/html.js';
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
  search: Content = null,
): PageFrame => ({
  title: titleOf(error),
  current,
  kind: 'error',
  main: html`<p class="status">${errorStatus[error.code]}</p>
<h1>${titleOf(error)}</h1>
${faults(error)}
${search}
<ul class="row" role="list">${ways.map(({ address, label }) => html`<li><a class="button" href="${address}">${label}</a></li>`)}</ul>`,
});

const titleOf = ({ code }: ApiError): string => (code === 'not_found' ? 'Not found' : 'This address is not understood');

function faults({ message, details, more = 0 }: ApiError): Content {
  if (details === undefined) return html`<p>${readableText(message)}</p>`;
  return html`<ul class="stack" role="list">${details.map((fault) => html`<li class="note"><code>${isolated(fault.parameter)}</code> ${readableText(withoutName(fault))}</li>`)}</ul>${more > 0 ? html`<p>${andMore(more)}</p>` : null}`;
}

/**
 * The message without the parameter's name, which stands before it.
 *
 *     "page" must be an integer.                     must be an integer.
 *     Unknown parameter "x"; known here: q, tag.     is not known here. Known are q, tag.
 */
const withoutName = ({ message }: Fault): string =>
  message
    .replace(/^"[^"]*" /, '')
    .replace(/^Unknown parameter "(?:[^"\\]|\\.)*"; (?:none is known here)?/, 'is not known here. ')
    .replace('known here: ', 'Known are ');

const QUOTED_TEXT = /("(?:[^"\\]|\\.)*")/;

/** A message with the quotation marks of a text. */
const readableText = (message: string): Html =>
  html`${message.split(QUOTED_TEXT).map((part, i) => (i % 2 === 1 ? html`<q>${isolated(unquoted(part))}</q>` : isolated(part)))}`;

/** The text that a message quotes as JSON. */
function unquoted(json: string): string {
  const text = parsedJson(json);
  return typeof text === 'string' ? text : json.slice(1, -1);
}
