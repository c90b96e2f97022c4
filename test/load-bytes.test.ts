/** What is read from bytes, token by token, is as the parser has it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalDateMs } from '../src/load/canonical-date.js';
import { JsonTokens } from '../src/load/json-tokens.js';
import { isCanonicalDate } from '../src/load/schema.js';
import { anyDateText, numberJson, oddJson, textJson } from './support/records.js';

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

test('a token ends where the parser says, or is no token', () => {
  const text = fc.oneof(
    textJson,
    numberJson,
    oddJson,
    fc
      .string({ unit: fc.constantFrom('"', '\\', 'u', 'a', '0', '\n', 'é', '{', ']'), maxLength: 12 })
      .map((t) => `"${t}"`),
  );
  fc.assert(
    fc.property(text, fc.nat(3), (json, offset) => {
      const bytes = Buffer.from(' '.repeat(offset) + json);
      const tokens = new JsonTokens();
      tokens.over(Buffer.concat([bytes, Buffer.from(', "x"]  ')]));
      const end = tokens.any(offset, bytes.length);
      const value = json.trim() === json ? parsed(bytes.toString().trim()) : undefined;
      if (end === bytes.length) expect(value).not.toBe(undefined);
      if (value === undefined) return;
      expect(end).toBe(bytes.length);
      if (typeof value === 'string') expect(!tokens.isRespelt).toBe(!/\\[/u]/.test(json.replace(/\\[^/u]/g, '')));
      if (typeof value !== 'number') return;
      expect(tokens.value).toBe(value);
      if (tokens.isKept) expect(JSON.stringify(value)).toBe(json);
    }),
    { numRuns: 5000 },
  );
});

test('dates from bytes are dates from texts', () => {
  fc.assert(
    fc.property(anyDateText, (text) => {
      const bytes = Buffer.from(`"${text}"`);
      expect(canonicalDateMs(bytes, 1, bytes.length - 1)).toBe(isCanonicalDate(text) ? Date.parse(text) : Number.NaN);
    }),
    { numRuns: 3000 },
  );
});
