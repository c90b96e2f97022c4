/**
 * `/docs`: the OpenAPI document as an HTML page. Each operation has its main parameters, a request to copy and the beginning of its
 * answer; all else of it, with a form that sends requests, stands on a page of its own, `/docs/getProducts`. Pages are rendered on the
 * server, in the frame of the browse pages. They load and send nothing elsewhere.
 */
import { errorCodes, errorStatus } from '../../errors.js';
import { count } from '../../text.js';
import { collectionTitle } from '../markup/format.js';
import { type Content, type Html, html } from '../markup/html.js';
import { OPENAPI_PATH, type OpenApiDocument } from '../openapi/document.js';
import { TYPES_PATH } from '../openapi/typescript.js';
import { JSON_TYPE } from '../response.js';
import { MARKDOWN_PATH } from './markdown.js';
import { command, jsonExample, operationDetail, operationHead, operationLine, operationOverview } from './operation.js';
import { breakable, DOCS_PATH, exampleAddress, exampleText, type PathAndOperation, prose } from './text.js';

export interface DocsOptions {
  /** The server's address. */
  readonly origin: string;
  /** Requests a minute for each client; 0 for no limit. */
  readonly rateLimit: number;
}

/** Further operations are lines that lead to their pages: with tens of collections the page stays small. */
const MAX_OVERVIEWS = 40;

interface Section {
  readonly name: string;
  readonly overviews: readonly PathAndOperation[];
  readonly lines: readonly PathAndOperation[];
}

const operationsIn = (paths: OpenApiDocument['paths']): readonly PathAndOperation[] =>
  Object.entries(paths).map(([path, { get }]) => [path, get] as const);

function sectionsOf({ tags, paths }: OpenApiDocument): readonly Section[] {
  const operations = operationsIn(paths);
  let overviewsLeft = MAX_OVERVIEWS;
  return tags.map(({ name }) => {
    const ofTag = operations.filter(([, operation]) => operation.tags.includes(name));
    const overviews = ofTag.slice(0, overviewsLeft);
    overviewsLeft -= overviews.length;
    return { name, overviews, lines: ofTag.slice(overviews.length) };
  });
}

/** The main part of the page. */
export function docsPage(document: OpenApiDocument, options: DocsOptions): Html {
  const { info, components } = document;
  const { origin } = options;
  const sections = sectionsOf(document);
  const [summary = '', ...details] = info.description.split('\n\n');
  return html`<header class="stack">
<h1>API <small>${info.version}</small></h1>
<p>${prose(summary)}</p>
<div class="try cells">${firstRequest(document, origin)}
${basics(options)}</div>
</header>
${contents(sections)}
<div class="operations stack">
${sections.map(
  ({
    name,
    overviews,
    lines,
  }) => html`<section class="stack" aria-labelledby="tag-${name}"><h2 id="tag-${name}">${collectionTitle(name)}</h2>
${overviews.map((each) => operationOverview(each, origin))}
${lines.length > 0 && html`<ul class="lines" role="list">${lines.map(operationLine)}</ul>`}
</section>`,
)}
<section class="stack" aria-labelledby="errors"><h2 id="errors">Errors</h2>
${errors(components)}
</section>
<section class="stack" aria-labelledby="http"><h2 id="http">HTTP</h2>
${details.map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
</section>
</div>`;
}

/** A request that works at once, in three languages. */
function firstRequest({ paths }: OpenApiDocument, origin: string): Content {
  const [first] = operationsIn(paths);
  return (
    first &&
    html`<div class="stack">${languageChoice}${command('first-request', origin, exampleAddress(...first))}</div>`
  );
}

/** The part to read before a first request. */
function basics({ origin, rateLimit }: DocsOptions): Html {
  const limit =
    rateLimit === 0
      ? 'none'
      : html`${count(rateLimit, 'request')} a minute for each client; further ones are a <code>429</code>, and <code>Retry-After</code> says how long to wait`;
  const facts: readonly (readonly [string, Content])[] = [
    ['Base address', html`<code data-origin="${origin}">${origin}/api</code>`],
    ['Key', 'none: every operation is a GET that anyone may send'],
    ['Rate limit', limit],
    [
      'Filters',
      html`<code>FIELD=VALUE</code>; <code>FIELD_gte</code>, <code>FIELD_lt</code>, <code>FIELD_ne</code> and others, which each operation lists`,
    ],
    ['Answers', html`JSON; <a href="#errors">errors</a> too`],
    [
      'As files',
      html`<a href="${OPENAPI_PATH}">OpenAPI 3.1</a>, <a href="${MARKDOWN_PATH}">Markdown</a>, <a href="${TYPES_PATH}">TypeScript</a>`,
    ],
  ];
  return html`<dl class="pairs">${facts.map(([name, content]) => html`<div><dt>${name}</dt><dd>${content}</dd></div>`)}</dl>`;
}

/** The languages in which the page's script shows all requests. */
const requestLanguages = [
  ['curl', 'curl'],
  ['fetch', 'JavaScript'],
  ['python', 'Python'],
] as const;

const languageChoice: Html = html`<fieldset class="languages row"><legend class="vh">Language of the requests</legend>${requestLanguages.map(
  ([value, label]) =>
    html`<label class="pill"><input type="radio" class="vh" name="language" value="${value}"${value === 'curl' ? html` checked` : null}>${label}</label>`,
)}</fieldset>`;

function errors({ responses }: OpenApiDocument['components']): Html {
  const examples = errorCodes.map((code) => responses[code]?.content?.[JSON_TYPE]?.example);
  const example = examples.find((one) => one !== undefined);
  const rows = errorCodes.map(
    (code) =>
      html`<div><dt>${errorStatus[code]}</dt><dd><code>${code}</code> <span class="soft">${prose(responses[code]?.description ?? '')}</span></dd></div>`,
  );
  return html`${jsonExample(exampleText(example))}<dl class="statuses pairs lines">${rows}</dl>`;
}

const contents = (sections: readonly Section[]): Html => html`<details class="contents side"><summary>Contents</summary>
<nav class="stack small" aria-label="Operations">
${sections.map(
  ({ name, overviews }) =>
    html`<h2 class="small"><a href="#tag-${name}">${collectionTitle(name)}</a></h2>${
      overviews.length > 0 &&
      html`<ul role="list">${overviews.map(
        ([path, { operationId }]) => html`<li><a href="#${operationId}">${breakable(path)}</a></li>`,
      )}</ul>`
    }`,
)}
<h2 class="small">More</h2><ul role="list"><li><a href="#errors">Errors</a></li><li><a href="#http">HTTP</a></li></ul>
</nav></details>`;

/** The page of the operation with an id: its title, and the main part. */
export function operationPage(
  { paths, components }: OpenApiDocument,
  id: string,
  origin: string,
): { readonly title: string; readonly main: Html } {
  const [path, operation] = operationsIn(paths).find(([, { operationId }]) => operationId === id) ?? [];
  if (path === undefined || operation === undefined) throw new Error(`no operation has the id ${id}`);
  const main = html`<header class="stack"><nav class="way row" aria-label="Way back"><a class="back" rel="up" href="${DOCS_PATH}#${id}">&larr; API docs</a></nav>
<h1 class="long">${operation.summary}</h1>
${operationHead(path)}
${languageChoice}</header>
<section class="operation detail stack">${operationDetail([path, operation], components.schemas, origin)}</section>`;
  return { title: operation.summary, main };
}
