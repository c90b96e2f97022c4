/** The pages of changes as a reader uses them, and what an open page tells when newer records are served. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleDir } from '../support/api.js';
import { haveBrowser, openBrowser, overflow, titles, type Visit, visit } from '../support/browser.js';
import { type Running, serve } from '../support/program.js';
import { PATIENCE } from '../support/until.js';

interface ChangesPage {
  readonly data: readonly { readonly title: string; readonly kind: string }[];
  readonly pagination: { readonly total: number };
}

describe.skipIf(!haveBrowser())('pages of changes', () => {
  let browser: Browser;
  let server: Running;
  let tab: Visit;
  let page: Page;

  beforeAll(async () => {
    const args = ['--snapshots', sampleDir, '--previous', join(sampleDir, 'previous'), '--rate-limit', '0', '--quiet'];
    [browser, server] = await Promise.all([openBrowser(), serve(args)]);
    tab = await visit(browser, server.url);
    page = tab.page;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.end();
  });

  const api = async (query: string): Promise<ChangesPage> =>
    (await server.fetch(`/api/products/changes${query}`)).json() as Promise<ChangesPage>;
  const address = (): string => page.url().slice(server.url.length);
  const settled = (part: string): Promise<void> =>
    page.waitForURL((url) => url.href.includes(part), { waitUntil: 'commit' });
  const total = (): Promise<string> => page.locator('#count .total').innerText();

  /** The page shows what the API tells. */
  async function expectChanges(query: string): Promise<void> {
    const { data, pagination } = await api(query);
    await expect.poll(() => titles(page), PATIENCE).toEqual(data.map(({ title }) => title));
    expect(await total()).toMatch(new RegExp(`^${pagination.total} change`));
  }

  test.each(['/api/export/articles', '/api/export/products/changes'])(
    'the Atom feed of %s is XML for a strict reader',
    async (path) => {
      const xml = await (await server.fetch(`${path}?format=atom`)).text();
      const read = await page.evaluate<{ feeds: number; errors: number; entries: readonly string[][] }>(`(() => {
        const feed = new DOMParser().parseFromString(${JSON.stringify(xml)}, 'application/xml');
        const all = (name) => [...feed.getElementsByTagNameNS('http://www.w3.org/2005/Atom', name)];
        const partsOf = (entry) => [...entry.children].map(({ localName }) => localName);
        return { feeds: all('feed').length, errors: feed.getElementsByTagName('parsererror').length, entries: all('entry').map(partsOf) };
      })()`);
      expect([read.feeds, read.errors]).toEqual([1, 0]);
      expect(read.entries.length).toBeGreaterThan(10);
      // RFC 4287, section 4.1.2.
      for (const name of ['id', 'title', 'updated', 'link', 'content'])
        for (const parts of read.entries) expect(parts.filter((part) => part === name)).toEqual([name]);
    },
  );

  test('home leads to what became cheaper', async () => {
    await page.goto('/');
    const { pagination } = await api('?field=price&difference_lt=0');
    await page.getByRole('link', { name: `${pagination.total} cheaper` }).click();
    await settled('difference_lt=0');
    await expectChanges('?field=price&difference_lt=0');
    await expect.poll(() => page.locator('.figures [aria-current]').innerText(), PATIENCE).toContain('cheaper');
  });

  test('figures narrow the list, and again widen it', async () => {
    await page.goto('/products/changes');
    await expectChanges('');
    await page.locator('.figures a', { hasText: 'removed' }).click();
    await settled('kind=removed');
    await expectChanges('?kind=removed');
    await page.locator('.figures a', { hasText: 'removed' }).click();
    await expect.poll(address, PATIENCE).toBe('/products/changes');
    await expectChanges('');
  });

  test('titles are searched while typing', async () => {
    await page.goto('/products/changes');
    await page.keyboard.press('/');
    await page.keyboard.type('night', { delay: 15 });
    await settled('q=night');
    await expectChanges('?q=night');
  });

  test('old and new values stand side by side, and each change leads to its record', async () => {
    await page.goto('/products/changes?field=price&percent_lt=0&sort=percent');
    const first = page.locator('tbody tr').first();
    for (const name of ['From', 'To', 'Percent'])
      expect(await first.locator(`[data-label="${name}"]`).innerText()).toMatch(/\d/);
    await first.locator('.hit-link').click();
    await page.waitForSelector('.record');
    expect(await page.locator('.earlier').innerText()).toMatch(/Changed since previous.*Price/s);
  });

  test('the view as files', async () => {
    await page.goto('/products/changes?kind=added');
    const csv = await page.locator('.export a', { hasText: 'CSV' }).getAttribute('href');
    const lines = (await (await server.fetch(csv ?? '')).text()).trim().split('\r\n');
    expect(lines.length - 1).toBe((await api('?kind=added')).pagination.total);
  });

  test.each(['/products/changes', '/articles/changes', '/articles/changes?kind=removed'])(
    '%s fits a narrow screen',
    async (path) => {
      const narrow = await visit(browser, server.url, { viewport: { width: 320, height: 700 } });
      await narrow.page.goto(path);
      expect(await overflow(narrow.page)).toBeLessThanOrEqual(0);
      expect(narrow.complaints).toEqual([]);
      await narrow.close();
    },
  );

  test('complains of nothing', () => {
    expect(tab.complaints).toEqual([]);
    expect(tab.foreign).toEqual([]);
  });

  test('an open page tells of a reload, and stays as it is until it is asked to show it', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'scraper-data-api-'));
    cpSync(join(sampleDir, 'products.json'), join(dir, 'products.json'));
    const own = await serve(['--snapshots', dir, '--quiet']);
    const open = await visit(browser, own.url);
    await open.page.clock.install();
    await open.page.goto('/products/changes');
    await open.page.waitForSelector('html.js');
    expect(await open.page.locator('main').innerText()).toContain('nothing to compare with');
    const records = JSON.parse(readFileSync(join(dir, 'products.json'), 'utf8')) as { price?: number }[];
    writeFileSync(
      join(dir, 'products.json'),
      JSON.stringify(records.map((record, i) => (i < 50 ? { ...record, price: 1000 + i } : record))),
    );
    own.child.kill('SIGHUP');
    await expect.poll(() => own.stdout(), PATIENCE).toContain('reloaded:');
    expect(await open.page.locator('.news').count()).toBe(0);
    await open.page.clock.fastForward(16_000);
    await expect
      .poll(() => open.page.locator('.news').innerText(), PATIENCE)
      .toBe('New data is loaded. 50 changes of products. Reload');
    expect(await open.page.locator('main').innerText()).toContain('nothing to compare with');
    expect(await open.page.locator('.news a').first().getAttribute('href')).toBe('/products/changes');
    await open.page.locator('.news a', { hasText: 'Reload' }).click();
    await expect.poll(() => open.page.locator('#count .total').innerText(), PATIENCE).toBe('50 changes');
    expect(open.complaints).toEqual([]);
    await open.close();
    await own.end();
    rmSync(dir, { recursive: true });
  });
});
