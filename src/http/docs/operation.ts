/** An operation on the documentation page: a form that sends requests, beside it the request as a command and its response. */
import { count } from '../../text.js';
import { type Content, type Html, html } from '../markup/html.js';
import type { OpenApiDocument } from '../openapi/document.js';
import type { OpenApiOperation, OpenApiParameter, OpenApiResponse } from '../openapi/types.js';
import { fieldList } from './schema.js';
import { breakable, curlCommand, exampleAddress, exampleText, isSwitch, prose, valuesText } from './text.js';

type Components = OpenApiDocument['components'];

interface PageOfOperation {
  /** The operation's own on the page: a thousand descriptions have short ids by it. */
  readonly number: string;
  /** The server's address. */
  readonly origin: string;
}

export function operationSection(
  path: string,
  operation: OpenApiOperation,
  components: Components,
  { number, origin }: PageOfOperation,
): Html {
  const { operationId, summary, parameters = [], responses } = operation;
  const [id, formId] = [`${operationId}-request`, `${operationId}-form`];
  return html`<details class="operation" id="${operationId}">
<summary><span class="good small">GET</span> <code>${breakable(path)}</code> <span class="soft">${summary}</span></summary>
<div class="try cells">
<form action="${path}" data-path="${path}" id="${formId}" autocomplete="off">
${parameters.length === 0 ? null : html`<details class="fold"><summary>${count(parameters.length, 'parameter')}</summary><div class="parameters cells">${parameters.map((each, i) => field(operationId, `${number}-${i}`, each))}</div></details>`}
</form>
<div class="side stack">
${languageChoice(operationId)}
${command(id, origin, exampleAddress(path, operation))}
<p class="row send"><button class="main" form="${formId}">Send</button> <button type="reset" form="${formId}">Clear</button></p>
${exampleResponse(responses['200'], components)}
</div>
</div>
<details class="responses"><summary>Responses</summary>
<dl class="pairs">${Object.entries(responses).map(
    ([status, response]) =>
      html`<div><dt>${status}</dt><dd>${prose(resolved(response, components).description)}</dd></div>`,
  )}</dl>
${schemaOf(responses['200'], components)}
</details>
</details>`;
}

/** The command for an address, with its button to copy it. */
export const command = (id: string, origin: string, address: string): Html =>
  html`<div class="command beside"><pre tabindex="0"><code id="${id}" data-origin="${origin}">${curlCommand(origin, address)}</code></pre><button type="button" class="copy" data-copy="${id}">Copy<span class="vh"> the request</span></button></div>`;

/** The languages in which the page's script shows a request. */
const requestLanguages = [
  ['curl', 'curl'],
  ['fetch', 'JavaScript'],
  ['python', 'Python'],
] as const;

const languageChoice = (operationId: string): Html =>
  html`<fieldset class="languages row"><legend class="vh">Language of the request</legend>${requestLanguages.map(
    ([value, label]) =>
      html`<label class="pill"><input type="radio" class="vh" name="${operationId}-language" value="${value}"${value === 'curl' ? html` checked` : null}>${label}</label>`,
  )}</fieldset>`;

type Described = OpenApiOperation['responses'][string] | undefined;

function resolved(response: Described, { responses }: Components): OpenApiResponse {
  const resolvedResponse = response && '$ref' in response ? responses[response.$ref.split('/').at(-1) ?? ''] : response;
  return resolvedResponse ?? { description: '', headers: {} };
}

const contentMarkup = (response: Described, components: Components) =>
  Object.values(resolved(response, components).content ?? {})[0];

export const jsonExample = (example: unknown): Html =>
  html`<pre tabindex="0"><code data-json>${exampleText(example)}</code></pre>`;

/** The response that the script replaces by that to a sent request. */
function exampleResponse(response: Described, components: Components): Html {
  const example = contentMarkup(response, components)?.example;
  return html`<div data-result>${
    example === undefined ? null : html`<p class="soft">Example of a response</p>${jsonExample(example)}`
  }</div>`;
}

function schemaOf(response: Described, components: Components): Content {
  const schema = contentMarkup(response, components)?.schema;
  const fields = schema === undefined ? null : fieldList(schema, components.schemas);
  return fields === null ? null : html`<h3>Body of a 200</h3>${fields}`;
}

/** A parameter's control within its label, and its description. */
function field(operationId: string, aboutId: string, parameter: OpenApiParameter): Html {
  const { name, description, required, schema } = parameter;
  const label = html`<code>${name}</code>${required ? html` <span class="small soft">required</span>` : null}`;
  const input = control(`${operationId}-${name}`, aboutId, parameter);
  const labelled = isSwitch(schema)
    ? html`<label class="switch beside">${input} ${label}</label>`
    : html`<label>${label}${input}</label>`;
  return html`<div>${labelled}<p id="${aboutId}">${prose(description)}</p></div>`;
}

/** A checkbox for a switch, a select of the allowed values, or a text field. A required field has its example as value. */
function control(id: string, aboutId: string, parameter: OpenApiParameter): Html {
  const { name, in: place, required, schema, example } = parameter;
  const attributes = html`id="${id}" name="${name}"${place === 'path' ? html` data-in="path"` : null} aria-describedby="${aboutId}"`;
  const { default: fallback } = schema;
  const values = valuesText(schema);
  if (isSwitch(schema))
    return html`<input type="checkbox" ${attributes} value="1"${fallback === 1 ? html` checked` : null}>`;
  if (values !== null) {
    const options = values
      .filter((value) => value !== fallback)
      .map((value) => html`<option>${String(value)}</option>`);
    return html`<select ${attributes}><option value="">${fallback === undefined ? '' : String(fallback)}</option>${options}</select>`;
  }
  const sample = example === undefined ? '' : String(example);
  if (required) return html`<input ${attributes} required value="${sample}">`;
  return html`<input ${attributes}${sample === '' ? null : html` placeholder="e.g. ${sample}"`}>`;
}
