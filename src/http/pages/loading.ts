/**
 * The HTML page while a first load runs, when no other resource is served: its style and script stand in it, allowed by their
 * hashes. It reloads itself every second. Without a script it does so by an address without a fragment, since one with a
 * fragment would be a jump within the page.
 */
import { createHash } from 'node:crypto';
import { baseName } from '../markup/format.js';
import { type Html, html, isolated } from '../markup/html.js';
import type { LoadPhase, LoadProgress } from '../options.js';
import type { PlainResponse } from '../response.js';
import { documentStart, headersFor, PAGE_TYPE } from './frame/document.js';

/** The page's style. None of its characters is escaped in a page, or it would not have its hash. */
const STYLE = [
  ':root{--accent:light-dark(#0b6b5d,#6cd2bb);--soft:light-dark(#59625e,#a3ada8);accent-color:var(--accent)}',
  'body{font:1rem/1.5 system-ui,sans-serif;background:light-dark(#f7f6f3,#131715);color:light-dark(#1d2321,#e6eae7)}',
  'main{box-sizing:border-box;max-width:30rem;margin:16vh auto 0;padding:1.5rem;border-radius:6px;overflow-wrap:anywhere}',
  'main{background:light-dark(#fff,#1a1f1d);border:1px solid light-dark(#dfddd6,#2f3734)}',
  'h1{font-size:1.4rem;margin:0 0 .75rem}progress{width:100%}ol{padding:0;list-style:none}p,li,small{color:var(--soft)}',
  'li[aria-current]{color:inherit;font-weight:600}.done{color:var(--accent)}',
].join('');
/** A reload keeps the fragment of the address, which the server does not see. */
const SCRIPT = 'setTimeout(function(){location.reload()},1000)';
const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function loadingHeaders() {
  const headers = headersFor("'none'");
  const policy = (headers['Content-Security-Policy'] ?? '')
    .replace("style-src 'self'", `style-src ${hashSource(STYLE)}`)
    .replace("script-src 'self'", `script-src ${hashSource(SCRIPT)}`);
  return { ...headers, 'Content-Security-Policy': policy };
}

const PHASES: readonly (readonly [LoadPhase, string])[] = [
  ['read', 'Read the files'],
  ['index', 'Build the search index'],
  ['compare', 'Compare with an earlier dump'],
];

/** The phases as a list, in which the present one is marked. */
function phaseList({ phase, file, share }: LoadProgress): Html {
  // A dump is compared where an earlier one is named, which is known once it is done.
  const phases = PHASES.filter(([name]) => name !== 'compare' || phase === 'compare');
  const at = phases.findIndex(([name]) => name === phase);
  const detail = phase === 'read' && file !== null && html`: ${isolated(baseName(file))}, ${Math.floor(share * 100)}%`;
  const items = phases.map(([, text], i) => {
    if (i < at) return html`<li class="done">&#10003; ${text}</li>`;
    return i === at ? html`<li aria-current="step">${text}${detail}</li>` : html`<li>${text}</li>`;
  });
  return html`<ol role="list">${items}</ol>`;
}

/** `address` is that of the request, without its fragment. The bar moves while files are read; nobody knows how long the other phases take. */
export const loadingPage = (address: string, progress: LoadProgress): PlainResponse => ({
  status: 503,
  type: PAGE_TYPE,
  headers: loadingHeaders(),
  body: html`${documentStart}
<script>${SCRIPT}</script>
<noscript><meta http-equiv="refresh" content="1;url=${address}"></noscript>
<title>Loading &ndash; Scraper Data</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Loading</h1>
<progress aria-label="Loaded" max="1"${progress.phase === 'read' ? html` value="${progress.share.toFixed(2)}"` : null}></progress>
<div role="status">${phaseList(progress)}</div>
<p>This page reloads itself.</p>
</main>
</body>
</html>
`.toString(),
});
