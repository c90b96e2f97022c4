/** The style sheets have no rule for a class that no page has, and no class has rules in both. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));
const read = (path: string): string => readFileSync(join(src, path), 'utf8');

const classesIn = (css: string): readonly string[] => {
  const selectors = css.replace(/\/\*.*?\*\//gs, '').replace(/\{[^{}]*\}/g, '{}');
  return [...new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name))];
};

const pages = classesIn(read('http/pages/frame/pages.css'));
const docs = classesIn(read('http/docs/docs.css'));

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

test('no class has rules in both', () => {
  expect(docs.filter((name) => pages.includes(name))).toEqual([]);
});
