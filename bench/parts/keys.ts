/**
 * What a reader waits for in Chromium: from a key, a page turned or a header clicked to the frame that shows the result; the
 * bytes of a first load, and how far it shifts. Server and browser run on one machine, so the times are of both.
 */
import { quantile } from '../../src/bench/client.js';
import type { App } from '../../src/http/app.js';
import { listen } from '../../src/http/server.js';
import { haveBrowser, openBrowser, visit } from '../../test/support/browser.js';

/** Bounds of issue and browser: a result within 100 ms seems immediate; 0.05 is half of what Core Web Vitals call good. */
const MAX_KEY_MS = 100;
const MAX_FIRST_BYTES = 110_000;
const MAX_SHIFT = 0.05;

/** Milliseconds from an act in the page to the frame after the results have changed. */
const timed = (act: string): string => `new Promise((resolve) => {
  const main = document.querySelector('main');
  const startedAt = performance.now();
  let wasBusy = false;
  new MutationObserver((_, observer) => {
    if (main.hasAttribute('aria-busy')) { wasBusy = true; return; }
    if (!wasBusy) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedAt)));
  }).observe(main, { attributes: true, attributeFilter: ['aria-busy'] });
  ${act}
})`;

const typing = (text: string): string =>
  timed(`const field = document.querySelector('#q');
  field.value = ${JSON.stringify(text)};
  field.dispatchEvent(new Event('input', { bubbles: true }));`);
const clicking = (selector: string): string =>
  timed(
    `document.querySelector(${JSON.stringify(selector)}).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));`,
  );

const FIRST_LOAD = `(() => {
  const own = performance.getEntries().filter(({ transferSize, name }) => transferSize > 0 && name.startsWith(location.origin));
  return {
    bytes: own.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0),
    sent: own.reduce((sum, { transferSize }) => sum + transferSize, 0),
    elements: document.querySelectorAll('*').length,
  };
})()`;
const SHIFT = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value; }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 200);
})`;

/** Longer than the pause of the script within which keys are one burst. */
const BURST_END_MS = 150;

/** Prints the table of a list; whether all bounds hold. Each of the words is searched once, as nobody has before. */
export async function measureKeys(app: App, path: string, words: readonly string[]): Promise<boolean> {
  if (!haveBrowser()) return true;
  const server = await listen(app, { host: '127.0.0.1', port: 0 });
  const browser = await openBrowser();
  const { page } = await visit(browser, server.url);
  await page.goto(path);
  await page.waitForSelector('html.js');
  const first = await page.evaluate<{ bytes: number; sent: number; elements: number }>(FIRST_LOAD);
  const shift = await page.evaluate<number>(SHIFT);
  const timesOf = async (acts: readonly string[]): Promise<readonly number[]> => {
    const times: number[] = [];
    for (const act of acts) {
      times.push(await page.evaluate<number>(act));
      await page.waitForTimeout(BURST_END_MS);
    }
    return times;
  };
  const keys = await timesOf(words.map(typing));
  await page.goto(path);
  await page.waitForSelector('html.js');
  const turns = await timesOf(words.map(() => clicking('.pager a[rel=next]')));
  const sorts = await timesOf(words.map(() => clicking('thead .number a.label')));
  await browser.close();
  await server.close(0);
  const line = (what: string, times: readonly number[]): string =>
    `| ${what} | ${[0.5, 0.95].map((share) => quantile(times, share).toFixed(0)).join(' ms | ')} ms |`;
  console.log(`\nIn Chromium, ${path}, ${words.length} of each: until the frame that shows the result\n`);
  console.log('| | median | p95 |\n|---|---|---|');
  console.log([line('key', keys), line('page turned', turns), line('header clicked', sorts)].join('\n'));
  const load = `${(first.bytes / 1000).toFixed(0)} kB (${(first.sent / 1000).toFixed(0)} kB sent), ${first.elements} elements`;
  console.log(`\nFirst load ${load}; it shifts by ${shift.toFixed(3)}.`);
  return quantile(keys, 0.5) <= MAX_KEY_MS && first.bytes <= MAX_FIRST_BYTES && shift <= MAX_SHIFT;
}
