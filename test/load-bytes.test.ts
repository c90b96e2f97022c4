/** What is read from bytes, token by token, is as the parser has it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BatchMemory } from '../src/load/batch-memory.js';
import { canonicalTimeIn, isCanonicalDate } from '../src/load/dates.js';
import { anyDateText, numberJson, oddJson, textJson } from './support/records.js';

const memory = new BatchMemory();
memory.reserve(4096);

/** Writes a text to the memory, and others behind it that do not count; returns where it ends. */
function write(text: string): number {
  const end = memory.bytes.write(text);
  memory.bytes.fill('}', end, end + 16);
  return end;
}

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
      const end = write(' '.repeat(offset) + json);
      memory.bytes.write(', "x"]  ', end);
      const to = memory.kernel.any(offset, end);
      const value = json.trim() === json ? parsed(json) : undefined;
      if (to === end) expect(value).not.toBe(undefined);
      if (value === undefined) return;
      expect(to).toBe(end);
      if (typeof value !== 'number') return;
      expect(memory.canonicalNumber(offset, end)).toBe(
        JSON.stringify(value) === json && /^-?[\d.]{1,16}$/.test(json) && json.replace(/\D/g, '').length <= 15
          ? value
          : Number.NaN,
      );
    }),
    { numRuns: 5000 },
  );
});

test('dates from bytes are dates from texts', () => {
  fc.assert(
    fc.property(anyDateText, (text) => {
      const end = write(text);
      const isRead = isCanonicalDate(text) && (text.length === 24 || (text.length === 20 && text >= '0100'));
      expect(canonicalTimeIn(memory.bytes, 0, end)).toBe(isRead ? Date.parse(text) : Number.NaN);
    }),
    { numRuns: 3000 },
  );
});

test('lists are canonical where the parser and the writer say so', () => {
  const lists = fc.array(fc.oneof(textJson, numberJson), { maxLength: 4 });
  fc.assert(
    fc.property(lists, fc.constantFrom(',', ', ', ' ,'), fc.constantFrom('', ' '), (texts, comma, gap) => {
      const json = `[${gap}${texts.join(comma)}]`;
      const end = write(json);
      const value = parsed(json);
      const areTexts = Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === 'string');
      const isCanonical = areTexts && JSON.stringify(value) === json;
      const to = memory.kernel.list(0, end);
      // An escape by number may be canonical, but is left to the writer.
      if (to === end || json.includes('\\u')) expect(isCanonical || to === 0).toBe(true);
      else expect([to, isCanonical]).toEqual([0, false]);
    }),
    { numRuns: 3000 },
  );
});
