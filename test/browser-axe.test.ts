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
  '/articles?q=sourdouhg+bread',
  '/articles?q=sourdouhg+bread&match=all&fuzzy=0',
  '/articles?page=99',
  '/products?page=2',
  '/products?view=grid&category=Art',
  '/articles/46607804?q=print',
  '/products/1011',
  '/products/changes',
  '/products/changes?field=price&direction=down&maxPercent=-20&sort=percent',
  '/articles/changes?field=content&field=tags&view=1',
  '/articles/changes?kind=removed',
  '/articles?page=0&colour=red',
  '/articles/1',
  '/nothing/here',
  '/docs',
];
const widths = [1280, 390];
/** On narrow screens the filters lie over the page. */
const withSheet = ['/articles?q=map&tag=maps&minScore=2&sort=score&order=desc'];

/** Dark pages differ in their colours only, and operations of the documentation not among one another. */
const openedOf = { light: 'details', dark: 'details:not(.operation)' } as const;
/** All rules, and the one of WCAG 2.2 that is off by itself. */
const rulesOf = {
  light: { rules: { 'target-size': { enabled: true } } },
  dark: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
} as const;

/** Rules broken, with the elements that break them. */
const runOf = (options: object): string =>
  `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ' ' + target.join(' ') + ' ' + failureSummary)))`;

describe.skipIf(!haveBrowser())('axe-core', { timeout: 180_000 }, () => {
  let browser: Browser;
  let server: Running;
  beforeAll(async () => {
    [browser, server] = await Promise.all([
      openBrowser(),
      serve(['--snapshots', sampleDir, '--previous', `${sampleDir}/previous`, '--quiet']),
    ]);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  test.each(['light', 'dark'] as const)('finds nothing on a %s page', async (colorScheme) => {
    const { page, close } = await visit(browser, server.url, { colorScheme });
    const broken = (): Promise<string[]> => page.evaluate<string[]>(runOf(rulesOf[colorScheme]));
    for (const path of paths) {
      // So tall that what scrolls cuts no control at its edge.
      await page.setViewportSize({ width: 1280, height: 5000 });
      await page.goto(path);
      await page.evaluate(
        `for (const details of document.querySelectorAll('${openedOf[colorScheme]}')) details.open = true`,
      );
      await page.evaluate(axe.source);
      for (const width of widths) {
        await page.setViewportSize({ width, height: width === 1280 ? 5000 : 900 });
        await page.evaluate(`document.querySelector('.filters')?.toggleAttribute('open', ${width === 1280})`);
        expect(await broken(), `${path} at ${width} pixels`).toEqual([]);
      }
      if (!withSheet.includes(path)) continue;
      await page.setViewportSize({ width: 390, height: 5000 });
      await page.click('.filters > summary');
      expect(await broken(), `${path} with its filters`).toEqual([]);
    }
    await close();
  });
});
