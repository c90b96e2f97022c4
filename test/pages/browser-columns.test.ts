/** Dumps of many columns, of no known kind, with a long path, and compared with earlier ones: no page is wider than its window, and none breaks a rule of axe-core. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanDir, haveShared, rawDir } from '../support/api.js';
import { addAxe, brokenRules, brokenWhenDark } from '../support/axe.js';
import { haveBrowser, openBrowser, overflow, type Visit, visit } from '../support/browser.js';
import { serve, withFolder } from '../support/program.js';

/** The least width of each layout that `pages.css` has: what fits there has more room up to the next. */
const WIDTHS = [320, 481, 768, 992, 1088, 1280];
const AXE_WIDTHS = [320, 1280];

const words = ['Acme', 'Zed & Co', 'A maker with a rather long name', 'Foo'];
const wide = Array.from({ length: 60 }, (_, i) => ({
  name: `Product ${i} with a title of some length, as shops have them`,
  price: 9.99 + i,
  image: `https://i.example/${i}.jpg`,
  rating: (i % 50) / 10,
  ...Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`Choice of a long name ${n}`, words[(i + n) % 4]])),
  ...Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`count_${n}`, (i * (n + 3)) % 1_000_003])),
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [`code_${n}`, `CODE-${n}-${i}-ABCDEFGHIJKLMNOPQRSTUVWXYZ`]),
  ),
  updated: `2026-0${1 + (i % 9)}-11`,
  in_stock: i % 3 === 0,
  colours: ['red', words[i % 4]],
  offers: [{ seller: { name: 'Shop' }, price: i, address: `https://shop.example/${'a'.repeat(80)}` }],
  about: 'Long text. '.repeat(60),
}));
const flats = Array.from({ length: 50 }, (_, i) => ({
  title: `Flat ${i}`,
  rent: `\u20ac ${400 + i * 7}`,
  rooms: 1 + (i % 5),
  city: ['Graz', 'Wels', 'Linz'][i % 3],
  district: i % 4 === 0 ? null : `District ${i % 6}`,
  balcony: i % 2 === 0,
  available: `2026-1${i % 3}-01`,
  agent: { name: `Agent ${i % 4}`, phone: `+43 1 ${1_000_000 + i}` },
}));

const kinds = 'apartments houses garages gardens offices warehouses farms_and_forests castles islands parking_spaces';

const LONG_PATH = `a-folder-of-${'scrapes-'.repeat(6)}2026/products-of-${'every-shop-'.repeat(5)}that-there-is.json`;

/** Each dump with the arguments that serve it from a folder, and pages besides the home page. */
const dumps = {
  'forty columns': {
    files: { 'products.json': JSON.stringify(wide) },
    args: (dir: string) => ['--snapshots', dir],
    paths: ['/products?fields=*', '/products?count_3_gte=5', '/products/1', '/products/compare?id=1&id=2'],
    hasAxe: true,
  },
  'no known kind': {
    files: { 'flats.json': JSON.stringify(flats) },
    args: (dir: string) => ['--as', 'flats', `${dir}/flats.json`],
    paths: ['/flats', '/flats?city=Graz', '/flats/1'],
    hasAxe: true,
  },
  'ten collections': {
    files: Object.fromEntries(kinds.split(' ').map((kind) => [`${kind}.json`, JSON.stringify(flats.slice(0, 12))])),
    args: (dir: string) => [dir],
    paths: ['/castles', '/search?q=flat'],
    hasAxe: false,
  },
  'a long path': {
    files: { [LONG_PATH]: JSON.stringify(wide.slice(0, 3)) },
    args: (dir: string) => [`${dir}/${LONG_PATH}`],
    paths: [],
    hasAxe: false,
  },
  'a long path, compared with an earlier one': {
    files: {
      [LONG_PATH]: JSON.stringify(wide.slice(0, 30)),
      [`before/${LONG_PATH}`]: JSON.stringify(
        wide.slice(2, 32).map((record, i) => (i % 3 === 0 ? { ...record, price: record.price * 1.2 } : record)),
      ),
    },
    args: (dir: string) => [`${dir}/${LONG_PATH}`, '--previous', `${dir}/before/${LONG_PATH}`],
    paths: [
      '/products',
      '/products/changes',
      '/products/changes?kind=added',
      '/products/changes?kind=removed',
      '/products/3',
    ],
    hasAxe: false,
  },
  'real records, compared with earlier ones': {
    files: {},
    args: () => [
      `${cleanDir}/products-bookdepository.json`,
      `${cleanDir}/articles-18f.json`,
      ...['products-bookdepository.csv', 'articles-18f.ndjson.gz'].flatMap((file) => [
        '--previous',
        `${rawDir}/${file}`,
      ]),
    ],
    paths: haveShared()
      ? ['/articles', '/products', '/articles/changes', '/articles/changes?kind=removed', '/products/changes']
      : null,
    hasAxe: false,
  },
};

describe.skipIf(!haveBrowser())('a dump of', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  const visiting = (name: keyof typeof dumps, run: (visit: Visit) => Promise<void>): Promise<void> => {
    const { files, args } = dumps[name];
    return withFolder(files, async (dir) => {
      const server = await serve([...args(dir), '--quiet']);
      try {
        const visited = await visit(browser, server.url);
        await run(visited);
        await visited.close();
      } finally {
        await server.end();
      }
    });
  };

  const all = Object.entries(dumps) as [keyof typeof dumps, { paths: readonly string[] | null; hasAxe: boolean }][];
  for (const [name, { paths, hasAxe }] of all) {
    const says = `${name} scrolls sideways at no width${hasAxe ? ', and breaks no rule of axe-core' : ''}`;
    test.skipIf(paths === null)(says, async () => {
      await visiting(name, async ({ page }) => {
        for (const path of ['/', ...(paths ?? [])]) {
          // Lists of ten, since their records are alike.
          await page.goto(
            path.includes('/', 1) || path === '/' ? path : `${path}${path.includes('?') ? '&' : '?'}limit=10`,
          );
          if (hasAxe) await addAxe(page);
          await page.evaluate("for (const details of document.querySelectorAll('main details')) details.open = true");
          for (const width of WIDTHS) {
            const isForAxe = hasAxe && AXE_WIDTHS.includes(width);
            // So tall for axe that what scrolls cuts no control at its edge.
            await page.setViewportSize({ width, height: isForAxe ? 5000 : 800 });
            expect(await overflow(page), `${path} at ${width} pixels`).toBe(0);
            if (isForAxe) {
              expect(await brokenRules(page, 'wcag'), `${path} at ${width} pixels`).toEqual([]);
            }
          }
          // No colour depends on the width.
          if (hasAxe) expect(await brokenWhenDark(page), `${path}, dark`).toEqual([]);
        }
      });
    });
  }
});
