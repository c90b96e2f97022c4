/** The frame of every HTML page, and its headers, which allow only the site's own scripts, styles and form targets. */
import type { CollectionModel } from '../../../model.js';
import { collectionTitle } from '../../markup/format.js';
import { type Content, type Html, html } from '../../markup/html.js';
import type { Headers } from '../../response.js';
import { type Simulation, simulationText } from '../../semantics/simulation.js';
import type { Served } from '../../served.js';
import type { Assets } from './assets.js';

export const PAGE_TYPE = 'text/html; charset=utf-8';

/** `images` are the allowed sources of pictures. */
export const headersFor = (images: string): Headers => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
});

/** Pictures of records may come from any website. */
export const pageHeaders = headersFor("'self' http: https:");

export interface PageFrame {
  readonly title: Content;
  /** The collection that the page is about. */
  readonly current: string | null;
  /** The class of the main element. */
  readonly kind: string;
  readonly main: Html;
}

/** The beginning of every page, up to what its head has of its own. */
export const documentStart: Html = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">`;

export type DocumentOf = (frame: PageFrame) => string;

export const createDocument =
  (
    assets: Assets,
    models: readonly CollectionModel[],
    served: () => Served,
    simulation: Simulation | undefined,
  ): DocumentOf =>
  ({ title, current, kind, main }) => {
    const { addressOf } = assets;
    const isDocs = kind === 'docs';
    const { collections } = served().dataset;
    const shownModels = models.filter(({ name }) => name === current || (collections.get(name)?.size ?? 0) > 0);
    return html`${documentStart}
<title>${title}</title>
<link rel="stylesheet" href="${addressOf('style.css')}">
${isDocs ? html`<link rel="stylesheet" href="${addressOf('docs.css')}">` : null}
<link rel="icon" href="${addressOf('icon.svg')}" type="image/svg+xml">
<script type="module" src="${addressOf(isDocs ? 'docs.js' : 'script.js')}"></script>
</head>
<body>
<a class="vh skip" href="#main">Skip to content</a>${kind.startsWith('list') ? html`<a class="vh skip" href="#count">Skip to results</a>` : null}
<header class="top row">
<a class="brand row" href="/"${current === null && kind === 'home' ? html` aria-current="page"` : null}><img src="${addressOf('icon.svg')}" width="24" height="24" alt=""><span class="name">Scraper Data</span></a>
<a class="everywhere button" href="/search" aria-keyshortcuts="Control+K"${kind === 'search' ? html` aria-current="page"` : null}>Search <kbd class="pill" aria-hidden="true">Ctrl K</kbd></a>
<nav class="row" aria-label="Site">
${shownModels.map(({ name }) => html`<a href="/${name}"${name === current && !kind.includes('changes') ? html` aria-current="true"` : null}>${collectionTitle(name)}</a>`)}
${changesLink(served(), kind)}
<a href="/docs"${isDocs ? html` aria-current="page"` : null}>API docs</a>
</nav>
</header>
<main id="main" class="${kind} stack" tabindex="-1">
${simulation ? html`<p class="note">Answers of the API ${simulationText(simulation)}, as --delay and --fail ask; those of pages do not.</p>` : null}
${main}
</main>
</body>
</html>
`.toString();
  };

/** A link to the changes of the first collection in which something changed; null without a comparison. */
function changesLink({ dataset: { comparisons } }: Served, kind: string): Content {
  const all = [...comparisons];
  const [name] = all.find(([, { changes }]) => changes.size > 0) ?? all[0] ?? [];
  if (name === undefined) return null;
  return html`<a href="/${name}/changes"${kind.includes('changes') ? html` aria-current="true"` : null}>Changes</a>`;
}
