/** Boxes that complete what is typed: with counts, by keyboard and pointer, and nothing is chosen that no record has. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleDir } from '../support/api.js';
import { addAxe, brokenRules, brokenWhenDark } from '../support/axe.js';
import { haveBrowser, openBrowser, visit } from '../support/browser.js';
import { type Running, serve } from '../support/program.js';
import { PATIENCE } from '../support/until.js';

interface Facets {
  readonly data: readonly { readonly name: string; readonly count: number }[];
}

describe.skipIf(!haveBrowser())('boxes for values', () => {
  let browser: Browser;
  let server: Running;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serve(['--snapshots', sampleDir, '--quiet'])]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  /** Visits a list, and asserts at the end that the page complained about nothing. */
  async function onList(path: string, use: (page: Page) => Promise<void>): Promise<void> {
    const { page, complaints, close } = await visit(browser, server.url);
    await page.goto(path);
    await page.waitForSelector('html.js');
    await use(page);
    expect(complaints).toEqual([]);
    await close();
  }

  const address = (page: Page): string => page.url().slice(server.url.length);
  const offers = (page: Page): Promise<string[]> => page.locator('.offers li').allTextContents();
  const selected = (page: Page): Promise<string> => page.locator('.offers [aria-selected="true"] .name').innerText();
  async function facets(path: string): Promise<readonly string[]> {
    const { data } = (await (await server.fetch(`/api/${path}`)).json()) as Facets;
    return data.map(({ name, count }) => `${name} ${count}`);
  }

  test('offer what begins as typed, with the counts that the other filters leave', () =>
    onList('/articles?minScore=20', async (page) => {
      await page.click('#other-tag');
      await page.keyboard.type('s', { delay: 10 });
      const begun = (text: string) => facets(`articles/tags?startsWith=${text}&minScore=20&limit=10`);
      await expect.poll(() => offers(page), PATIENCE).toEqual(await begun('s'));
      await page.keyboard.type('h');
      // Behind those that begin so stand those of which a later word does.
      const first = await begun('sh');
      await expect.poll(async () => (await offers(page)).slice(0, first.length), PATIENCE).toEqual(first);
    }));

  test('are walked by keyboard: arrows select, Enter chooses, the focus stays for another', () =>
    onList('/articles', async (page) => {
      await page.focus('#other-author');
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => offers(page), PATIENCE).toHaveLength(10);
      const names = (await facets('articles/authors?limit=10')).map((offer) => offer.replace(/ \d+$/, ''));
      expect(await selected(page)).toBe(names[0]);
      await page.keyboard.press('ArrowDown');
      expect(await selected(page)).toBe(names[1]);
      for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowUp');
      expect(await selected(page)).toBe(names[9]);
      const active = await page.locator('#other-author').getAttribute('aria-activedescendant');
      expect(await page.locator(`#${active} .name`).innerText()).toBe(names[9]);
      await page.keyboard.press('Enter');
      await expect.poll(() => address(page), PATIENCE).toBe(`/articles?author=${encodeURIComponent(names[9] ?? '')}`);
      await expect.poll(() => page.locator('#by-author :checked').count(), PATIENCE).toBe(1);
      expect(await page.locator(':focus').getAttribute('id')).toBe('other-author');
      expect(await page.locator('#other-author').inputValue()).toBe('');
      // What is chosen is not offered again.
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => offers(page), PATIENCE).toHaveLength(10);
      expect((await offers(page)).map((offer) => offer.replace(/ \d+$/, ''))).not.toContain(names[9]);
    }));

  test('take a whole name at once, however it is spelt', () =>
    onList('/articles', async (page) => {
      await page.click('#other-tag');
      await page.keyboard.type('MAPS');
      await page.keyboard.press('Enter');
      await expect.poll(() => address(page), PATIENCE).toBe('/articles?tag=maps');
    }));

  test('choose by a click', () =>
    onList('/articles', async (page) => {
      await page.click('#other-tag');
      await page.keyboard.type('map');
      await page.click('.offers li');
      await expect.poll(() => address(page), PATIENCE).toBe('/articles?tag=maps');
      expect(await page.locator(':focus').getAttribute('id')).toBe('other-tag');
    }));

  test('never add what nothing has', () =>
    onList('/articles', async (page) => {
      await page.click('#other-tag');
      await page.keyboard.type('mapz');
      await expect
        .poll(() => page.locator('.offers').allInnerTexts(), PATIENCE)
        .toEqual(['No tag here has a word that begins with “mapz”.']);
      await page.keyboard.press('Enter');
      // Left with a text in it, the box is empty; what else was changed is applied without that text.
      await page.click('label:has-text("statistics")');
      await expect.poll(() => address(page), PATIENCE).toBe('/articles?tag=statistics');
      expect(await page.locator('#other-tag').inputValue()).toBe('');
      expect(await page.locator('.offers').count()).toBe(0);
    }));

  test('Escape closes the list, then empties the box', () =>
    onList('/articles', async (page) => {
      await page.click('#other-tag');
      await page.keyboard.type('map');
      const box = page.locator('#other-tag');
      await expect.poll(() => box.getAttribute('aria-expanded'), PATIENCE).toBe('true');
      await page.keyboard.press('Escape');
      expect([await box.getAttribute('aria-expanded'), await box.inputValue()]).toEqual(['false', 'map']);
      await page.keyboard.press('Escape');
      expect(await box.inputValue()).toBe('');
      expect(address(page)).toBe('/articles');
    }));

  test('without a script are fields of the form', async () => {
    const { page, close } = await visit(browser, server.url, { javaScriptEnabled: false });
    await page.goto('/articles');
    await page.locator('#other-author').fill('quietmath');
    await page.locator('#other-author').press('Enter');
    await page.waitForURL(/author=quietmath/);
    expect(address(page)).toBe('/articles?author=quietmath');
    await close();
  });

  test('break no rule of axe-core with a list or without a hit', async () => {
    const { page, close } = await visit(browser, server.url);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 5000 });
      await page.goto('/articles?tag=maps&tag=history&limit=2');
      await addAxe(page);
      if (width === 390) await page.click('.open-filters');
      for (const text of ['s', 'zz']) {
        await page.locator('#other-tag').fill(text);
        await page.waitForSelector(`.offers[data-text="${text}"]`);
        expect(await brokenRules(page, 'all'), `${text} at ${width} pixels`).toEqual([]);
        expect(await brokenWhenDark(page), `${text} at ${width} pixels, dark`).toEqual([]);
      }
    }
    await close();
  });
});
