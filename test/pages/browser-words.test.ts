/** The option of all words, and what a page says of words that no record has. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleDir } from '../support/api.js';
import { haveBrowser, openBrowser, titles, visit } from '../support/browser.js';
import { type Running, serve } from '../support/program.js';
import { PATIENCE } from '../support/until.js';

describe.skipIf(!haveBrowser())('words of a search', () => {
  let browser: Browser;
  let server: Running;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serve(['--snapshots', sampleDir, '--quiet'])]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  async function onPage(path: string, use: (page: Page) => Promise<void>): Promise<void> {
    const { page, complaints, close } = await visit(browser, server.url);
    await page.goto(path);
    await use(page);
    expect(complaints).toEqual([]);
    await close();
  }

  const address = (page: Page): string => page.url().slice(server.url.length);

  test('emptying the box removes the option of all words', () =>
    onPage('/articles?q=old+maps&match=all', async (page) => {
      await page.waitForSelector('html.js');
      await page.fill('#q', '');
      await expect.poll(() => address(page), PATIENCE).toBe('/articles');
    }));

  test('an unknown one is searched by its nearest spelling, which the page says, or as written', () =>
    onPage('/articles?q=sourdouhg', async (page) => {
      await page.waitForSelector('html.js');
      const line = page.locator('.suggestion');
      expect(await line.innerText()).toBe('Showing results for sourdough. Search for sourdouhg as written');
      const found = await titles(page);
      await line.getByRole('link', { name: 'sourdough', exact: true }).click();
      await expect.poll(() => address(page), PATIENCE).toBe('/articles?q=sourdough');
      expect(await titles(page)).toEqual(found);
      expect(await page.locator('.suggestion').count()).toBe(0);

      await page.goBack();
      await page.getByRole('link', { name: /as written/ }).click();
      await expect.poll(() => address(page), PATIENCE).toBe('/articles?q=sourdouhg&fuzzy=0');
      expect(await page.locator('.empty').innerText()).toContain('Near spellings (1 article)');
      await page.getByRole('link', { name: /remove this filter/ }).click();
      await expect.poll(() => address(page), PATIENCE).toBe('/articles?q=sourdouhg');
    }));

  test('none is found with all: the way back to any of them', () =>
    onPage('/articles?q=sourdough+lanternfish&match=all', async (page) => {
      await page.getByRole('link', { name: 'Any of the words' }).click();
      await page.waitForURL('**/articles?q=sourdough%20lanternfish');
      expect((await titles(page)).length).toBeGreaterThan(0);
    }));
});
