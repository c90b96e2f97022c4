/** The API as browsers use it: read from a page of another origin, and tried from `/docs`. */
import { execFile, spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleDir } from '../support/api.js';
import { haveBrowser, openBrowser } from '../support/browser.js';
import { type Running, serve } from '../support/program.js';

/** A page elsewhere that tells what it may read of an answer. */
const READS = `async (url) => {
  try {
    const response = await fetch(url, { headers: { 'X-Own': 'asks for a preflight' } });
    const { status, headers } = response;
    const names = ['etag', 'link', 'ratelimit', 'content-type', 'x-content-type-options'];
    return { status, json: await response.json(), headers: names.filter((name) => headers.has(name)) };
  } catch (error) {
    return { error: error.name };
  }
}`;

const run = promisify(execFile);
const isInstalled = (command: string): boolean => spawnSync(command, ['--version']).error === undefined;

describe.skipIf(!haveBrowser())('the API in a browser', () => {
  let browser: Browser;
  let shared: Running;
  let elsewhere: Server;
  let origin: string;

  beforeAll(async () => {
    [browser, shared] = await Promise.all([openBrowser(), start()]);
    elsewhere = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>elsewhere</title>');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await browser?.close();
    await shared?.end();
    elsewhere?.close();
  });

  const start = (...args: readonly string[]): Promise<Running> => serve(['--snapshots', sampleDir, '--quiet', ...args]);

  async function withPage(use: (page: Page, server: Running) => Promise<void>, server = shared): Promise<void> {
    const page = await browser.newPage();
    try {
      await use(page, server);
    } finally {
      await page.close();
    }
  }

  const readFrom = (page: Page, url: string): Promise<unknown> => page.evaluate(`(${READS})(${JSON.stringify(url)})`);

  test('a page of another origin reads answers, errors and headers', async () => {
    await withPage(async (page, server) => {
      await page.goto(origin);
      expect(await readFrom(page, `${server.url}/api/articles?limit=1`)).toMatchObject({
        status: 200,
        json: { data: [{ id: expect.any(Number) }] },
        headers: ['etag', 'link', 'ratelimit', 'content-type'],
      });
      expect(await readFrom(page, `${server.url}/api/articles/0`)).toMatchObject({
        status: 404,
        json: { error: { code: 'not_found' } },
      });
    });
  });

  test('--cors ORIGIN lets that origin read and no other, --cors off none', async () => {
    for (const [cors, reads] of [
      [origin, true],
      ['http://localhost:1', false],
      ['off', false],
    ] as const) {
      const server = await start('--cors', cors);
      await withPage(async (page) => {
        await page.goto(origin);
        const read = await readFrom(page, `${server.url}/api/articles?limit=1`);
        expect(read).toMatchObject(reads ? { status: 200 } : { error: 'TypeError' });
        await page.goto(`${server.url}/docs`);
        expect(await readFrom(page, '/api/articles?limit=1')).toMatchObject({ status: 200 });
      }, server);
      await server.end();
    }
  });

  /** Follows the link from an operation to all of it. */
  async function opened(page: Page, id: string) {
    await page.locator(`#${id} .button`).click();
    await page.waitForURL(`**/docs/${id}`);
    await page.waitForSelector('html.js');
    return page.locator('.operation');
  }

  test('/docs has requests to copy, in three languages; an operation has a page, and its requests run', async () => {
    await withPage(async (page, server) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(`${server.url}/docs`);
      const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
      await page.locator('#getArticles .copy').click();
      await expect.poll(copied).toBe(`curl '${server.url}/api/articles?limit=2'`);

      const operation = await opened(page, 'getArticles');
      const boxOf = async (part: string) =>
        (await operation.locator(part).first().boundingBox()) ?? { x: 0, y: 0, width: 0 };
      const [form, answer] = [await boxOf('form'), await boxOf('.side pre')];
      expect(answer.x).toBeGreaterThan(form.x + form.width);
      expect(answer.y).toBeLessThan(900);
      await operation.locator('.answer > summary').click();
      expect(await operation.locator('.schema').first().innerText()).toMatch(
        /^data list of objects[\s\S]*score integer or null/,
      );

      await operation.locator('[name=limit]').fill('1');
      const { data } = (await (await server.fetch('/api/articles?limit=1')).json()) as {
        data: readonly { id: number }[];
      };
      const runs = {
        curl: ['sh', '-c'],
        JavaScript: ['node', '--input-type=module', '-e'],
        Python: ['python3', '-c'],
      };
      for (const [language, [program = '', ...args]] of Object.entries(runs)) {
        await page.locator('.languages').getByText(language).click();
        await operation.locator('.copy').click();
        await expect.poll(() => operation.locator('.command').innerText()).toContain('Copied');
        const text = await copied();
        expect(text).toContain(`${server.url}/api/articles?limit=1`);
        if (isInstalled(program)) expect((await run(program, [...args, text])).stdout).toContain(String(data[0]?.id));
      }
      // Python was chosen for all requests, those of other pages too.
      await page.goBack();
      await expect.poll(() => page.locator('#getProducts .command').textContent()).toContain('urlopen');
    });
  });

  test('/docs moves nothing while it loads, and loads 110 kB at most; an operation has its page without a script, too', async () => {
    await withPage(async (page, server) => {
      let bodies: Promise<Buffer>[] = [];
      page.on('response', (response) => bodies.push(response.body()));
      await page.addInitScript(`window.shift = 0;
        new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shift += value; })
          .observe({ type: 'layout-shift', buffered: true });`);
      for (const width of [390, 1280]) {
        bodies = [];
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${server.url}/docs`, { waitUntil: 'networkidle' });
        expect(await page.evaluate('window.shift')).toBeLessThan(0.05);
        const bytes = (await Promise.all(bodies)).reduce((sum, { length }) => sum + length, 0);
        expect(bytes).toBeGreaterThan(40_000);
        expect(bytes).toBeLessThan(110_000);
      }
    });
    const context = await browser.newContext({ javaScriptEnabled: false });
    try {
      const page = await context.newPage();
      await page.goto(`${shared.url}/docs`);
      await page.locator('#getProducts .button').click();
      await page.waitForURL(`${shared.url}/docs/getProducts`);
      expect(await page.locator('form [name=limit]').isVisible()).toBe(true);
      await page.locator('summary').getByText('price', { exact: true }).click();
      expect(await page.locator('form [name=price_gte]').isVisible()).toBe(true);
    } finally {
      await context.close();
    }
  });

  test('/docs at the width of a phone has its contents folded, and above the operations', async () => {
    await withPage(async (page, server) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${server.url}/docs`);
      expect(await page.locator('.contents a:visible').count()).toBe(0);
      await page.locator('.contents > summary').click();
      await page.locator('.contents').getByText('/api/products', { exact: true }).click();
      await page.waitForURL(`${server.url}/docs#getProducts`);
    });
  });

  test('/docs sends requests and shows what comes back, and sends nothing anywhere else', async () => {
    await withPage(async (page, server) => {
      const asked: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      const response = await page.goto(`${server.url}/docs#getArticlesSearch`);
      expect(response?.headers()['content-security-policy']).toMatch(/default-src 'none'/);
      const operation = await opened(page, 'getArticlesSearch');
      await operation.locator('[name=q]').fill('map');
      await operation.locator('[name=limit]').fill('1');
      await operation.locator('[name=fuzzy]').uncheck();
      await operation.locator('[name=highlight]').check();
      expect(await operation.locator('.command').innerText()).toContain(
        `curl '${server.url}/api/articles/search?q=map&limit=1&fuzzy=0&highlight=1'`,
      );
      await operation.locator('[name=fuzzy]').check();
      await operation.locator('[name=highlight]').uncheck();
      await operation.getByRole('button', { name: 'Send' }).click();
      const result = operation.locator('[data-result]');
      await expect.poll(() => result.innerText()).toMatch(/200/);
      const { data } = (await (await server.fetch('/api/articles/search?q=map&limit=1')).json()) as {
        data: readonly { title: string }[];
      };
      expect(await result.innerText()).toContain(data[0]?.title);
      await operation.locator('[name=limit]').fill('0');
      await operation.getByRole('button', { name: 'Send' }).click();
      await expect.poll(() => result.innerText()).toMatch(/422[\s\S]*must be an integer from 1 to 1000/);
      expect(asked.filter((url) => !url.startsWith(`${server.url}/`))).toEqual([]);
      // Chromium complains of every status above 399, and may ask for an icon of the site.
      expect(complaints.filter((text) => !/status of (?:422|404)/.test(text))).toEqual([]);
    });
  });
});
