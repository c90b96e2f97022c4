/**
 * `/docs`: the OpenAPI document as an HTML page, with a form for each operation that sends requests to this server. The page
 * is rendered on the server, in the frame of the browse pages. It loads and sends nothing elsewhere.
 */
import { errorCodes, errorStatus } from '../../errors.js';
import { collectionTitle } from '../markup/format.js';
import { type Html, html } from '../markup/html.js';
import { OPENAPI_PATH, type OpenApiDocument } from '../openapi/document.js';
import type { OpenApiOperation } from '../openapi/types.js';
import { JSON_TYPE } from '../response.js';
import { MARKDOWN_PATH } from './markdown.js';
import { command, jsonExample, operationSection } from './operation.js';
import { breakable, exampleAddress, prose } from './text.js';

export const DOCS_PATH = '/docs';

interface Section {
  readonly name: string;
  readonly operations: readonly (readonly [path: string, operation: OpenApiOperation])[];
}

/** The main part of the page. */
export function docsPage({ info, tags, paths, components }: OpenApiDocument, origin: string): Html {
  const operations = Object.entries(paths).map(([path, { get }]) => [path, get] as const);
  const sections = tags.map(({ name }): Section => {
    return { name, operations: operations.filter(([, { tags: own }]) => own.includes(name)) };
  });
  const [firstPath] = operations;
  const [summary = '', ...details] = info.description.split('\n\n');
  return html`<header class="stack">
<h1>API <small>${info.version}</small></h1>
<p>${prose(summary)}</p>
${command('first', origin, firstPath === undefined ? OPENAPI_PATH : exampleAddress(...firstPath))}
<p class="row soft"><a href="${OPENAPI_PATH}">OpenAPI</a> <a href="${MARKDOWN_PATH}">Markdown</a></p>
</header>
${contents(sections)}
<div class="operations stack">
${sections.map(
  (
    { name, operations: own },
    section,
  ) => html`<section aria-labelledby="tag-${name}"><h2 id="tag-${name}">${collectionTitle(name)}</h2>
<div class="lines">${own.map(([path, operation], i) => operationSection(path, operation, components, { number: `${section}-${i}`, origin }))}</div>
</section>`,
)}
<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
<div class="lines">${errorCodes.flatMap((code) => {
    const { description = '', content = {} } = components.responses[code] ?? {};
    const example = content[JSON_TYPE]?.example;
    return example === undefined
      ? []
      : html`<details class="operation"><summary><span class="good small">${errorStatus[code]}</span> <code>${code}</code> <span class="soft">${prose(description)}</span></summary>${jsonExample(example)}</details>`;
  })}</div>
</section>
<section class="stack" aria-labelledby="http"><h2 id="http">HTTP</h2>
${details.map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
</section>
</div>`;
}

const contents = (sections: readonly Section[]): Html => html`<details class="contents side"><summary>Contents</summary>
<nav class="stack small" aria-label="Operations">
${sections.map(
  ({ name, operations }) =>
    html`<h2 class="small">${collectionTitle(name)}</h2><ul role="list">${operations.map(
      ([path, { operationId }]) => html`<li><a href="#${operationId}">${breakable(path)}</a></li>`,
    )}</ul>`,
)}
<h2 class="small">More</h2><ul role="list"><li><a href="#errors">Errors</a></li><li><a href="#http">HTTP</a></li></ul>
</nav></details>`;
