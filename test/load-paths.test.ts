/** Paths into values: by the parser and over bytes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonTokens } from '../src/load/json-tokens.js';
import { type Path, parsePath, pathText, valueAt } from '../src/load/paths.js';

/** A copy whose memory begins at a multiple of four, with bytes behind its end that do not count. */
function tokensOver(text: string): { tokens: JsonTokens; end: number } {
  const tokens = new JsonTokens();
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text) + 8).fill('}');
  const end = bytes.write(text);
  tokens.over(bytes);
  return { tokens, end };
}

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
    expect(valueAt(from, parsePath(path) ?? [])).toEqual(expected);
  });

  it('lead over bytes to where the parser finds the value', () => {
    const steps = fc.array(fc.oneof(name, fc.constant(0 as const)), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(value.filter(isTree), steps, fc.constantFrom(0, 2), (tree, path, indent) => {
        const { tokens, end } = tokensOver(JSON.stringify(tree, null, indent));
        const quoted = path.map((step) => (step === 0 ? 0 : Buffer.from(JSON.stringify(step))));
        const at = tokens.inside(quoted, 0, end);
        if (at === -2) return;
        const found = at === -1 ? undefined : JSON.parse(tokens.bytes.toString('utf8', at, tokens.any(at, end)));
        expect(found ?? undefined).toEqual(valueAt(tree, path) ?? undefined);
      }),
      { numRuns: 3000 },
    );
  });

  it('nested values are proved as the parser proves them', () => {
    const text = fc.tuple(
      value.filter(isTree),
      fc.nat(60),
      fc.constantFrom('', ',', '}', ']', '{', '"', '1', ' ', ':', 'null'),
    );
    fc.assert(
      fc.property(text, ([tree, at, put]) => {
        const whole = JSON.stringify(tree);
        const mutated = `${whole.slice(0, at)}${put}${whole.slice(at + 1)}`;
        const { tokens, end } = tokensOver(mutated);
        const to = /^[[{]/.test(mutated) ? tokens.nested(0, end) : -1;
        const isJson = (part: string): boolean => {
          try {
            JSON.parse(part);
            return true;
          } catch {
            return false;
          }
        };
        // What follows the value is not looked at.
        if (to >= 0) expect(isJson(tokens.bytes.toString('utf8', 0, to))).toBe(true);
        else if (/^[[{]/.test(mutated)) expect(isJson(mutated)).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });
});
