import { capitalised } from './format.js';
import { html } from './html.js';
export const PAGE_TYPE = 'text/html; charset=utf-8';
export const pageHeaders = {
    'Content-Security-Policy': [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' http: https:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
};
export const createDocument = (assets, models) => ({ title, current, kind, main, own }) => html `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${assets.stylesheet}">
${own === undefined ? null : html `<link rel="stylesheet" href="${own.stylesheet}">`}
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
${own === undefined ? commonScript(assets) : html `<script src="${own.script}" defer></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/"${current === null && kind === 'home' ? html ` aria-current="page"` : null}><span class="logo" aria-hidden="true"></span><span class="name">Scraper Data</span></a>
<nav aria-label="Site">
${models.map(({ name }) => html `<a href="/${name}"${name === current ? html ` aria-current="true"` : null}>${capitalised(name)}</a>`)}
<a href="/docs"${kind === 'docs' ? html ` aria-current="page"` : null}>API docs</a>
</nav>
</header>
<main id="main" class="${kind}" tabindex="-1">
${main}
</main>
</body>
</html>
`.toString();
const commonScript = ({ script }) => script && html `<script type="module" src="${script}"></script>`;
