/** No page breaks a rule of axe-core, in light or dark, wide or narrow. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleDir } from '../support/api.js';
import { addAxe, brokenRules, brokenWhenDark } from '../support/axe.js';
import { haveBrowser, openBrowser, visit } from '../support/browser.js';
import { type Running, serve } from '../support/program.js';

/** Lists of five, since their records are alike. */
const paths = [
  '/',
  '/articles?q=map&tag=maps&minScore=2&sort=score&order=desc&limit=5',
  '/articles?q=sourdouhg+bread',
  '/articles?q=sourdouhg+bread&match=all&fuzzy=0',
  '/products?page=2&limit=5',
  '/products?category=Art&limit=5',
  '/articles/46607804?q=print',
  '/products/1011',
  '/products/compare?id=1001&id=1004',
  '/products/compare?id=1001&q=salt',
  '/products/changes?limit=5',
  '/products/changes?field=price&direction=down&maxPercent=-20&sort=percent&limit=5',
  '/articles/changes?field=content&field=tags&view=1',
  '/articles/changes?kind=removed&limit=5',
  '/products/fields/price',
  '/articles/fields/tags?q=map',
  '/articles/fields/title',
  '/products/stats?by=category&fields=price',
  '/search',
  '/search?q=price',
  '/articles?page=0&colour=red',
  '/articles/1',
  '/nothing/here',
  '/docs',
  '/docs/getProducts',
];
/** On narrow screens the filters lie over the page. */
const withSheet = '/articles?q=map&tag=maps&minScore=2&sort=score&order=desc';

const open = (page: Page, selector: string, isOpen: boolean): Promise<unknown> =>
  page.evaluate(`for (const details of document.querySelectorAll('${selector}')) details.open = ${isOpen}`);

describe.skipIf(!haveBrowser())('axe-core', () => {
  let browser: Browser;
  let server: Running;
  let page: Page;
  beforeAll(async () => {
    [browser, server] = await Promise.all([
      openBrowser(),
      serve(['--snapshots', sampleDir, '--previous', `${sampleDir}/previous`, '--quiet', '--rate-limit', '0']),
    ]);
    ({ page } = await visit(browser, server.url));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  test.each(paths)('finds nothing on %s', async (path) => {
    // So tall that what scrolls cuts no control at its edge.
    await page.setViewportSize({ width: 1280, height: 5000 });
    await page.goto(path);
    await addAxe(page);
    // Of the collections of the documentation one stands for both: their operations are written alike.
    await page.evaluate(`document.querySelector('section[aria-labelledby=tag-articles]')?.remove()`);
    await open(page, 'details', true);
    // The documentation has the same operations for each collection; for the colours, one of them stands for all.
    await page.evaluate("for (const one of document.querySelectorAll('.operation[id*=Products]')) one.remove()");
    expect(await brokenRules(page, 'all'), 'wide').toEqual([]);
    await open(page, '.operation:not(:first-of-type)', false);
    // No colour depends on the width.
    expect(await brokenWhenDark(page), 'wide and dark').toEqual([]);
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await brokenRules(page, 'all'), 'narrow').toEqual([]);
  });

  test('finds nothing where the filters lie over the page', async () => {
    await page.setViewportSize({ width: 390, height: 5000 });
    await page.goto(withSheet);
    await addAxe(page);
    await page.click('.open-filters');
    expect(await brokenRules(page, 'all'), 'light').toEqual([]);
    expect(await brokenWhenDark(page), 'dark').toEqual([]);
  });
});
