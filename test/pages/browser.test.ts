/** The pages as a reader uses them: the built server, the sample, headless Chromium. */
import { readFileSync } from 'node:fs';
import Papa from 'papaparse';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleDir } from '../support/api.js';
import { haveBrowser, openBrowser, overflow, titles, type Visit, visit } from '../support/browser.js';
import { type Running, serve } from '../support/program.js';
import { PATIENCE } from '../support/until.js';

interface ApiPage {
  readonly data: readonly { readonly id: number; readonly title: string }[];
  readonly pagination: { readonly total: number };
}

describe.skipIf(!haveBrowser())('pages', () => {
  let browser: Browser;
  let server: Running;
  let tab: Visit;
  let page: Page;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serve(['--snapshots', sampleDir, '--quiet'])]);
    tab = await visit(browser, server.url);
    page = tab.page;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  const api = async (path: string): Promise<ApiPage> => (await server.fetch(`/api/${path}`)).json() as Promise<ApiPage>;
  const address = (): string => page.url().slice(server.url.length);
  const total = (): Promise<string> => page.locator('#count .total').innerText();
  const settled = (part: string): Promise<void> =>
    page.waitForURL((url) => url.href.includes(part), { waitUntil: 'commit' });

  /** Waits for a record's page and its script: before that, keys mean nothing. */
  async function opened(title: string | undefined): Promise<void> {
    await expect.poll(() => page.locator('.record h1').allInnerTexts(), PATIENCE).toEqual([title]);
    await page.waitForSelector('html.js');
  }

  /** Of the text of a chart's bar. */
  const opacityOf = async (bar: Locator): Promise<string> =>
    String(await bar.locator('text').evaluate((text) => Object(globalThis).getComputedStyle(text).opacity));
  const focusedHit = (): Promise<string> => page.locator('.hit-link:focus').innerText();

  /** What the page must show for a view of the API. */
  async function expectView(path: string): Promise<void> {
    const { data, pagination } = await api(path);
    await expect.poll(() => titles(page), PATIENCE).toEqual(data.map(({ title }) => title));
    expect(await total()).toMatch(new RegExp(`^${pagination.total} `));
  }

  test('typing shows results, the address follows, back leaves them', async () => {
    await page.goto('/articles');
    await page.keyboard.press('/');
    await page.keyboard.type('map', { delay: 15 });
    await settled('q=map');
    await expectView('articles/search?q=map');
    expect(address()).toBe('/articles?q=map');
    expect(await page.locator('mark').count()).toBeGreaterThan(0);
    expect(await page.locator('.snippet').first().innerText()).toMatch(/map/i);
    await page.goBack();
    await expectView('articles');
    expect(address()).toBe('/articles');
    expect(await page.locator('#q').inputValue()).toBe('');
    await page.goForward();
    await expectView('articles/search?q=map');
    expect(await page.locator('#q').inputValue()).toBe('map');
  });

  test('typing that overtakes its first answer leaves a step to go back to', async () => {
    await page.goto('/articles');
    const held = new Promise<void>((resolve) => {
      void page.route('**/articles?q=ma', () => resolve());
    });
    await page.fill('#q', 'ma');
    await held;
    await page.fill('#q', 'map');
    await settled('q=map');
    await page.goBack();
    await expectView('articles');
    expect(address()).toBe('/articles');
    await page.unroute('**/articles?q=ma');
  });

  test('typing does not count against the rate limit', async () => {
    const before = (await server.fetch(`/api/articles/1`)).headers.get('RateLimit');
    await page.goto('/articles');
    for (const word of ['map', 'bread', 'a map of bread', 'print', 'ice']) {
      await page.fill('#q', word);
      await settled(`q=${encodeURIComponent(word)}`);
    }
    const after = (await server.fetch(`/api/articles/1`)).headers.get('RateLimit');
    const remaining = (header: string | null): number => Number(/r=(\d+)/.exec(header ?? '')?.[1]);
    expect(remaining(before) - remaining(after)).toBe(1);
  });

  test('headers sort, both ways', async () => {
    await page.goto('/articles?tag=maps');
    await page.click('#sort-score');
    await settled('order=desc');
    await expectView('articles?tag=maps&sort=score&order=desc');
    expect(await page.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending');
    await page.click('#sort-score');
    await settled('order=asc');
    await expectView('articles?tag=maps&sort=score&order=asc');
    await page.click('#sort-score');
    await expectView('articles?tag=maps');
    expect(address()).toBe('/articles?tag=maps');
  });

  test('a category and its count filter', async () => {
    await page.goto('/products');
    const option = page.locator('.values label', { hasText: 'Sci-Fi/Fantasy' });
    const count = await option.locator('.count').innerText();
    await option.click();
    await settled('category=');
    await expectView('products?category=Sci-Fi%2FFantasy');
    expect(await total()).toBe(`${count} products`);
    await page.click('.chips a');
    await expectView('products');
  });

  test('columns are made wider or narrower at their edge or by keys, are remembered, and moved in their form', async () => {
    await page.goto('/products');
    const header = page.locator('th[data-field=author]');
    const width = async (): Promise<number> => Math.round((await header.boundingBox())?.width ?? 0);
    const usual = await width();
    const drag = async (by: number): Promise<void> => {
      const { x = 0, y = 0, width: size = 0 } = (await header.boundingBox()) ?? {};
      await page.mouse.move(x + size - 3, y + 9);
      await page.mouse.down();
      await page.mouse.move(x + size - 3 + by, y + 9);
      await page.mouse.up();
    };
    await drag(-40);
    expect(await width()).toBe(usual - 40);
    await page.locator('#sort-author').focus();
    await page.keyboard.press('Shift+ArrowRight');
    expect(await width()).toBe(usual - 24);
    await page.reload();
    expect(await width()).toBe(usual - 24);
    const { x = 0, y = 0, width: size = 0 } = (await header.boundingBox()) ?? {};
    await page.mouse.dblclick(x + size - 3, y + 9);
    expect(await width()).toBe(usual);
    await expectView('products');

    await page.click('[popovertarget=columns]');
    await page.locator('#column-rating').focus();
    // Past the picture, the price and the author.
    for (let i = 0; i < 3; i++) await page.keyboard.press('Alt+ArrowUp');
    await page.click('#columns .main');
    await page.waitForURL(/fields=/);
    const shown = await page
      .locator('th[data-field]')
      .evaluateAll((all) => all.map((th) => th.getAttribute('data-field')));
    expect(shown).toEqual(['title', 'rating', 'author', 'price', 'category']);
  });

  test('a pinned column stays beside the title, also after a reload, and until it is let go', async () => {
    await page.goto('/products?fields=*');
    const gap = (): Promise<number> =>
      page.evaluate<number>(`(() => {
        const box = document.querySelector('.scroll');
        box.scrollLeft = box.scrollWidth;
        const [title, pinned] = ['title', 'author'].map((name) => document.querySelector('th[data-field=' + name + ']'));
        return Math.round(pinned.getBoundingClientRect().left - title.getBoundingClientRect().right);
      })()`);
    expect(await gap()).toBeLessThan(0);
    await page.click('[popovertarget=columns]');
    const pin = page.locator('.pin[data-pin=author]');
    await pin.click();
    expect(await pin.getAttribute('aria-pressed')).toBe('true');
    expect(await gap()).toBe(0);
    await page.reload();
    await page.waitForSelector('html.js');
    expect(await gap()).toBe(0);
    await page.click('[popovertarget=columns]');
    await pin.click();
    expect(await gap()).toBeLessThan(0);
  });

  test('rows that are checked stand side by side, also without a script', async () => {
    const { data } = await api('products?limit=2');
    const scriptless = await visit(browser, server.url, { javaScriptEnabled: false });
    for (const one of [page, scriptless.page]) {
      if (one === scriptless.page) await one.setViewportSize({ width: 390, height: 844 });
      await one.goto('/products');
      expect(await one.locator('#compare').isVisible()).toBe(false);
      for (const { id } of data) await one.locator(`.pick[value="${id}"]`).check();
      await one.click('#compare button');
      await one.waitForURL(`**/products/compare?${data.map(({ id }) => `id=${id}`).join('&')}`);
      const different = await one.locator('tbody tr').count();
      const equal = await one.locator('details dt').count();
      expect(await one.locator('.compare > p').innerText()).toContain(
        equal > 0 ? `${different} of ${different + equal} fields differ` : `All ${different} fields differ`,
      );
      // Results that arrive meanwhile leave the field and its caret as they are.
      await one.locator('#q').pressSequentially('salt', { delay: 150 });
      await one.press('#q', 'Enter');
      await one.waitForURL(/compare\?q=salt&id=/);
      await one.locator('.hits a').first().click();
      await one.waitForURL(/compare\?(id=\d+&?){3}$/);
      expect(await one.locator('thead th a:not(.pill)').count()).toBe(3);
    }
    await scriptless.close();
  });

  test('a column that was dragged to its place is still chosen or left out by its box', async () => {
    await page.goto('/products');
    await page.click('[popovertarget=columns]');
    const names = (): Promise<readonly string[]> =>
      page.locator('.choices input').evaluateAll((all) => all.map((box) => box.getAttribute('value') ?? ''));
    const before = await names();
    const [first = '', second = ''] = before;
    const [from, to] = [page.locator(`label[for=column-${first}]`), page.locator(`label[for=column-${second}]`)];
    const [start, target] = [await from.boundingBox(), await to.boundingBox()];
    await page.mouse.move((start?.x ?? 0) + 4, (start?.y ?? 0) + 4);
    await page.mouse.down();
    await page.mouse.move((target?.x ?? 0) + 4, (target?.y ?? 0) + 4, { steps: 4 });
    await page.mouse.up();
    expect(await names()).toEqual([second, first, ...before.slice(2)]);
    const box = page.locator(`#column-${first}`);
    expect(await box.isChecked()).toBe(true);
    await box.click();
    expect(await box.isChecked()).toBe(false);
  });

  test('a value that is chosen moves, and keeps the focus', async () => {
    await page.goto('/articles');
    await page.click('#more-tag');
    const box = page.locator('#by-tag li:nth-child(9) input');
    const value = await box.inputValue();
    await box.focus();
    const focused = (): Promise<string> => page.locator(':focus').inputValue();
    for (const view of [`articles?tag=${value}`, 'articles']) {
      await page.keyboard.press('Space');
      await expectView(view);
      expect(await focused()).toBe(value);
    }
    // The condition that a chip took away has left with it.
    await page.keyboard.press('Space');
    await page.locator('.chips a').press('Enter');
    await expectView('articles');
    expect(await page.locator(':focus').getAttribute('id')).toBe('main');
  });

  test('a range is picked by a bar, which says what it is, and by the two fields', async () => {
    await page.goto('/products');
    const bar = page.locator('#shape-price a').nth(2);
    expect(await opacityOf(bar)).toBe('0');
    await bar.locator('rect').first().hover();
    const says = await bar.locator('text').textContent();
    expect(await opacityOf(bar)).toBe('1');
    const href = `/products${await bar.getAttribute('href')}`;
    expect(href).toMatch(/^\/products\?minPrice=[\d.]+&maxPrice=[\d.]+$/);
    await bar.locator('rect').first().click();
    await expect.poll(address, PATIENCE).toBe(href);
    await expectView(href.slice(1));
    expect(await total()).toBe(`${/: (\d+)/.exec(says ?? '')?.[1]} products`);
    await page.fill('#maxPrice', '13.5');
    await page.keyboard.press('Tab');
    await settled('maxPrice=13.5');
    await expectView(address().slice(1));
  });

  test('bars are walked by keyboard', async () => {
    await page.goto('/products');
    expect(await page.locator('#shape-rating a[tabindex="0"]').count()).toBe(1);
    const bars = page.locator('#shape-rating a');
    await page.waitForSelector('html.js');
    await bars.nth(3).focus();
    await page.keyboard.press('ArrowRight');
    expect(await opacityOf(bars.nth(4))).toBe('1');
    const href = await bars.nth(4).getAttribute('href');
    expect(await page.locator(':focus').getAttribute('href')).toBe(href);
    await page.keyboard.press('Enter');
    await expect.poll(address, PATIENCE).toBe(`/products${href}`);
  });

  test('a maximum below the minimum keeps the page, says so, and can be swapped', async () => {
    await page.goto('/articles?minScore=100');
    await page.waitForSelector('html.js');
    await page.fill('#maxScore', '10');
    await page.keyboard.press('Tab');
    await settled('maxScore=10');
    await expect.poll(() => page.locator('#by-score .warning').allInnerTexts(), PATIENCE).toHaveLength(1);
    expect(await page.locator('#minScore').inputValue()).toBe('100');
    await page.click('#by-score .warning a');
    await settled('minScore=10&maxScore=100');
    await expectView('articles?minScore=10&maxScore=100');
  });

  test('the sheet of filters takes the focus of the keyboard, and gives it back', async () => {
    const narrow = await visit(browser, server.url, { viewport: { width: 390, height: 800 } });
    await narrow.page.goto('/articles');
    const focused = () => narrow.page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.innerText');
    for (const key of ['Escape', 'Enter']) {
      await narrow.page.focus('.open-filters');
      await narrow.page.keyboard.press('Enter');
      await expect.poll(focused, PATIENCE).toBe('Close the filters');
      await narrow.page.keyboard.press(key);
      await expect.poll(focused, PATIENCE).toBe('Filters');
    }
    await narrow.close();
  });

  test('a range is picked by touch', async () => {
    const touch = await visit(browser, server.url, { hasTouch: true, viewport: { width: 390, height: 800 } });
    await touch.page.goto('/articles');
    await touch.page.tap('.open-filters');
    await touch.page.tap('#shape-date a:nth-of-type(2) rect');
    await touch.page.waitForURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/);
    // The filters lie over the page, until the button that says how much is left shows it.
    await touch.page.tap('#by-tag li:first-of-type label');
    await touch.page.waitForURL(/tag=/);
    const close = touch.page.locator('.filters .close');
    const left = await touch.page.locator('#count .total').textContent();
    await expect.poll(() => close.innerText(), PATIENCE).toBe(`Show ${left}`);
    expect((await close.boundingBox())?.y).toBeGreaterThan(700);
    await close.tap();
    expect(await touch.page.locator('.filters').isVisible()).toBe(false);
    expect(await touch.page.locator(':focus').innerText()).toBe('Filters 2');
    await touch.page.tap('.open-filters');
    await expect.poll(() => touch.page.evaluate("document.querySelector('.results').inert"), PATIENCE).toBe(true);
    await touch.page.touchscreen.tap(200, 30);
    await expect.poll(() => touch.page.locator('.filters').isVisible(), PATIENCE).toBe(false);
    await touch.page.tap('.open-filters');
    await touch.page.keyboard.press('Escape');
    await expect.poll(() => touch.page.locator('.filters').isVisible(), PATIENCE).toBe(false);
    // On a wide screen the filters stand beside the results.
    await touch.page.tap('.open-filters');
    await touch.page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(() => touch.page.evaluate("document.querySelector('.results').inert"), PATIENCE).toBe(false);
    expect((await touch.page.locator('.results').boundingBox())?.x).toBeGreaterThan(300);
    expect(touch.complaints).toEqual([]);
    await touch.close();
  });

  test('pages turn, with the true total', async () => {
    await page.goto('/articles?sort=date&order=desc');
    await page.click('.pager [rel="next"]');
    await settled('page=2');
    await expectView('articles?sort=date&order=desc&page=2');
    expect(await page.locator('#count .part').innerText()).toBe('21–40');
    await page.goto('/articles?page=99');
    expect(await page.locator('.empty').innerText()).toMatch(/last one is page 17/);
  });

  test('a record opens, with its neighbours in the view', async () => {
    await page.goto('/articles?q=map&limit=5&page=2');
    const { data } = await api('articles/search?q=map&limit=20');
    await page.locator('.hit-link').first().click();
    await opened(data[5]?.title);
    expect(await page.locator('.place').innerText()).toMatch(/^6 of /);
    await page.keyboard.press('ArrowLeft');
    await opened(data[4]?.title);
    await page.click('.way [rel="next"]');
    await opened(data[5]?.title);
    await page.click('.way [rel="next"]');
    await opened(data[6]?.title);
    await page.keyboard.press('Escape');
    await settled('/articles?');
    await expectView('articles/search?q=map&limit=5&page=2');
    expect(await focusedHit()).toBe(data[6]?.title);
    await page.keyboard.press('ArrowUp');
    expect(await focusedHit()).toBe(data[5]?.title);
  });

  test('arrows walk over the ends of a page, and turn pages', async () => {
    await page.goto('/products?limit=10');
    const { data } = await api('products?limit=30');
    const expectFocus = (at: number): Promise<void> =>
      expect.poll(() => page.locator(':focus').innerText(), PATIENCE).toBe(data[at]?.title);
    for (let i = 0; i < 11; i++) {
      await page.keyboard.press('ArrowDown');
      await expectFocus(i);
    }
    await page.keyboard.press('ArrowUp');
    await expectFocus(9);
    await page.keyboard.press('ArrowRight');
    await expectFocus(10);
    await page.goto('/products?limit=10');
    for (const [key, path] of [
      ['ArrowRight', 'products?limit=10&page=2'],
      ['ArrowRight', 'products?limit=10&page=3'],
      ['ArrowLeft', 'products?limit=10&page=2'],
    ] as const) {
      await page.keyboard.press(key);
      await expectView(path);
    }
    await page.keyboard.press('ArrowDown');
    await expectFocus(10);
  });

  test('arrows and Enter walk the hits', async () => {
    await page.goto('/products?q=salt');
    const [, second] = await titles(page);
    await page.keyboard.press('/');
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await opened(second);
  });

  test('the CSV of a view is the view', async () => {
    const query = 'q=map&minScore=2&sort=score&order=desc';
    await page.goto(`/articles?${query}`);
    await page.click('[popovertarget="export"]');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.export a[download$=".csv"]')]);
    expect(download.suggestedFilename()).toBe('articles.csv');
    expect(await page.locator('#export').innerText()).toMatch(/CSV\s+JSON [\d.]+ kB\s+NDJSON [\d.]+ kB\s+Feed\s+API/);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('#export').isVisible(), PATIENCE).toBe(false);
    const { data } = Papa.parse<Record<string, string>>(readFileSync(await download.path(), 'utf8'), {
      header: true,
      skipEmptyLines: true,
    });
    const shown: string[] = [];
    for (;;) {
      shown.push(...(await page.locator('.hit-link').evaluateAll((links) => links.map(({ id }) => id.slice(4)))));
      const next = page.locator('.pager a[rel="next"]');
      if ((await next.count()) === 0) break;
      const before = page.url();
      await next.click();
      await page.waitForURL((url) => url.href !== before);
    }
    expect(data.map(({ id }) => id)).toEqual(shown);
    expect(await total()).toBe(`${data.length} articles`);
  });

  test('the API address and the curl line are copied with this server in them', async () => {
    const copying = await visit(browser, server.url, { permissions: ['clipboard-read', 'clipboard-write'] });
    await copying.page.goto('/articles?tag=maps&sort=score');
    await copying.page.click('[popovertarget="export"]');
    await copying.page.click('[data-copy="curl"]');
    const clipboard = (): Promise<string> => copying.page.evaluate<string>('navigator.clipboard.readText()');
    await expect.poll(clipboard, PATIENCE).toBe(`curl '${server.url}/api/articles?tag=maps&sort=score'`);
    await copying.page.click('[data-copy="api-url"]');
    await expect.poll(clipboard, PATIENCE).toBe(`${server.url}/api/articles?tag=maps&sort=score`);
    await copying.close();
  });

  test('without JavaScript forms, filters and links do the same', async () => {
    const plain = await visit(browser, server.url, { javaScriptEnabled: false });
    await plain.page.goto('/products');
    await plain.page.fill('#q', 'salt');
    await plain.page.fill('#minPrice', '10');
    await plain.page.selectOption('#sort', 'price');
    await plain.page.click('.filters .apply');
    expect(plain.page.url()).toBe(`${server.url}/products?q=salt&minPrice=10&sort=price`);
    const { data } = await api('products/search?q=salt&minPrice=10&sort=price');
    expect(await titles(plain.page)).toEqual(data.map(({ title }) => title));
    expect(await plain.page.locator('.copy:visible').count()).toBe(0);
    await plain.page.locator('.hit-link').first().click();
    expect(await plain.page.locator('h1').innerText()).toBe(data[0]?.title);
    expect(plain.foreign).toEqual([]);
    await plain.close();
  });

  const paths = [
    '/',
    '/articles?q=map',
    '/products',
    '/articles/46607804',
    '/products/1011',
    '/articles?page=0',
    '/nothing',
    '/docs',
  ];

  describe('each page', () => {
    let measured: Visit;
    beforeAll(async () => {
      measured = await visit(browser, server.url);
      await measured.page.addInitScript(`window.shift = 0;
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value;
      }).observe({ type: 'layout-shift', buffered: true });`);
    });
    afterAll(() => measured?.close());

    const IS_WHOLE =
      "document.readyState === 'complete' && [...document.images].every(({ complete, loading }) => complete || loading === 'lazy')";
    const TWO_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';
    const CUT = `[...document.querySelectorAll('td')].filter((cell) =>
      cell.checkVisibility() && cell.getBoundingClientRect().right > 390).map(({ innerText }) => innerText)`;
    const MOVING = `[...document.querySelectorAll('*')].filter((element) => {
      const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
      return /[1-9]/.test(transitionDuration) || animationName !== 'none' || scrollBehavior === 'smooth';
    }).map(({ tagName, className }) => tagName + '.' + className)`;

    test.each(paths)('%s keeps its place and its widths', async (path) => {
      const { page } = measured;
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(path);
        await page.waitForFunction(IS_WHOLE);
        await page.evaluate(TWO_FRAMES);
        expect(await page.evaluate<number>('window.shift'), `shift at ${width} pixels`).toBeLessThan(0.05);
        if (width === 390) expect(await page.evaluate<string[]>(CUT), 'cut').toEqual([]);
      }
      for (const width of [320, 390, 600, 768, 820, 1024, 1280, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await overflow(page), `${width} pixels`).toBe(0);
        // The header takes one line.
        expect((await page.locator('.top').boundingBox())?.height, `${width} pixels`).toBeLessThan(64);
      }
      expect(await page.evaluate<string[]>(MOVING), 'moves').toEqual([]);
      // The width of A4 within margins of a centimetre.
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: 718, height: 1047 });
      expect(await overflow(page), 'on paper').toBe(0);
      await page.emulateMedia({ media: 'screen' });
    });

    test('nothing of them was complained about, and no other host was asked', () => {
      expect(measured.complaints.filter((text) => !/status of 4(?:04|22)/.test(text))).toEqual([]);
      expect(measured.foreign).toEqual([]);
    });
  });

  test('in a table that is scrolled, headers are above their columns and titles beside their rows', async () => {
    await page.goto('/products?fields=*&limit=50');
    const apart = await page.evaluate<number[]>(`(() => {
      const table = document.querySelector('.scroll');
      table.scrollTo(40, 180);
      const headers = [...table.querySelectorAll('thead th:not(.lead)')];
      const cells = [...table.querySelectorAll('tbody tr:first-child td:not(.lead)')];
      const titles = [...table.querySelectorAll('td.lead')];
      const [left, top] = ['left', 'top'].map((side) => (element) => element.getBoundingClientRect()[side]);
      return [
        table.scrollLeft,
        table.scrollTop,
        ...headers.map((header, i) => left(header) - left(cells[i])),
        ...titles.map((title) => top(title) - top(title.parentElement)),
      ];
    })()`);
    expect(apart.slice(0, 2)).toEqual([40, 180]);
    expect(apart.slice(2).filter((pixels) => Math.abs(pixels) > 1)).toEqual([]);
  });

  test('dark where the reader prefers dark', async () => {
    const lightness = async (): Promise<number> => {
      const colour = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      return Math.max(...[...colour.matchAll(/\d+/g)].map(Number));
    };
    await page.goto('/articles');
    expect(await lightness()).toBeGreaterThan(200);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await lightness()).toBeLessThan(60);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  describe('on paper', () => {
    beforeAll(() => page.emulateMedia({ media: 'print', colorScheme: 'dark' }));
    afterAll(() => page.emulateMedia({ media: 'screen', colorScheme: 'light' }));

    const isShown = (selector: string): Promise<boolean> => page.locator(selector).first().isVisible();

    test('a list is its search, conditions and hits, dark on white', async () => {
      await page.goto('/articles?q=map&minScore=2');
      for (const shown of ['h1', '#q', '#count', '.chips', '.hit-link', '.snippet', 'mark']) {
        expect(await isShown(shown), shown).toBe(true);
      }
      for (const left of ['nav', '.filters', '.arrange', '.pager', '.export', '.find button', '.skip']) {
        expect(await isShown(left), left).toBe(false);
      }
      const colours = await page.evaluate<string[]>(
        "['color', 'backgroundColor'].map((name) => getComputedStyle(document.body)[name])",
      );
      expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    });

    test('a record is its text and facts', async () => {
      await page.goto('/articles/46607804');
      for (const shown of ['h1', '.facts', '.content p']) expect(await isShown(shown), shown).toBe(true);
      for (const left of ['.way', '.related', '.export']) expect(await isShown(left), left).toBe(false);
    });

    test('an operation of the documentation is its description', async () => {
      await page.goto('/docs/getArticles');
      expect(await isShown('.operation form')).toBe(true);
      for (const left of ['.languages', '.send']) expect(await isShown(left), left).toBe(false);
    });
  });

  test('the documentation stands in the same frame, and sends a request', async () => {
    await page.goto('/');
    await page.locator('.top nav').getByText('API docs').click();
    await page.waitForURL('**/docs');
    expect(await page.locator('.top [aria-current]').allInnerTexts()).toEqual(['API docs']);
    await page.locator('.contents a').getByText('/api/articles', { exact: true }).click();
    await page.locator('#getArticles .button').click();
    await page.waitForURL('**/docs/getArticles');
    await page.waitForSelector('html.js');
    const operation = page.locator('.operation');
    await operation.locator('[name=limit]').fill('3');
    await operation.getByText('Send').click();
    await expect.poll(() => operation.locator('[role=status]').innerText(), PATIENCE).toContain('200 OK');
    expect(await operation.locator('[data-result] pre').first().innerText()).toContain('"limit": 3');
    await page.locator('.top nav').getByText('Articles').click();
    await page.waitForURL('**/articles');
  });

  test('Ctrl K, / and ? open the search of everything, also where a page has no field', async () => {
    const palette = page.locator('dialog.palette');
    await page.goto('/products/1011');
    await page.waitForSelector('html.js');
    await page.keyboard.press('/');
    await page.keyboard.type('publisher:lan');
    await palette.getByText('Lantern House', { exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.locator('.palette a:focus').count(), PATIENCE).toBe(1);
    // Results that come late, after a link has the focus, leave it in the dialog.
    for (const [text, focused] of [
      ['price', '.palette a:focus'],
      ['', '.palette input:focus'],
    ] as const) {
      await page.evaluate(`(() => {
        const field = document.querySelector('.palette input');
        field.value = ${JSON.stringify(text)};
        field.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);
      await palette.getByText('Lantern House', { exact: true }).waitFor({ state: 'detached' });
      await expect.poll(() => page.locator(focused).count(), PATIENCE).toBe(1);
      await page.fill('.palette input', 'publisher:lan');
      await palette.getByText('Lantern House', { exact: true }).waitFor();
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect.poll(() => palette.isVisible(), PATIENCE).toBe(false);
    await page.keyboard.press('?');
    await palette.getByText('search everything').first().waitFor();
    await page.keyboard.type('median price by category');
    await palette.getByText('Median Price by Category').click();
    await page.waitForURL('**/products/stats?by=category&fields=price');
    await page.goto('/docs');
    await page.keyboard.press('Control+k');
    await palette.getByText('Keys', { exact: true }).waitFor();
    await page.keyboard.type('map');
    await palette.locator('mark').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=map');
    await page.fill('#q', 'bread');
    await page.waitForURL('**/search?q=bread');
    // The field of the home page shows the same while one types, for a chosen collection too.
    await page.goto('/');
    await page.waitForSelector('html.js');
    await page.keyboard.press('/');
    await page.keyboard.type('publisher:lan');
    const results = page.locator('.find .found');
    await results.getByText('Lantern House', { exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => results.locator('a:focus').count(), PATIENCE).toBe(1);
    await page.keyboard.press('Escape');
    expect([await results.isVisible(), await page.locator('#q:focus').count()]).toEqual([false, 1]);
    await page.selectOption('#in', 'articles');
    await page.fill('#q', 'map');
    await results.locator('mark').first().waitFor();
    await expect.poll(() => results.locator('h2').allInnerTexts(), PATIENCE).toEqual(['Articles 27']);
    await results.locator('.hits a[href$="?q=map"]').first().click();
    await page.waitForURL('**/articles/*?q=map');
  });

  test('a click anywhere on a bar of the home page reaches its link', async () => {
    await page.goto('/');
    const missed = await page.evaluate<string>(`(() => {
      const bars = [...document.querySelectorAll('.chart a, .bars a')];
      const missed = bars.filter((bar) => {
        bar.scrollIntoView({ block: 'center' });
        const { left, top, width, height } = (bar.closest('.chart') ? bar.querySelector('rect') : bar).getBoundingClientRect();
        const shares = [0.02, 0.25, 0.5, 0.75, 0.98];
        return shares.some((x) => shares.some((y) =>
          document.elementFromPoint(left + x * width, top + y * height)?.closest('a') !== bar));
      });
      return bars.length + ' bars, ' + missed.map((bar) => bar.getAttribute('href')).join(' ');
    })()`);
    expect(missed).toMatch(/^\d{2,} bars, $/);
  });

  test('nothing was complained about, and no other host was asked', () => {
    const expected = /status of 4(?:04|22)/;
    expect(tab.complaints.filter((text) => !expected.test(text))).toEqual([]);
    expect(tab.foreign).toEqual([]);
  });
});
