/** No page breaks a rule of axe-core, in light or dark, wide or narrow. */
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleDir } from './support/api.js';
import { haveBrowser, openBrowser, visit } from './support/browser.js';
import { type Running, serve } from './support/program.js';

const paths = [
  '/',
  '/articles',
  '/articles?q=map&tag=maps&minScore=2&sort=score&order=desc',
  '/articles?q=nothingmatchesthis',
  '/articles?page=99',
  '/products?page=2',
  '/products?view=grid&category=Art',
  '/articles/46607804?q=print',
  '/products/1011',
  '/articles?page=0&colour=red',
  '/articles/1',
  '/nothing/here',
];
const looks = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 1280 },
  { scheme: 'light', width: 360 },
  { scheme: 'dark', width: 360 },
] as const;

/** Rules broken, with the elements that break them. */
const RUN = `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ target, failureSummary }) => id + ' ' + target.join(' ') + ' ' + failureSummary)))`;

describe.skipIf(!haveBrowser())('axe-core', { timeout: 60_000 }, () => {
  let browser: Browser;
  let server: Running;
  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serve(['--snapshots', sampleDir, '--quiet'])]);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  test.each(looks)('finds nothing: $scheme, $width pixels', async ({ scheme, width }) => {
    const { page, close } = await visit(browser, server.url, { colorScheme: scheme, viewport: { width, height: 900 } });
    for (const path of paths) {
      await page.goto(path);
      await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
      await page.evaluate(axe.source);
      expect(await page.evaluate<string[]>(RUN), path).toEqual([]);
    }
    await close();
  });
});
