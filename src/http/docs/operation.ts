/** An operation on the documentation page: a form that sends it, its example, schema and responses. */
import { type Html, html } from '../markup/html.js';
import { example, prose } from './prose.js';
import { fieldList } from './schema.js';
import type { OpenApiDocument, Operation, OperationParameter } from './shape.js';

export function operationSection(
  path: string,
  operation: Operation,
  components: OpenApiDocument['components'],
  isOpen: boolean,
): Html {
  const { operationId, summary, parameters, responses } = operation;
  const [sample] = Object.values(responses['200']?.content ?? {});
  const fields = sample?.schema === undefined ? null : fieldList(sample.schema, components.schemas);
  return html`<details class="operation" id="${operationId}"${isOpen ? html` open` : null}>
<summary><span class="method">GET</span> <code>${path}</code> <span class="what">${summary}</span></summary>
<div class="parts">
<form action="${path}" data-path="${path}">
${parameters.length === 0 ? '' : html`<div class="parameters">${parameters.map((each) => field(operationId, each))}</div>`}
<p class="send"><button>Send</button> <button type="reset">Clear</button></p>
<dl class="snippets" hidden>${snippetLanguages.map(
    ({ name, label }) =>
      html`<div><dt>${label}</dt><dd><pre tabindex="0"><code id="${operationId}-${name}" data-${name}></code></pre><button type="button" data-copy="${operationId}-${name}">Copy<span class="vh"> ${label}</span></button></dd></div>`,
  )}</dl>
<div class="result" role="status" data-result></div>
</form>
<div class="answer">
${sample?.example === undefined ? '' : html`<div><h3>Example</h3>${example(sample.example)}</div>`}
${fields === null ? '' : html`<div><h3>Schema</h3>${fields}</div>`}
</div>
</div>
<h3>Answers</h3>
<dl>${Object.entries(responses).map(
    ([status, response]) => html`<dt>${status}</dt><dd>${prose(descriptionOf(response, components))}</dd>`,
  )}</dl>
</details>`;
}

/** The languages in which the page's script shows the request. */
const snippetLanguages = [
  { name: 'curl', label: 'curl' },
  { name: 'fetch', label: 'JavaScript' },
  { name: 'python', label: 'Python' },
] as const;

const descriptionOf = (
  { $ref, description }: Operation['responses'][string],
  { responses }: OpenApiDocument['components'],
): string => ($ref === undefined ? description : (responses[$ref.split('/').at(-1) ?? '']?.description ?? ''));

function field(operationId: string, parameter: OperationParameter): Html {
  const { name, description, required } = parameter;
  const id = `${operationId}-${name}`;
  return html`<div class="field">
<label for="${id}"><code>${name}</code>${required ? html` <span class="required">required</span>` : ''}</label>
${control(id, parameter)}
<p id="${id}-about">${prose(description)}</p>
</div>`;
}

/** A select of the allowed values, or a text field with an example as placeholder. A required field starts with its example. */
function control(id: string, { name, in: place, required, schema, example: sample }: OperationParameter): Html {
  const about = `${id}-about`;
  if (schema.enum !== undefined) {
    const none = schema.default === undefined ? '(none)' : `(${String(schema.default)})`;
    return html`<select id="${id}" name="${name}" data-in="${place}" aria-describedby="${about}">
<option value="">${none}</option>${schema.enum.map((value) => html`<option>${value}</option>`)}</select>`;
  }
  const text = sample === undefined ? '' : String(sample);
  return html`<input id="${id}" name="${name}" data-in="${place}" aria-describedby="${about}" autocomplete="off"
 placeholder="${text}"${required ? html` required value="${text}"` : ''}>`;
}
