/**
 * The HTML page while a first load runs, when no other resource is served: its style stands in it, allowed by its hash. It
 * reloads itself every second, by an address without a fragment: one with a fragment would be a jump within the page.
 */
import { createHash } from 'node:crypto';
import { html } from '../markup/html.js';
import type { PlainResponse } from '../response.js';
import { headersFor, PAGE_TYPE } from './frame/document.js';

/** The page's style. None of its characters is escaped in a page, or it would not have its hash. */
const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:30rem;margin:20vh auto 0;padding:0 1rem}h1{font-size:1.4rem}progress{width:100%;accent-color:light-dark(#0b6b5d,#6cd2bb)}';
const STYLE_SOURCE = `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

function loadingHeaders() {
  const headers = headersFor("'none'");
  const policy = headers['Content-Security-Policy'] ?? '';
  return { ...headers, 'Content-Security-Policy': policy.replace("style-src 'self'", STYLE_SOURCE) };
}

/** The index of the search is made of what was read, and is not counted. */
const loadedText = (share: number): string =>
  share < 1
    ? `The snapshots are being read, ${Math.floor(share * 100)}% so far.`
    : 'The snapshots are read, and the index of the search is being made.';

/** `address` is that of the request, `loadedShare` the progress from 0 to 1. */
export const loadingPage = (address: string, loadedShare: number): PlainResponse => ({
  status: 503,
  type: PAGE_TYPE,
  headers: loadingHeaders(),
  body: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="1;url=${address}">
<title>Loading &ndash; Scraper Data</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Loading</h1>
<progress aria-label="Loaded" max="1"${loadedShare < 1 ? html` value="${loadedShare.toFixed(2)}"` : null}></progress>
<p role="status">${loadedText(loadedShare)} This page reloads itself.</p>
</main>
</body>
</html>
`.toString(),
});
