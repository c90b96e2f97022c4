/**
 * `/docs`: the OpenAPI document as an HTML page, with a form for each operation that sends requests to this server. The page
 * is rendered on the server, in the frame of the browse pages. It loads and sends nothing elsewhere.
 */

import { capitalised } from '../markup/format.js';
import { type Html, html } from '../markup/html.js';
import { OPENAPI_PATH } from '../openapi/document.js';
import { operationSection } from './operation.js';
import { example, prose } from './prose.js';
import type { OpenApiDocument } from './shape.js';

export const DOCS_PATH = '/docs';

/** The main part of the page. */
export function docsPage({ info, tags, paths, components }: OpenApiDocument): Html {
  const operations = Object.entries(paths).map(([path, { get }]) => ({ path, get }));
  const sections = tags.map((tag) => ({ tag, own: operations.filter(({ get }) => get.tags.includes(tag.name)) }));
  return html`<h1>${info.title} <small>${info.version}</small></h1>
<div class="intro">
${info.description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
<p>OpenAPI document: <a href="${OPENAPI_PATH}">${OPENAPI_PATH}</a></p>
</div>
<nav class="contents" aria-label="Operations">
${sections.map(
  ({ tag, own }) =>
    html`<h2>${tag.name}</h2><ul role="list">${own.map(
      ({ path, get }) => html`<li><a href="#${get.operationId}">${path}</a></li>`,
    )}</ul>`,
)}
<h2>answers</h2><ul role="list"><li><a href="#errors">Errors</a></li></ul>
</nav>
<div class="operations">
${sections.map(
  ({ tag, own }) => html`<section aria-labelledby="tag-${tag.name}">
<h2 id="tag-${tag.name}">${capitalised(tag.name)}</h2>
${own.map(({ path, get }) => operationSection(path, get, components, path === operations[0]?.path))}
</section>`,
)}
<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
${Object.entries(components.responses).map(
  ([
    code,
    { description, content },
  ]) => html`<div class="fault"><h3><code>${code}</code></h3><p>${prose(description)}</p>
${example(Object.values(content ?? {})[0]?.example)}</div>`,
)}
</section>
</div>`;
}
