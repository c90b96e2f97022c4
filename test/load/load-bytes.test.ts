/** What is read from bytes, token by token, is as the parser has it. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BatchMemory } from '../../src/load/source/batch-memory.js';
import {
  canonicalTime,
  epochTime,
  isCanonicalIn,
  isoTimeIn,
  readDate,
  writeDate,
} from '../../src/load/values/dates.js';
import { canonicalDate } from '../../src/text.js';
import { anyDateText, numberJson, oddJson, textJson } from '../support/records.js';

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

/** Dates as programs write them, some with a character of another kind. */
const programDate = fc
  .tuple(
    anyDateText.map((text) => text.slice(0, 10)),
    fc.constantFrom('T', ' ', 't', ''),
    fc.tuple(fc.nat(25), fc.nat(61), fc.nat(61)).map((clock) => clock.map((n) => String(n).padStart(2, '0')).join(':')),
    fc.constantFrom('', '.000', '.120', '.5', '.123456', '.999999', '.123456789', '.1234567890', '.', ',5'),
    fc.constantFrom(
      'Z',
      '',
      '+00:00',
      '-00:00',
      '+0000',
      '+05:30',
      '-0800',
      '+15:59',
      '+16:00',
      '+02',
      'z',
      ' UTC',
      '+1:00',
    ),
    fc.constantFrom('', '', '', ' ', 'x', '0'),
  )
  .map((parts) => parts.join(''));
/** The dates that have to be read from their bytes. */
const PROGRAM_DATE =
  /^(?!00|9999)\d{4}-\d\d-\d\d([T ]([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,9})?(Z|[+-](0\d|1[0-5]):?[0-5]\d)?)?$/;

test('dates from bytes are dates from texts', () => {
  fc.assert(
    fc.property(fc.oneof(anyDateText, programDate), (text) => {
      const end = write(text);
      const timeMs = isoTimeIn(memory.bytes, 0, end);
      const reading = readDate(text);
      const isRead = typeof reading === 'object' && PROGRAM_DATE.test(text);
      expect(timeMs).toBe(isRead ? reading.timeMs : Number.NaN);
      expect(isCanonicalIn(memory.bytes, 0, end, timeMs)).toBe(isRead && !Number.isNaN(canonicalTime(text)));
    }),
    { numRuns: 10_000 },
  );
});

test('epochs from bytes are epochs from texts', () => {
  const digits = fc.integer({ min: 7, max: 18 }).chain((length) => fc.stringMatching(new RegExp(`^\\d{${length}}$`)));
  fc.assert(
    fc.property(fc.oneof(digits, oddJson), (text) => {
      const reading = readDate(text);
      const timeMs = epochTime(memory.canonicalNumber(0, write(text)));
      const isRead = /^[1-9](\d{8,12}|\d{14})$/.test(text) && typeof reading === 'object';
      if (isRead || !Number.isNaN(timeMs)) expect(reading).toEqual({ timeMs });
    }),
    { numRuns: 5000 },
  );
});

test('dates are written as the runtime writes them', () => {
  const times = fc.integer({ min: Date.parse('0000-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59.999Z') });
  const monthEnds = fc
    .tuple(fc.integer({ min: 100, max: 9999 }), fc.nat(11), fc.integer({ min: -1, max: 0 }))
    .map(([year, month, ms]) => Date.UTC(year, month, 1) + ms);
  fc.assert(
    fc.property(
      fc.oneof(
        times,
        times.map((time) => time - (time % 1000)),
        monthEnds,
      ),
      (timeMs) => {
        expect(memory.bytes.toString('latin1', 0, writeDate(memory.bytes, 0, timeMs))).toBe(canonicalDate(timeMs));
      },
    ),
    { numRuns: 5000 },
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
