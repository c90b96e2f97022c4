/** The style sheets and the markup have the same classes, no class has rules in both sheets, and each variable is defined. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createAssets } from '../../src/http/pages/frame/assets.js';
import { appOf, datasetOf } from '../support/api.js';

const src = fileURLToPath(new URL('../../src', import.meta.url));
const read = (path: string): string => readFileSync(join(src, path), 'utf8');

const classesIn = (css: string): readonly string[] => {
  const selectors = css.replace(/\/\*.*?\*\//gs, '').replace(/\{[^{}]*\}/g, '{}');
  return [...new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name))];
};

const pagesSheet = read('http/pages/frame/pages.css');
const docsSheet = read('http/docs/docs.css');
const pages = classesIn(pagesSheet);
const docs = classesIn(docsSheet);

test.each([
  ['pages.css', pages],
  ['docs.css', docs],
])('each class of %s is in the markup', (_, classes) => {
  const files = readdirSync(join(src, 'http'), { recursive: true, encoding: 'utf8' });
  // A field's role or kind is the class of its values.
  const sources = ['model.ts', ...files.filter((path) => path.endsWith('.ts')).map((path) => join('http', path))];
  const quoted = sources.flatMap((path) => read(path).match(/class="[^"]*"|'[^'\n]*'|`[^`<]*`/g) ?? []);
  const words = new Set(quoted.flatMap((text) => text.match(/[\w-]+/g) ?? []));
  expect(classes.length).toBeGreaterThan(10);
  expect(classes.filter((name) => !words.has(name))).toEqual([]);
});

test('each class of the markup has a rule, or a script or a test looks for it', () => {
  const filesIn = (folder: string): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(folder, path), 'utf8'));
  const attributes = filesIn(join(src, 'http')).flatMap((text) => text.match(/class="[^"]*"/g) ?? []);
  // Within an expression only its texts are classes: `class="pill ${isBad ? 'bad' : ''}"`.
  const words = attributes.map((text) =>
    text
      .slice('class='.length)
      .replace(/\$\{([^}]*)\}/g, (_, code: string) => (code.match(/'[^']*'/g) ?? []).join(' ')),
  );
  const classes = new Set(words.flatMap((text) => text.match(/[\w-]+/g) ?? []));
  const readers = [...filesIn(join(src, 'http/pages/browser')), ...filesIn(join(src, '../test'))].join('\n');
  const isRead = (name: string): boolean => new RegExp(`[.'"]${name}\\b`).test(readers);
  expect(classes.size).toBeGreaterThan(100);
  expect([...classes].filter((name) => !pages.includes(name) && !docs.includes(name) && !isRead(name))).toEqual([]);
});

test('no class has rules in both', () => {
  expect(docs.filter((name) => pages.includes(name))).toEqual([]);
});

// A value with an unknown variable is dropped by the browser, without a word.
test('each variable is defined', () => {
  const sheets = pagesSheet + docsSheet;
  const defined = new Set([...sheets.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name));
  const used = new Set([...sheets.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
  expect(used.size).toBeGreaterThan(10);
  expect([...used].filter((name) => !defined.has(name))).toEqual([]);
});

test('sheets are sent without comments and line breaks, and with all of their rules', async () => {
  const app = appOf(datasetOf({}));
  for (const [name, sheet] of Object.entries({ 'style.css': pagesSheet, 'docs.css': docsSheet })) {
    const sent = await (await app.request(createAssets().addressOf(name))).text();
    expect(sent).not.toMatch(/\n|\/\*/);
    // A space between two words stays one; others may go.
    const plain = (css: string): string =>
      css
        .replace(/\/\*.*?\*\//gs, '')
        .replace(/\s+/g, ' ')
        .replace(/ ?([{};,:(>]) ?| (?=\))/g, '$1')
        .replaceAll(';}', '}')
        .trim();
    expect(plain(sent)).toBe(plain(sheet));
  }
});
