/** The HTML page while a first load runs. It reloads itself every second, and needs no style sheet. */
import { html } from '../markup/html.js';
import type { PlainResponse } from '../response.js';
import { headersFor, PAGE_TYPE } from './frame/document.js';

export const loadingPage = (message: string): PlainResponse => ({
  status: 503,
  type: PAGE_TYPE,
  headers: headersFor("'none'"),
  body: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="1">
<title>Loading &ndash; Scraper Data</title>
</head>
<body>
<main>
<h1>Loading</h1>
<p role="status">${message}</p>
</main>
</body>
</html>
`.toString(),
});
