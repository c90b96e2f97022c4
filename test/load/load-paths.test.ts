/** Paths into values: by the parser and over bytes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BatchMemory } from '../../src/load/source/batch-memory.js';
import { type Path, parsePath, pathText, valueAtPath } from '../../src/load/values/paths.js';

const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'a"b', 'é');
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom<unknown>(null, true, 0, -1.5, '', 'x > y', 'a\n"'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  ),
})).value;
const isTree = (tree: unknown): boolean => typeof tree === 'object' && tree !== null;

describe('paths', () => {
  it.each<[string, Path | undefined]>([
    ['title', ['title']],
    ['title.rendered', ['title', 'rendered']],
    ['variants[0].price', ['variants', 0, 'price']],
    ['categories[].name', ['categories', 'name']],
    ['breadcrumbs[-2]', ['breadcrumbs', -2]],
    ['wp:term[0][1].a b', ['wp:term', 0, 1, 'a b']],
    ['a..b', undefined],
    ['.a', undefined],
    ['a[', undefined],
    ['', undefined],
  ])('%j', (text, path) => {
    expect(parsePath(text)).toEqual(path);
    if (path && !text.includes('[]')) expect(pathText(path)).toBe(text);
  });

  it.each<[unknown, string, unknown]>([
    [{ a: { b: 1 } }, 'a.b', 1],
    [{ a: [{ b: 1 }, { b: 2 }] }, 'a.b', [1, 2]],
    [{ a: [{ b: 1 }] }, 'a.b', 1],
    [{ a: { b: 1 } }, 'a[0].b', 1],
    [{ a: 'x' }, 'a.b', 'x'],
    [{ a: 'x' }, 'a.b.c', undefined],
    [{ a: ['x', 'y', 'z'] }, 'a[-2]', 'y'],
    [{ a: 'x > y > z' }, 'a[-2]', 'y'],
    [{ a: null }, 'a.b', undefined],
    [{}, '__proto__.constructor', undefined],
  ])('%j at %s', (from, path, expected) => {
    expect(valueAtPath(from, parsePath(path) ?? [])).toEqual(expected);
  });

  it('nested values are proved as the parser proves them', () => {
    const memory = new BatchMemory();
    memory.reserve(4096);
    const { bytes, kernel } = memory;
    const text = fc.tuple(
      value.filter(isTree),
      fc.nat(60),
      fc.constantFrom('', ',', '}', ']', '{', '"', '1', ' ', ':', 'null'),
    );
    fc.assert(
      fc.property(text, ([tree, at, put]) => {
        const whole = JSON.stringify(tree);
        const mutated = `${whole.slice(0, at)}${put}${whole.slice(at + 1)}`;
        const end = bytes.write(mutated);
        bytes.fill('}', end, end + 16);
        const to = /^[[{]/.test(mutated) ? kernel.any(0, end) : 0;
        const isJson = (part: string): boolean => {
          try {
            JSON.parse(part);
            return true;
          } catch {
            return false;
          }
        };
        // What follows the value is not looked at.
        if (to > 0) expect(isJson(bytes.toString('utf8', 0, to))).toBe(true);
        else if (/^[[{]/.test(mutated)) expect(isJson(mutated)).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });
});
