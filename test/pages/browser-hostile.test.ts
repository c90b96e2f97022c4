/** Hostile records do nothing but stand there, and the layout holds. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { haveBrowser, openBrowser, overflow, type Visit, visit } from '../support/browser.js';
import { hostile } from '../support/hostile.js';
import { type Running, serve, withFolder } from '../support/program.js';

const snapshots = {
  'articles.json': JSON.stringify(hostile.articles),
  'products.json': JSON.stringify(hostile.products),
};
const searches = [
  '?q=script',
  '?q=onerror%20%3Cimg',
  '?q=%22%3E%3Cscript%3EglobalThis.attacked%3D1%3C%2Fscript%3E',
  '?sort=title&order=desc',
];
const paths = [
  '/',
  ...searches.flatMap((search) => [`/articles${search}`, `/products${search}`]),
  '/search?q=w',
  '/articles',
  ...hostile.articles.map(({ id }) => `/articles/${id}`),
  ...hostile.products.map(({ id }) => `/products/${id}`),
  '/articles?%3Cscript%3E=%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E',
  '/%3Cscript%3Ealert(1)%3C/script%3E',
];

/** Only web addresses are links out, and they tell the other side nothing. */
async function expectHarmlessAddresses(page: Page, path: string): Promise<void> {
  const links = await page
    .locator('a[href]')
    .evaluateAll((all) =>
      all.map((link) => ({ href: link.getAttribute('href') ?? '', rel: link.getAttribute('rel') })),
    );
  for (const { href, rel } of links) {
    expect(href, path).toMatch(/^(?:\/(?!\/)|https?:\/\/|[#?])/);
    if (/^http/.test(href)) expect(rel, path).toBe('noopener noreferrer nofollow');
  }
  const images = await page
    .locator('main img')
    .evaluateAll((all) =>
      all.map((image) => ({ source: image.getAttribute('src'), policy: image.getAttribute('referrerpolicy') })),
    );
  for (const { source, policy } of images) {
    expect(source, path).toMatch(/^(?:https?:\/\/|\/products\/imageUrl\/)/);
    expect(policy, path).toBe('no-referrer');
  }
}

describe.skipIf(!haveBrowser())('hostile records', () => {
  let browser: Browser;
  let server: Running;
  let tab: Visit;
  let leave: () => void;
  let folder: Promise<void>;

  beforeAll(async () => {
    const started = new Promise<Running>((resolve, reject) => {
      folder = withFolder(snapshots, async (dir) => {
        serve(['--snapshots', dir, '--quiet']).then(resolve, reject);
        await new Promise<void>((end) => {
          leave = end;
        });
      });
    });
    [browser, server] = await Promise.all([openBrowser(), started]);
    tab = await visit(browser, server.url);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.end();
    leave?.();
    await folder;
  });

  test('are inert, lead nowhere and keep the layout', async () => {
    const { page } = tab;
    for (const path of paths) {
      await page.goto(path);
      for (const width of /^\/\w*$/.test(path) ? [320, 390, 768, 1024, 1280] : [320, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await overflow(page), path).toBe(0);
      }
      await expectHarmlessAddresses(page, path);
      expect(await page.evaluate<unknown>('globalThis.attacked'), path).toBeUndefined();
      expect(
        await page.locator('main script, main style, main [onerror], main [onfocus], main iframe').count(),
        path,
      ).toBe(0);
    }
  });

  test('a text that turns its direction turns nothing beside it', async () => {
    const { page } = tab;
    await page.goto('/articles?sort=score');
    const row = page.locator('tr', { has: page.locator('#hit-3') });
    const [score, comments] = await Promise.all([
      row.locator('td.number').nth(0).boundingBox(),
      row.locator('td.number').nth(1).boundingBox(),
    ]);
    expect(score?.x).toBeLessThan(comments?.x ?? 0);
    expect(await page.locator('#hit-3 > bdi').count()).toBe(1);
  });

  test('a bound of many digits is shown whole', async () => {
    const { page } = tab;
    await page.goto('/products');
    const CUT = `[...document.querySelectorAll('.bounds input')].filter((input) => {
      const { font, appearance, paddingLeft, paddingRight } = getComputedStyle(input);
      const context = document.createElement('canvas').getContext('2d');
      context.font = font;
      const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      return appearance !== 'textfield' || context.measureText(input.placeholder).width > room;
    }).map(({ id, placeholder }) => id + ' ' + placeholder)`;
    expect(await page.locator('#maxPrice').getAttribute('placeholder')).toBe('1,234,567.89');
    expect(await page.evaluate<string[]>(CUT)).toEqual([]);
  });

  test('a picture in a record runs nothing, even on its own', async () => {
    const { page, foreign, close } = await visit(browser, server.url);
    const response = await page.goto('/products/imageUrl/3');
    expect(response?.headers()['content-security-policy']).toMatch(/default-src 'none'.*sandbox/);
    expect(await page.evaluate<unknown>('globalThis.attacked')).toBeUndefined();
    expect(foreign).toEqual([]);
    expect((await page.goto('/products/imageUrl/5'))?.status()).toBe(404);
    await close();
  });

  test('a picture that fails moves nothing of a list or a record', async () => {
    const { page, close } = await visit(browser, server.url, { viewport: { width: 390, height: 800 } });
    await page.route('https://pictures.test/**', (route) => route.fulfill({ status: 404, body: '' }));
    await page.addInitScript(`window.shift = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shift += value;
      }).observe({ type: 'layout-shift', buffered: true });`);
    for (const width of [390, 1280])
      for (const path of ['/products', '/products/4']) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(path);
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
        expect(await page.evaluate<number>('window.shift'), `${path} at ${width} pixels`).toBeLessThan(0.05);
      }
    await close();
  });

  test('typing them into the search does nothing either', async () => {
    const { page } = tab;
    await page.goto('/articles');
    await page.fill('#q', '"><img src=x onerror="globalThis.attacked=1"> <script>');
    await page.waitForURL(/q=/);
    await page.waitForFunction('!document.querySelector("main").hasAttribute("aria-busy")');
    expect(await page.evaluate<unknown>('globalThis.attacked')).toBeUndefined();
    expect(await overflow(page)).toBe(0);
  });

  test('no other host was asked for anything but a record’s own picture', () => {
    for (const request of tab.foreign) expect(request).toMatch(/^image https:\/\/pictures\.test\//);
    expect(tab.complaints.filter((text) => !/status of 4(?:00|04|22)/.test(text))).toEqual([]);
  });
});
