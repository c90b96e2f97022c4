/**
 * An operation of the documentation: what stands of it on the page of all, and the rest, a form that sends requests with the request
 * as a command and its response beside it.
 */
import { count } from '../../text.js';
import { type Content, type Html, html } from '../markup/html.js';
import type { OpenApiOperation, OpenApiParameter } from '../openapi/types.js';
import { fieldList, type Schemas } from './schema.js';
import {
  breakable,
  curlCommand,
  exampleAddress,
  exampleText,
  excerptText,
  groupedParameters,
  isSwitch,
  operationPath,
  type PathAndOperation,
  prose,
  valuesText,
} from './text.js';

/** The method and path of an operation. */
export const operationHead = (path: string): Html =>
  html`<p><span class="good small">GET</span> <code>${breakable(path)}</code></p>`;

/** An operation with its main parameters and an example; on a phone only its name, until it is opened. */
export function operationOverview([path, operation]: PathAndOperation, origin: string): Html {
  const { operationId, summary, parameters = [], responses } = operation;
  const example = contentOf(responses['200'])?.example;
  const { main, filters } = groupedParameters(parameters);
  const filtered = [...filters.keys()].filter((name) => name !== 'id');
  const names =
    parameters.length > 0 &&
    html`<dl class="pairs">${nameRow(
      'Parameters',
      main.map(({ name }) => name),
    )}${nameRow('Filters', filtered)}</dl>`;
  return html`<details class="operation" id="${operationId}"><summary><h3>${summary}</h3></summary>
<div class="try cells"><div class="stack">${operationHead(path)}
${names}
<p><a class="button" href="${operationPath(operationId)}">Try it</a></p></div>
<div class="stack">${command(requestId(operationId), origin, exampleAddress(path, operation))}
${example === undefined ? null : jsonExample(excerptText(example))}</div></div></details>`;
}

/** An operation as a line that leads to its page. */
export const operationLine = ([path, { operationId, summary }]: PathAndOperation): Html =>
  html`<li id="${operationId}"><a href="${operationPath(operationId)}"><code>${breakable(path)}</code></a> <span class="soft">${summary}</span></li>`;

const MAX_SHOWN_NAMES = 8;

function nameRow(label: string, names: readonly string[]): Content {
  if (names.length === 0) return null;
  const more = names.length - MAX_SHOWN_NAMES;
  return html`<div><dt>${label}</dt><dd class="names row">${names.slice(0, MAX_SHOWN_NAMES).map((name) => html`<code>${name}</code>`)}${more > 0 && html`<span class="soft small">${more} more</span>`}</dd></div>`;
}

const requestId = (operationId: string): string => `${operationId}-request`;

/** All parameters of an operation in a form, and the fields of its answer. */
export function operationDetail([path, operation]: PathAndOperation, schemas: Schemas, origin: string): Html {
  const { operationId, parameters = [], responses } = operation;
  const formId = `${operationId}-form`;
  return html`<div class="try cells">
<form class="stack" action="${path}" data-path="${path}" id="${formId}" autocomplete="off">${parametersForm(operationId, parameters)}</form>
<div class="side stack">
${command(requestId(operationId), origin, exampleAddress(path, operation))}
<p class="row send"><button class="main" form="${formId}">Send</button> <button type="reset" form="${formId}">Clear</button></p>
${exampleResponse(responses['200'])}
</div>
</div>
${schemaOf(responses['200'], schemas)}`;
}

/** All parameters but filters, and a fold for those of each field, which are alike for all fields. */
function parametersForm(operationId: string, parameters: readonly OpenApiParameter[]): Html {
  const { main, further, filters } = groupedParameters(parameters);
  const cells = (some: readonly OpenApiParameter[]): Html =>
    html`<div class="cells">${some.map((each) => field(operationId, each))}</div>`;
  const byField = [...filters].map(
    ([name, ofField]) =>
      html`<details><summary><code>${name}</code> <span class="soft small">${count(ofField.length, 'filter')}</span></summary>${cells(ofField)}</details>`,
  );
  return html`${cells([...main, ...further])}${byField}`;
}

/** The command for an address, with its button to copy it. */
export const command = (id: string, origin: string, address: string): Html =>
  html`<div class="command beside"><pre tabindex="0"><code id="${id}" data-origin="${origin}">${curlCommand(origin, address)}</code></pre><button type="button" class="copy" data-copy="${id}">Copy<span class="vh"> the request</span></button></div>`;

type Described = OpenApiOperation['responses'][string] | undefined;

/** The body of a 200, which is never a reference. */
const contentOf = (response: Described) =>
  response === undefined || '$ref' in response ? undefined : Object.values(response.content ?? {})[0];

export const jsonExample = (text: string): Html => html`<pre tabindex="0"><code data-json>${text}</code></pre>`;

/** The response that the script replaces by that to a sent request. */
function exampleResponse(response: Described): Html {
  const example = contentOf(response)?.example;
  return html`<div data-result>${
    example === undefined ? null : html`<p class="soft">Example of a response</p>${jsonExample(exampleText(example))}`
  }</div>`;
}

/** The fields of a body; null where it has none. */
function schemaOf(response: Described, schemas: Schemas): Content {
  const schema = contentOf(response)?.schema;
  const fields = schema === undefined ? null : fieldList(schema, schemas);
  return fields && html`<details class="answer"><summary>Fields of the answer</summary>${fields}</details>`;
}

/** A parameter's control within its label, and its description. */
function field(operationId: string, parameter: OpenApiParameter): Html {
  const { name, description, required, schema } = parameter;
  const id = `${operationId}-${name}`;
  const label = html`<code>${name}</code>${required ? html` <span class="small soft">required</span>` : null}`;
  const input = control(id, parameter);
  const labelled = isSwitch(schema)
    ? html`<label class="switch beside">${input} ${label}</label>`
    : html`<label>${label}${input}</label>`;
  return html`<div>${labelled}<p id="${id}-about">${prose(description)}</p></div>`;
}

/** A checkbox for a switch, a select of the allowed values, or a text field. A required field has its example as value. */
function control(id: string, parameter: OpenApiParameter): Html {
  const { name, in: place, required, schema, example } = parameter;
  const attributes = html`id="${id}" name="${name}"${place === 'path' ? html` data-in="path"` : null} aria-describedby="${id}-about"`;
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
